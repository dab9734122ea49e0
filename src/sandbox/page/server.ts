/** The page's side of its HTTP interface. Nothing here rejects: a stand-in that cannot be reached is an answer like any other. */
import { bag, text } from './json.ts'
import { readState, type State } from './state.ts'

export interface Answer {
  readonly ok: boolean
  /** Slack's own error word, such as `operation_timeout`. */
  readonly error: string | undefined
  /** By block id, from a modal's submission. */
  readonly errors: ReadonlyMap<string, string>
}

const UNREACHABLE = 'stand_in_unreachable'

/** What this person sees, or nothing when the stand-in does not answer or does not know the person. */
export async function look(as: string): Promise<State | undefined> {
  try {
    const answer = await fetch(`/page/state?as=${encodeURIComponent(as)}`, { cache: 'no-store' })
    return answer.ok ? readState(await answer.json()) : undefined
  } catch {
    return undefined
  }
}

/** Does something as a person. */
export async function act(what: 'click' | 'submit' | 'close' | 'command' | 'home', body: object): Promise<Answer> {
  try {
    const answer = await fetch(`/page/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return readAnswer(bag(await answer.json()), answer.status)
  } catch {
    return { ok: false, error: UNREACHABLE, errors: new Map() }
  }
}

function readAnswer({ ok, error, errors }: Readonly<Record<string, unknown>>, status: number): Answer {
  const fields = new Map(Object.entries(bag(errors)).map(([block, words]) => [block, text(words)]))
  if (ok === true) return { ok: true, error: undefined, errors: fields }
  return { ok: false, error: text(error) || (fields.size > 0 ? undefined : `http_${status}`), errors: fields }
}

/** Calls back after every change on the other side, and tells when the line is down or up again. */
export function follow(changed: () => void, line: (up: boolean) => void): void {
  const events = new EventSource('/page/events')
  events.addEventListener('message', changed)
  events.addEventListener('open', () => {
    line(true)
    changed()
  })
  events.addEventListener('error', () => line(false))
}

/** One sentence for an error word; Slack's own words where it has them. */
export function errorWords(error: string, app: string): string {
  if (error === 'operation_timeout') return 'Operation timed out. Apps need to respond within 3 seconds. (operation_timeout)'
  if (error === UNREACHABLE) return 'The stand-in for Slack does not answer. Is it still running?'
  return `We had some trouble connecting to ${app}. Try again? (${error})`
}

// The state of every interaction and run, and the only place where a tool runs or is denied.
import type { Answer } from './answer.ts'
import type { RawRequest } from './send.ts'

/** What the platform does when the hook itself fails. From the page "Tool approval hooks". */
export type OnHookError = 'deny' | 'pause' | 'fail-run'

/** How a hook failed. */
export type Trouble = 'timeout' | 'unreachable' | 'status' | 'body'

interface Asked {
  readonly id: string
  readonly run: string
  readonly rootRun: string
  readonly tool: string
  readonly resolveUrl: string
  /** Exactly what was sent to the hook; give it to `send` to replay it. */
  readonly request: RawRequest
  /** The hook's HTTP status; null before the answer and when none came. */
  readonly status: number | null
  readonly answer: Answer | null
  /** Null when the hook answered properly or has not yet answered. */
  readonly trouble: Trouble | null
}

type Outcome =
  | { readonly state: 'asked' }
  /** `result` is what the tool gave back. */
  | { readonly state: 'allowed'; readonly result: string }
  /** `reason` is what the model reads, verbatim. */
  | { readonly state: 'denied'; readonly reason: string | null }
  /** `reason` is why the hook paused, or null when it failed and the platform paused. */
  | { readonly state: 'waiting'; readonly reason: string | null }
  | { readonly state: 'failed' }

/** One tool call under review. A value: ask again for the present state. */
export type Interaction = Asked & Outcome

/** One execution of the agent. */
export interface Run {
  readonly id: string
  readonly rootRun: string
  readonly state: 'running' | 'waiting_for_approval' | 'completed' | 'failed'
  /** In the order in which they were asked. */
  readonly interactions: readonly string[]
}

/** What a resolution says. */
export interface Verdict {
  readonly decision: 'allow' | 'deny'
  readonly reason?: string
}

/** What is known of a call before it is sent. */
export type Asking = Pick<Asked, 'id' | 'run' | 'rootRun' | 'tool' | 'resolveUrl' | 'request'>

interface Entry {
  asked: Asked
  outcome: Outcome
  readonly effect: () => string
  effects: number
}

interface RunEntry {
  readonly id: string
  readonly rootRun: string
  ended: 'completed' | 'failed' | null
  readonly interactions: string[]
}

export interface Ledger {
  interaction(id: string): Interaction | undefined
  run(id: string): Run | undefined
  /** How often this call's tool ran or was denied for the model. More than one is a broken platform. */
  effects(id: string): number
  ask(asking: Asking, effect: () => string): void
  /** The hook answered properly. */
  answered(id: string, status: number, answer: Answer): void
  /** The hook failed. */
  troubled(id: string, status: number | null, trouble: Trouble, onHookError: OnHookError): void
  /** A person's word, from outside. Only a parked call takes it, and only once. */
  resolve(id: string, verdict: Verdict): 'done' | 'unknown' | 'not_parked' | 'not_waiting'
  complete(run: string): Run
  /** A line for messages. */
  state(): string
}

/** Said to the model when no hook spoke: the page names no text, so this one is the stand-in's own. */
export const HOOK_FAILED = 'The tool approval hook failed, so the call was blocked.'

/** `changed` is called after every change of state. */
export function openLedger(changed: () => void): Ledger {
  const entries = new Map<string, Entry>()
  const runs = new Map<string, RunEntry>()

  const known = (id: string): Entry => {
    const entry = entries.get(id)
    if (entry === undefined) throw new Error(`no interaction ${id}`)
    return entry
  }
  const seen = (entry: Entry): Interaction => ({ ...entry.asked, ...entry.outcome })

  const runOf = (id: string): Run | undefined => {
    const run = runs.get(id)
    if (run === undefined) return undefined
    const parked = run.interactions.some((one) => entries.get(one)?.outcome.state === 'waiting')
    const state = run.ended ?? (parked ? 'waiting_for_approval' : 'running')
    return { id: run.id, rootRun: run.rootRun, state, interactions: [...run.interactions] }
  }

  const allow = (entry: Entry) => {
    entry.effects += 1
    let result: string
    try {
      result = entry.effect()
    } catch (error) {
      result = `The tool failed: ${error instanceof Error ? error.message : String(error)}`
    }
    entry.outcome = { state: 'allowed', result }
  }
  const deny = (entry: Entry, reason: string | null) => {
    entry.effects += 1
    entry.outcome = { state: 'denied', reason }
  }
  const failRun = (id: string) => {
    const run = runs.get(id)
    if (run === undefined) return
    run.ended = 'failed'
    for (const entry of run.interactions.map(known)) {
      if (entry.outcome.state === 'waiting') entry.outcome = { state: 'failed' }
    }
  }
  /** A call that was on its way when its run failed does not happen any more. */
  const settle = (entry: Entry, act: () => void) => {
    if (runs.get(entry.asked.run)?.ended === 'failed') entry.outcome = { state: 'failed' }
    else act()
    changed()
  }

  return {
    interaction: (id) => {
      const entry = entries.get(id)
      return entry && seen(entry)
    },
    run: runOf,
    effects: (id) => entries.get(id)?.effects ?? 0,
    ask(asking, effect) {
      if (entries.has(asking.id)) throw new Error(`${asking.id} was asked before; give its request to send to ask again`)
      const run = runs.get(asking.run) ?? { id: asking.run, rootRun: asking.rootRun, ended: null, interactions: [] }
      if (run.ended !== null) throw new Error(`${run.id} is ${run.ended} and calls no more tools`)
      runs.set(run.id, run)
      run.interactions.push(asking.id)
      const asked: Asked = { ...asking, status: null, answer: null, trouble: null }
      entries.set(asking.id, { asked, outcome: { state: 'asked' }, effect, effects: 0 })
      changed()
    },
    answered(id, status, answer) {
      const entry = known(id)
      entry.asked = { ...entry.asked, status, answer }
      settle(entry, () => {
        switch (answer.decision) {
          case 'allow':
            return allow(entry)
          case 'deny':
            return deny(entry, answer.reason ?? null)
          case 'pause':
            entry.outcome = { state: 'waiting', reason: answer.reason ?? null }
        }
      })
    },
    troubled(id, status, trouble, onHookError) {
      const entry = known(id)
      entry.asked = { ...entry.asked, status, trouble }
      settle(entry, () => {
        switch (onHookError) {
          case 'deny':
            return deny(entry, HOOK_FAILED)
          case 'pause':
            entry.outcome = { state: 'waiting', reason: null }
            return
          case 'fail-run':
            entry.outcome = { state: 'failed' }
            failRun(entry.asked.run)
        }
      })
    },
    resolve(id, verdict) {
      const entry = entries.get(id)
      if (entry === undefined) return 'unknown'
      if (entry.outcome.state === 'asked') return 'not_parked'
      if (entry.outcome.state !== 'waiting') return 'not_waiting'
      if (verdict.decision === 'allow') allow(entry)
      else deny(entry, verdict.reason ?? null)
      changed()
      return 'done'
    },
    complete(id) {
      const run = runs.get(id)
      if (run === undefined) throw new Error(`no run ${id}`)
      const open = run.interactions.filter((one) => ['asked', 'waiting'].includes(known(one).outcome.state))
      if (run.ended === 'failed' || open.length > 0)
        throw new Error(`${id} cannot complete: ${open.join(', ') || 'it has failed'}`)
      run.ended = 'completed'
      changed()
      return { id, rootRun: run.rootRun, state: 'completed', interactions: [...run.interactions] }
    },
    state() {
      const calls = [...entries].map(([id, entry]) => `${id} ${entry.outcome.state}`)
      const executions = [...runs.keys()].map((id) => `${id} ${runOf(id)?.state}`)
      return [...calls, ...executions].join(', ') || 'nothing was asked yet'
    },
  }
}

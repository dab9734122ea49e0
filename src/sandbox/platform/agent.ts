// A scripted agent: it asks for tools in the order of a script, goes on only as the platform lets it, and tells what happens.
import type { Interaction, Run } from './ledger.ts'
import type { Hook, Platform } from './platform.ts'
import type { Preview } from './review.ts'
import { jsonText } from './review.ts'

/** One tool call of a script. */
export interface Step {
  readonly tool: string
  readonly input: unknown
  readonly preview?: Preview
  /** What the tool does when it may: a sentence for people. */
  readonly effect: (input: unknown) => string
}

interface Errand {
  readonly platform: Platform
  readonly hook: Hook
  readonly script: readonly Step[]
  /** Gets one line at a time, without control characters. */
  readonly say: (line: string) => void
  /** The id of the run; counted when absent. Side by side, the first step has it. */
  readonly run?: string
  readonly agent?: string
  /** Every step as a run of its own, all at the same time. */
  readonly sideBySide?: boolean
}

/** Control, direction and invisible characters written out, so that a line on a terminal is what it seems. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
    return short[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}

/** Resolves when every run has ended, with the runs. Waits for people as long as they take; rejects when the platform closes. */
export async function runAgent(errand: Errand): Promise<readonly Run[]> {
  const { script, run } = errand
  if (errand.sideBySide !== true) return [await work(errand, script, run)]
  return Promise.all(script.map((step, at) => work(errand, [step], at === 0 ? run : undefined)))
}

async function work(errand: Errand, steps: readonly Step[], given: string | undefined): Promise<Run> {
  const { platform } = errand
  let id = given
  for (const step of steps) {
    const done = await take(errand, step, id)
    id = done.run
    if (done.state === 'failed') break
  }
  if (id === undefined) throw new Error('a script needs a step')
  const run = platform.run(id)
  if (run === undefined) throw new Error(`${id} is lost`)
  if (run.state === 'failed') {
    tell(errand, id, 'The run has failed. The agent stops here.')
    return run
  }
  const completed = platform.complete(id)
  tell(errand, id, 'Run completed.')
  return completed
}

async function take(errand: Errand, step: Step, run: string | undefined): Promise<Interaction> {
  const { platform, hook, agent } = errand
  const { tool, input, preview } = step
  const effect = () => step.effect(input)
  const asked = await platform.call({
    ...{ hook, tool, input, effect },
    ...(run === undefined ? {} : { run }),
    ...(agent === undefined ? {} : { agent }),
    ...(preview === undefined ? {} : { preview }),
    // Said before the hook can answer, so that the lines stand in the order of what happens.
    asked: ({ run: id }) =>
      tell(errand, id, `The agent asks to use ${tool}: ${preview?.summary ?? cut(jsonText(input) ?? 'nothing')}`),
  })
  if (asked.trouble !== null) tell(errand, asked.run, `The hook could not say (${TROUBLES[asked.trouble]}).`)
  if (asked.state !== 'waiting') {
    tell(errand, asked.run, outcome(asked, 'Allowed at once.'))
    return asked
  }
  tell(errand, asked.run, `Waiting for a person${asked.reason === null ? '.' : `: ${asked.reason}`}`)
  const present = () => platform.interaction(asked.id) ?? asked
  await platform.until(`${asked.id} is decided`, () => present().state !== 'waiting', Number.POSITIVE_INFINITY)
  const decided = present()
  tell(errand, decided.run, outcome(decided, 'Approved.'))
  return decided
}

const TROUBLES = {
  body: 'its answer makes no sense',
  status: 'it answered with an error',
  timeout: 'it took too long',
  unreachable: 'it cannot be reached',
} as const

function outcome(interaction: Interaction, allowed: string): string {
  switch (interaction.state) {
    case 'allowed':
      return `${allowed} ${interaction.result}`
    case 'denied':
      return interaction.reason === null ? 'Denied, without a reason.' : `Denied. The model reads: "${interaction.reason}"`
    case 'failed':
      return 'The call does not happen.'
    case 'asked':
    case 'waiting':
      return 'Still open.'
  }
}

function tell(errand: Errand, run: string, line: string): void {
  errand.say(visible(`${run}  ${line}`))
}

const LINE = 120

function cut(text: string): string {
  return text.length <= LINE ? text : `${text.slice(0, LINE)}… (${text.length} characters)`
}

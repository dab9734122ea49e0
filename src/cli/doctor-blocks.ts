/**
 * Every kind of message and view that people get, shown to Slack's own `blocks.validate`: the one judge of what it takes. Our
 * stand-in's rules were written from its documentation, and Slack changes its mind.
 */
import { WebAPIPlatformError, type WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Clock } from '../approval/ports.ts'
import { inert } from '../channels/slack/safe-text.ts'
import type { Exhibit } from '../sandbox/slack/page-exhibits.ts'
import { timesBefore } from './cards-calls.ts'
import { examples } from './cards-examples.ts'
import { noOf, unasked } from './doctor-ask.ts'
import { type Finding, fails, ok, skipped } from './doctor-finding.ts'

const CHECK = 'cards'

/** So few at once, for how often the method may be called is not told. */
const AT_ONCE = 3

/** Shown to Slack so often at most, when it asks us to wait between. */
const TRIES = 3
const LONGEST_WAIT_MS = 10_000

const Refused = z.object({ errors: z.array(z.object({ pointer: z.string().default(''), message: z.string().default('') })) })

export async function lookAtCards(client: WebClient, clock: Clock): Promise<readonly Finding[]> {
  const left = [...examples(timesBefore(clock.now()))]
  const count = left.length
  const findings: Finding[] = []
  let other: Finding | undefined
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined && other === undefined; one = left.shift()) {
      const answer = await show(client, clock, one)
      if (answer === undefined) continue
      // What is no verdict would be the same for the rest.
      if (answer.check === CHECK) other = answer
      else findings.push(answer)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (other !== undefined) return [...findings, other]
  return findings.length > 0 ? findings : [ok(CHECK, `Slack takes all ${count} kinds of messages and views.`)]
}

/** Undefined when Slack takes it; under `CHECK` when it gave no verdict. */
async function show(client: WebClient, clock: Clock, { id, title, shown }: Exhibit): Promise<Finding | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.apiCall('blocks.validate', argumentsOf(shown))
      return undefined
    } catch (error) {
      const said = noOf(error)
      if (said.code === 'ratelimited' && tries < TRIES) await pause(clock, error)
      else if (/^invalid_(blocks|message|view)$/.test(said.code)) {
        return fails(
          `card ${id} (${title})`,
          `Slack refuses it (${why(error)}).`,
          'Please report it: it is a fault of this version.',
        )
      } else if (said.code === 'unknown_method') return skipped(CHECK, 'this Slack does not know blocks.validate.')
      else return unasked(CHECK, said)
    }
  }
}

/** What is shown, as the method takes it: a message without its text. */
function argumentsOf(shown: Exhibit['shown']): Record<string, unknown> {
  return 'view' in shown ? { view: shown.view } : { message: { blocks: shown.message.blocks } }
}

function why(error: unknown): string {
  const { errors } = (error instanceof WebAPIPlatformError ? Refused.safeParse(error.data).data : undefined) ?? { errors: [] }
  const told = errors.slice(0, 3).map(({ pointer, message }) => inert(`${pointer} ${message}`.slice(0, 200), 'one line'))
  return told.length === 0 ? 'it does not say why' : told.join('; ')
}

function pause(clock: Clock, error: unknown): Promise<void> {
  const wanted = typeof error === 'object' && error !== null && 'retryAfter' in error ? Number(error.retryAfter) * 1000 : 1000
  return new Promise((resolve) => void clock.after(Math.min(wanted, LONGEST_WAIT_MS), resolve))
}

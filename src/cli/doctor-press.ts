/**
 * Whether what people do in Slack reaches this host: a message with a button is posted, and its press is waited for where `serve`
 * would wait for it. Neither a signing secret nor the app's interactivity settings can be proven otherwise.
 */
import type { Button } from '@slack/types'
import { z } from 'zod'
import { actions, header, line, type Part, richText } from '../channels/slack/block.ts'
import type { Listening } from '../channels/slack/bolt.ts'
import { NOTE_BLOCK } from '../channels/slack/button.ts'
import { responder } from '../channels/slack/feedback.ts'
import { ours, type Words } from '../channels/slack/safe-text.ts'
import type { Config } from '../config/config.ts'
import { newId } from '../new-id.ts'
import { holdSole } from '../store/database.ts'
import { ask, slackEnd, unasked } from './doctor-ask.ts'
import { type Finding, fails, ok, skipped } from './doctor-finding.ts'
import { type Hearing, openIngress } from './doctor-ingress.ts'

const CHECK = 'press of a button'

/** How long somebody has to find the message and press. Milliseconds. */
export const PRESS_MS = 120_000

export interface Pressing extends Hearing {
  /** For the person at the terminal, who has to do something now. */
  readonly prompt: (text: string) => void
  /** Ends the waiting. */
  readonly stop: AbortSignal
}

export const ACTION = 'doctor.press'
const WAITING = ours`Countersign is being set up`
const ASKED: readonly Part[] = [{ words: ours`Its doctor waits for somebody to press this button. It decides nothing.` }]
const NO_ONE: readonly Part[] = [{ words: ours`No press reached it in time.` }]

const Press = z.object({
  user: z.object({ id: z.string() }),
  response_url: z.string().optional(),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).min(1),
})
const Command = z.object({ response_url: z.string().optional() })
const Posted = z.object({ channel: z.string(), ts: z.string() })

/** @param running whether a bot serves the database, as far as that is known */
export async function waitForPress(config: Config, running: boolean | undefined, pressing: Pressing): Promise<Finding> {
  if (running !== false) return skipped(CHECK, 'a bot is running on this database, and takes every press; stop it first.')
  let sole: { release(): void } | undefined
  try {
    // A bot that starts meanwhile would share the presses with us.
    if (config.databasePath !== ':memory:') sole = holdSole(config.databasePath)
    return await pressed(config, pressing)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it failed'
    return fails(CHECK, `it could not be waited for: ${why}.`, 'Mend that, and run doctor --press again.')
  } finally {
    sole?.release()
  }
}

async function pressed(config: Config, pressing: Pressing): Promise<Finding> {
  const value = newId()
  let arrive: (user: string) => void = () => undefined
  const arrived = new Promise<string>((resolve) => {
    arrive = resolve
  })
  const ingress = await openIngress(config, pressing, listening(config, value, arrive))
  try {
    if (ingress.trouble !== undefined) {
      const mend = 'The line about the app token says more; nothing was posted.'
      return fails(CHECK, `Slack opens no connection (${ingress.trouble}).`, mend)
    }
    const { client } = slackEnd(config.slack.botToken, config.slack.apiUrl, pressing.clock.now)
    const channel = config.slack.conversation
    const posted = await ask(Posted, () => client.chat.postMessage({ channel, ...message(ASKED, value) }))
    if (!posted.ok) return unasked(CHECK, posted)
    pressing.prompt(
      `Press the button that now stands in ${channel}, within ${PRESS_MS / 60_000} minutes. Listening on ${ingress.where}.\n`,
    )
    const by = await firstOf(arrived, pressing)
    const outcome: readonly Part[] =
      by === undefined ? NO_ONE : [{ words: ours`It arrived: pressed by ` }, { user: by }, { words: ours`.` }]
    const { ts } = posted.value
    const updated = await ask(Posted, () => client.chat.update({ channel: posted.value.channel, ts, ...message(outcome) }))
    const rest = updated.ok ? '' : ` The message there could not be brought up to date (${updated.code}).`
    if (by === undefined) return fails(CHECK, `none arrived.${rest}`, ingress.mend())
    return ok(CHECK, `arrived, by ${by}.${rest}`)
  } finally {
    await ingress.close()
  }
}

/** Undefined when nobody pressed in time, or nobody is waited for any more. */
async function firstOf(arrived: Promise<string>, { clock, stop }: Pressing): Promise<string | undefined> {
  let end: () => void = () => undefined
  const over = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined)
  })
  const cancel = clock.after(PRESS_MS, end)
  stop.addEventListener('abort', end)
  if (stop.aborted) end()
  try {
    return await Promise.race([arrived, over])
  } finally {
    cancel()
    stop.removeEventListener('abort', end)
  }
}

const NOT_NOW: Words = ours`Countersign is only being checked at the moment. Nothing was decided; try again in a few minutes.`

/** While we listen, cards of before are pressed too. Nobody is left without a word, and nothing is decided. */
function listening({ slack }: Config, value: string, arrive: (user: string) => void): Listening {
  const respond = responder(slack.apiUrl)
  const sayNotNow = async (responseUrl: string | undefined): Promise<void> => {
    if (responseUrl !== undefined) await respond(responseUrl, { text: NOT_NOW, blocks: [richText([line([{ words: NOT_NOW }])])] })
  }
  return {
    async press(body) {
      const read = Press.safeParse(body).data
      const isOurs = read?.actions.some((action) => action.action_id === ACTION && action.value === value)
      if (read !== undefined && isOurs === true) arrive(read.user.id)
      else await sayNotNow(read?.response_url)
    },
    fault: () => ({ [NOTE_BLOCK]: NOT_NOW }),
    submit: () => Promise.resolve(),
    command: (body) => sayNotNow(Command.safeParse(body).data?.response_url),
    report: () => undefined,
  }
}

/** @param value of the button; without one there is none */
function message(parts: readonly Part[], value?: string) {
  const button: Button = {
    type: 'button',
    action_id: ACTION,
    text: { type: 'plain_text', text: ours`Press me`, emoji: false },
    value: value ?? '',
  }
  return {
    text: WAITING,
    blocks: [header(WAITING), richText([line(parts)]), ...(value === undefined ? [] : [actions([button])])],
  }
}

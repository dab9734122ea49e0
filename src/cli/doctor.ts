/** `countersign doctor`: what only the outside can tell about an installation, a line each, and what to do about it. */
import type { WebClient } from '@slack/web-api'
import type { Clock } from '../approval/ports.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { slackEnd } from './doctor-ask.ts'
import { clockFinding } from './doctor-clock.ts'
import { lookAtDatabase } from './doctor-database.ts'
import { type Finding, printed, skipped } from './doctor-finding.ts'
import { lookAtNamed } from './doctor-named.ts'
import type { Pressing } from './doctor-press.ts'
import { lookAtIngress, lookAtToken } from './doctor-slack.ts'
import { lookAtSources } from './doctor-source.ts'

interface Wanted {
  /** Waits for a person to press a button in Slack. */
  readonly press?: boolean
  /** Shows Slack every kind of card. */
  readonly blocks?: boolean
}

/** All that is asked without a person, together. Milliseconds. */
const ALL_MS = 60_000

/** @throws Unfit with every fault of settings and environment */
export async function doctor(
  variables: NodeJS.ProcessEnv,
  { json, ...wanted }: Wanted & { readonly json?: boolean },
): Promise<void> {
  const config = loadConfig(variables)
  const stop = new AbortController()
  // The first one ends the waiting, so that the message in Slack does not keep its button; the second ends the process.
  if (wanted.press === true) process.once('SIGINT', () => stop.abort())
  const found: Finding[] = []
  const tell = (finding: Finding): void => {
    found.push(finding)
    if (json !== true) process.stdout.write(printed(finding))
  }
  await examine(config, wanted, tell, {
    clock: WAITING,
    random: Math.random,
    prompt: (text) => process.stderr.write(text),
    stop: stop.signal,
  })
  if (json === true) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
  if (found.some(({ status }) => status === 'fails')) process.exitCode = 1
}

/** Unlike the bot's own, its timers keep the process alive: what is waited for here is all that there is. */
const WAITING: Clock = {
  now: () => new Date(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

/** Tells each finding once it is sure, in an order that does not depend on who answers first. */
async function examine(config: Config, wanted: Wanted, tell: (finding: Finding) => void, pressing: Pressing): Promise<void> {
  const sources = lookAtSources(config, pressing.clock.now)
  const database = await lookAtDatabase(config.databasePath)
  database.findings.forEach(tell)
  const canPost = await examineSlack(config, wanted, tell, pressing)
  for (const finding of await sources) tell(finding)
  if (wanted.press !== true) {
    tell(skipped('press of a button', '--press waits for one in Slack, while the bot is stopped.'))
  } else if (canPost) {
    const { waitForPress } = await import('./doctor-press.ts')
    tell(await waitForPress(config, database.running, pressing))
  } else tell(skipped('press of a button', 'nothing can be posted where cards go; mend that first.'))
}

/** @returns whether a message can be posted where cards go */
async function examineSlack(
  config: Config,
  wanted: Wanted,
  tell: (finding: Finding) => void,
  { clock }: Pressing,
): Promise<boolean> {
  const { botToken, apiUrl, ingress } = config.slack
  const deadline = AbortSignal.timeout(ALL_MS)
  const end = (token: string) => slackEnd(token, apiUrl, clock.now, deadline)
  const bot = end(botToken)
  // Alone, and first: whatever else is asked would fail with it, and say nothing more.
  const token = await lookAtToken(bot.client, config)
  token.findings.forEach(tell)
  tell(clockFinding('Slack', bot.told()))
  const [named, arriving, cards] = await Promise.all([
    token.usable ? lookAtNamed(bot.client, config, token.missing, clock.now) : NOTHING_ASKED,
    lookAtIngress(config, () => end(ingress.mode === 'socket' ? ingress.appToken : '').client, token.reached),
    wanted.blocks === true && token.reached ? showCards(bot.client, clock) : [],
  ])
  for (const finding of [arriving, ...named.findings, ...cards]) tell(finding)
  return named.canPost && !token.missing.includes('chat:write')
}

const NOTHING_ASKED = {
  findings: [skipped('conversations, user groups and people', 'nothing can be asked with this token.')],
  canPost: false,
}

async function showCards(client: WebClient, clock: Clock): Promise<readonly Finding[]> {
  const { lookAtCards } = await import('./doctor-blocks.ts')
  return lookAtCards(client, clock)
}

/**
 * `countersign demo`: the bot as it is, beside a stand-in Slack with a page and a stand-in agent platform, all on loopback. The
 * settings are written out and read like anybody's; what is thrown away at the end is the folder that they and the database are in.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, startApp } from '../app.ts'
import { PACE } from '../approval/sweep.ts'
import { nudgeClient } from '../approval-channel/nudge.ts'
import { channelSecret } from '../approval-channel/signature.ts'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config/config.ts'
import { makeLog } from '../log.ts'
import { runAgent } from '../sandbox/platform/agent.ts'
import { startPlatform } from '../sandbox/platform/platform.ts'
import { demoScript } from '../sandbox/platform/script.ts'
import { runExample } from '../sandbox/runtime/example.ts'
import { startRuntime } from '../sandbox/runtime/runtime.ts'
import { type SlackStandIn, startSlack } from '../sandbox/slack/stand-in.ts'

const PAGE_PORT = 3080

export interface Trying {
  /** An agent that is asked over its signed channel, instead of one that calls our hook. */
  readonly channel?: boolean
  /** A colleague denies what it asks. */
  readonly deny?: boolean
}

/** @throws Error in words, with nothing left open */
export async function demo(variables: NodeJS.ProcessEnv, trying: Trying): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-demo-'))
  const opened: { close(): Promise<unknown> }[] = []
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      for (let one = opened.pop(); one !== undefined; one = opened.pop()) await one.close()
      rmSync(folder, { recursive: true, force: true })
    })())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (closing === undefined) tell('\nStopping. Nothing of this try-out is kept.')
      void close().finally(() => process.exit(0))
    })
  }
  try {
    if (trying.channel === true || trying.deny === true) await overChannel(variables, folder, opened, trying.deny === true)
    else await overHook(variables, folder, opened)
  } catch (error) {
    await close()
    throw error
  }
}

type Opened = { close(): Promise<unknown> }[]

async function overHook(variables: NodeJS.ProcessEnv, folder: string, opened: Opened): Promise<void> {
  const apiKey = `novo_sandbox_${secret()}`
  const hookSecret = `tah_sandbox_${secret()}`
  const stand = await standIn(variables, opened)
  const platform = await startPlatform({ apiKey })
  opened.push(platform)
  const app = await bot(variables, folder, opened, stand, hookSettings(platform.url), {
    NOVO_HOOK_SECRET: hookSecret,
    NOVO_API_KEY: apiKey,
  })
  greet(stand.slack, 'a stand-in agent platform', `The bot answers hooks on port ${app.port}.`)
  const hook: Hook = { url: `http://127.0.0.1:${app.port}/hooks/novo`, secret: hookSecret, onHookError: 'deny' }
  await rounds(() => runAgent({ platform, hook, script: demoScript, say: tell, sideBySide: true }))
}

async function overChannel(variables: NodeJS.ProcessEnv, folder: string, opened: Opened, deny: boolean): Promise<void> {
  const channel = secret()
  const nudging = secret()
  const stand = await standIn(variables, opened)
  const runtime = await startRuntime({ secret: channel })
  opened.push(runtime)
  const app = await bot(variables, folder, opened, stand, channelSettings(runtime.url), {
    STEWARD_SECRET: channel,
    STEWARD_NUDGE_SECRET: nudging,
  })
  const nudge = nudgeClient({
    url: `http://127.0.0.1:${app.port}`,
    secret: channelSecret(nudging),
    now: () => new Date(),
    newNonce: secret,
  })
  opened.push(nudge)
  greet(stand.slack, 'a small agent runtime that serves the signed approval channel', 'The bot asks that runtime what waits.')
  await rounds(async () => {
    const run = secret()
    const ended = runExample({ runtime, say: tell, run })
    // Whoever stops the try-out ends the wait, and nobody may be listening yet.
    ended.catch(() => undefined)
    // As the agent's own process does when its run pauses; the rest is asked for.
    const nudged = await nudge.nudge('steward', run)
    if (!nudged.ok) throw new Error(`the bot did not take the nudge (${nudged.code})`)
    if (deny) await denyIn(stand.slack, run)
    await ended
  })
}

/** Far longer than a card takes. Milliseconds. */
const CARD_MS = 60_000

/** What a colleague does in the page: presses Deny on the run's card, and confirms. */
async function denyIn(slack: SlackStandIn, run: string): Promise<void> {
  const card = await slack.until(
    'the card',
    () => slack.messages(CONVERSATION).find(({ blocks }) => JSON.stringify(blocks).includes(run)),
    CARD_MS,
  )
  tell('A colleague, Ana, presses Deny in Slack.')
  await slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts: card.ts, action_id: 'approval.deny' })
}

function greet(slack: SlackStandIn, beside: string, how: string): void {
  tell('')
  tell(`Countersign is running, with a stand-in Slack and ${beside} beside it.`)
  tell('')
  tell(`  Open this page and decide:   ${slack.url}/`)
  tell('')
  tell(`${how} Ctrl-C ends it all. What the agent does:`)
  tell('')
}

type Hook = { readonly url: string; readonly secret: string; readonly onHookError: 'deny' }

const secret = (): string => randomBytes(16).toString('hex')

async function standIn(variables: NodeJS.ProcessEnv, opened: Opened): Promise<StandIn> {
  const tokens = { botToken: `xoxb-sandbox-${secret()}`, signingSecret: secret() }
  const port = portOf(variables.DEMO_PAGE_PORT)
  const slack = await inWords(startSlack({ port, ...tokens }), port, 'DEMO_PAGE_PORT')
  opened.push(slack)
  return { slack, tokens }
}

interface StandIn {
  readonly slack: SlackStandIn
  readonly tokens: { readonly botToken: string; readonly signingSecret: string }
}

async function bot(
  variables: NodeJS.ProcessEnv,
  folder: string,
  opened: Opened,
  { slack, tokens }: StandIn,
  sources: string,
  secrets: Readonly<Record<string, string>>,
): Promise<App> {
  const file = join(folder, 'countersign.yml')
  writeFileSync(file, settings(sources))
  const config = loadConfig({
    PORT: variables.PORT,
    ADMIN_PORT: variables.ADMIN_PORT,
    LOG_LEVEL: variables.LOG_LEVEL ?? 'error',
    HOST: '127.0.0.1',
    COUNTERSIGN_CONFIG: file,
    DATABASE_URL: `sqlite:${join(folder, 'countersign.db')}`,
    SLACK_BOT_TOKEN: tokens.botToken,
    SLACK_SIGNING_SECRET: tokens.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    ...secrets,
  })
  const app = await startApp(config, { log: makeLog(config.logLevel), clock: systemClock, pace: PACE, random: Math.random })
  opened.push({ close: () => app.stop() })
  slack.deliverTo(`http://127.0.0.1:${app.port}/slack/events`)
  return app
}

const CONVERSATION = 'C0APPROVALS'

function hookSettings(platformUrl: string): string {
  return `hooks:
  - name: novo
    secrets: [env:NOVO_HOOK_SECRET]
    key: env:NOVO_API_KEY
    origins: [${platformUrl}]`
}

function channelSettings(runtimeUrl: string): string {
  return `channels:
  - name: steward
    url: ${runtimeUrl}
    secret: env:STEWARD_SECRET
    nudgeSecret: env:STEWARD_NUDGE_SECRET`
}

function settings(sources: string): string {
  return `slack:
  conversation: ${CONVERSATION}
${sources}
operators: { users: [U0ANA] }
approvers:
  everyone: { conversation: true }
rules:
  - name: reads
    tools: [read_file, list_directory]
    allow: {}
  - name: shell
    tools: [bash]
    ask: { reason: A shell command changes this machine. }
defaults:
  approvers: everyone
`
}

/** The script, and again whenever somebody at a terminal asks for it. */
async function rounds(round: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await round()
    tell('')
    if (!process.stdin.isTTY) return tell('Every run has ended. Ctrl-C ends the try-out.')
    tell('Every run has ended. Enter starts them again; Ctrl-C ends the try-out.')
    await new Promise((resolve) => process.stdin.once('data', resolve))
  }
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? PAGE_PORT)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('DEMO_PAGE_PORT must be a port number')
  return port
}

async function inWords<T>(starting: Promise<T>, port: number, setting: string): Promise<T> {
  try {
    return await starting
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new Error(`port ${port} is taken by another program; stop that one or set ${setting} to another port`)
    }
    throw error
  }
}

function tell(text: string): void {
  process.stdout.write(`${text}\n`)
}

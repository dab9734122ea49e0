/**
 * A whole bot on loopback, between a stand-in Slack and a stand-in agent platform. Every port is free, every database new, and
 * the clock can be moved on: the bot reads it as real time plus what the test added.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type App, startApp } from '../src/app.ts'
import type { Clock } from '../src/approval/ports.ts'
import type { Pace } from '../src/approval/sweep.ts'
import type { HomePace } from '../src/channels/slack/homes.ts'
import type { SlackPace } from '../src/channels/slack/pace.ts'
import { systemClock } from '../src/clock.ts'
import { type Config, loadConfig } from '../src/config/config.ts'
import { makeLog } from '../src/log.ts'
import type { Interaction } from '../src/sandbox/platform/ledger.ts'
import { type Call, type Platform, type PlatformOptions, startPlatform } from '../src/sandbox/platform/platform.ts'
import { type Runtime, type RuntimeOptions, startRuntime } from '../src/sandbox/runtime/runtime.ts'
import type { Message } from '../src/sandbox/slack/messages.ts'
import { type SlackOptions, type SlackStandIn, startSlack } from '../src/sandbox/slack/stand-in.ts'
import type { WatchPace } from '../src/sources/agentrt/watch.ts'

/** Fast enough that a test need not wait, slow enough to be the same machine. */
const QUICK: Pace = { firstMs: 20, longestMs: 200, atOnce: 16, leaseMs: 30_000, lookMs: 200 }

export const CONVERSATION = 'C0APPROVALS'

export interface SceneOptions {
  readonly settings?: (platformUrl: string, runtimeUrl: string) => string
  /** Starts an example runtime beside the platform; the settings name it as the channel source “steward”. */
  readonly runtime?: Partial<RuntimeOptions>
  readonly watchPace?: WatchPace
  /** Slack over a connection that the bot opens, instead of calls to the bot; as SLACK_MODE says when left out. */
  readonly socket?: boolean
  readonly slackPace?: SlackPace
  readonly homePace?: HomePace
  readonly slack?: Partial<SlackOptions>
  readonly platform?: Partial<PlatformOptions>
  readonly pace?: Pace
}

export interface Scene {
  readonly slack: SlackStandIn
  readonly platform: Platform
  /** @throws when the scene has none */
  readonly runtime: Runtime
  readonly hook: { readonly url: string; readonly secret: string }
  readonly config: Config
  readonly databasePath: string
  /** Everything that the bot logged. */
  readonly log: readonly string[]
  readonly secrets: readonly string[]
  /** For settings that serve our own channel: `env:CHANNEL_SECRET`. */
  readonly channelSecret: string
  /** What the runtime's own process signs its nudges with. */
  readonly nudgeSecret: string
  app(): App
  /** Asks the hook about one call. */
  call(tool: string, input: unknown, more?: Partial<Omit<Call, 'hook' | 'tool' | 'input'>>): Promise<Interaction>
  /** The stored row of an interaction, as it is on disk; undefined when there is none. */
  row(id: string): Readonly<Record<string, unknown>> | undefined
  rows(table: 'approvals' | 'messages' | 'tasks' | 'conflicts' | 'watches'): readonly Readonly<Record<string, unknown>>[]
  /** Every message of a conversation that is a card of this interaction. */
  cards(id: string, conversation?: string): readonly Message[]
  /** Waits until exactly one card stands and shows a text (anywhere in its blocks). */
  card(id: string, showing?: string): Promise<Message>
  /** Presses a button of the interaction's card. */
  press(user: string, id: string, action: string): Promise<void>
  /** The last thing that was said to a person privately, once there are more of them than before. */
  toldNext(user: string, work: () => Promise<unknown>): Promise<string>
  /** Moves the bot's clock on. */
  advance(ms: number): void
  stop(): Promise<void>
  /** Stops the bot and starts it again on the same database and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export function standardSettings(platformUrl: string): string {
  return `slack:
  conversation: ${CONVERSATION}
hooks:
  - name: novo
    secrets: [env:NOVO_HOOK_SECRET]
    key: env:NOVO_API_KEY
    origins: [${platformUrl}]
operators: { users: [U0ANA] }
approvers:
  everyone: { conversation: true }
  leads: { users: [U0ANA, U0BOB] }
rules:
  - name: reads
    tools: [read_file]
    allow: {}
  - name: wipes
    tools: ["wipe_*"]
    deny: { reason: destructive command }
  - name: money
    tools: ["pay_*"]
    ask: { approvers: leads, reason: payments need a lead }
defaults:
  approvers: everyone
`
}

/** Beside the standard settings: the example runtime as a source that is asked. */
export function withSteward(runtimeUrl: string): string {
  return `channels:
  - name: steward
    url: ${runtimeUrl}
    secret: env:STEWARD_SECRET
    nudgeSecret: env:STEWARD_NUDGE_SECRET
`
}

/** A test does not wait for Slack's pace. */
const QUICK_SLACK: SlackPace = { postMs: 1, rewriteMs: 1, rewriteBurst: 100 }
const QUICK_HOME: HomePace = { personMs: 20, publishMs: 1, burst: 100, atOnce: 4 }

/** Looks as soon as it may, and never sleeps long. */
export const QUICK_WATCH: WatchPace = {
  soonMs: 100,
  waitingMs: 200,
  emptyMs: 400,
  idleMs: 100,
  troubleMs: 50,
  longestTroubleMs: 200,
}

export async function scene(options: SceneOptions = {}): Promise<Scene> {
  const { socket = process.env.SLACK_MODE === 'socket' } = options
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'))
  const databasePath = join(folder, 'countersign.db')
  const secret = (prefix: string): string => `${prefix}${randomBytes(16).toString('hex')}`
  const keys = {
    bot: secret('xoxb-sandbox-'),
    signing: secret(''),
    api: secret('key_'),
    hook: secret('tah_'),
    channel: secret('ch_'),
    steward: secret('steward_'),
    nudge: secret('nudge_'),
  }
  const appToken = secret('xapp-sandbox-')
  const slack = await startSlack({
    botToken: keys.bot,
    signingSecret: keys.signing,
    ...(socket ? { appToken } : {}),
    ...options.slack,
  })
  const platform = await startPlatform({ apiKey: keys.api, ...options.platform })
  const runtime = options.runtime === undefined ? undefined : await startRuntime({ secret: keys.steward, ...options.runtime })
  const variables = {
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_PORT: '0',
    DATABASE_URL: `sqlite:${databasePath}`,
    SLACK_BOT_TOKEN: keys.bot,
    ...(socket ? { SLACK_APP_TOKEN: appToken } : { SLACK_SIGNING_SECRET: keys.signing }),
    SLACK_API_URL: slack.apiUrl,
    NOVO_HOOK_SECRET: keys.hook,
    NOVO_API_KEY: keys.api,
    CHANNEL_SECRET: keys.channel,
    STEWARD_SECRET: keys.steward,
    STEWARD_NUDGE_SECRET: keys.nudge,
  }
  const standard = (platformUrl: string, runtimeUrl: string): string =>
    standardSettings(platformUrl) + (runtimeUrl === '' ? '' : withSteward(runtimeUrl))
  const config = loadConfig(variables, () => (options.settings ?? standard)(platform.url, runtime?.url ?? ''))
  const lines: string[] = []
  const log = makeLog('trace', { write: (line: string) => void lines.push(line) })
  let offsetMs = 0
  const clock: Clock = { now: () => new Date(Date.now() + offsetMs), after: systemClock.after }
  const start = (port: number): Promise<App> =>
    startApp(
      { ...config, listen: { ...config.listen, port } },
      {
        log,
        clock,
        pace: options.pace ?? QUICK,
        watchPace: options.watchPace ?? QUICK_WATCH,
        slackPace: options.slackPace ?? QUICK_SLACK,
        homePace: options.homePace ?? QUICK_HOME,
        random: () => 0.5,
      },
    )
  let app = await start(0)
  const connected = (): Promise<boolean> =>
    slack.until('the socket is open', () => slack.sockets().some(({ state }) => state === 'open'))
  if (socket) await connected()
  else slack.deliverTo(`http://127.0.0.1:${app.port}/slack/events`)
  const reader = new Sqlite(databasePath, { readonly: true })
  const hook = { url: `http://127.0.0.1:${app.port}/hooks/novo`, secret: keys.hook }

  function row(id: string): Readonly<Record<string, unknown>> | undefined {
    return record(reader.prepare('select * from approvals where id = ?').get(id))
  }
  function cards(id: string, conversation = CONVERSATION): readonly Message[] {
    const own = row(id)?.row_id
    return slack
      .messages(conversation)
      .filter((message) => own !== undefined && JSON.stringify(message.metadata)?.includes(String(own)))
  }
  const card = (id: string, showing = ''): Promise<Message> =>
    slack.until(`the card of ${id} showing ${JSON.stringify(showing)}`, () => {
      const [one, ...more] = cards(id)
      return more.length === 0 && one !== undefined && JSON.stringify(one.blocks).includes(showing) ? one : undefined
    })
  return {
    slack,
    platform,
    get runtime() {
      if (runtime === undefined) throw new Error('this scene has no runtime')
      return runtime
    },
    hook,
    config,
    databasePath,
    log: lines,
    secrets: [...Object.values(keys), appToken],
    channelSecret: keys.channel,
    nudgeSecret: keys.nudge,
    app: () => app,
    call: (tool, input, more = {}) => platform.call({ hook, tool, input, ...more }),
    row,
    rows: (table) =>
      reader
        .prepare(`select * from ${table}`)
        .all()
        .map((one) => record(one) ?? {}),
    cards,
    card,
    async press(user, id, action) {
      const { conversation, ts } = await card(id)
      const { status, trouble } = await slack.click({ user, conversation, ts, action_id: action })
      if (status !== 200) throw new Error(`the press was answered ${status} (${trouble})`)
    },
    async toldNext(user, work) {
      const before = slack.privately(user).length
      await work()
      await slack.until(`a private word to ${user}`, () => slack.privately(user).length > before)
      return JSON.stringify(slack.privately(user).at(-1)?.blocks)
    },
    advance(ms) {
      offsetMs += ms
    },
    stop: () => app.stop(),
    async restart() {
      const { port } = app
      await app.stop()
      app = await start(port)
      if (socket) await connected()
    },
    async close() {
      await app.stop()
      reader.close()
      await Promise.all([slack.close(), platform.close(), runtime?.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined
}

/** An installation between stand-ins, and the built `countersign doctor` run on it. */
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { type Platform, startPlatform } from '../../src/sandbox/platform/platform.ts'
import { type Runtime, type RuntimeOptions, startRuntime } from '../../src/sandbox/runtime/runtime.ts'
import { type SlackOptions, type SlackStandIn, startSlack } from '../../src/sandbox/slack/stand-in.ts'
import { program, type Run } from '../crash/bot.ts'

const Findings = z.array(
  z.strictObject({
    check: z.string(),
    status: z.enum(['ok', 'warning', 'fails', 'skipped']),
    message: z.string(),
    mend: z.string().nullable(),
  }),
)
export type Findings = z.infer<typeof Findings>

export interface StageOptions {
  readonly socket?: boolean
  readonly slack?: Partial<SlackOptions>
  readonly runtime?: Partial<RuntimeOptions>
  readonly conversation?: string
  readonly fallback?: string
  /** The parts of the set “everyone”. */
  readonly everyone?: string
  /** Where the settings say that the channel is; where it is, when left out. */
  readonly channelUrl?: (url: string) => string
  readonly env?: Readonly<Record<string, string>>
}

export interface Stage {
  readonly slack: SlackStandIn
  readonly platform: Platform
  readonly runtime: Runtime
  readonly channelUrl: string
  readonly databasePath: string
  /** A port that was free a moment ago. */
  readonly port: number
  readonly variables: Readonly<Record<string, string>>
  /** As a person runs it. */
  run(...args: readonly string[]): Promise<Run>
  /** With `--json`, read. */
  look(...args: readonly string[]): Promise<{ readonly code: number | null; readonly findings: Findings }>
  close(): Promise<void>
}

export async function stage(options: StageOptions = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-doctor-'))
  const secret = (prefix: string): string => `${prefix}${randomBytes(16).toString('hex')}`
  const keys = {
    bot: secret('xoxb-sandbox-'),
    app: secret('xapp-sandbox-'),
    signing: secret(''),
    api: secret('key_'),
    hook: secret('tah_'),
    steward: secret('steward_'),
  }
  const slack = await startSlack({
    botToken: keys.bot,
    signingSecret: keys.signing,
    ...(options.socket === true ? { appToken: keys.app } : {}),
    ...options.slack,
  })
  const platform = await startPlatform({ apiKey: keys.api })
  const runtime = await startRuntime({ secret: keys.steward, ...options.runtime })
  const file = join(folder, 'countersign.yml')
  const channelUrl = options.channelUrl?.(runtime.url) ?? runtime.url
  writeFileSync(file, settings(options, platform.url, channelUrl))
  const databasePath = join(folder, 'countersign.db')
  const port = await freePort()
  const variables = {
    PATH: process.env.PATH ?? '',
    PORT: String(port),
    HOST: '127.0.0.1',
    COUNTERSIGN_CONFIG: file,
    DATABASE_URL: `sqlite:${databasePath}`,
    SLACK_BOT_TOKEN: keys.bot,
    ...(options.socket === true ? { SLACK_APP_TOKEN: keys.app } : { SLACK_SIGNING_SECRET: keys.signing }),
    SLACK_API_URL: slack.apiUrl,
    NOVO_HOOK_SECRET: keys.hook,
    NOVO_API_KEY: keys.api,
    STEWARD_SECRET: keys.steward,
    ...options.env,
  }
  slack.deliverTo(`http://127.0.0.1:${port}/slack/events`)

  async function run(...args: readonly string[]): Promise<Run> {
    const ended = await program(['doctor', ...args], variables, folder)
    for (const one of [...Object.values(keys), ...Object.values(options.env ?? {})]) expect(ended.output).not.toContain(one)
    return ended
  }
  return {
    slack,
    platform,
    runtime,
    channelUrl,
    databasePath,
    port,
    variables,
    run,
    async look(...args) {
      const { code, output } = await run('--json', ...args)
      return { code, findings: Findings.parse(JSON.parse(output)) }
    },
    async close() {
      await Promise.all([slack.close(), platform.close(), runtime.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function settings(options: StageOptions, platformUrl: string, channelUrl: string): string {
  return `slack:
  conversation: ${options.conversation ?? 'C0APPROVALS'}
  fallback: ${options.fallback ?? 'C0OPS'}
hooks:
  - name: novo
    secrets: [env:NOVO_HOOK_SECRET]
    key: env:NOVO_API_KEY
    origins: [${platformUrl}]
channels:
  - name: steward
    url: ${channelUrl}
    secret: env:STEWARD_SECRET
operators: { users: [U0ANA] }
approvers:
  everyone: { ${options.everyone ?? 'conversation: true'} }
  oncall: { groups: [S0ONCALL] }
  leads: { users: [U0ANA, U0BOB] }
defaults:
  approvers: everyone
`
}

export function of(findings: Findings, status: Findings[number]['status']): readonly string[] {
  return findings.filter((one) => one.status === status).map(({ check }) => check)
}

/** Below the ports that a system gives out by itself: nobody else comes upon it before it is used. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    const server = createServer().listen(port, '127.0.0.1')
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!free) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

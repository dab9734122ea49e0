/** The built program as a child process, between stand-ins that outlive it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import { type Platform, type PlatformOptions, startPlatform } from '../../src/sandbox/platform/platform.ts'
import { type Runtime, startRuntime } from '../../src/sandbox/runtime/runtime.ts'
import type { Message } from '../../src/sandbox/slack/messages.ts'
import { type SlackStandIn, startSlack } from '../../src/sandbox/slack/stand-in.ts'
import { CONVERSATION, standardSettings, withSteward } from '../scene.ts'

const MAIN = new URL('../../dist/main.js', import.meta.url).pathname

const Listening = z.object({ msg: z.literal('listening'), port: z.number(), adminPort: z.number() })

export interface Run {
  readonly code: number | null
  readonly output: string
}

export interface Bot {
  readonly slack: SlackStandIn
  readonly platform: Platform
  /** A source that is asked: the settings name it “steward”. */
  readonly runtime: Runtime
  readonly databasePath: string
  readonly variables: Readonly<Record<string, string>>
  /** Where the bot that runs now takes hook calls. */
  hook(): { readonly url: string; readonly secret: string }
  adminPort(): number
  start(): Promise<void>
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>
  /** SIGTERM; resolves with how it ended. */
  terminate(): Promise<Run>
  /** Runs another command of the program to its end. */
  run(...args: readonly string[]): Promise<Run>
  row(id: string): Readonly<Record<string, unknown>> | undefined
  tasks(): number
  cards(id: string): readonly Message[]
  close(): Promise<void>
}

export async function bot(options: Partial<PlatformOptions> = {}): Promise<Bot> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-crash-'))
  const databasePath = join(folder, 'countersign.db')
  const secret = (prefix: string): string => `${prefix}${randomBytes(16).toString('hex')}`
  const keys = {
    bot: secret('xoxb-sandbox-'),
    signing: secret(''),
    api: secret('key_'),
    hook: secret('tah_'),
    steward: secret('steward_'),
    nudge: secret('nudge_'),
  }
  const slack = await startSlack({ botToken: keys.bot, signingSecret: keys.signing })
  const platform = await startPlatform({ apiKey: keys.api, ...options })
  const runtime = await startRuntime({ secret: keys.steward })
  const file = join(folder, 'countersign.yml')
  writeFileSync(file, standardSettings(platform.url) + withSteward(runtime.url))
  const variables = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_PORT: '0',
    COUNTERSIGN_CONFIG: file,
    DATABASE_URL: `sqlite:${databasePath}`,
    SLACK_BOT_TOKEN: keys.bot,
    SLACK_SIGNING_SECRET: keys.signing,
    SLACK_API_URL: slack.apiUrl,
    NOVO_HOOK_SECRET: keys.hook,
    NOVO_API_KEY: keys.api,
    STEWARD_SECRET: keys.steward,
    STEWARD_NUDGE_SECRET: keys.nudge,
  }
  let child: ChildProcess | undefined
  let output = ''
  let ports = { port: 0, adminPort: 0 }

  async function start(): Promise<void> {
    const started = spawn(process.execPath, [MAIN, 'serve'], { env: variables, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    output = ''
    started.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    ports = await new Promise((resolve, reject) => {
      createInterface({ input: started.stdout }).on('line', (line) => {
        output += `${line}\n`
        const parsed = Listening.safeParse(line.startsWith('{') ? JSON.parse(line) : undefined)
        if (parsed.success) resolve(parsed.data)
      })
      started.once('exit', () => reject(new Error(`the bot ended before it listened: ${output}`)))
    })
    slack.deliverTo(`http://127.0.0.1:${ports.port}/slack/events`)
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Run> {
    const ending = child
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null)
      return { code: ending?.exitCode ?? null, output }
    const gone = once(ending, 'exit')
    ending.kill(signal)
    await gone
    return { code: ending.exitCode, output }
  }

  function read<T>(work: (db: Sqlite.Database) => T): T {
    const db = new Sqlite(databasePath, { readonly: true })
    try {
      return work(db)
    } finally {
      db.close()
    }
  }

  const row = (id: string): Readonly<Record<string, unknown>> | undefined =>
    read((db) => {
      const found = db.prepare('select * from approvals where id = ?').get(id)
      return typeof found === 'object' && found !== null ? { ...found } : undefined
    })

  return {
    slack,
    platform,
    runtime,
    databasePath,
    variables,
    hook: () => ({ url: `http://127.0.0.1:${ports.port}/hooks/novo`, secret: keys.hook }),
    adminPort: () => ports.adminPort,
    start,
    kill: async () => void (await end('SIGKILL')),
    terminate: () => end('SIGTERM'),
    run: (...args) => program(args, variables, folder),
    row,
    tasks: () => read((db) => db.prepare('select * from tasks').all().length),
    cards: (id) => {
      const own = String(row(id)?.row_id)
      return slack.messages(CONVERSATION).filter((message) => JSON.stringify(message.metadata)?.includes(own))
    },
    async close() {
      await end('SIGKILL')
      await Promise.all([slack.close(), platform.close(), runtime.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs the built program to its end. */
export async function program(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Promise<Run> {
  const child = spawn(process.execPath, [MAIN, ...args], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  await once(child, 'close')
  return { code: child.exitCode, output }
}

/** The servers that are measured, each a child with a new database. They are killed, not stopped: what was answered must stand even so. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PLATFORM } from './call.ts'

interface Listening {
  readonly port: number
  readonly pid: number
}

export interface Server extends Listening {
  readonly databasePath: string
  /** What hook calls are signed with. */
  readonly secret: string
}

export type SlackState = 'answers' | 'hangs' | 'unreachable'

/** The bot as it was built, seen from where this file is built to. */
const BOT = fileURLToPath(new URL('../../../main.js', import.meta.url))

const SETTINGS = `slack:
  conversation: C0APPROVALS
hooks:
  - name: novo
    secrets: [env:NOVO_HOOK_SECRET]
    key: env:NOVO_API_KEY
    origins: [${PLATFORM}]
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

/** A program that takes longer to listen has failed. Milliseconds. */
const START_MS = 20_000

const children = new Set<ChildProcess>()

/** Ends every process that was started here. */
export async function killAll(): Promise<void> {
  const ended = [...children].map((child) => new Promise<void>((resolve) => child.once('exit', () => resolve())))
  killNow()
  await Promise.all(ended)
}

export function killNow(): void {
  for (const child of children) child.kill('SIGKILL')
}

export async function startBare(folder: string): Promise<Server> {
  const databasePath = join(mkdtempSync(join(folder, 'bare-')), 'bare.db')
  const secret = newSecret()
  return { ...(await forked(new URL('./bare.js', import.meta.url), databasePath, secret)), databasePath, secret }
}

/** The bot with a settings file of its own, logging as it does by default. */
export async function startBot(folder: string, slack: SlackState): Promise<Server> {
  const own = mkdtempSync(join(folder, 'bot-'))
  const databasePath = join(own, 'countersign.db')
  const keys = { bot: `xoxb-sandbox-${newSecret()}`, signing: newSecret(), hook: newSecret(), api: newSecret() }
  const standIn = await forked(new URL('./slack.js', import.meta.url), slack, keys.bot, keys.signing)
  writeFileSync(join(own, 'countersign.yml'), SETTINGS)
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_PORT: '0',
    DATABASE_URL: `sqlite:${databasePath}`,
    SLACK_BOT_TOKEN: keys.bot,
    SLACK_SIGNING_SECRET: keys.signing,
    SLACK_API_URL: `http://127.0.0.1:${standIn.port}/api/`,
    NOVO_HOOK_SECRET: keys.hook,
    NOVO_API_KEY: keys.api,
  }
  const bot = spawn(process.execPath, [BOT, 'serve'], { cwd: own, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const listening = await started(bot, (told) => {
    // The log goes to a reader, as under any supervisor; only the line that names the port is looked at.
    let log = ''
    const read = (chunk: Buffer): void => {
      log += chunk.toString()
      const port = /"port":(\d+).*"listening"/.exec(log)?.[1]
      if (port === undefined) return
      bot.stdout.off('data', read).resume()
      told(Number(port))
    }
    bot.stdout.on('data', read)
  })
  return { ...listening, databasePath, secret: keys.hook }
}

/** Starts a program of this folder, which tells its port. */
function forked(program: URL, ...args: readonly string[]): Promise<Listening> {
  const child = fork(fileURLToPath(program), args)
  return started(child, (told) =>
    child.once('message', (message) => {
      if (typeof message === 'object' && 'port' in message && typeof message.port === 'number') told(message.port)
    }),
  )
}

function started(child: ChildProcess, listen: (told: (port: number) => void) => void): Promise<Listening> {
  children.add(child)
  child.once('exit', () => children.delete(child))
  const name = child.spawnargs.slice(1, 3).join(' ')
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} did not listen within ${START_MS} ms`)), START_MS)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} ended before it listened (${code})`)))
    listen((port) => {
      clearTimeout(late)
      resolve({ port, pid: child.pid ?? 0 })
    })
  })
}

function newSecret(): string {
  return randomBytes(16).toString('hex')
}

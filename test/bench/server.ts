/** The servers that are measured, each a child with a new database. They are killed, not stopped: what was answered must stand even so. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PLATFORM } from './call.ts'

export interface Server {
  readonly port: number
  readonly databasePath: string
  readonly secret: string
  /** Resolves when its processes have ended. The database stays. */
  kill(): Promise<void>
}

export type SlackState = 'answers' | 'hangs' | 'unreachable'

const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export async function startBare(folder: string): Promise<Server> {
  const own = mkdtempSync(join(folder, 'bare-'))
  const databasePath = join(own, 'bare.db')
  const secret = newSecret()
  const child = forked('bare.js', [databasePath, secret])
  return { port: await portOf(child), databasePath, secret, kill: () => kill(child) }
}

/** The built bot with its own settings file; it logs as it does by default. */
export async function startBot(folder: string, slackState: SlackState): Promise<Server> {
  const own = mkdtempSync(join(folder, 'bot-'))
  const databasePath = join(own, 'countersign.db')
  const secrets = { bot: `xoxb-sandbox-${newSecret()}`, signing: newSecret(), hook: newSecret(), api: newSecret() }
  const slack = forked('slack.js', [slackState, secrets.bot, secrets.signing])
  const slackPort = await portOf(slack)
  writeFileSync(join(own, 'countersign.yml'), SETTINGS)
  const bot = known(
    spawn(process.execPath, [fileURLToPath(import.meta.resolve('../../../main.js')), 'serve'], {
      cwd: own,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PORT: '0',
        HOST: '127.0.0.1',
        ADMIN_PORT: '0',
        DATABASE_URL: `sqlite:${databasePath}`,
        SLACK_BOT_TOKEN: secrets.bot,
        SLACK_SIGNING_SECRET: secrets.signing,
        SLACK_API_URL: `http://127.0.0.1:${slackPort}/api/`,
        NOVO_HOOK_SECRET: secrets.hook,
        NOVO_API_KEY: secrets.api,
      },
    }),
  )
  const kill_ = async (): Promise<void> => void (await Promise.all([kill(bot), kill(slack)]))
  return { port: await portInLog(bot), databasePath, secret: secrets.hook, kill: kill_ }
}

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

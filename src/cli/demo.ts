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
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config/config.ts'
import { makeLog } from '../log.ts'
import { runAgent } from '../sandbox/platform/agent.ts'
import { type Platform, startPlatform } from '../sandbox/platform/platform.ts'
import { demoScript } from '../sandbox/platform/script.ts'
import { type SlackStandIn, startSlack } from '../sandbox/slack/stand-in.ts'

const PAGE_PORT = 3080

/** @throws Error in words, with nothing left open */
export async function demo(variables: NodeJS.ProcessEnv): Promise<void> {
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
    const { slack, platform, app, hook } = await start(variables, folder, opened)
    tell('')
    tell('Countersign is running, with a stand-in Slack and a stand-in agent platform beside it.')
    tell('')
    tell(`  Open this page and decide:   ${slack.url}/`)
    tell('')
    tell(`The bot answers hooks on port ${app.port}. Ctrl-C ends it all. What the agent does:`)
    tell('')
    await rounds(platform, hook)
  } catch (error) {
    await close()
    throw error
  }
}

type Hook = { readonly url: string; readonly secret: string; readonly onHookError: 'deny' }

async function start(
  variables: NodeJS.ProcessEnv,
  folder: string,
  opened: { close(): Promise<unknown> }[],
): Promise<{ slack: SlackStandIn; platform: Platform; app: App; hook: Hook }> {
  const secret = (): string => randomBytes(16).toString('hex')
  const botToken = `xoxb-sandbox-${secret()}`
  const signingSecret = secret()
  const apiKey = `novo_sandbox_${secret()}`
  const hookSecret = `tah_sandbox_${secret()}`
  const port = portOf(variables.DEMO_PAGE_PORT)
  const slack = await inWords(startSlack({ port, botToken, signingSecret }), port, 'DEMO_PAGE_PORT')
  opened.push(slack)
  const platform = await startPlatform({ apiKey })
  opened.push(platform)
  const file = join(folder, 'countersign.yml')
  writeFileSync(file, settings(platform.url))
  const config = loadConfig({
    PORT: variables.PORT,
    ADMIN_PORT: variables.ADMIN_PORT,
    LOG_LEVEL: variables.LOG_LEVEL ?? 'error',
    HOST: '127.0.0.1',
    COUNTERSIGN_CONFIG: file,
    DATABASE_URL: `sqlite:${join(folder, 'countersign.db')}`,
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: slack.apiUrl,
    NOVO_HOOK_SECRET: hookSecret,
    NOVO_API_KEY: apiKey,
  })
  const app = await startApp(config, { log: makeLog(config.logLevel), clock: systemClock, pace: PACE, random: Math.random })
  opened.push({ close: () => app.stop() })
  slack.deliverTo(`http://127.0.0.1:${app.port}/slack/events`)
  return {
    slack,
    platform,
    app,
    hook: { url: `http://127.0.0.1:${app.port}/hooks/novo`, secret: hookSecret, onHookError: 'deny' },
  }
}

function settings(platformUrl: string): string {
  return `slack:
  conversation: C0APPROVALS
hooks:
  - name: novo
    secrets: [env:NOVO_HOOK_SECRET]
    key: env:NOVO_API_KEY
    origins: [${platformUrl}]
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
async function rounds(platform: Platform, hook: Hook): Promise<void> {
  for (;;) {
    await runAgent({ platform, hook, script: demoScript, say: tell, sideBySide: true })
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

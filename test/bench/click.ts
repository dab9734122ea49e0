/**
 * `npm run bench:clicks`: what a person waits for. A press until its acknowledgement, and until the card says that the platform
 * has the decision, while 1,000 approvals are open; and the memory of the bot with 1,000 and with 10,000 of them. The bot is the
 * built program in a process of its own; both stand-ins run here. Slack's pace is kept, so that cards come one a second. No time
 * is asserted: it fails only when a press decides nothing.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPlatform } from '../../src/sandbox/platform/platform.ts'
import type { Message } from '../../src/sandbox/slack/messages.ts'
import { startSlack } from '../../src/sandbox/slack/stand-in.ts'

const BOT = fileURLToPath(new URL('../../../main.js', import.meta.url))
const CONVERSATION = 'C0APPROVALS'
const OPEN = 1000
const MOST_OPEN = 10_000
const PRESSES = 30
const AT_ONCE = 20
/** Two rewrites a press, within Slack's fifty a minute: faster, and the pace would be measured instead. Milliseconds. */
const BETWEEN_MS = 2600
const PATIENCE_MS = 120_000

const secret = (): string => randomBytes(16).toString('hex')
const [botToken, signingSecret, apiKey, hookSecret] = [`xoxb-sandbox-${secret()}`, secret(), secret(), `tah_${secret()}`]
const folder = mkdtempSync(join(tmpdir(), 'countersign-clicks-'))
const slack = await startSlack({ botToken, signingSecret })
const platform = await startPlatform({ apiKey })
writeFileSync(
  join(folder, 'countersign.yml'),
  `slack: { conversation: ${CONVERSATION} }
hooks: [{ name: novo, secrets: [env:NOVO_HOOK_SECRET], key: env:NOVO_API_KEY, origins: ["${platform.url}"] }]
approvers: { ana: { users: [U0ANA] } }
defaults: { approvers: ana }
`,
)
const bot = spawn(process.execPath, [BOT, 'serve'], {
  cwd: folder,
  env: {
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_PORT: '0',
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: slack.apiUrl,
    NOVO_HOOK_SECRET: hookSecret,
    NOVO_API_KEY: apiKey,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const port = await new Promise<string>((resolve, reject) => {
    bot.once('exit', () => reject(new Error('the bot ended before it listened')))
    bot.stdout.on('data', (chunk: Buffer) => {
      const found = /"port":(\d+).*"listening"/.exec(chunk.toString())?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  slack.deliverTo(`http://127.0.0.1:${port}/slack/events`)
  const hook = { url: `http://127.0.0.1:${port}/hooks/novo`, secret: hookSecret }
  await open(hook, OPEN)
  const memory = [memoryMb()]
  const [acks, cards]: [number[], number[]] = [[], []]
  for (const card of (await waiting(PRESSES)).slice(0, PRESSES)) {
    const began = performance.now()
    const { ms, status } = await slack.click({
      user: 'U0ANA',
      conversation: CONVERSATION,
      ts: card.ts,
      action_id: 'approval.approve',
    })
    if (status !== 200) throw new Error(`a press was answered ${status}`)
    acks.push(ms)
    const says = (): boolean =>
      slack.messages(CONVERSATION).some(({ ts, blocks }) => ts === card.ts && JSON.stringify(blocks).includes('has it'))
    await slack.until('the card says that it is delivered', says, PATIENCE_MS)
    cards.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
  tell(`Node ${process.version}, ${OPEN} approvals open, ${PRESSES} presses.`)
  tell(`press to acknowledgement: ${shares(acks)}`)
  tell(`press to the card that says it is delivered: ${shares(cards)}`)
  await open(hook, MOST_OPEN - OPEN)
  memory.push(memoryMb())
  tell(`memory of the bot: ${memory[0]} MB with ${OPEN} approvals, ${memory[1]} MB right after ${MOST_OPEN}`)
} finally {
  bot.kill('SIGKILL')
  await Promise.all([slack.close(), platform.close()])
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

async function open(hook: { readonly url: string; readonly secret: string }, count: number): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, left) }, () =>
      platform.call({ hook, tool: 'bash', input: { command: 'make deploy' } }),
    )
    await Promise.all(batch)
  }
}

/** Cards that wait, once there are so many. */
function waiting(count: number): Promise<readonly Message[]> {
  return slack.until(
    `${count} cards`,
    () => {
      const cards = slack.messages(CONVERSATION).filter(({ text }) => text.startsWith('Approval needed'))
      return cards.length >= count ? cards : undefined
    },
    PATIENCE_MS,
  )
}

function shares(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

/** What the system says that the bot's process holds in memory. */
function memoryMb(): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${bot.pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}

function tell(text: string): void {
  process.stdout.write(`${text}\n`)
}

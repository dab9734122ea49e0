import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type SlackOptions, type SlackStandIn, startSlack } from '../../src/sandbox/slack/stand-in.ts'

/** What the stand-in sent to the bot. */
interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The form's `payload` parsed, or the form itself for a command. */
  readonly payload: Record<string, unknown>
}

interface Answer {
  readonly status?: number
  readonly type?: string
  readonly body?: string
}

/** A bot that knows nothing of Slack: it keeps what comes and answers what it is told; 'silent' never answers. */
interface Bot extends AsyncDisposable {
  readonly url: string
  readonly received: Received[]
  answer: (received: Received) => Answer | 'silent' | Promise<Answer | 'silent'>
}

async function startBot(): Promise<Bot> {
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const form = Object.fromEntries(new URLSearchParams(body))
      const payload = form.payload === undefined ? form : JSON.parse(form.payload)
      const received: Received = { url: req.url ?? '', headers: req.headers, body, payload }
      bot.received.push(received)
      void Promise.resolve(bot.answer(received)).then((answer) => {
        if (answer === 'silent') return
        res.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'application/json' })
        res.end(answer.body ?? '')
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const bot: Bot = {
    url: `http://127.0.0.1:${port}/slack/events`,
    received: [],
    answer: () => ({}),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return bot
}

export const TOKEN = 'xoxb-sandbox-test'
export const SECRET = 'a signing secret of the tests'

/** A clock that stands still until it is moved. */
class HandClock {
  #ms = Date.UTC(2026, 0, 5, 12)
  readonly now = (): Date => new Date(this.#ms)
  forward(ms: number): void {
    this.#ms += ms
  }
}

/** A stand-in, its clock, and calls of its Web API as a bot would make them. */
export interface Bench extends AsyncDisposable {
  readonly slack: SlackStandIn
  readonly clock: HandClock
  readonly bot: Bot
  /** A Web API call as JSON with the token in the header; the answer's body. */
  api(method: string, args?: object): Promise<ApiAnswer>
  /** The same, but the whole HTTP response. */
  raw(method: string, args?: object): Promise<Response>
}

export interface ApiAnswer {
  readonly ok: boolean
  readonly error?: string
  readonly [field: string]: unknown
}

export async function bench(options: Partial<SlackOptions> = {}): Promise<Bench> {
  const clock = new HandClock()
  const bot = await startBot()
  const slack = await startSlack({
    botToken: TOKEN,
    signingSecret: SECRET,
    now: clock.now,
    deliverTo: bot.url,
    answerWithinMs: 2_000,
    ...options,
  })
  const raw = (method: string, args: object = {}): Promise<Response> =>
    fetch(slack.apiUrl + method, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}`, connection: 'close' },
      body: JSON.stringify(args),
    })
  return {
    slack,
    clock,
    bot,
    raw,
    api: async (method, args) => answerOf(await raw(method, args)),
    [Symbol.asyncDispose]: async () => {
      await slack.close()
      await bot[Symbol.asyncDispose]()
    },
  }
}

export async function answerOf(response: Response): Promise<ApiAnswer> {
  const answer: ApiAnswer = JSON.parse(await response.text())
  return answer
}

export const text = (words: string) => ({ type: 'plain_text', text: words })
export const button = (id: string, value = 'v') => ({ type: 'button', action_id: id, text: text(id), value })
export const card = (...ids: string[]) => [
  { type: 'section', block_id: 'what', text: text('Approval needed') },
  { type: 'actions', block_id: 'do', elements: ids.map((id) => button(id)) },
]
export const modal = (more: object = {}) => ({
  type: 'modal',
  callback_id: 'approval.note',
  title: text('A note'),
  submit: text('Deny'),
  blocks: [
    {
      type: 'input',
      block_id: 'note',
      label: text('Note'),
      element: { type: 'plain_text_input', action_id: 'words', max_length: 10 },
    },
  ],
  ...more,
})

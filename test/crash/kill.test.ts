import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sign } from '../../src/sandbox/platform/signature.ts'
import type { Message } from '../../src/sandbox/slack/messages.ts'
import { CONVERSATION } from '../scene.ts'
import { type Bot, bot } from './bot.ts'

const LONG_MS = 30_000

let b: Bot
beforeEach(async () => {
  b = await bot()
  await b.start()
})
afterEach(() => b.close())

const ask = (): Promise<{ readonly id: string; readonly state: string }> =>
  b.platform.call({ hook: { ...b.hook(), onHookError: 'pause' }, tool: 'bash', input: { command: 'make deploy' } })

const theCard = (id: string, showing: string): Promise<Message> =>
  b.slack.until(
    `one card showing ${showing}`,
    () => {
      const [card, ...more] = b.cards(id)
      return more.length === 0 && card !== undefined && JSON.stringify(card.blocks).includes(showing) ? card : undefined
    },
    15_000,
  )

async function press(id: string, action: string): Promise<void> {
  const { ts } = await theCard(id, action)
  await b.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts, action_id: action })
}

/** Presses Approve, and sees the whole way through: one card that tells the truth, one effect. */
async function approveToTheEnd(id: string): Promise<void> {
  await press(id, 'approval.approve')
  await endsWell(id, 'The agent platform has it: the call may run.')
}

async function endsWell(id: string, words: string): Promise<void> {
  const card = await theCard(id, words)
  expect(b.cards(id)).toHaveLength(1)
  expect(JSON.stringify(card.blocks)).not.toContain('approval.approve')
  expect(b.platform.effects(id)).toBe(1)
  expect(b.row(id)).toMatchObject({ status: 'resolved', outcome: 'approved' })
}

describe('kill -9', () => {
  test(
    'while a call is still arriving stores nothing, and the owner of the hook chose what that means',
    async () => {
      const body = Buffer.from('{"type":"tool_execution_review"}')
      const { url, secret } = b.hook()
      const { port, pathname } = new URL(url)
      const socket = connect(Number(port), '127.0.0.1')
      const gone = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => undefined))
      const signature = sign(secret, body, Math.floor(Date.now() / 1000))
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nnovo-signature: ${signature}\r\ncontent-length: ${body.length}\r\n\r\n`,
      )
      await new Promise((resolve) => socket.write(body.subarray(0, -1), resolve))
      await b.kill()
      await gone
      await b.start()
      expect(b.row('tar_1')).toBeUndefined()
      expect(b.tasks()).toBe(0)
      const { id, state } = await ask()
      expect(state).toBe('waiting')
      await approveToTheEnd(id)
    },
    LONG_MS,
  )

  test(
    'after a call was stored and before its answer arrived: the card comes, and one press decides',
    async () => {
      const hook = b.hook()
      const wire = await withholding(Number(new URL(hook.url).port))
      const asking = b.platform.call({
        hook: { url: `http://127.0.0.1:${wire.port}/hooks/novo`, secret: hook.secret, onHookError: 'pause' },
        tool: 'bash',
        input: { command: 'make deploy' },
      })
      await wire.answered
      await b.kill()
      wire.close()
      const { id, state } = await asking
      expect(state).toBe('waiting')
      expect(b.row(id)).toMatchObject({ status: 'pending' })
      await b.start()
      await approveToTheEnd(id)
    },
    LONG_MS,
  )

  test(
    'after the answer and before the card',
    async () => {
      b.slack.fault({ method: 'chat.postMessage', kind: 'hang' })
      const { id, state } = await ask()
      expect(state).toBe('waiting')
      await b.slack.until('a hanging post', () => b.slack.hanging() === 1)
      await b.kill()
      expect(b.cards(id)).toHaveLength(0)
      await b.start()
      await approveToTheEnd(id)
    },
    LONG_MS,
  )

  test(
    'after the card was posted and before its place was stored',
    async () => {
      b.slack.fault({ method: 'chat.postMessage', kind: 'hang', after: true })
      const { id } = await ask()
      await b.slack.until('the card stands', () => b.cards(id).length === 1)
      await b.kill()
      await b.start()
      await b.slack.until('the history was read', () => b.slack.calls('conversations.history').length > 0)
      await approveToTheEnd(id)
      expect(b.slack.calls('chat.postMessage')).toHaveLength(1)
    },
    LONG_MS,
  )

  test(
    'after the press was acked: nothing is decided, and the card still decides',
    async () => {
      const { id } = await ask()
      await theCard(id, 'approval.approve')
      b.slack.fault({ method: 'users.info', kind: 'hang' })
      await press(id, 'approval.approve')
      await b.slack.until('a hanging look-up', () => b.slack.hanging() === 1)
      await b.kill()
      await b.start()
      expect(b.row(id)).toMatchObject({ status: 'pending' })
      await approveToTheEnd(id)
    },
    LONG_MS,
  )

  test(
    'after the decision and before the platform took it',
    async () => {
      const { id } = await ask()
      b.platform.answerNext({ hang: true })
      await press(id, 'approval.approve')
      await b.platform.until('a hanging resolution', () => b.platform.resolutions(id).length === 1)
      await b.kill()
      expect(b.row(id)).toMatchObject({ status: 'decided' })
      expect(b.platform.effects(id)).toBe(0)
      await b.start()
      await endsWell(id, 'The agent platform has it: the call may run.')
    },
    LONG_MS,
  )

  test(
    'after the platform took the resolution and before that was stored',
    async () => {
      const { id } = await ask()
      b.platform.answerNext({ hang: true, after: true })
      await press(id, 'approval.approve')
      await b.platform.until('the call runs', () => b.platform.effects(id) === 1)
      await b.kill()
      expect(b.row(id)).toMatchObject({ status: 'decided' })
      await b.start()
      await endsWell(id, 'The agent platform has it: the call may run.')
      const keys = b.platform.resolutions(id).map(({ idempotencyKey }) => idempotencyKey)
      expect(keys).toHaveLength(2)
      expect(new Set(keys).size).toBe(1)
    },
    LONG_MS,
  )
})

test(
  'kill -9 after the platform took the resolution, where the platform forgets idempotency keys: one effect, and the card says that it may have been ours',
  async () => {
    await b.close()
    b = await bot({ replay: 'conflict' })
    await b.start()
    const { id } = await ask()
    b.platform.answerNext({ hang: true, after: true })
    await press(id, 'approval.approve')
    await b.platform.until('the call runs', () => b.platform.effects(id) === 1)
    await b.kill()
    await b.start()
    await endsWell(id, 'so that may have been this decision')
  },
  LONG_MS,
)

/** A wire to the bot that lets requests through, and keeps the first answer back. */
async function withholding(to: number): Promise<{ readonly port: number; readonly answered: Promise<void>; close(): void }> {
  const sockets: Socket[] = []
  let tell = (): void => undefined
  const answered = new Promise<void>((resolve) => {
    tell = resolve
  })
  const server: Server = createServer((from) => {
    const onward = connect(to, '127.0.0.1')
    sockets.push(from, onward)
    from.pipe(onward)
    onward.on('data', () => tell())
    for (const socket of [from, onward]) socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    answered,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

import { expect, test } from 'vitest'
import { NOTE } from '../../../src/channels/slack/button.ts'
import { modal, TOKEN } from '../../sandbox/slack-bot.ts'
import { CONVERSATION, openWork, socketBot } from './socket-bot.ts'

const OPEN = 'apps.connections.open'

test('a press reaches its listener and is acknowledged, however long the work takes', async () => {
  const work = openWork()
  await using bot = await socketBot({ listening: { press: () => work.done } })
  expect(await bot.receiver.start()).toBe('connected')
  expect(await bot.press()).toMatchObject({ status: 200, trouble: null, body: '' })
  work.end()
  await bot.receiver.settled()
  expect(bot.health.all).toEqual([{ kind: 'none' }])
  expect(bot.crowded).toEqual([])
  expect(bot.reports).toEqual([])
})

test('a command and a submission come too, and the faults of a submission are in its acknowledgement', async () => {
  const commands: unknown[] = []
  const submitted: unknown[] = []
  const faults = [{ note: 'Say more.' }, undefined]
  await using bot = await socketBot({
    listening: {
      command: (body) => Promise.resolve(void commands.push(body)),
      fault: () => faults.shift(),
      submit: (body) => Promise.resolve(void submitted.push(body)),
    },
  })
  await bot.receiver.start()
  const { slack } = bot
  expect(await slack.command({ user: 'U0ANA', conversation: CONVERSATION, text: '/approvals run_1' })).toMatchObject({
    trouble: null,
  })
  expect(commands).toMatchObject([{ command: '/approvals', text: 'run_1', user_id: 'U0ANA' }])
  await bot.press()
  const pressed = JSON.parse(JSON.stringify(await bot.presses.nth(1)))
  await fetch(`${slack.apiUrl}views.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ trigger_id: pressed.trigger_id, view: modal({ callback_id: NOTE }) }),
  })
  const view = String(slack.views('U0ANA')[0]?.id)
  const submit = () => slack.submit({ user: 'U0ANA', view, values: { note: { words: 'no' } } })
  expect(await submit()).toMatchObject({ errors: { note: 'Say more.' }, trouble: null })
  expect(submitted).toEqual([])
  expect(await submit()).toMatchObject({ errors: {}, trouble: null })
  expect(submitted).toHaveLength(1)
  expect(slack.views('U0ANA')).toEqual([])
})

test('with Slack down a start ends, the bot goes on trying, and connects once Slack is back', async () => {
  await using bot = await socketBot()
  await bot.slack.goDown()
  expect(await bot.receiver.start()).toBe('trying')
  expect(bot.health.all).toEqual([{ kind: 'passing', code: 'unreachable' }])
  bot.clock.forward(500)
  await bot.health.nth(2)
  await bot.slack.comeBack()
  bot.clock.forward(999)
  expect(bot.opened()).toBe(0)
  bot.clock.forward(1)
  await bot.socket(1, 'open')
  expect(await bot.health.nth(3)).toEqual({ kind: 'none' })
  expect(await bot.press()).toMatchObject({ status: 200 })
})

test('a start is bounded when Slack does not answer, and when it does not greet', async () => {
  await using bot = await socketBot()
  bot.slack.fault({ method: OPEN, kind: 'hang' })
  const starting = bot.receiver.start()
  await bot.slack.until('it asks', () => bot.slack.hanging() === 1)
  bot.clock.forward(10_000)
  expect(await starting).toBe('trying')
  expect(bot.health.all).toEqual([{ kind: 'passing', code: 'no_answer' }])
  bot.slack.socketFault({ kind: 'no_hello' })
  bot.clock.forward(500)
  await bot.socket(1, 'open')
  bot.clock.forward(10_000)
  await bot.socket(1, 'closed')
  await bot.health.nth(2)
  bot.clock.forward(1000)
  expect(await bot.health.nth(3)).toEqual({ kind: 'none' })
})

test('a cut connection is made anew through any number of failures of Slack', async () => {
  await using bot = await socketBot()
  await bot.receiver.start()
  bot.slack.fault({ method: OPEN, kind: 'status', status: 500, times: 5 })
  bot.slack.socketFault({ kind: 'cut' })
  expect(await bot.socket(1, 'closed')).toMatchObject({ closeCode: 1006 })
  for (const [failed, wait] of [500, 1000, 2000, 4000, 8000].entries()) {
    await bot.clock.forwardWhenAsked(wait)
    expect(await bot.health.nth(2 + failed)).toEqual({ kind: 'passing', code: 'http_500' })
  }
  await bot.clock.forwardWhenAsked(15_000)
  await bot.health.nth(7)
  expect(bot.health.all.at(-1)).toEqual({ kind: 'none' })
  expect(await bot.press()).toMatchObject({ status: 200 })
})

test('a rate limit is waited for', async () => {
  await using bot = await socketBot()
  bot.slack.fault({ method: OPEN, kind: 'ratelimited', retryAfter: 40 })
  expect(await bot.receiver.start()).toBe('trying')
  expect(bot.health.all).toEqual([{ kind: 'passing', code: 'ratelimited' }])
  bot.clock.forward(39_999)
  expect(bot.opened()).toBe(1)
  bot.clock.forward(1)
  expect(await bot.health.nth(2)).toEqual({ kind: 'none' })
})

test('an invalid app token is a lasting trouble, and is tried again slowly', async () => {
  await using bot = await socketBot({ appToken: 'xapp-sandbox-other' })
  expect(await bot.receiver.start()).toBe('trying')
  expect(bot.health.all).toEqual([{ kind: 'lasting', code: 'invalid_auth' }])
  bot.clock.forward(149_999)
  expect(bot.opened()).toBe(1)
  bot.clock.forward(1)
  expect(await bot.health.nth(2)).toEqual({ kind: 'lasting', code: 'invalid_auth' })
  expect(bot.opened()).toBe(2)
})

test('a connection without life is left for a new one', async () => {
  await using bot = await socketBot()
  await bot.receiver.start()
  bot.slack.socketFault({ kind: 'silent' })
  bot.clock.forward(23_999)
  expect(bot.opened()).toBe(1)
  bot.clock.forward(1)
  await bot.clock.forwardWhenAsked(500)
  await bot.health.nth(2)
  // Slack still counts the dead one, and gives it a share of the presses.
  expect(bot.crowded).toEqual([[2, 1]])
  bot.slack.socketFault({ kind: 'cut', socket: 1 })
  expect(await bot.press()).toMatchObject({ status: 200 })
})

test('refreshes lose nothing while people press', async () => {
  await using bot = await socketBot()
  await bot.receiver.start()
  const results: Promise<unknown>[] = []
  const pressing = (count: number): Promise<unknown> => {
    for (let n = 0; n < count; n += 1) results.push(bot.press())
    return Promise.all(results)
  }
  for (let refresh = 1; refresh <= 3; refresh += 1) {
    const before = pressing(5)
    bot.slack.socketFault({ kind: 'disconnect', reason: refresh === 2 ? 'warning' : 'refresh_requested', socket: refresh })
    await before
    await pressing(5)
    const during = pressing(3)
    await bot.clock.forwardWhenAsked(250 * 2 ** refresh)
    await bot.health.nth(1 + refresh)
    await during
    expect(bot.slack.sockets()[refresh - 1]?.state).toBe('leaving')
    await pressing(5)
    bot.clock.forward(10_000)
    expect(await bot.socket(refresh, 'closed')).toMatchObject({ closeCode: 1000 })
  }
  expect(results).toHaveLength(54)
  for (const result of await Promise.all(results)) expect(result).toMatchObject({ status: 200, trouble: null })
  expect(bot.presses.all).toHaveLength(54)
  for (const { envelopes, acks } of bot.slack.sockets()) expect([...acks].sort()).toEqual([...envelopes].sort())
  expect(bot.crowded).toEqual([])
})

test('after a connection that was steady the next one is made without a wait', async () => {
  await using bot = await socketBot()
  await bot.receiver.start()
  for (let beats = 0; beats < 5; beats += 1) {
    bot.clock.forward(12_000)
    await bot.press()
  }
  bot.slack.socketFault({ kind: 'disconnect', reason: 'refresh_requested' })
  await bot.socket(2, 'open')
})

test('an envelope that comes twice is worked on once and acknowledged twice, on a second connection too', async () => {
  await using bot = await socketBot()
  await bot.receiver.start()
  bot.slack.socketFault({ kind: 'twice' })
  await bot.press()
  await bot.slack.until('two acknowledgements', () => bot.slack.sockets()[0]?.acks.length === 2)
  bot.slack.socketFault({ kind: 'disconnect', reason: 'warning' })
  await bot.clock.forwardWhenAsked(500)
  await bot.health.nth(2)
  bot.slack.socketFault({ kind: 'twice' })
  await bot.press()
  await bot.slack.until('one more on each', () => bot.slack.sockets().flatMap(({ acks }) => acks).length === 4)
  await bot.receiver.settled()
  expect(bot.presses.all).toHaveLength(2)
})

test('more connections than ours are told', async () => {
  await using bot = await socketBot()
  bot.slack.socketFault({ kind: 'num_connections', count: 3 })
  expect(await bot.receiver.start()).toBe('connected')
  expect(bot.crowded).toEqual([[3, 1]])
})

test('Socket Mode switched off is a lasting trouble; too many connections a passing one, tried again ever more slowly', async () => {
  await using bot = await socketBot()
  await bot.receiver.start()
  for (const [wait, n] of [
    [500, 2],
    [1000, 4],
    [2000, 6],
  ] as const) {
    bot.slack.socketFault({ kind: 'disconnect', reason: 'too_many_websockets' })
    expect(await bot.health.nth(n)).toEqual({ kind: 'passing', code: 'too_many_websockets' })
    bot.clock.forward(wait - 1)
    expect(bot.opened()).toBe(n / 2)
    bot.clock.forward(1)
    expect(await bot.health.nth(n + 1)).toEqual({ kind: 'none' })
  }
  bot.slack.socketFault({ kind: 'disconnect', reason: 'link_disabled', socket: 4 })
  expect(await bot.health.nth(8)).toEqual({ kind: 'lasting', code: 'link_disabled' })
  bot.clock.forward(149_999)
  expect(bot.opened()).toBe(4)
  bot.clock.forward(1)
  expect(await bot.health.nth(9)).toEqual({ kind: 'none' })
})

test('a stop says goodbye and waits for the work that is under way', async () => {
  const work = openWork()
  const order: string[] = []
  await using bot = await socketBot({ listening: { press: () => work.done.then(() => void order.push('worked')) } })
  await bot.receiver.start()
  await bot.press()
  const stopping = bot.receiver.stop().then(() => order.push('stopped'))
  expect(await bot.socket(1, 'closed')).toMatchObject({ closeCode: 1000 })
  expect(order).toEqual([])
  work.end()
  await stopping
  expect(order).toEqual(['worked', 'stopped'])
  bot.clock.forward(600_000)
  expect(bot.opened()).toBe(1)
})

test('a stop is bounded when the connection is dead, and ends a start that is under way', async () => {
  await using bot = await socketBot()
  await bot.receiver.start()
  bot.slack.socketFault({ kind: 'silent' })
  const stopping = bot.receiver.stop()
  bot.clock.forward(2000)
  await stopping
  await using other = await socketBot()
  other.slack.socketFault({ kind: 'no_hello' })
  const starting = other.receiver.start()
  await other.socket(1, 'open')
  await other.receiver.stop()
  expect(await starting).toBe('trying')
  other.clock.forward(600_000)
  expect(other.opened()).toBe(1)
})

test('work that fails after its acknowledgement is reported, and the connection goes on', async () => {
  const error = new Error('the database is away')
  await using bot = await socketBot({ listening: { press: () => Promise.reject(error) } })
  await bot.receiver.start()
  expect(await bot.press()).toMatchObject({ status: 200 })
  await bot.receiver.settled()
  expect(bot.reports).toEqual([['press', error]])
  expect(await bot.press()).toMatchObject({ status: 200 })
})

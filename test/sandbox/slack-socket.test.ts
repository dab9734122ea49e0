import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { SlackOptions } from '../../src/sandbox/slack/contract.ts'
import { startSlack } from '../../src/sandbox/slack/stand-in.ts'
import { answerOf, bench, card, modal, SECRET, TOKEN } from './slack-bot.ts'

const APP_TOKEN = 'xapp-sandbox-test'
const C = 'C0APPROVALS'

interface Frame {
  readonly type?: string
  readonly envelope_id?: string
  readonly payload?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** A client that knows only the WebSocket protocol: it keeps what comes, and answers as it is told. */
class Client {
  readonly ws: WebSocket
  readonly frames: Frame[] = []
  answer: (frame: Frame) => object | undefined = ({ envelope_id }) => (envelope_id === undefined ? undefined : { envelope_id })
  #waiting: (() => void)[] = []

  constructor(url: string) {
    this.ws = new WebSocket(url)
    this.ws.on('message', (data) => {
      const frame: Frame = JSON.parse(String(data))
      this.frames.push(frame)
      const answer = this.answer(frame)
      if (answer !== undefined) this.ws.send(JSON.stringify(answer))
      for (const go of this.#waiting.splice(0)) go()
    })
    this.ws.on('error', () => undefined)
  }

  /** The first frame of a type that came, now or later. */
  async frame(type: string): Promise<Frame> {
    for (;;) {
      const found = this.frames.find((frame) => frame.type === type)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  closed(): Promise<unknown[]> {
    return once(this.ws, 'close')
  }
}

async function socketBench(options: Partial<SlackOptions> = {}) {
  const b = await bench({ appToken: APP_TOKEN, answerWithinMs: 200, ...options })
  const clients: Client[] = []
  const ask = async (token: string | undefined = APP_TOKEN) => {
    const headers = { connection: 'close', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
    return answerOf(await fetch(`${b.slack.apiUrl}apps.connections.open`, { method: 'POST', headers }))
  }
  const client = async (greeted = true): Promise<Client> => {
    const made = new Client(String((await ask()).url))
    clients.push(made)
    if (greeted) await made.frame('hello')
    else await once(made.ws, 'open')
    return made
  }
  const press = async () => {
    const { ts } = b.slack.say({ user: 'U0BOB', conversation: C, text: 't', blocks: card('approve') })
    return b.slack.click({ user: 'U0ANA', conversation: C, ts, action_id: 'approve' })
  }
  return {
    ...b,
    ask,
    client,
    press,
    [Symbol.asyncDispose]: async () => {
      for (const { ws } of clients) ws.terminate()
      await b[Symbol.asyncDispose]()
    },
  }
}

test('an app token that could be real is refused before anything listens', async () => {
  const starting = startSlack({ botToken: TOKEN, signingSecret: SECRET, appToken: 'xapp-1-real' })
  await expect(starting).rejects.toThrow('xapp-sandbox-')
})

test('only the app token opens connections, and it opens nothing else', async () => {
  await using b = await socketBench()
  expect(await b.ask('')).toMatchObject({ ok: false, error: 'not_authed' })
  expect(await b.ask(TOKEN)).toMatchObject({ ok: false, error: 'not_allowed_token_type' })
  expect(await b.ask('xapp-sandbox-other')).toMatchObject({ ok: false, error: 'invalid_auth' })
  expect(await b.ask()).toMatchObject({ ok: true, url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/link\?ticket=/) })
  const headers = { authorization: `Bearer ${APP_TOKEN}`, connection: 'close' }
  const asked = await answerOf(await fetch(`${b.slack.apiUrl}auth.test`, { method: 'POST', headers }))
  expect(asked).toMatchObject({ ok: false, error: 'not_allowed_token_type' })
  b.slack.fault({ method: 'apps.connections.open', kind: 'error', error: 'invalid_auth' })
  expect(await b.ask()).toMatchObject({ ok: false, error: 'invalid_auth' })
  b.slack.fault({ method: 'apps.connections.open', kind: 'ratelimited', retryAfter: 7 })
  expect(await b.ask()).toMatchObject({ ok: false, error: 'ratelimited' })
})

test('an address is good for one connection, and nothing else is upgraded', async () => {
  await using b = await socketBench()
  const url = String((await b.ask()).url)
  const first = new Client(url)
  await first.frame('hello')
  for (const bad of [url, url.replace(/ticket=[^&]*/, 'ticket=guessed'), url.replace('/link', '/other')]) {
    await expect(once(new WebSocket(bad), 'open')).rejects.toThrow('403')
  }
  const fresh = String((await b.ask()).url)
  await expect(once(new WebSocket(fresh, { origin: 'https://evil.example' }), 'open')).rejects.toThrow('403')
  expect(b.slack.sockets()).toHaveLength(1)
  first.ws.terminate()
})

test('the greeting counts connections and names the app, and pings are answered', async () => {
  await using b = await socketBench()
  const first = await b.client()
  expect(first.frames[0]).toMatchObject({ type: 'hello', num_connections: 1, connection_info: { app_id: b.slack.world.app.id } })
  const second = await b.client()
  expect(second.frames[0]).toMatchObject({ num_connections: 2 })
  b.slack.socketFault({ kind: 'num_connections', count: 10 })
  expect((await b.client()).frames[0]).toMatchObject({ num_connections: 10 })
  const pong = once(first.ws, 'pong')
  first.ws.ping('are you there')
  expect(String((await pong)[0])).toBe('are you there')
})

test('a press travels on the socket and not over HTTP, and its acknowledgement ends it', async () => {
  await using b = await socketBench()
  const client = await b.client()
  expect(await b.press()).toMatchObject({ status: 200, trouble: null })
  const { envelope_id, accepts_response_payload, payload } = await client.frame('interactive')
  expect(accepts_response_payload).toBe(false)
  expect(payload).toMatchObject({ type: 'block_actions', user: { id: 'U0ANA' }, actions: [{ action_id: 'approve' }] })
  expect(b.slack.sockets()).toEqual([{ n: 1, state: 'open', envelopes: [envelope_id], acks: [envelope_id], closeCode: null }])
  expect(b.bot.received).toEqual([])
})

test('without a connection things are delivered over HTTP', async () => {
  await using b = await socketBench()
  const client = await b.client()
  client.ws.close()
  await b.slack.until('it is gone', () => b.slack.sockets()[0]?.state === 'closed')
  expect(await b.press()).toMatchObject({ status: 200 })
  expect(b.bot.received).toHaveLength(1)
})

test('a command is a flat object, and what the acknowledgement says is shown', async () => {
  await using b = await socketBench()
  const client = await b.client()
  client.answer = ({ envelope_id }) => (envelope_id === undefined ? undefined : { envelope_id, payload: { text: 'Looking.' } })
  expect(await b.slack.command({ user: 'U0ANA', conversation: C, text: '/approvals run_1' })).toMatchObject({ trouble: null })
  expect((await client.frame('slash_commands')).payload).toMatchObject({
    command: '/approvals',
    text: 'run_1',
    is_enterprise_install: 'false',
  })
  expect(b.slack.privately('U0ANA')).toMatchObject([{ text: 'Looking.' }])
})

test('a submission may be answered with errors', async () => {
  await using b = await socketBench()
  const client = await b.client()
  await b.press()
  const { payload } = await client.frame('interactive')
  await b.api('views.open', { trigger_id: payload?.trigger_id, view: modal() })
  const view = String(b.slack.views('U0ANA')[0]?.id)
  const errors = { note: 'Say more.' }
  client.answer = ({ envelope_id }) => ({ envelope_id, payload: { response_action: 'errors', errors } })
  expect(await b.slack.submit({ user: 'U0ANA', view, values: { note: { words: 'no' } } })).toMatchObject({
    trouble: null,
    errors,
  })
  expect(b.slack.views('U0ANA')).toHaveLength(1)
})

test('an interaction without acknowledgement is lost; a command comes once more on another connection', async () => {
  await using b = await socketBench()
  const clients = [await b.client(), await b.client()]
  b.slack.socketFault({ kind: 'drop_ack' })
  expect(await b.press()).toMatchObject({ status: null, trouble: 'operation_timeout' })
  expect(clients.flatMap(({ frames }) => frames.filter(({ type }) => type === 'interactive'))).toHaveLength(1)
  b.slack.socketFault({ kind: 'drop_ack' })
  expect(await b.slack.command({ user: 'U0ANA', conversation: C, text: '/approvals r' })).toMatchObject({ trouble: null })
  const commands = clients.map(({ frames }) => frames.filter(({ type }) => type === 'slash_commands'))
  expect(commands.map((each) => each.length)).toEqual([1, 1])
  expect(commands.flat().filter((frame) => frame.retry_attempt === 1)).toMatchObject([{ retry_reason: 'timeout' }])
  expect(new Set(commands.flat().map(({ envelope_id }) => envelope_id)).size).toBe(2)
})

test('connections take turns, and one that was told to leave gets nothing while another stays', async () => {
  await using b = await socketBench()
  const [one, two] = [await b.client(), await b.client()]
  for (let n = 0; n < 4; n += 1) await b.press()
  const got = () => [one, two].map(({ frames }) => frames.filter(({ type }) => type === 'interactive').length)
  expect(got()).toEqual([2, 2])
  b.slack.socketFault({ kind: 'disconnect', reason: 'refresh_requested', socket: 1 })
  expect(await one.frame('disconnect')).toMatchObject({ reason: 'refresh_requested' })
  await b.press()
  await b.press()
  expect(got()).toEqual([2, 4])
  expect(b.slack.sockets().map(({ state }) => state)).toEqual(['leaving', 'open'])
  two.ws.terminate()
  await b.slack.until('one is left', () => b.slack.sockets()[1]?.state === 'closed')
  await b.press()
  expect(got()).toEqual([3, 4])
})

test('a copy of an envelope has the same id', async () => {
  await using b = await socketBench()
  const client = await b.client()
  b.slack.socketFault({ kind: 'twice' })
  await b.press()
  await b.slack.until('both are acknowledged', () => b.slack.sockets()[0]?.acks.length === 2)
  const [first, second] = client.frames.filter(({ type }) => type === 'interactive')
  expect(second).toEqual(first)
})

test('an app whose Socket Mode was switched off is told so and closed', async () => {
  await using b = await socketBench()
  const client = await b.client()
  b.slack.socketFault({ kind: 'disconnect', reason: 'link_disabled' })
  await b.slack.until('it is closed', () => b.slack.sockets()[0]?.state === 'closed')
  expect(await client.frame('disconnect')).toMatchObject({ reason: 'link_disabled' })
  expect(b.slack.sockets()).toMatchObject([{ state: 'closed', closeCode: 1000 }])
})

test('a silent connection stays counted, swallows what is put on it, and goes only when it is cut', async () => {
  await using b = await socketBench()
  const client = await b.client()
  b.slack.socketFault({ kind: 'silent', socket: 1 })
  expect(await b.press()).toMatchObject({ trouble: 'operation_timeout' })
  client.ws.terminate()
  expect((await b.client()).frames[0]).toMatchObject({ num_connections: 2 })
  b.slack.socketFault({ kind: 'cut', socket: 1 })
  await b.slack.until('the ghost is gone', () => b.slack.sockets()[0]?.state === 'closed')
  expect(await b.press()).toMatchObject({ trouble: null })
  expect(() => b.slack.socketFault({ kind: 'cut', socket: 1 })).toThrow('socket 1 is not open')
})

test('a connection that is not greeted gets nothing, and the eleventh is one too many', async () => {
  await using b = await socketBench()
  b.slack.socketFault({ kind: 'no_hello' })
  const mute = await b.client(false)
  expect(await b.press()).toMatchObject({ status: 200 })
  expect(mute.frames).toEqual([])
  expect(b.bot.received).toHaveLength(1)
  for (let n = 2; n <= 10; n += 1) await b.client()
  const eleventh = await b.client(false)
  expect(await eleventh.frame('disconnect')).toMatchObject({ reason: 'too_many_websockets' })
})

test('an acknowledgement of more than 20,480 bytes ends the connection', async () => {
  await using b = await socketBench()
  const client = await b.client()
  client.answer = ({ envelope_id }) => ({ envelope_id, payload: { text: 'x'.repeat(20_480) } })
  const closed = client.closed()
  expect(await b.press()).toMatchObject({ trouble: 'operation_timeout' })
  expect((await closed)[0]).toBe(1009)
})

test('when Slack goes down all connections break, silent ones too, and it comes back without any', async () => {
  await using b = await socketBench()
  const [one, two] = [await b.client(), await b.client()]
  b.slack.socketFault({ kind: 'silent', socket: 1 })
  const closed = Promise.all([one.closed(), two.closed()])
  await b.slack.goDown()
  await closed
  await b.slack.comeBack()
  expect((await b.client()).frames[0]).toMatchObject({ num_connections: 1 })
})

test('another process asks for the same', async () => {
  await using b = await socketBench()
  const client = await b.client()
  const control = async (body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const sent = await fetch(`${b.slack.url}/control/socket-fault`, { method: 'POST', headers, body: JSON.stringify(body) })
    return answerOf(sent)
  }
  expect(await control({ kind: 'num_connections', count: 5 })).toEqual({ ok: true })
  expect((await b.client()).frames[0]).toMatchObject({ num_connections: 5 })
  expect(await control({ kind: 'disconnect', reason: 'because' })).toMatchObject({ ok: false })
  expect(await control({ kind: 'disconnect', reason: 'warning', socket: 1 })).toEqual({ ok: true })
  expect(await client.frame('disconnect')).toMatchObject({ reason: 'warning' })
  expect(await control({ kind: 'drop_ack', times: 1 })).toEqual({ ok: true })
  expect(await control({ kind: 'no_hello' })).toEqual({ ok: true })
  b.slack.clearFaults()
  expect((await b.client()).frames[0]).toMatchObject({ num_connections: 3 })
  expect(await b.press()).toMatchObject({ trouble: null })
  expect(await control({ kind: 'sing' })).toMatchObject({ ok: false })
  expect(await control({ kind: 'cut' })).toEqual({ ok: true })
  const listed = await fetch(`${b.slack.url}/control/sockets`, { headers: { connection: 'close' } })
  expect(JSON.parse(await listed.text())).toHaveLength(3)
})

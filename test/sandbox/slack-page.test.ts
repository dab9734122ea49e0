import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Bench, bench, card, modal } from './slack-bot.ts'

const C = 'C0APPROVALS'

interface Sent {
  readonly status: number
  readonly body: string
  readonly headers: NodeJS.Dict<string | string[]>
}

/** One request with exactly these headers; `fetch` would not let a test choose Host and Origin. */
function ask(b: Bench, method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: b.slack.port, path, method, headers, agent: false }
    const req = request(options, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body: Buffer.concat(parts).toString(), headers: res.headers }))
    })
    req.on('error', reject)
    req.end(body)
  })
}
const own = (b: Bench) => ({ origin: b.slack.url, 'content-type': 'application/json' })
const page = async (b: Bench, path: string, body: object) => {
  const { status, body: answer } = await ask(b, 'POST', `/page/${path}`, own(b), JSON.stringify(body))
  return [status, JSON.parse(answer)]
}
const state = async (b: Bench, as: string) => JSON.parse((await ask(b, 'GET', `/page/state?as=${as}`)).body)
async function posted(b: Bench): Promise<string> {
  return String((await b.api('chat.postMessage', { channel: C, text: 't', blocks: card('a') })).ts)
}

describe('who may ask', () => {
  const click = '{"as":"U0ANA","conversation":"C0APPROVALS","ts":"1","view":null,"block_id":"do","action_id":"a"}'
  const rows: [string, string, string, (b: Bench) => Record<string, string>, number][] = [
    ['the page itself may click', 'POST', '/page/click', (b) => own(b), 200],
    [
      'the page under the name localhost may click',
      'POST',
      '/page/click',
      (b) => ({ ...own(b), host: `localhost:${b.slack.port}`, origin: `http://localhost:${b.slack.port}` }),
      200,
    ],
    ['a POST of another site may not', 'POST', '/page/click', (b) => ({ ...own(b), origin: 'https://evil.example' }), 403],
    [
      'a POST of another port of this machine may not',
      'POST',
      '/page/click',
      (b) => ({ ...own(b), origin: `http://127.0.0.1:${b.slack.port + 1}` }),
      403,
    ],
    ['a POST of a sandboxed frame may not', 'POST', '/page/click', (b) => ({ ...own(b), origin: 'null' }), 403],
    ['a POST without an origin may not', 'POST', '/page/click', () => ({ 'content-type': 'application/json' }), 403],
    ['a form may not', 'POST', '/page/click', (b) => ({ ...own(b), 'content-type': 'text/plain' }), 403],
    [
      'a name that was rebound to this machine may not',
      'POST',
      '/page/click',
      (b) => ({ ...own(b), host: `evil.example:${b.slack.port}` }),
      403,
    ],
    ['a rebound name may not read either', 'GET', '/page/state?as=U0ANA', () => ({ host: 'evil.example' }), 403],
    ['a rebound name may not load the page', 'GET', '/', () => ({ host: 'evil.example' }), 403],
    ['a rebound name may not control', 'GET', '/control/calls', () => ({ host: 'evil.example' }), 403],
    [
      'another process may control without an origin',
      'POST',
      '/control/release',
      () => ({ 'content-type': 'application/json' }),
      200,
    ],
    [
      'another site may not control',
      'POST',
      '/control/release',
      () => ({ 'content-type': 'application/json', origin: 'https://evil.example' }),
      403,
    ],
    ['a form may not control', 'POST', '/control/release', () => ({ 'content-type': 'application/x-www-form-urlencoded' }), 403],
    ['another site may not call the Web API', 'POST', '/api/api.test', () => ({ origin: 'https://evil.example' }), 403],
    ['another site may not use a response_url', 'POST', '/respond/R0001', () => ({ origin: 'https://evil.example' }), 403],
  ]
  test.each(rows)('%s', async (_name, method, path, headers, status) => {
    await using b = await bench()
    const sent = await ask(b, method, path, headers(b), method === 'POST' && path.startsWith('/page') ? click : '')
    expect(sent.status).toBe(status)
    expect(b.bot.received).toEqual([])
  })

  test('a refused click has reached nobody', async () => {
    await using b = await bench()
    const ts = await posted(b)
    const body = JSON.stringify({ as: 'U0ANA', conversation: C, ts, action_id: 'a' })
    expect((await ask(b, 'POST', '/page/click', { ...own(b), origin: 'https://evil.example' }, body)).status).toBe(403)
    expect(b.bot.received).toEqual([])
    expect((await ask(b, 'POST', '/page/click', own(b), body)).status).toBe(200)
    expect(b.bot.received).toHaveLength(1)
  })

  test('a body without end is cut off', async () => {
    await using b = await bench()
    const sent = await ask(b, 'POST', '/control/fault', { 'content-type': 'application/json' }, 'x'.repeat(2_000_001))
    expect(sent.status).toBe(413)
  })
})

describe('the page', () => {
  test('is one document that nobody may frame and that loads only its own parts', async () => {
    await using b = await bench()
    const { status, body, headers } = await ask(b, 'GET', '/')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toBe(
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(body).toContain('/page/main.js')
    expect((await ask(b, 'GET', '/page/style.css')).headers['content-type']).toBe('text/css; charset=utf-8')
  })

  test.each([
    '/page/..%2f..%2fpackage.js',
    '/page/../../package.json',
    '/page/Main.js',
    '/page/nothing-here.js',
    '/page/main.ts',
    '/elsewhere',
  ])('does not serve %s', async (path) => {
    await using b = await bench()
    expect((await ask(b, 'GET', path)).status).toBe(404)
  })

  test('does not serve a script by its absolute path', async () => {
    await using b = await bench()
    const elsewhere = new URL('../../node_modules/zod/index.js', import.meta.url).pathname
    expect((await ask(b, 'GET', `/page/${elsewhere}`)).status).toBe(404)
  })

  test('shows a person what that person sees, and nothing else', async () => {
    await using b = await bench()
    const ts = await posted(b)
    await b.api('chat.postEphemeral', { channel: C, user: 'U0BOB', text: 'only Bob' })
    await b.slack.click({ user: 'U0ANA', conversation: C, ts, action_id: 'a' })
    await b.api('views.open', { trigger_id: b.bot.received[0]?.payload.trigger_id, view: modal() })
    const ana = await state(b, 'U0ANA')
    expect(ana).toMatchObject({
      ...{ as: 'U0ANA', team: { id: 'T0ACME', name: 'Acme' }, app: { name: 'Countersign', user_id: 'U0BOT' } },
      views: [{ id: 'V0001', blocks: modal().blocks }],
      deliveries: [{ n: 1, kind: 'block_actions', what: 'a by Ana', status: 200, trouble: null, at: '2026-01-05T12:00:00.000Z' }],
    })
    expect(ana.users.map(({ id, kind }: { id: string; kind: string }) => `${id} ${kind}`)).toEqual([
      ...['U0ANA member', 'U0BOB member', 'U0CAT member', 'U0DEV member'],
      ...['U0GUEST guest', 'U0GONE deactivated', 'U0OUT stranger'],
    ])
    expect(ana.conversations.map(({ id }: { id: string }) => id)).toEqual([C, 'C0OPS', 'C0GENERAL', 'C0EMPTY'])
    expect(ana.messages[C]).toEqual([
      {
        ts,
        user: 'U0BOT',
        text: 't',
        blocks: card('a'),
        thread_ts: null,
        edited: false,
        ephemeral: false,
        deleted: false,
        metadata: null,
      },
    ])
    const bob = await state(b, 'U0BOB')
    expect(bob.messages[C]).toMatchObject([{ text: 't' }, { text: 'only Bob', ephemeral: true }])
    expect([bob.views, bob.messages.C0OPS]).toEqual([[], undefined])
    expect((await state(b, 'U0DEV')).messages[C]).toBeUndefined()
  })

  test('shows a public conversation to a full member who has not joined, and not to guests and strangers', async () => {
    await using b = await bench()
    for (const user of ['U0CAT', 'U0GUEST', 'U0OUT']) b.slack.world.leave(user, 'C0GENERAL')
    const general = async (as: string) => (await state(b, as)).conversations.find(({ id }: { id: string }) => id === 'C0GENERAL')
    expect(await general('U0CAT')).toEqual({ id: 'C0GENERAL', name: 'general', is_private: false, is_im: false, member: false })
    expect([await general('U0GUEST'), await general('U0OUT')]).toEqual([undefined, undefined])
  })

  test('lists the latest forty deliveries, the newest first', async () => {
    await using b = await bench()
    const ts = await posted(b)
    for (let n = 0; n < 42; n += 1) await b.slack.click({ user: 'U0ANA', conversation: C, ts, action_id: 'a' })
    const { deliveries } = await state(b, 'U0ANA')
    expect([deliveries.length, deliveries[0].n, deliveries[39].n]).toEqual([40, 42, 3])
  })

  test('is not for bots or unknown people', async () => {
    await using b = await bench()
    for (const as of ['U0BOTTY', 'U0NOBODY', '']) {
      expect((await ask(b, 'GET', `/page/state?as=${as}`)).status).toBe(404)
      expect(await page(b, 'command', { as, conversation: C, text: '/approvals' })).toEqual([
        400,
        { ok: false, error: 'user_not_found' },
      ])
    }
  })

  test('hears of a change', async () => {
    await using b = await bench()
    const response = await fetch(`${b.slack.url}/page/events`)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe(': open\n\n')
    await posted(b)
    await posted(b)
    expect((await reader?.read())?.value).toMatch(/^(data: changed\n\n)+$/)
    await reader?.cancel()
  })
})

describe('on the page', () => {
  test('a click goes out with the value that is stored, and a missing message is not_found', async () => {
    await using b = await bench()
    const ts = await posted(b)
    const what = { as: 'U0ANA', conversation: C, ts, view: null, block_id: 'do', action_id: 'a' }
    expect(await page(b, 'click', { ...what, value: 'forged' })).toEqual([200, { ok: true }])
    expect(b.bot.received[0]?.payload).toMatchObject({ actions: [{ value: 'v' }] })
    expect(await page(b, 'click', { ...what, ts: '1.000000' })).toEqual([200, { ok: false, error: 'not_found' }])
    b.bot.answer = () => ({ status: 500 })
    expect(await page(b, 'click', what)).toEqual([200, { ok: false, error: 'operation_timeout' }])
  })

  test('nobody acts in a conversation that is not shown to them', async () => {
    await using b = await bench()
    const ts = await posted(b)
    const elsewhere = { as: 'U0DEV', conversation: C }
    expect(await page(b, 'click', { ...elsewhere, ts, action_id: 'a' })).toEqual([200, { ok: false, error: 'not_in_channel' }])
    expect(await page(b, 'command', { ...elsewhere, text: '/approvals' })).toEqual([200, { ok: false, error: 'not_in_channel' }])
    expect(b.bot.received).toEqual([])
  })

  test('a modal is clicked, submitted with errors, and closed', async () => {
    await using b = await bench()
    const ts = await posted(b)
    await page(b, 'click', { as: 'U0ANA', conversation: C, ts, block_id: 'do', action_id: 'a' })
    const blocks = [...modal().blocks, card('more')[1]]
    await b.api('views.open', { trigger_id: b.bot.received[0]?.payload.trigger_id, view: modal({ blocks }) })
    const as = { as: 'U0ANA', view: 'V0001' }
    expect(await page(b, 'click', { ...as, conversation: null, ts: null, block_id: 'do', action_id: 'more' })).toEqual([
      200,
      { ok: true },
    ])
    const submit = (words: string | null) => page(b, 'submit', { ...as, values: { note: { words } } })
    expect(await submit(null)).toEqual([200, { ok: false, errors: { note: 'Please complete this required field.' } }])
    b.bot.answer = () => ({ body: JSON.stringify({ response_action: 'errors', errors: { note: 'No.' } }) })
    expect(await submit('because')).toEqual([200, { ok: false, errors: { note: 'No.' } }])
    expect(await page(b, 'close', as)).toEqual([200, { ok: true }])
    expect(await page(b, 'close', as)).toEqual([200, { ok: false, error: 'not_found' }])
    expect(b.slack.views('U0ANA')).toEqual([])
  })

  test('a command goes out, and one that nobody registered says so', async () => {
    await using b = await bench()
    const command = (line: string) => page(b, 'command', { as: 'U0ANA', conversation: 'C0EMPTY', text: line })
    expect(await command('/approvals run_1')).toEqual([200, { ok: true }])
    expect(b.bot.received[0]?.payload).toMatchObject({ command: '/approvals', text: 'run_1', channel_id: 'C0EMPTY' })
    expect(await command('/other')).toEqual([200, { ok: false, error: 'invalid_command' }])
    expect(await page(b, 'dance', { as: 'U0ANA' })).toEqual([200, { ok: false, error: 'not_found' }])
  })
})

import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { answerOf, bench, button, card, SECRET, text } from './slack-bot.ts'

const section = (words: string) => ({ type: 'section', text: text(words) })
const tab = (...blocks: object[]) => ({ type: 'home', blocks })

describe('opening the home tab', () => {
  test('tells the app by a signed event, with what was published before', async () => {
    await using b = await bench()
    expect(await b.slack.openHome('U0ANA')).toMatchObject({ status: 200, trouble: null })
    const [first] = b.bot.received
    const seconds = first?.headers['x-slack-request-timestamp']
    expect([first?.url, first?.headers['content-type']]).toEqual(['/slack/events', 'application/json'])
    const mac = createHmac('sha256', SECRET).update(`v0:${seconds}:${first?.body}`).digest('hex')
    expect(first?.headers['x-slack-signature']).toBe(`v0=${mac}`)
    expect(JSON.parse(first?.body ?? '')).toEqual({
      ...{ token: expect.any(String), team_id: 'T0ACME', context_team_id: 'T0ACME', context_enterprise_id: null },
      ...{ api_app_id: 'A0APP', type: 'event_callback', event_id: 'Ev0001', event_time: 1767614400 },
      authorizations: [{ enterprise_id: null, team_id: 'T0ACME', user_id: 'U0BOT', is_bot: true, is_enterprise_install: false }],
      ...{ is_ext_shared_channel: false, event_context: expect.any(String) },
      event: {
        ...{ type: 'app_home_opened', user: 'U0ANA', channel: 'D0ANA', tab: 'home' },
        event_ts: expect.stringMatching(/^\d+\.\d{6}$/),
      },
    })
    await b.api('views.publish', { user_id: 'U0ANA', view: tab(section('hello')) })
    await b.slack.openHome('U0ANA')
    expect(JSON.parse(b.bot.received[1]?.body ?? '')).toMatchObject({
      event_id: 'Ev0002',
      event: { view: { id: b.slack.home('U0ANA')?.id, type: 'home' } },
    })
    expect(b.slack.deliveries()).toMatchObject([
      { kind: 'event', what: 'app_home_opened by Ana', status: 200, trouble: null },
      { kind: 'event' },
    ])
  })

  test('comes once more at once when it was not taken, and says why', async () => {
    await using b = await bench()
    b.bot.answer = () => ({ status: b.bot.received.length === 1 ? 500 : 200 })
    expect(await b.slack.openHome('U0ANA')).toMatchObject({ status: 200, trouble: null })
    expect(b.bot.received.map(({ headers }) => headers['x-slack-retry-num'])).toEqual([undefined, '1'])
    expect(b.bot.received[1]?.headers['x-slack-retry-reason']).toBe('http_error')
    expect(b.bot.received[1]?.body).toBe(b.bot.received[0]?.body)
  })

  test('of nobody rejects, and nothing is sent', async () => {
    await using b = await bench()
    await expect(b.slack.openHome('U0NOBODY')).rejects.toThrow('there is no person')
    expect(b.bot.received).toEqual([])
  })

  test('travels as an event on a socket when one is open, and once more on another when nobody acks it', async () => {
    await using b = await bench({ appToken: 'xapp-sandbox-test', answerWithinMs: 200 })
    const connect = async () => {
      const headers = { authorization: 'Bearer xapp-sandbox-test', connection: 'close' }
      const { url } = await answerOf(await fetch(`${b.slack.apiUrl}apps.connections.open`, { method: 'POST', headers }))
      const ws = new WebSocket(String(url))
      const frames: Record<string, unknown>[] = []
      ws.on('message', (data) => {
        const frame = JSON.parse(String(data))
        frames.push(frame)
        if (frame.envelope_id !== undefined) ws.send(JSON.stringify({ envelope_id: frame.envelope_id }))
      })
      await b.slack.until('it is greeted', () => frames.length === 1 || b.slack.sockets().at(-1)?.state === 'open')
      return { ws, frames }
    }
    const both = [await connect(), await connect()]
    const events = () => both.flatMap(({ frames }) => frames.filter(({ type }) => type === 'events_api'))
    expect(await b.slack.openHome('U0ANA')).toMatchObject({ status: 200, trouble: null })
    expect(events()).toMatchObject([
      { accepts_response_payload: false, payload: { type: 'event_callback', event: { type: 'app_home_opened', tab: 'home' } } },
    ])
    b.slack.socketFault({ kind: 'drop_ack' })
    expect(await b.slack.openHome('U0ANA')).toMatchObject({ status: 200, trouble: null })
    expect(events()).toHaveLength(3)
    expect(events().filter((frame) => frame.retry_attempt === 1)).toHaveLength(1)
    expect(b.bot.received).toEqual([])
    for (const { ws } of both) ws.terminate()
  })
})

test.each([
  ['the challenge in JSON', (challenge: string) => ({ body: JSON.stringify({ challenge }) }), null],
  ['the challenge as text', (challenge: string) => ({ type: 'text/plain', body: challenge }), null],
  ['another text', () => ({ body: 'ok' }), 'url_not_verified'],
  ['the challenge with another status', (challenge: string) => ({ status: 201, body: challenge }), 'url_not_verified'],
])('an address that answers with %s', async (_name, answer, trouble) => {
  await using b = await bench()
  b.bot.answer = ({ body }) => answer(JSON.parse(body).challenge)
  expect(await b.slack.verifyUrl()).toMatchObject({ trouble })
  expect(JSON.parse(b.bot.received[0]?.body ?? '')).toMatchObject({ type: 'url_verification', challenge: expect.any(String) })
  expect(b.bot.received[0]?.headers['x-slack-signature']).toMatch(/^v0=/)
})

describe('a home tab', () => {
  test('has at most a hundred blocks, and what is refused changes nothing', async () => {
    await using b = await bench()
    const many = (count: number) => tab(...Array.from({ length: count }, (_, n) => section(`${n}`)))
    expect(await b.api('views.publish', { user_id: 'U0ANA', view: many(100) })).toMatchObject({ ok: true })
    const { hash } = b.slack.home('U0ANA') ?? {}
    expect(await b.api('views.publish', { user_id: 'U0ANA', view: many(101) })).toMatchObject({ error: 'invalid_arguments' })
    const titled = { ...tab(section('x')), title: text('no') }
    expect(await b.api('views.publish', { user_id: 'U0ANA', view: titled })).toMatchObject({ error: 'invalid_arguments' })
    expect(b.slack.home('U0ANA')).toMatchObject({ hash })
  })

  test('opens a window by the trigger of a press in it, and stays as it is', async () => {
    await using b = await bench()
    await b.api('views.publish', { user_id: 'U0ANA', view: tab({ type: 'actions', elements: [button('open')] }) })
    const home = b.slack.home('U0ANA')
    await b.slack.clickInView({ user: 'U0ANA', view: String(home?.id), action_id: 'open' })
    const trigger_id = b.bot.received[0]?.payload.trigger_id
    const view = { type: 'modal', title: text('A window'), blocks: card()[0] === undefined ? [] : [card()[0]] }
    expect(await b.api('views.open', { trigger_id, view })).toMatchObject({ ok: true })
    expect(b.slack.views('U0ANA')).toMatchObject([{ type: 'modal' }])
    expect(b.slack.home('U0ANA')).toEqual(home)
  })

  test('is told to the page of the person it was drawn for, who can open it and press in it', async () => {
    await using b = await bench()
    const state = async (as: string) => JSON.parse(await (await fetch(`${b.slack.url}/page/state?as=${as}`)).text())
    const act = async (what: string, body: object) => {
      const headers = { 'content-type': 'application/json', origin: b.slack.url }
      return JSON.parse(
        await (await fetch(`${b.slack.url}/page/${what}`, { method: 'POST', headers, body: JSON.stringify(body) })).text(),
      )
    }
    expect(await state('U0ANA')).toMatchObject({ home: null })
    expect(await act('home', { as: 'U0ANA' })).toEqual({ ok: true })
    expect(JSON.parse(b.bot.received[0]?.body ?? '')).toMatchObject({ event: { user: 'U0ANA', tab: 'home' } })
    await b.api('views.publish', { user_id: 'U0ANA', view: tab({ type: 'actions', block_id: 'do', elements: [button('open')] }) })
    const { home } = await state('U0ANA')
    expect(home).toMatchObject({ type: 'home', blocks: [{ block_id: 'do' }] })
    expect(await state('U0BOB')).toMatchObject({ home: null })
    expect(await act('click', { as: 'U0ANA', view: home.id, block_id: 'do', action_id: 'open' })).toEqual({ ok: true })
    expect(await act('click', { as: 'U0BOB', view: home.id, block_id: 'do', action_id: 'open' })).toMatchObject({ ok: false })
    expect(b.bot.received).toHaveLength(2)
  })

  test('can be opened and looked at by another process', async () => {
    await using b = await bench()
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const open = { method: 'POST', headers, body: JSON.stringify({ user: 'U0ANA' }) }
    expect(await answerOf(await fetch(`${b.slack.url}/control/open-home`, open))).toMatchObject({ status: 200 })
    await b.api('views.publish', { user_id: 'U0ANA', view: tab(section('hello')) })
    const seen = await answerOf(await fetch(`${b.slack.url}/control/home?user=U0ANA`, { headers: { connection: 'close' } }))
    expect(seen).toMatchObject({ type: 'home' })
  })
})

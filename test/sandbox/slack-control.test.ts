import { describe, expect, test } from 'vitest'
import { type Bench, bench, card, modal } from './slack-bot.ts'

const C = 'C0APPROVALS'
const tell = async (b: Bench, path: string, body: object = {}) => {
  const response = await fetch(`${b.slack.url}/control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [response.status, JSON.parse(await response.text())]
}
const look = async (b: Bench, path: string) => JSON.parse(await (await fetch(`${b.slack.url}/control/${path}`)).text())
async function posted(b: Bench): Promise<string> {
  return String((await b.api('chat.postMessage', { channel: C, text: 't', blocks: card('a') })).ts)
}

describe('another process', () => {
  test('clicks, opens, submits and closes as a test in this process does', async () => {
    await using b = await bench()
    const ts = await posted(b)
    const message_json_override = { blocks: card('old') }
    expect(await tell(b, 'click', { user: 'U0ANA', conversation: C, ts, action_id: 'old', message_json_override })).toMatchObject(
      [...[200, { status: 200, trouble: null }]],
    )
    const blocks = [...modal().blocks, card('more')[1]]
    await b.api('views.open', { trigger_id: b.bot.received[0]?.payload.trigger_id, view: modal({ blocks }) })
    expect(await look(b, 'views?user=U0ANA')).toMatchObject([{ id: 'V0001' }])
    const press = { user: 'U0ANA', view: 'V0001', block_id: 'do', action_id: 'more' }
    expect(await tell(b, 'click-in-view', press)).toMatchObject([200, { status: 200 }])
    const submission = { user: 'U0ANA', view: 'V0001', values: { note: { words: 'x'.repeat(11) } } }
    expect(await tell(b, 'submit', submission)).toMatchObject([200, { trouble: 'not_sent' }])
    expect(await tell(b, 'submit', { ...submission, unchecked: true })).toMatchObject([200, { status: 200 }])
    expect(await look(b, 'views?user=U0ANA')).toEqual([])
    expect((await look(b, 'deliveries')).map(({ kind }: { kind: string }) => kind)).toEqual([
      ...['block_actions', 'block_actions', 'view_submission'],
    ])
    expect(await tell(b, 'close-view', { user: 'U0ANA', view: 'V0001' })).toMatchObject([400, { ok: false }])
  })

  test('sends a command, and reads messages, calls and what is private', async () => {
    await using b = await bench()
    await posted(b)
    b.bot.answer = () => ({ type: 'text/plain', body: 'hi' })
    await tell(b, 'command', { user: 'U0ANA', conversation: C, text: '/approvals' })
    expect(await look(b, `messages?conversation=${C}`)).toMatchObject([{ text: 't' }])
    expect(await look(b, 'private?user=U0ANA')).toMatchObject([{ text: 'hi' }])
    expect(await look(b, 'calls')).toMatchObject([{ method: 'chat.postMessage', ok: true }])
    expect(await look(b, 'calls?method=chat.update')).toEqual([])
  })

  test('asks for every fault, lets requests go on, and clears', async () => {
    await using b = await bench()
    const method = 'api.test'
    const statusAfter = async (fault: object) => {
      expect(await tell(b, 'fault', { method, ...fault })).toEqual([200, { ok: true }])
      return (await b.raw(method)).status
    }
    expect(await statusAfter({ kind: 'ratelimited', retryAfter: 1 })).toBe(429)
    expect(await statusAfter({ kind: 'error', error: 'e' })).toBe(200)
    expect(await statusAfter({ kind: 'status', status: 503 })).toBe(503)
    await expect(statusAfter({ kind: 'reset' })).rejects.toThrow('fetch failed')
    const hung = statusAfter({ kind: 'hang' })
    await b.slack.until('the request hangs', () => b.slack.hanging() === 1)
    await tell(b, 'release')
    expect(await hung).toBe(200)
    await tell(b, 'fault', { method, kind: 'status', status: 500, times: 'always', conversation: 'C0OPS' })
    expect((await b.raw(method)).status).toBe(200)
    expect((await b.raw(method, { channel: 'C0OPS' })).status).toBe(500)
    await tell(b, 'clear-faults')
    expect((await b.raw(method, { channel: 'C0OPS' })).status).toBe(200)
  })

  test('takes the stand-in down for a while', async () => {
    await using b = await bench()
    expect(await tell(b, 'fault', { kind: 'down', seconds: 0.05 })).toEqual([200, { ok: true }])
    let refusals = 0
    for (let n = 0; n < 2_000; n += 1) {
      const status = await b.raw('api.test').then(
        (response) => response.status,
        () => 0,
      )
      if (status === 0) refusals += 1
      else if (refusals > 0) break
    }
    expect(refusals).toBeGreaterThan(0)
  })

  test('changes the world and where deliveries go', async () => {
    await using b = await bench()
    const changes = [
      { op: 'deactivate', user: 'U0ANA' },
      { op: 'change', user: 'U0BOB', to: { is_restricted: true, real_name: 'Robert', id: 'U0EVIL' } },
      { op: 'leave', user: 'U0CAT', conversation: C },
      { op: 'join', user: 'U0DEV', conversation: C },
      { op: 'archive', conversation: 'C0OPS' },
      { op: 'remove-from-group', user: 'U0ANA', group: 'S0ONCALL' },
      { op: 'add-to-group', user: 'U0BOB', group: 'S0ONCALL' },
      { op: 'disable-group', group: 'S0ONCALL' },
    ]
    for (const change of changes) expect(await tell(b, 'world', change)).toEqual([200, { ok: true }])
    const { world } = b.slack
    expect(world.user('U0ANA')?.deleted).toBe(true)
    expect(world.user('U0BOB')).toMatchObject({ id: 'U0BOB', is_restricted: true, real_name: 'Robert' })
    expect([world.isMember('U0CAT', C), world.isMember('U0DEV', C)]).toEqual([false, true])
    expect(world.conversation('C0OPS')?.is_archived).toBe(true)
    expect(world.group('S0ONCALL')).toMatchObject({ users: ['U0DEV', 'U0BOB'], disabled: true })
    expect((await look(b, 'world')).groups).toEqual(world.groups)
    await using other = await bench()
    await tell(b, 'deliver-to', { url: other.bot.url })
    await tell(b, 'command', { user: 'U0BOB', conversation: C, text: '/approvals' })
    expect([b.bot.received.length, other.bot.received.length]).toEqual([0, 1])
  })

  const wrong: [string, string, object, number][] = [
    ['a fault of no kind', 'fault', { method: '*', kind: 'fire' }, 400],
    ['a fault without its number', 'fault', { method: '*', kind: 'status' }, 400],
    ['a change that is none', 'world', { op: 'constructor' }, 400],
    ['a change of nobody', 'world', { op: 'deactivate', user: 'U0NOBODY' }, 400],
    ['a click without a person', 'click', { conversation: C }, 400],
    ['a list', 'fault', [], 400],
    ['nothing that there is', 'dance', {}, 404],
  ]
  test.each(wrong)('is told when it asks for %s', async (_name, path, body, status) => {
    await using b = await bench()
    expect(await tell(b, path, body)).toMatchObject([status, { ok: false }])
    expect((await fetch(`${b.slack.url}/control/dance`)).status).toBe(404)
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Scene, scene } from '../scene.ts'

let s: Scene
let id: string
beforeEach(async () => {
  s = await scene()
  id = (await s.call('bash', { command: 'ls' })).id
  await s.card(id)
})
afterEach(() => s.close())

const FORM = 'application/x-www-form-urlencoded'

/** A press of Approve as Slack sends it, with what the test changes. */
async function pressed(
  more: Readonly<Record<string, unknown>> = {},
  action: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { conversation, ts } = await s.card(id)
  const row = s.row(id)
  const value = JSON.stringify({ v: 1, a: row?.row_id, h: row?.hash })
  const payload = {
    type: 'block_actions',
    team: { id: 'T0ACME', domain: 'acme' },
    user: { id: 'U0ANA', username: 'ana', team_id: 'T0ACME' },
    api_app_id: 'A0APP',
    container: { type: 'message', message_ts: ts, channel_id: conversation, is_ephemeral: false },
    channel: { id: conversation, name: 'approvals' },
    message: { ts, bot_id: 'B0BOT', text: 'x', blocks: [] },
    trigger_id: 'none',
    actions: [
      { type: 'button', action_id: 'approval.approve', block_id: 'b', value, action_ts: String(Date.now() / 1000), ...action },
    ],
    ...more,
  }
  return `payload=${encodeURIComponent(JSON.stringify(payload))}`
}

function nothingDecided(): void {
  expect(s.row(id)).toMatchObject({ status: 'pending' })
  expect(s.platform.resolutions()).toEqual([])
}

describe('what Slack did not sign, or not now, decides nothing', () => {
  test.each<[string, (body: string) => Readonly<Record<string, string>>]>([
    ['no signature', () => ({})],
    ['the signature of another body', () => s.slack.sign('payload={}')],
    ['a signature six minutes old', (body) => s.slack.sign(body, new Date(Date.now() - 360_000))],
    ['a signature six minutes ahead', (body) => s.slack.sign(body, new Date(Date.now() + 360_000))],
  ])('%s', async (_name, sign) => {
    const body = await pressed()
    expect(await s.slack.deliverRaw({ body, headers: { 'content-type': FORM, ...sign(body) } })).toMatchObject({ status: 401 })
    nothingDecided()
  })

  test('an unsigned check of the connection is answered, and carries no press in', async () => {
    const body = `ssl_check=1&${await pressed()}`
    expect(await s.slack.deliverRaw({ body, headers: { 'content-type': FORM } })).toMatchObject({ status: 200 })
    nothingDecided()
  })
})

test('a proxy that adds a charset to the media type, or writes it large, changes nothing', async () => {
  const body = await pressed()
  const headers = { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=utf-8', ...s.slack.sign(body) }
  expect(await s.slack.deliverRaw({ body, headers })).toMatchObject({ status: 200 })
  await s.card(id, 'The agent platform has it')
})

test('the same press delivered twice decides once', async () => {
  const body = await pressed()
  const send = () => s.slack.deliverRaw({ body, headers: { 'content-type': FORM, ...s.slack.sign(body) } })
  await Promise.all([send(), send()])
  await s.card(id, 'The agent platform has it')
  expect(s.platform.resolutions(id)).toHaveLength(1)
})

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['a value that is not ours', { value: '{"v":2}' }, 'does not know this button'],
  ['no value', { value: undefined }, 'does not know this button'],
  ['a value with more in it', { value: '{"v":1,"a":"0","h":"x","user":"U0ANA"}' }, 'does not know this button'],
  ['an action that is not ours', { action_id: 'approval.everything' }, 'does not know this button'],
  ['a row that is not there', { value: JSON.stringify({ v: 1, a: '0'.repeat(32), h: 'x' }) }, 'no longer knows this approval'],
  ['a press that took three minutes', { action_ts: String(Date.now() / 1000 - 180) }, 'minutes late'],
])('%s is told to who pressed, and decides nothing', async (_name, action, words) => {
  const body = await pressed({}, action)
  const told = await s.toldNext('U0ANA', () =>
    s.slack.deliverRaw({ body, headers: { 'content-type': FORM, ...s.slack.sign(body) } }),
  )
  expect(told).toContain(words)
  nothingDecided()
})

test('a press with another hash than the row has says that the approval changed', async () => {
  const value = JSON.stringify({ v: 1, a: s.row(id)?.row_id, h: 'f'.repeat(64) })
  const body = await pressed({}, { value })
  const told = await s.toldNext('U0ANA', () =>
    s.slack.deliverRaw({ body, headers: { 'content-type': FORM, ...s.slack.sign(body) } }),
  )
  expect(told).toContain('changed after it was shown')
  nothingDecided()
})

test('a call that does not fit its card cannot be approved from the card, whatever is sent', async () => {
  id = (await s.call('bash', { command: 'x'.repeat(20_000) })).id
  const body = await pressed()
  const told = await s.toldNext('U0ANA', () =>
    s.slack.deliverRaw({ body, headers: { 'content-type': FORM, ...s.slack.sign(body) } }),
  )
  expect(told).toContain('longer than its card')
  nothingDecided()
})

/** Field reports about presses over HTTP: copies, other workspaces, large payloads, dead triggers, and answers that do not arrive. */
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../src/sandbox/slack/faults.ts'
import { CONVERSATION, type Scene, scene } from '../scene.ts'
import { deliver, formOf, rawPress } from './raw-press.ts'

const ALWAYS = Number.POSITIVE_INFINITY

let s: Scene
let id: string
let card: { readonly id: string; readonly ts: string; readonly conversation: string }
beforeEach(async () => {
  s = await scene({ socket: false })
  id = (await s.call('bash', { command: 'ls' })).id
  const { ts, conversation } = await s.card(id)
  card = { id, ts, conversation }
})
afterEach(() => s.close())

function nothingDecided(): void {
  expect(s.row(id)).toMatchObject({ status: 'pending' })
  expect(s.platform.resolutions()).toEqual([])
}

describe('a copy that Slack marks as a further try', () => {
  const again = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' }

  test('of a press is worked on although no first one came', async () => {
    expect(await deliver(s, rawPress(s, card), again)).toMatchObject({ status: 200 })
    await s.card(id, 'The agent platform has it')
  })

  test('of a press changes nothing after the first one', async () => {
    const body = rawPress(s, card)
    await deliver(s, body)
    await s.card(id, 'The agent platform has it')
    expect(await s.toldNext('U0ANA', () => deliver(s, body, again))).toContain('Already approved by')
    expect(s.platform.resolutions(id)).toHaveLength(1)
  })

  test('of an event draws the tab although no first one came', async () => {
    const body = JSON.stringify({
      team_id: 'T0ACME',
      api_app_id: 'A0APP',
      type: 'event_callback',
      event_id: 'Ev1',
      authorizations: [{ team_id: 'T0ACME', user_id: 'U0BOT', is_bot: true }],
      event: { type: 'app_home_opened', user: 'U0ANA', channel: 'D0ANA', event_ts: '1.000000', tab: 'home' },
    })
    expect(await deliver(s, body, { 'content-type': 'application/json', ...again })).toMatchObject({ status: 200 })
    await s.slack.until('the tab', () => s.slack.home('U0ANA'))
  })
})

describe('the workspace that a press names', () => {
  const elsewhere = { team: { id: 'T0OTHER', domain: 'other' }, api_app_id: 'A0OTHER' }

  test('takes no right from a person of ours, and no call of ours names a workspace', async () => {
    const more = { ...elsewhere, user: { id: 'U0ANA', username: 'ana', team_id: 'T0OTHER' } }
    await deliver(s, rawPress(s, { ...card, more }))
    await s.card(id, 'The agent platform has it')
    expect(s.row(id)).toMatchObject({ decided_by: 'slack:T0ACME/U0ANA' })
    expect(s.slack.calls().filter(({ args }) => 'team_id' in args)).toEqual([])
  })

  test('gives none to a person of another workspace', async () => {
    const told = await s.toldNext('U0OUT', () => deliver(s, rawPress(s, { ...card, user: 'U0OUT' })))
    expect(told).toContain('Only members of this workspace')
    nothingDecided()
  })
})

test('a press that echoes a message of 250 kB decides like any other', async () => {
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(250_000) } }]
  const more = { message: { ts: card.ts, bot_id: 'B0BOT', text: 'x', blocks } }
  expect(await deliver(s, rawPress(s, { ...card, more }))).toMatchObject({ status: 200 })
  await s.card(id, 'The agent platform has it')
})

test('presses are answered in time while calls of 900 kB arrive', async () => {
  const calls = Array.from({ length: 3 }, () => s.call('bash', { command: 'x'.repeat(900_000) }))
  await s.press('U0ANA', id, 'approval.approve')
  await Promise.all(calls)
  await s.card(id, 'The agent platform has it')
})

test('the first press after a restart decides, and is answered', async () => {
  await s.restart()
  expect(await s.toldNext('U0ANA', () => s.press('U0ANA', id, 'approval.approve'))).toContain('You approved this call')
  await s.card(id, 'The agent platform has it')
})

test('while the platform takes its time the card has no buttons, and a second press is told who was first', async () => {
  s.platform.answerNext({ hang: true })
  await s.press('U0ANA', id, 'approval.approve')
  const { blocks } = await s.card(id, 'Sending to the agent platform')
  expect(JSON.stringify(blocks)).not.toContain('approval.')
  const told = await s.toldNext('U0BOB', () => deliver(s, rawPress(s, { ...card, user: 'U0BOB' })))
  expect(told).toContain('Already approved by')
  s.platform.release()
  await s.card(id, 'The agent platform has it')
  expect(s.platform.effects(id)).toBe(1)
})

test('a press while Slack is away from the start decides nothing, then or later', async () => {
  const body = rawPress(s, card)
  await s.slack.goDown()
  await s.restart()
  expect(await deliver(s, body)).toMatchObject({ status: 200 })
  // A stop waits for the work of the press.
  await s.restart()
  await s.slack.comeBack()
  await s.restart()
  nothingDecided()
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
})

describe('a window that Slack does not open', () => {
  const faults: readonly (readonly [string, Fault])[] = [
    ...['expired_trigger_id', 'exchanged_trigger_id', 'invalid_trigger_id', 'invalid_arguments', 'internal_error'].map(
      (error): readonly [string, Fault] => [error, { method: 'views.open', kind: 'error', error }],
    ),
    ['a rate limit', { method: 'views.open', kind: 'ratelimited', retryAfter: 30 }],
    ['500', { method: 'views.open', kind: 'status', status: 500 }],
    ['a reset', { method: 'views.open', kind: 'reset' }],
  ]
  test.each(faults)('is told, and decides nothing: %s', async (_name, fault) => {
    s.slack.fault(fault)
    const told = await s.toldNext('U0BOB', () => s.press('U0BOB', id, 'approval.note'))
    expect(told).toContain('Slack did not open the window in time. Nothing was decided')
    expect(s.slack.calls('views.open')).toHaveLength(1)
    nothingDecided()
  })

  test('twice for one trigger is opened once', async () => {
    await s.press('U0BOB', id, 'approval.note')
    await s.slack.until('the window', () => s.slack.views('U0BOB')[0])
    const again = s.slack.deliveries().at(-1)?.payload ?? {}
    expect(await s.toldNext('U0BOB', () => deliver(s, formOf(again)))).toContain('did not open the window')
    expect(s.slack.views('U0BOB')).toHaveLength(1)
    nothingDecided()
  })
})

test('a rate limit on cards holds up no window', async () => {
  s.slack.fault({ method: 'chat.postMessage', kind: 'ratelimited', retryAfter: 30 })
  await s.call('bash', { command: 'pwd' })
  await s.slack.until('a refused post', () => s.slack.calls('chat.postMessage').some(({ status }) => status === 429))
  await s.press('U0BOB', id, 'approval.note')
  await s.slack.until('the window', () => s.slack.views('U0BOB')[0])
})

describe('a private answer', () => {
  const faults: readonly (readonly [string, Fault])[] = [
    ['404', { method: 'response_url', kind: 'status', status: 404 }],
    ['500', { method: 'response_url', kind: 'status', status: 500 }],
    ['a rate limit', { method: 'response_url', kind: 'ratelimited', retryAfter: 30 }],
    ['a reset', { method: 'response_url', kind: 'reset' }],
    ['no answer', { method: 'response_url', kind: 'hang' }],
  ]
  test.each(faults)('whose address fails (%s) comes another way, once', async (_name, fault) => {
    s.slack.fault(fault)
    const told = await s.toldNext('U0ANA', () => s.press('U0ANA', id, 'approval.approve'))
    expect(told).toContain('You approved this call')
    expect(s.slack.calls('chat.postEphemeral')).toHaveLength(1)
    await s.card(id, 'The agent platform has it')
  })

  test.each(['user_not_in_channel', 'messages_tab_disabled', 'channel_not_found', 'internal_error'])(
    'that arrives no way at all (%s) undoes no decision',
    async (error) => {
      s.slack.fault({ method: 'response_url', kind: 'status', status: 404, times: ALWAYS })
      s.slack.fault({ method: 'chat.postEphemeral', kind: 'error', error, times: ALWAYS })
      await s.press('U0ANA', id, 'approval.approve')
      await s.card(id, 'The agent platform has it')
      await s.slack.until('it was tried', () => s.slack.calls('chat.postEphemeral').some(({ ok }) => ok === false))
      expect(s.platform.effects(id)).toBe(1)
      expect(s.slack.privately('U0ANA')).toEqual([])
    },
  )
})

test('the press that cancels a run, delivered twice, cancels it once', async () => {
  const asked = s.toldNext('U0ANA', () =>
    s.slack.command({ user: 'U0ANA', conversation: CONVERSATION, text: `/approvals cancel ${s.row(id)?.run}` }),
  )
  expect(await asked).toContain('run.cancel')
  const action = { action_id: 'run.cancel', value: JSON.stringify({ v: 1, r: s.row(id)?.run }) }
  const body = rawPress(s, { ...card, action })
  await Promise.all([deliver(s, body), deliver(s, body)])
  await s.card(id, 'The agent platform has it')
  expect(s.platform.resolutions(id)).toHaveLength(1)
})

test('a press whose decision cannot be stored is acked and told, and decides when it is pressed again', async () => {
  const db = new Sqlite(s.databasePath)
  db.exec(`create trigger no_decision before update on approvals begin select raise(abort, 'disk full'); end`)
  expect(await s.toldNext('U0ANA', () => s.press('U0ANA', id, 'approval.approve'))).toContain('Something failed here')
  nothingDecided()
  db.exec('drop trigger no_decision')
  db.close()
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
})

describe('a window that Slack does not change', () => {
  let long: string
  let view: string
  beforeEach(async () => {
    long = (await s.call('bash', { command: 'x'.repeat(30_000) })).id
    await s.press('U0BOB', long, 'approval.open')
    view = String((await s.slack.until('the window', () => s.slack.views('U0BOB')[0])).id)
    s.slack.fault({ method: 'views.update', kind: 'error', error: 'internal_error' })
  })

  test('to its next page is told', async () => {
    const turn = () => s.slack.clickInView({ user: 'U0BOB', view, action_id: 'approval.page.1' })
    expect(await s.toldNext('U0BOB', turn)).toContain('Slack did not turn the page in time')
  })

  test('after a decision undoes none, and the person is told another way', async () => {
    const deny = () => s.slack.clickInView({ user: 'U0BOB', view, action_id: 'approval.deny' })
    expect(await s.toldNext('U0BOB', deny)).toContain('You denied this call')
    await s.card(long, 'The agent platform has it')
  })
})

test('a command without a text and without an address to answer at is acked with nothing, and explains itself', async () => {
  const body = new URLSearchParams({
    command: '/approvals',
    team_id: 'T0ACME',
    user_id: 'U0ANA',
    channel_id: CONVERSATION,
    trigger_id: '1.2.3',
  }).toString()
  const told = await s.toldNext('U0ANA', async () => {
    expect(await deliver(s, body)).toMatchObject({ status: 200, body: '' })
  })
  expect(told).toContain('the id of a run')
})

test('a check of health is answered, and needs no signature', async () => {
  expect((await fetch(`http://127.0.0.1:${s.app().port}/healthz`)).status).toBe(200)
})

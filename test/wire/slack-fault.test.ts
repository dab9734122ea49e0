import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Fault } from '../../src/sandbox/slack/faults.ts'
import { CONVERSATION, type Scene, scene } from '../scene.ts'

const Reasons = z.object({ degraded: z.array(z.string()) })
const SETTLING_MS = 3100
const ALWAYS = Number.POSITIVE_INFINITY

let s: Scene
beforeEach(async () => {
  s = await scene()
})
afterEach(() => s.close())

async function ready(): Promise<{ readonly open: number; readonly admin: number; readonly degraded: readonly string[] }> {
  const [open, admin] = await Promise.all([
    fetch(`http://127.0.0.1:${s.app().port}/readyz`),
    fetch(`http://127.0.0.1:${s.app().adminPort}/readyz`),
  ])
  return { open: open.status, admin: admin.status, degraded: Reasons.parse(await admin.json()).degraded }
}

describe('whatever Slack does to a post, the hook answers pause, and when it ends one card stands and the decision arrives', () => {
  const faults: readonly (readonly [string, Fault])[] = [
    ['a rate limit', { method: 'chat.postMessage', kind: 'ratelimited', retryAfter: 1 }],
    ['500 after storing', { method: 'chat.postMessage', kind: 'status', status: 500, after: true }],
    ['500 before storing', { method: 'chat.postMessage', kind: 'status', status: 500 }],
    ['a reset after storing', { method: 'chat.postMessage', kind: 'reset', after: true }],
    ['not_in_channel', { method: 'chat.postMessage', kind: 'error', error: 'not_in_channel' }],
    ['invalid_auth', { method: 'chat.postMessage', kind: 'error', error: 'invalid_auth' }],
    ['internal_error', { method: 'chat.postMessage', kind: 'error', error: 'internal_error' }],
    ...[
      'channel_not_found',
      'is_archived',
      'restricted_action',
      'no_permission',
      'token_revoked',
      'account_inactive',
      'missing_scope',
      'not_authed',
      'fatal_error',
      'msg_blocks_too_long',
    ].map((error): readonly [string, Fault] => [error, { method: 'chat.postMessage', kind: 'error', error }]),
  ]
  test.each(faults)('%s', async (_name, fault) => {
    s.slack.fault(fault)
    const { id, state } = await s.call('bash', { command: 'ls' })
    expect(state).toBe('waiting')
    await s.slack.until('a failed post', () => s.slack.calls('chat.postMessage').length === 1)
    s.advance(SETTLING_MS)
    await s.press('U0ANA', id, 'approval.approve')
    await s.card(id, 'The agent platform has it')
    expect(s.cards(id)).toHaveLength(1)
    expect(s.platform.effects(id)).toBe(1)
  })

  test('no answer at all, until the hang ends', async () => {
    s.slack.fault({ method: '*', kind: 'hang', times: ALWAYS })
    const { id, state } = await s.call('bash', { command: 'ls' })
    expect(state).toBe('waiting')
    await s.slack.until('a hanging post', () => s.slack.hanging() > 0)
    expect((await ready()).open).toBe(200)
    s.slack.clearFaults()
    s.slack.release()
    await s.press('U0ANA', id, 'approval.approve')
    await s.card(id, 'The agent platform has it')
    expect(s.platform.effects(id)).toBe(1)
  })

  test('Slack down, from before the start', async () => {
    await s.slack.goDown()
    await s.restart()
    const { id, state } = await s.call('bash', { command: 'ls' })
    expect(state).toBe('waiting')
    const away = await ready()
    expect(away).toMatchObject({ open: 200, admin: 200 })
    expect(away.degraded.join()).toContain('unreachable')
    await s.slack.comeBack()
    await s.press('U0ANA', id, 'approval.approve')
    await s.card(id, 'The agent platform has it')
    expect(await ready()).toMatchObject({ open: 200, admin: 200, degraded: [] })
  })
})

test('Slack failing during the decision delays the card, not the decision', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  await s.card(id)
  s.slack.fault({ method: 'chat.update', kind: 'error', error: 'invalid_auth', times: 3 })
  await s.press('U0ANA', id, 'approval.approve')
  await s.platform.until('the call runs', () => s.platform.effects(id) === 1)
  await s.card(id, 'The agent platform has it')
})

test('where the history is closed to us, both copies decide, and both tell the truth once one was pressed', async () => {
  await s.close()
  s = await scene({ slack: { scopes: ['chat:write', 'commands', 'users:read', 'channels:read', 'groups:read'] } })
  s.slack.fault({ method: 'chat.postMessage', kind: 'status', status: 500, after: true })
  const { id } = await s.call('bash', { command: 'ls' })
  await s.slack.until('a post without an answer', () => s.slack.calls('chat.postMessage').length === 1)
  s.advance(SETTLING_MS)
  await s.slack.until('a second copy', () => s.cards(id).length === 2)
  const [lost] = s.cards(id)
  await s.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts: lost?.ts ?? '', action_id: 'approval.approve' })
  await s.slack.until('both copies say that it was delivered', () =>
    s.cards(id).every((copy) => JSON.stringify(copy.blocks).includes('The agent platform has it')),
  )
  expect(s.cards(id)).toHaveLength(2)
  expect(s.platform.effects(id)).toBe(1)
})

test('a press on a card whose place is not known yet takes its buttons away at once', async () => {
  s.slack.fault({ method: 'chat.postMessage', kind: 'reset', after: true })
  // Looking for it fails for good: only the press can tell where it stands.
  s.slack.fault({ method: 'conversations.history', kind: 'error', error: 'internal_error', times: ALWAYS })
  const { id } = await s.call('bash', { command: 'ls' })
  await s.press('U0ANA', id, 'approval.approve')
  const card = await s.card(id, 'The agent platform has it')
  expect(JSON.stringify(card.blocks)).not.toContain('approval.approve')
})

test.each(['is_archived', 'not_in_channel', 'token_revoked', 'missing_scope', 'ratelimited', 'fatal_error'])(
  'a card that cannot be rewritten (%s) undoes no decision, readiness says so, and it tells the truth once it can',
  async (error) => {
    const { id } = await s.call('bash', { command: 'ls' })
    await s.card(id)
    const fault = { method: 'chat.update', kind: 'error', error, times: ALWAYS } as const
    s.slack.fault(fault)
    await s.press('U0ANA', id, 'approval.approve')
    await s.platform.until('the call runs', () => s.platform.effects(id) === 1)
    await s.slack.until('it was tried', () => s.slack.calls('chat.update').length > 0)
    expect(s.row(id)).toMatchObject({ outcome: 'approved' })
    expect((await ready()).open).toBe(200)
    s.slack.clearFaults()
    await s.card(id, 'The agent platform has it')
    expect(s.platform.effects(id)).toBe(1)
  },
)

test.each(['edit_window_closed', 'cant_update_message'])(
  'a card that nobody can change any more (%s) is left alone; what still waits is asked on another',
  async (error) => {
    const { id } = await s.call('bash', { command: 'ls' })
    const { ts } = await s.card(id)
    s.slack.fault({ method: 'chat.update', kind: 'error', error, times: ALWAYS })
    await s.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts, action_id: 'approval.approve' })
    await s.platform.until('the call runs', () => s.platform.effects(id) === 1)
    await s.slack.until('it was tried', () => s.slack.calls('chat.update').length > 0)
    const told = await s.toldNext('U0BOB', () =>
      s.slack.click({ user: 'U0BOB', conversation: CONVERSATION, ts, action_id: 'approval.deny' }),
    )
    expect(told).toContain('Already approved by')
    expect(s.platform.effects(id)).toBe(1)
  },
)

test('a card that somebody deleted does not hold up its decision', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  const { ts } = await s.card(id)
  s.slack.fault({ method: 'chat.update', kind: 'error', error: 'message_not_found' })
  await s.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts, action_id: 'approval.deny' })
  await s.platform.until('the call is denied', () => s.platform.effects(id) === 1)
  expect(s.cards(id)).toHaveLength(1)
  expect((await ready()).degraded).toEqual([])
})

test('where the conversation refuses us, the card goes to the fallback', async () => {
  await s.close()
  s = await scene({
    settings: (url) => `slack: { conversation: C0EMPTY, fallback: C0OPS }
hooks: [{ name: novo, secrets: [env:NOVO_HOOK_SECRET], key: env:NOVO_API_KEY, origins: ["${url}"] }]
approvers: { ops: { users: [U0ANA] } }
defaults: { approvers: ops }
`,
  })
  const { id } = await s.call('bash', { command: 'ls' })
  const [card] = await s.slack.until('a card in the fallback', () =>
    s.cards(id, 'C0OPS').length === 1 ? s.cards(id, 'C0OPS') : undefined,
  )
  await s.slack.click({ user: 'U0ANA', conversation: 'C0OPS', ts: card?.ts ?? '', action_id: 'approval.approve' })
  await s.platform.until('the call runs', () => s.platform.effects(id) === 1)
})

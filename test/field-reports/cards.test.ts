/** Field reports about posting and changing cards: each way in which Slack refuses, and what it asks us to wait. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Fault } from '../../src/sandbox/slack/faults.ts'
import { CONVERSATION, type Scene, scene } from '../scene.ts'
import { deliver, rawPress } from './raw-press.ts'

const ALWAYS = Number.POSITIVE_INFINITY
const Reasons = z.object({ degraded: z.array(z.string()) })

let s: Scene
beforeEach(async () => {
  s = await scene({ socket: false })
})
afterEach(() => s.close())

async function degraded(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${s.app().adminPort}/readyz`)
  return Reasons.parse(await answer.json()).degraded.join()
}

describe('a post that Slack refuses: the call waits, readiness names the code, and one card stands when it ends', () => {
  test.each([
    'is_inactive',
    'token_expired',
    'org_login_required',
    'team_access_not_granted',
    'team_not_found',
    'ekm_access_denied',
    'message_limit_exceeded',
    'messages_tab_disabled',
    'cannot_reply_to_message',
    'restricted_action_read_only_channel',
    'restricted_action_thread_only_channel',
    'restricted_action_thread_locked',
    'restricted_action_non_threadable_channel',
    'invalid_blocks',
    'msg_too_long',
    'rate_limited',
    'an_error_of_next_year',
  ])('%s', async (error) => {
    s.slack.fault({ method: 'chat.postMessage', kind: 'error', error, times: ALWAYS })
    const { id, state } = await s.call('bash', { command: 'ls' })
    expect(state).toBe('waiting')
    await vi.waitFor(async () => expect(await degraded()).toContain(`slack: ${error}`), { timeout: 5000 })
    s.slack.clearFaults()
    await s.press('U0ANA', id, 'approval.approve')
    await s.card(id, 'The agent platform has it')
    expect(s.cards(id)).toHaveLength(1)
    expect(s.platform.effects(id)).toBe(1)
  })
})

describe('a card that Slack does not change: the decision stands and arrives, others are told of it, and the card follows', () => {
  const METHOD = { method: 'chat.update', times: ALWAYS } as const
  const faults: readonly (readonly [string, Fault])[] = [
    ...[
      'is_inactive',
      'channel_not_found',
      'external_channel_migrating',
      'streaming_state_conflict',
      'update_failed',
      'block_mismatch',
      'msg_too_long',
      'invalid_blocks',
      'request_timeout',
    ].map((error): readonly [string, Fault] => [error, { ...METHOD, kind: 'error', error }]),
    ['a rate limit', { ...METHOD, kind: 'ratelimited', retryAfter: 1 }],
    ['502', { ...METHOD, kind: 'status', status: 502 }],
    ['500 after changing it', { ...METHOD, kind: 'status', status: 500, after: true }],
    ['a reset', { ...METHOD, kind: 'reset' }],
    ['a reset after changing it', { ...METHOD, kind: 'reset', after: true }],
    ['no answer', { ...METHOD, kind: 'hang' }],
  ]
  test.each(faults)('%s', async (_name, fault) => {
    const { id } = await s.call('bash', { command: 'ls' })
    const { ts, conversation } = await s.card(id)
    const second = rawPress(s, { id, ts, conversation, user: 'U0BOB', action: { action_id: 'approval.deny' } })
    s.slack.fault(fault)
    await s.press('U0ANA', id, 'approval.approve')
    await s.platform.until('the call runs', () => s.platform.effects(id) === 1)
    await s.slack.until('it was tried', () => s.slack.calls('chat.update').length > 0)
    expect(await s.toldNext('U0BOB', () => deliver(s, second))).toContain('Already approved by')
    s.slack.clearFaults()
    s.slack.release()
    await s.card(id, 'The agent platform has it')
    expect(s.cards(id)).toHaveLength(1)
    expect(s.platform.resolutions(id)).toHaveLength(1)
  })
})

test('Slack is not asked before the time that it named is over, for any card of that conversation', async () => {
  s.slack.fault({ method: 'chat.postMessage', kind: 'ratelimited', retryAfter: 60 })
  const first = await s.call('bash', { command: 'ls' })
  await s.slack.until('a refused post', () => s.slack.calls('chat.postMessage').some(({ status }) => status === 429))
  const second = await s.call('bash', { command: 'pwd' })
  await vi.waitFor(() => {
    const tasks = s.rows('tasks').filter(({ step }) => step === 'present')
    expect(tasks.filter(({ due_at }) => Number(due_at) > Date.now() + 30_000)).toHaveLength(2)
  })
  expect(s.slack.calls('chat.postMessage')).toHaveLength(1)
  s.advance(61_000)
  await s.card(first.id)
  await s.card(second.id)
  expect(s.slack.messages(CONVERSATION)).toHaveLength(2)
})

test('a tab whose answer was lost, or that Slack refused for its hash, is drawn anew with the next change', async () => {
  s.slack.fault({ method: 'views.publish', kind: 'reset', after: true })
  await s.slack.openHome('U0ANA')
  await s.slack.until('a tab', () => s.slack.home('U0ANA'))
  s.slack.fault({ method: 'views.publish', kind: 'error', error: 'hash_conflict' })
  await s.call('bash', { command: 'ls' })
  await s.slack.until('a refused tab', () => s.slack.calls('views.publish').some(({ error }) => error === 'hash_conflict'))
  await s.call('bash', { command: 'pwd' })
  await s.slack.until('both calls', () => JSON.stringify(s.slack.home('U0ANA')).match(/approval\.open/g)?.length === 2)
  expect(s.slack.calls('views.publish').filter(({ args }) => 'hash' in args)).toEqual([])
})

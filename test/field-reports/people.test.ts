/** Field reports about who may decide: look-ups that fail, groups that change, and accounts that are no people. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Fault } from '../../src/sandbox/slack/faults.ts'
import { person } from '../../src/sandbox/slack/world.ts'
import { type Scene, type SceneOptions, scene, standardSettings } from '../scene.ts'
import { deliver, rawPress } from './raw-press.ts'

const A_MINUTE_MS = 61_000
const ALWAYS = Number.POSITIVE_INFINITY
const Reasons = z.object({ degraded: z.array(z.string()) })

let s: Scene
let id: string
afterEach(() => s.close())

async function begin(options: SceneOptions = {}): Promise<void> {
  s = await scene({ socket: false, ...options })
  id = (await s.call('bash', { command: 'ls' })).id
  await s.card(id)
}

function nothingDecided(): void {
  expect(s.row(id)).toMatchObject({ status: 'pending', verdict: null, decided_by: null })
  expect(s.platform.resolutions()).toEqual([])
}

const press = (user: string): Promise<string> => s.toldNext(user, () => s.press(user, id, 'approval.approve'))

async function degraded(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${s.app().adminPort}/readyz`)
  return Reasons.parse(await answer.json()).degraded.join()
}

describe('when Slack does not say who somebody is, nobody decides', () => {
  beforeEach(() => begin())

  const METHOD = { method: 'users.info' } as const
  const LATE = 'Slack did not tell us in time'
  const UNKNOWN = 'Slack does not tell us who you are'
  const faults: readonly (readonly [string, Fault, string])[] = [
    ['user_not_found', { ...METHOD, kind: 'error', error: 'user_not_found' }, UNKNOWN],
    ['user_not_visible', { ...METHOD, kind: 'error', error: 'user_not_visible' }, UNKNOWN],
    ['missing_scope', { ...METHOD, kind: 'error', error: 'missing_scope' }, LATE],
    ['token_revoked', { ...METHOD, kind: 'error', error: 'token_revoked' }, LATE],
    ['a rate limit', { ...METHOD, kind: 'ratelimited', retryAfter: 30 }, LATE],
    ['500', { ...METHOD, kind: 'status', status: 500 }, LATE],
    ['a reset', { ...METHOD, kind: 'reset' }, LATE],
    ['no answer', { ...METHOD, kind: 'hang' }, LATE],
  ]
  test.each(faults)('%s', async (_name, fault, words) => {
    s.slack.fault(fault)
    expect(await press('U0ANA')).toContain(words)
    nothingDecided()
    s.advance(A_MINUTE_MS)
    expect(await press('U0ANA')).toContain('You approved this call')
    await s.card(id, 'The agent platform has it')
  })
})

test.each(['invalid_auth', 'account_inactive', 'token_expired', 'org_login_required', 'team_access_not_granted'])(
  'with a token that Slack refuses from the start (%s) the bot stays, says so, asks all the same, and nobody decides by membership',
  async (error) => {
    await begin()
    const { ts, conversation } = await s.card(id)
    const body = rawPress(s, { id, ts, conversation })
    s.slack.fault({ method: 'auth.test', kind: 'error', error, times: ALWAYS })
    await s.restart()
    await vi.waitFor(async () => expect(await degraded()).toContain(`slack: ${error}`))
    expect(await s.toldNext('U0ANA', () => deliver(s, body))).toContain('Slack did not tell us in time')
    nothingDecided()
    expect((await s.call('bash', { command: 'pwd' })).state).toBe('waiting')
    s.slack.clearFaults()
    expect(await press('U0ANA')).toContain('You approved this call')
    await s.card(id, 'The agent platform has it')
  },
)

describe('a user group', () => {
  const ofGroup = (url: string): string =>
    standardSettings(url).replace('everyone: { conversation: true }', 'everyone: { groups: [S0ONCALL] }')
  beforeEach(() => begin({ settings: ofGroup }))

  const METHOD = { method: 'usergroups.users.list' } as const
  const faults: readonly (readonly [string, Fault])[] = [
    ...['no_such_subteam', 'plan_upgrade_required', 'missing_scope', 'internal_error', 'account_inactive'].map(
      (error): readonly [string, Fault] => [error, { ...METHOD, kind: 'error', error }],
    ),
    ['a rate limit', { ...METHOD, kind: 'ratelimited', retryAfter: 30 }],
    ['500', { ...METHOD, kind: 'status', status: 500 }],
    ['a reset', { ...METHOD, kind: 'reset' }],
    ['no answer', { ...METHOD, kind: 'hang' }],
  ]
  test.each(faults)('that cannot be read is nobody, and readiness says so: %s', async (_name, fault) => {
    s.slack.fault(fault)
    expect(await press('U0ANA')).toContain('It cannot be read at the moment who may decide')
    nothingDecided()
    expect(await degraded()).toContain('approvers everyone: cannot be read')
    expect(await press('U0ANA')).toContain('You approved this call')
    await s.card(id, 'The agent platform has it')
    expect(await degraded()).not.toContain('approvers everyone')
  })

  test('is asked for once by fifty presses at the same time, and so is the person', async () => {
    const { ts, conversation } = await s.card(id)
    const body = rawPress(s, { id, ts, conversation })
    await Promise.all(Array.from({ length: 50 }, () => deliver(s, body)))
    await s.slack.until('fifty answers', () => s.slack.privately('U0ANA').length === 50)
    await s.card(id, 'The agent platform has it')
    expect(s.slack.calls('usergroups.users.list')).toHaveLength(1)
    expect(s.slack.calls('users.info')).toHaveLength(1)
    expect(s.platform.resolutions(id)).toHaveLength(1)
  })

  test.each<[string, (slack: Scene['slack']) => void, string]>([
    ['was left', ({ world }) => world.removeFromGroup('U0ANA', 'S0ONCALL'), 'You are not among those who may decide'],
    ['was emptied', ({ world }) => void world.group('S0ONCALL')?.users.splice(0), 'You are not among those who may decide'],
    ['was switched off', ({ world }) => world.disableGroup('S0ONCALL'), 'It cannot be read at the moment'],
    ['was deleted', ({ world }) => void world.groups.splice(0), 'It cannot be read at the moment'],
  ])('that %s gives no right after a minute', async (_what, change, words) => {
    const other = (await s.call('bash', { command: 'pwd' })).id
    await s.press('U0ANA', other, 'approval.deny')
    await s.card(other, 'The agent platform has it')
    change(s.slack)
    s.advance(A_MINUTE_MS)
    expect(await press('U0ANA')).toContain(words)
    expect(s.row(id)).toMatchObject({ status: 'pending' })
  })

  test('gives no right to who belongs to the conversation only', async () => {
    s.slack.fault({ ...METHOD, kind: 'error', error: 'no_such_subteam' })
    expect(await press('U0BOB')).toContain('It cannot be read at the moment')
    expect(await press('U0BOB')).toContain('You are not among those who may decide')
    nothingDecided()
  })
})

describe('what is no person never decides', () => {
  test.each(['USLACKBOT', 'U0BOT'])('%s, although it belongs to the conversation', async (user) => {
    await begin({ slack: { world: { users: [person('USLACKBOT', 'Slackbot')] } } })
    s.slack.world.join('USLACKBOT', 'C0APPROVALS')
    expect(await press(user)).toContain('Bots may not decide')
    nothingDecided()
  })
})

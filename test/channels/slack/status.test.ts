import { describe, expect, test } from 'vitest'
import type { Approval, Resolution, Trouble } from '../../../src/approval/approval.ts'
import { card } from '../../../src/channels/slack/card.ts'
import { decoded } from './decoded.ts'
import { pending, SETTINGS } from './hostile.ts'
import { look, page } from './look.ts'

const { status: _, ...ASKED } = pending(new Map([['command', 'ls']]))
const AT = new Date('2026-10-05T12:01:00Z')

function denied(by: string, note: string | null, via: string | null = null): Approval {
  const decision = { verdict: 'deny', outcome: 'denied', by, via, note, at: AT } as const
  return { ...ASKED, status: 'decided', decision, trouble: null, giveUpAt: AT }
}

const approved = { verdict: 'approve', outcome: 'approved', by: 'slack:T0ACME/U0ANA', via: null, note: null, at: AT } as const

/** What stands after who decided and when, on the same line. */
function delivery(read: readonly string[]): string | undefined {
  return read[read.indexOf('. ') + 1]
}

function blocksOf(approval: Approval): string {
  return JSON.stringify(card(approval, SETTINGS).blocks)
}

describe('who decided', () => {
  test.each([
    ['slack:T0ACME/U0ANA', 'U0ANA'],
    ['slack:E0ACME/W0ANA', 'W0ANA'],
  ])('%s is the person that Slack knows', (by, user) => {
    expect(blocksOf(denied(by, null))).toContain(`{"type":"user","user_id":"${user}"}`)
    expect(look(card(denied(by, null), SETTINGS)).inside).toEqual(['command', 'ls'])
  })

  test.each([
    'cli:root',
    'slack:T0ACME/U0ANA ',
    'slack:T0ACME/U0ANA\n',
    'slack:t0/U0',
    'slack:T0ACME/B0BOT',
    'Slack:T0/U0',
    '<@U0ANA>',
    '\uD800',
    `slack:T0/U${'A'.repeat(40)}`,
  ])('%j is a label, shown as text that is not ours', (by) => {
    const blocks = card(denied(by, null), SETTINGS).blocks
    expect(JSON.stringify(blocks)).not.toContain('"user_id":"U0ANA"')
    expect(decoded(look(blocks).inside[0] ?? '')).toBe(by)
    expect(look(blocks).read).toContain('someone outside Slack')
  })

  test('a label that came over a channel is never shown as a Slack person', () => {
    const { inside } = look(card(denied('slack:T0ACME/U0ANA', null, 'channel/console'), SETTINGS))
    expect(inside).toEqual(['slack:T0ACME/U0ANA', 'command', 'ls'])
  })

  test('a label without an end is cut', () => {
    const { inside } = look(card(denied('x'.repeat(100_000), null), SETTINGS))
    expect(inside[0]).toHaveLength(300)
  })
})

describe('the note', () => {
  test('is shown as it goes to the model', () => {
    const note = 'Not on a Friday.\n*Please* <!channel> ask again: naïve 🙂\u202E'
    const { inside } = look(card(denied('slack:T0ACME/U0ANA', note), SETTINGS))
    expect(decoded(inside[0] ?? '')).toBe(note)
  })

  test('that takes too much room is cut between escapes, and the card says so', () => {
    const { inside, read } = look(card(denied('slack:T0ACME/U0ANA', '\u007F\u0085'.repeat(500)), SETTINGS))
    expect('\u007F\u0085'.repeat(500).startsWith(decoded(inside[0] ?? '') || 'nothing')).toBe(true)
    expect(read).toContain('… and more, not shown here.')
  })
})

const refused = (
  why: 'unknown_approval' | 'expired' | 'refused' | 'resolved_elsewhere',
  ownAttemptMayHaveLanded = false,
): Resolution => ({
  resolution: 'refused',
  why,
  status: 422,
  ownAttemptMayHaveLanded,
})

describe('what a decided card says of the delivery', () => {
  const troubles: readonly (readonly [string, Trouble | null])[] = [
    ['Sending to the agent platform…', null],
    ['Sending: the agent’s run is not waiting yet. Trying again.'.replace('’', "'"), { kind: 'passing', code: 'not_parked_yet' }],
    [
      'Sending: the agent platform does not take it at the moment (http_503). Trying again.',
      { kind: 'passing', code: 'http_503' },
    ],
  ]
  test.each(troubles)('%s', (words, trouble) => {
    const { read, actions } = look(card({ ...ASKED, status: 'decided', decision: approved, trouble, giveUpAt: AT }, SETTINGS))
    expect(delivery(read)).toBe(words)
    expect(actions).toEqual([])
  })

  test.each([
    ['bad_key', /refused our key. Check the setting NOVO_API_KEY,/],
    ['source_not_configured', /no longer stands in the settings/],
    ['resolve_url_refused', /Check origins and resolvePath/],
    ['http_418', /Could not be delivered \(http_418\)/],
  ])('a lasting trouble, %s, names what to check', (code, words) => {
    const trouble = { kind: 'lasting', code } as const
    const { read, outside } = look(card({ ...ASKED, status: 'decided', decision: approved, trouble, giveUpAt: AT }, SETTINGS))
    expect(delivery(read)).toMatch(words)
    expect(outside).toContain('warning')
  })

  const resolutions: readonly (readonly [string, Resolution])[] = [
    ['The agent platform has it: the call may run.', { resolution: 'done' }],
    ['Not taken: the agent no longer knows this approval.', refused('unknown_approval')],
    ['Not taken: the agent platform says that this approval has expired.', refused('expired')],
    ['Not taken: the agent platform refused it (HTTP 422).', refused('refused')],
    ['Not taken: the agent platform says that it was already resolved elsewhere.', refused('resolved_elsewhere')],
  ]
  test.each(resolutions)('%s', (words, resolution) => {
    const approval: Approval = { ...ASKED, status: 'resolved', decision: approved, resolution, resolvedAt: AT }
    const { read, actions } = look(card(approval, SETTINGS))
    expect(delivery(read)).toBe(words)
    expect(read[0]).toBe('Approved: bash')
    expect(actions).toEqual([])
    expect(delivery(look(page(approval, 0)).read)).toBe(words)
  })

  test('a decision of ours that may have landed before is not called a refusal', () => {
    const resolution = refused('resolved_elsewhere', true)
    const { read } = look(card({ ...ASKED, status: 'resolved', decision: approved, resolution, resolvedAt: AT }, SETTINGS))
    expect(delivery(read)).toMatch(/may have been this decision/)
    expect(delivery(read)).not.toMatch(/Not taken/)
  })
})

describe('what a decided card shows at a glance', () => {
  const glance = (approval: Approval): string =>
    look(card(approval, SETTINGS).blocks.slice(1, 2))
      .outside.filter((text) => GLANCES.has(text))
      .join()
  const GLANCES = new Set([
    'white_check_mark',
    'no_entry',
    'warning',
    'hourglass',
    'hourglass_flowing_sand',
    'information_source',
  ])
  const resolved = (verdict: 'approve' | 'deny', resolution: Resolution): Approval => ({
    ...ASKED,
    status: 'resolved',
    decision: { ...approved, verdict, outcome: verdict === 'approve' ? 'approved' : 'denied' },
    resolution,
    resolvedAt: AT,
  })

  test.each<[string, Approval]>([
    ['white_check_mark', resolved('approve', { resolution: 'done' })],
    ['no_entry', resolved('deny', { resolution: 'done' })],
    ['warning', resolved('approve', refused('expired'))],
    ['warning', resolved('deny', { resolution: 'undeliverable' })],
    ['hourglass_flowing_sand', { ...ASKED, status: 'decided', decision: approved, trouble: null, giveUpAt: AT }],
    ['hourglass', { ...ASKED, status: 'closed', because: 'expired', closedAt: AT, elsewhere: null }],
    ['information_source', { ...ASKED, status: 'closed', because: 'withdrawn', closedAt: AT, elsewhere: null }],
  ])('is %s, before the call', (mark, approval) => {
    expect(glance(approval)).toBe(mark)
  })

  test('is never a check mark for what its source did not take', () => {
    for (const why of ['unknown_approval', 'expired', 'refused', 'resolved_elsewhere'] as const)
      expect(glance(resolved('approve', refused(why, true)))).toBe('warning')
  })
})

describe('what waits', () => {
  const { blocks } = card({ ...ASKED, status: 'pending', expiresAt: AT }, SETTINGS)

  test('comes in the order in which it is needed: the call, who may decide, the buttons, the small print', () => {
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'rich_text', 'rich_text', 'actions', 'context', 'context'])
    expect(look(blocks.slice(1, 2)).inside).toEqual(['command', 'ls'])
    expect(look(blocks.slice(4)).read).toContain(`Hash ${ASKED.hash}`)
  })

  test('names people and groups as Slack knows them, and its times in the reader’s own zone', () => {
    const words = JSON.stringify(blocks[2])
    for (const part of [
      '{"type":"user","user_id":"U0ANA"}',
      '{"type":"usergroup","usergroup_id":"S0ONCALL"}',
      '{"type":"channel","channel_id":"C0APPROVALS"}',
      `{"type":"date","timestamp":${AT.getTime() / 1000},"format":"{date_short_pretty} at {time} ({ago})","fallback":"2026-10-05 12:01 UTC"}`,
    ])
      expect(words).toContain(part)
  })
})

test('a card names its agent, run, root run, worker and step, and the whole hash', () => {
  const approval = pending(new Map(), { agentId: 'agent_9', runId: 'run_w', rootRunId: 'run_r', workerRef: 'wkr_1' })
  const { read } = look(card(approval, SETTINGS))
  for (const words of ['Agent agent_9', 'Run run_w', 'Root run run_r', 'Worker wkr_1', 'Step 3', `Hash ${approval.hash}`])
    expect(read).toContain(words)
  expect(approval.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(read).toContain('Rule “money”: payments need a lead')
})

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
    expect(JSON.stringify(blocks.slice(4))).not.toContain('"user_id":"U0ANA"')
    expect(decoded(look(blocks).inside.at(-1) ?? '')).toBe(by)
    expect(look(blocks).read).toContain('someone outside Slack')
  })

  test('a label that came over a channel is never shown as a Slack person', () => {
    const { inside } = look(card(denied('slack:T0ACME/U0ANA', null, 'channel/console'), SETTINGS))
    expect(inside).toEqual(['command', 'ls', 'slack:T0ACME/U0ANA'])
  })

  test('a label without an end is cut', () => {
    const { inside } = look(card(denied('x'.repeat(100_000), null), SETTINGS))
    expect(inside.at(-1)).toHaveLength(300)
  })
})

describe('the note', () => {
  test('is shown as it goes to the model', () => {
    const note = 'Not on a Friday.\n*Please* <!channel> ask again: naïve 🙂\u202E'
    const { inside } = look(card(denied('slack:T0ACME/U0ANA', note), SETTINGS))
    expect(decoded(inside.at(-1) ?? '')).toBe(note)
  })

  test('that takes too much room is cut between escapes, and the card says so', () => {
    const { inside, read } = look(card(denied('slack:T0ACME/U0ANA', '\u007F\u0085'.repeat(500)), SETTINGS))
    expect('\u007F\u0085'.repeat(500).startsWith(decoded(inside.at(-1) ?? ''))).toBe(true)
    expect(read).toContain('… and more, not shown here.')
  })
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
    expect(read.at(-1)).toBe(words)
    expect(actions).toEqual([])
  })

  test.each([
    ['bad_key', /refused our key. Check the setting NOVO_API_KEY,/],
    ['source_not_configured', /no longer stands in the settings/],
    ['resolve_url_refused', /Check origins and resolvePath/],
    ['http_418', /Could not be delivered \(http_418\)/],
  ])('a lasting trouble, %s, names what to check', (code, words) => {
    const trouble = { kind: 'lasting', code } as const
    expect(look(card({ ...ASKED, status: 'decided', decision: approved, trouble, giveUpAt: AT }, SETTINGS)).read.at(-1)).toMatch(
      words,
    )
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
    expect(read.at(-1)).toBe(words)
    expect(read[0]).toBe('Approved: bash')
    expect(actions).toEqual([])
    expect(look(page(approval, 0)).read.at(-1)).toBe(words)
  })

  test('a decision of ours that may have landed before is not called a refusal', () => {
    const resolution = refused('resolved_elsewhere', true)
    const { read } = look(card({ ...ASKED, status: 'resolved', decision: approved, resolution, resolvedAt: AT }, SETTINGS))
    expect(read.at(-1)).toMatch(/may have been this decision/)
    expect(read.at(-1)).not.toMatch(/Not taken/)
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

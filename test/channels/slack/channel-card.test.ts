/** The card of an approval that came from a source that is asked: what it shows, and its words in each state. */
import { describe, expect, test } from 'vitest'
import type { Approval, Decision, Resolution } from '../../../src/approval/approval.ts'
import { type Json, parseJson } from '../../../src/approval/json.ts'
import { card } from '../../../src/channels/slack/card.ts'
import { SETTINGS, served } from './hostile.ts'
import { look } from './look.ts'

const AT = new Date('2026-10-05T12:01:00Z')
const json = (text: string): Json => parseJson(text)
const ASKED = served(
  new Map<string, Json>([
    ['capability', json('{"tool":"push","args":{"ref":"main"}}')],
    ['presentation', json('{"tool":"push","args":{"ref":"main"}}')],
    ['reason', 'side effect remote_mutation is require_approval by policy'],
  ]),
  new Map(),
  json('{"ref":"main"}'),
)
const approve: Decision = { verdict: 'approve', outcome: 'approved', by: 'slack:T0ACME/U0ANA', via: null, note: null, at: AT }
const deny: Decision = { ...approve, verdict: 'deny', outcome: 'denied' }
const cancel: Decision = { ...deny, outcome: 'cancelled' }
const read = (approval: Approval): string => look(card(approval, SETTINGS)).read.join('\n')

test('shows the arguments once: where the presentation repeats them it is said, and an equal capability too', () => {
  const { inside, read: words } = look(card({ ...ASKED, status: 'pending' }, SETTINGS))
  expect(inside.filter((text) => text.includes('main'))).toEqual(['main'])
  expect(words.join('\n')).toContain('beside “args”, the arguments above unchanged')
  expect(words.join('\n')).toContain('Its capability is the same as its presentation.')
  expect(inside.join('\n')).toContain('"description": "Push a branch"')
  expect(inside).toContain('side effect remote_mutation is require_approval by policy')
})

test('an argument that the presentation tells otherwise is shown both times', () => {
  const other = served(
    new Map([['presentation', json('{"tool":"push","args":{"ref":"dev"}}')]]),
    new Map(),
    json('{"ref":"main"}'),
  )
  const { inside } = look(card({ ...other, status: 'pending' }, SETTINGS))
  expect(inside.join('\n')).toContain('"ref": "dev"')
  expect(inside).toContain('main')
})

test('keeps what the registry knows of the tool below the buttons, and says above them that there is more', () => {
  const { blocks } = card({ ...ASKED, status: 'pending' }, SETTINGS)
  const buttons = blocks.findIndex(({ type }) => type === 'actions')
  const [above, below] = [look(blocks.slice(0, buttons)), look(blocks.slice(buttons))]
  expect(below.actions).toContain('approval.approve')
  expect(above.inside).toContain('main')
  expect(above.inside).toContain('side effect remote_mutation is require_approval by policy')
  expect(above.read).toContain('Below the buttons: what else the hash covers.')
  expect(above.inside.join('\n')).not.toContain('Push a branch')
  expect(below.inside.join('\n')).toContain('"description": "Push a branch"')
})

test('with a schema that is too long for a card is approved on the last page only, and the card still shows the call', () => {
  const schema = new Map<string, Json>([['input_schema', json(JSON.stringify({ description: 'x'.repeat(3000) }))]])
  const long = served(new Map<string, Json>([['presentation', json('{}')]]), schema, json('{"ref":"main"}'))
  const { inside, actions, read: words } = look(card({ ...long, status: 'pending' }, SETTINGS).blocks)
  expect(inside).toEqual(['ref', 'main'])
  expect(actions).toEqual(['approval.open', 'approval.deny', 'approval.note'])
  expect(words).toContain('And 2 more pieces of this call, not shown here.')
})

describe('its words', () => {
  test.each<[string, Decision, Resolution, string]>([
    ['granted', approve, { resolution: 'done' }, 'The run goes on when its owner resumes it'],
    ['rejected', deny, { resolution: 'done' }, 'with it cancelled the whole run'],
    ['cancelled', cancel, { resolution: 'done' }, 'has cancelled the run'],
    ['given up', approve, { resolution: 'undeliverable' }, '“countersign approvals retry” sends it again'],
    ...(
      [
        ['unknown_approval', 'no longer knows this approval'],
        ['resolved_elsewhere', 'already decided at the source'],
        ['expired', 'has expired'],
        ['changed', 'asks something else by now. Nothing was decided there'],
        ['run_not_waiting', 'does not wait for a decision any more'],
        ['damaged', 'no longer matches the hash'],
        ['not_allowed', 'does not let this bot decide'],
        ['refused', 'refused it (HTTP 409)'],
      ] as const
    ).map(([why, words]): [string, Decision, Resolution, string] => [
      why,
      approve,
      { resolution: 'refused', why, status: 409, ownAttemptMayHaveLanded: false },
      words,
    ]),
  ])('%s', (_, decision, resolution, words) => {
    const told = read({ ...ASKED, status: 'resolved', decision, resolution, resolvedAt: AT })
    expect(told).toContain(words)
    expect(told).not.toContain('agent platform')
    expect(told).not.toContain('may have been this decision')
  })

  test('say that an earlier attempt without an answer may have been this decision', () => {
    const resolution = { resolution: 'refused', why: 'expired', status: 410, ownAttemptMayHaveLanded: true } as const
    expect(read({ ...ASKED, status: 'resolved', decision: approve, resolution, resolvedAt: AT })).toContain(
      'so that may have been this decision',
    )
  })

  test.each([
    [null, 'Sending to the source “steward”…'],
    [{ kind: 'passing', code: 'clocks_differ' }, 'Set both by a time server'],
    [{ kind: 'passing', code: 'waits_for_others' }, 'other people must approve too'],
    [{ kind: 'passing', code: 'unreachable' }, 'does not take it at the moment (unreachable)'],
    [{ kind: 'lasting', code: 'bad_signature' }, 'Check NOVO_API_KEY and signedPath'],
    [{ kind: 'lasting', code: 'bad_certificate' }, 'Check its settings'],
    [{ kind: 'lasting', code: 'source_not_configured' }, 'no longer stands in the settings'],
  ] as const)('while it is sent, with %j', (trouble, words) => {
    expect(read({ ...ASKED, status: 'decided', decision: approve, trouble, giveUpAt: AT })).toContain(words)
  })

  test.each([
    ['changed', 'Changed: push', 'its new card says what is asked now'],
    ['withdrawn', 'Withdrawn: push', 'no longer waits for a decision'],
    ['expired', 'Expired: push', 'Nothing was sent to the source'],
    ['decided_elsewhere', 'Decided elsewhere: push', 'This was decided at the source'],
    ['cancelled', 'Cancelled: push', 'Its run was cancelled'],
  ] as const)('ended because it was %s', (because, title, words) => {
    const ended: Approval = { ...ASKED, status: 'closed', because, closedAt: AT, elsewhere: null }
    const { text, blocks } = card(ended, SETTINGS)
    expect(text).toBe(title)
    expect(look(blocks).read.join('\n')).toContain(words)
    expect(look(blocks).actions).toEqual([])
    expect(JSON.stringify(blocks).includes('"strike":true')).toBe(because === 'changed')
  })
})

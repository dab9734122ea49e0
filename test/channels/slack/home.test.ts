import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Approval, Decision } from '../../../src/approval/approval.ts'
import { type Decided, homeView, type Mine, MOST_DECIDED, MOST_WAITING, type Waiting } from '../../../src/channels/slack/home.ts'
import { validateView } from '../../../src/sandbox/slack/validate.ts'
import { hostileAsked, hostileBy, hostileNote, inEachState, MARK, pending, SETTINGS } from './hostile.ts'
import { leaks, look, rowId } from './look.ts'

const AT = new Date('2026-10-05T12:00:00Z')

function mine(more: Partial<Mine & { decides: true }> = {}): Mine {
  return { decides: true, waiting: [], unsure: 0, more: false, decided: [], ...more }
}
const view = (of: Mine) => homeView(of, SETTINGS, AT)
const isWaiting = (approval: Approval): approval is Waiting => approval.status === 'pending'
const isDecided = (approval: Approval): approval is Decided => approval.status === 'decided' || approval.status === 'resolved'

const inSomeStates = fc.tuple(hostileAsked, hostileBy, hostileNote).map(([asked, by, note]) => inEachState(asked, { by, note }))
const hostile = fc
  .tuple(fc.array(inSomeStates, { minLength: 1, maxLength: 20 }), fc.nat(), fc.boolean(), fc.nat({ max: 3 }))
  .map(([all, n, more, unsure]) => {
    const decided = all.flatMap((states) => states.filter(isDecided).slice(n % 10, (n % 10) + 2))
    return mine({ waiting: all.flatMap((states) => states.filter(isWaiting)), decided, more, unsure })
  })

describe('whatever a sender writes, in a home tab', () => {
  test('nothing of it stands outside rich_text_preformatted, and Slack takes the tab', () => {
    fc.assert(
      fc.property(hostile, (of) => {
        expect(leaks(view(of))).toEqual([])
        expect(validateView({ ...view(of) })).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('a button opens, carries the row and the hash, and none decides', () => {
    fc.assert(
      fc.property(hostile, (of) => {
        const { actions, carried } = look(view(of))
        expect(actions.filter((action) => action !== 'approval.open')).toEqual([])
        const waiting = of.decides ? of.waiting.slice(0, MOST_WAITING) : []
        expect(carried).toEqual(waiting.map(({ rowId: a, hash: h }) => JSON.stringify({ v: 1, a, h })))
      }),
      { numRuns: 60 },
    )
  })
})

const longest = (letter: string): string => letter.repeat(128)
const large = (n: number, tool = longest('t')): Waiting => ({
  ...pending(new Map(), { toolName: tool, agentId: longest('a'), runId: longest('r'), rootRunId: longest('o') }),
  rowId: rowId(n),
})
const decision: Decision = {
  verdict: 'deny',
  outcome: 'denied',
  by: 'slack:T0ACME/U0ANA',
  via: null,
  note: '\u007F'.repeat(1000),
  at: AT,
}

test.each([0, 1, MOST_WAITING, MOST_WAITING + 1, 300])(
  '%i that wait make a tab that Slack takes; the rest is counted',
  (count) => {
    const waiting = Array.from({ length: count }, (_, n) => large(n, '\u007F'.repeat(256)))
    const decided = Array.from({ length: count }, (_, n): Decided => {
      return { ...large(n, '\u007F'.repeat(256)), status: 'decided', decision, trouble: null, giveUpAt: AT }
    })
    const made = view(mine({ waiting, decided }))
    expect(validateView({ ...made })).toEqual([])
    expect(look(made).carried).toHaveLength(Math.min(count, MOST_WAITING))
    const read = look(made).read.join('\n')
    expect(read.match(/Denied/g) ?? []).toHaveLength(Math.min(count, MOST_DECIDED))
    expect(/(\d+) more waits? for you/.exec(read)?.[1]).toBe(count > MOST_WAITING ? String(count - MOST_WAITING) : undefined)
  },
)

test('an entry tells what is asked, where it comes from and since when', () => {
  const { read } = look(view(mine({ waiting: [pending(new Map(), { toolName: 'bash', rootRunId: 'run_0' })] })))
  expect(read).toEqual([
    'As of ',
    '.',
    'Waiting for you',
    'Approval needed: bash',
    'Asked ',
    '.',
    'Source novo',
    'Agent agent_1',
    'Run run_1',
    'Root run run_0',
    'Read and decide',
    'You decided',
    'You have decided nothing yet.',
  ])
})

test('the moment of the tab and of each entry are told in the zone of the reader', () => {
  const dates = JSON.stringify(view(mine({ waiting: [pending(new Map())] }))).match(/"type":"date","timestamp":(\d+)/g)
  expect(dates).toHaveLength(2)
})

test('a tool with a strange name is shown inert, and a strange run sends the reader to the call', () => {
  const { inside, read } = look(
    view(mine({ waiting: [pending(new Map(), { toolName: `${MARK}<!channel>`, runId: `a ${MARK}` })] })),
  )
  expect(inside).toEqual([`${MARK}<!channel>`])
  expect(read).toContain('Run (a strange name, shown with the call)')
})

test('what was decided says the outcome and what the source did, and leaves the note to its card', () => {
  const approval: Decided = { ...pending(new Map()), status: 'decided', decision, trouble: null, giveUpAt: AT }
  const { read, inside } = look(view(mine({ decided: [approval] })))
  expect(read.join('')).toMatch(/Denied.*Sending/)
  expect(inside).toEqual([])
})

test('doubts are told: sets that cannot be read, and more than was looked through', () => {
  const { read } = look(view(mine({ unsure: 2, more: true })))
  expect(read).toContain('Nothing waits for you.')
  expect(read).toContain('Of 2 other approvals it cannot be read at the moment who may decide.')
  expect(read).toContain('More waits than was looked through for this list.')
})

test.each([
  ['a_guest', 'Guests decide nothing here'],
  ['an_outsider', 'Only members of this workspace decide here'],
  ['a_bot', 'Bots decide nothing here.'],
  ['deactivated', 'A deactivated account decides nothing here.'],
  ['unknown_person', 'Slack does not tell Countersign who you are'],
] as const)('%s is told that they decide nothing here, and shown nothing', (because, words) => {
  const made = view({ decides: false, because })
  expect(validateView({ ...made })).toEqual([])
  const { read, actions } = look(made)
  expect(read.join('')).toContain(words)
  expect(actions).toEqual([])
})

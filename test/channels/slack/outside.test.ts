import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Approval } from '../../../src/approval/approval.ts'
import { card } from '../../../src/channels/slack/card.ts'
import { plainId } from '../../../src/channels/slack/safe-text.ts'
import { validateMessage, validateView } from '../../../src/sandbox/slack/validate.ts'
import { hostileAsked, hostileBy, hostileNote, inEachState, MARK, recorded, SETTINGS } from './hostile.ts'
import { leaks, length, look, messagesOf, viewsOf } from './look.ts'

function nothingLeaks(approval: Approval): void {
  for (const rendered of [...messagesOf(approval), ...viewsOf(approval)]) expect(leaks(rendered)).toEqual([])
}

function slackTakesIt(approval: Approval): void {
  for (const { text, blocks } of messagesOf(approval)) {
    expect(validateMessage({ text, blocks })).toEqual([])
    expect(length(blocks)).toBeLessThan(9000)
  }
  for (const view of viewsOf(approval)) expect(validateView({ ...view })).toEqual([])
}

const WORDS = {
  pending: /^Approval needed: /,
  decided: /^(Approved|Denied|Cancelled with its run): /,
  resolved: /^(Approved|Denied|Cancelled with its run): /,
  closed: /^(Ended|Cancelled|Changed|Withdrawn|Expired|Decided elsewhere): /,
}

function theTextIsOurs(approval: Approval): void {
  const { text } = card(approval, SETTINGS)
  expect(text).toMatch(WORDS[approval.status])
  expect(text.slice(text.indexOf(': ') + 2)).toBe(plainId(approval.tool) ?? 'see below')
}

function buttonsAreExact(approval: Approval): void {
  const value = JSON.stringify({ v: 1, a: approval.rowId, h: approval.hash })
  const views = viewsOf(approval)
  const carried = [...messagesOf(approval), ...views].flatMap(({ blocks }) => look(blocks).carried)
  // A digest's button names the digest: what is next is looked up, and shown with its own.
  const digest = JSON.stringify({ v: 1, d: approval.rowId })
  expect(carried.filter((one) => one !== value && one !== digest)).toEqual([])
  for (const { private_metadata } of views)
    if (private_metadata !== undefined)
      expect(JSON.parse(private_metadata)).toMatchObject({ v: 1, a: approval.rowId, h: approval.hash })
}

const CHECKS: readonly (readonly [string, (approval: Approval) => void])[] = [
  ['no text of a sender stands outside rich_text_preformatted', nothingLeaks],
  ['Slack takes every message and view, and a message has less than 9,000 characters of text', slackTakesIt],
  ['the text of a card holds our words and a plain tool name only', theTextIsOurs],
  ['a button carries the row and the hash that were shown, and nothing else', buttonsAreExact],
]

const anyApproval = fc
  .tuple(hostileAsked, hostileBy, hostileNote, fc.nat())
  .map(([asked, by, note, n]) => {
    const states = inEachState(asked, { by, note })
    return states[n % states.length] ?? states[0]
  })
  .filter((approval) => approval !== undefined)

/** FUZZ_RUNS has as many approvals generated instead: ten thousand take minutes. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 60)
const LONG_MS = 1_800_000

describe('whatever a sender writes,', () => {
  test.each(CHECKS)(
    '%s',
    (_, holds) => {
      fc.assert(fc.property(anyApproval, holds), { numRuns: RUNS })
    },
    LONG_MS,
  )

  test('a call that does not fit takes less than 4 kB of its card', () => {
    fc.assert(
      fc.property(hostileAsked, (asked) => {
        const { inside, actions } = look(card({ ...asked, status: 'pending' }, SETTINGS).blocks)
        if (!actions.includes('approval.approve')) expect(Buffer.byteLength(JSON.stringify(inside))).toBeLessThan(4096)
      }),
      { numRuns: 200 },
    )
  })
})

describe('in each state of a card with a strange name, a strange label and the longest note,', () => {
  const asked = recorded(
    new Map<string, string>([
      ['toolName', `${MARK}<!channel>`],
      ['agentId', `${MARK}*${'\u007F'.repeat(3)}`.padEnd(256, '\u0085x')],
      ['input', `${MARK}<@U012ABC>`],
      ['workerRef', 'w'.repeat(256)],
    ]),
  )
  const states = inEachState(asked, { by: `${MARK}\u007F`.repeat(500), note: '\u007F\u0085'.repeat(500) })
  test.each(CHECKS)('%s', (_, holds) => {
    states.forEach(holds)
  })
})

import { describe, expect, test } from 'vitest'
import { SLACK_PACE, type Turns, turns } from '../../../src/channels/slack/pace.ts'

const NOW = 1_790_000_000_000

/** Has each of them ask, come again when told to, and gives the moments at which they wrote. */
function all(turn: Turns, who: readonly string[], what: 'post' | 'rewrite', from = NOW): readonly number[] {
  const wrote: number[] = []
  const due = who.map((one) => ({ one, at: from }))
  while (due.length > 0) {
    due.sort((a, b) => a.at - b.at)
    const next = due.shift()
    if (next === undefined) break
    const wait = turn.take(next.one, 'C0APPROVALS', what, next.at)
    if (wait === 0) wrote.push(next.at)
    else due.push({ one: next.one, at: next.at + wait })
  }
  return wrote
}

const rows = Array.from({ length: 200 }, (_, n) => `row_${n}`)
const busiest = (times: readonly number[], ms: number): number =>
  Math.max(...times.map((at) => times.filter((other) => other >= at && other < at + ms).length))

test('two hundred posts into one conversation leave one a second, each after one wait, and nobody is left out', () => {
  const times = all(turns(SLACK_PACE), rows, 'post')
  expect(times).toHaveLength(200)
  expect(busiest(times, 1000)).toBe(1)
  expect((times.at(-1) ?? 0) - NOW).toBe(199_000)
})

test('another conversation does not wait for it', () => {
  const turn = turns(SLACK_PACE)
  all(turn, rows, 'post')
  expect(turn.take('row_x', 'C0OTHER', 'post', NOW)).toBe(0)
})

test('rewrites of the whole app stay below fifty a minute, after a burst', () => {
  const times = all(turns(SLACK_PACE), rows, 'rewrite')
  expect(times.filter((at) => at === NOW)).toHaveLength(10)
  expect(busiest(times.slice(10), 60_000)).toBeLessThanOrEqual(48)
})

describe('what Slack asks for', () => {
  test('a pause of one conversation holds that one, and then each comes in its turn', () => {
    const turn = turns(SLACK_PACE)
    turn.pause('C0APPROVALS', NOW + 30_000)
    const times = all(turn, rows.slice(0, 5), 'post')
    expect(times.map((at) => at - NOW)).toEqual([30_000, 31_000, 32_000, 33_000, 34_000])
    expect(turn.take('row_x', 'C0OTHER', 'post', NOW)).toBe(0)
  })

  test('a turn that was kept is not used during a pause that came later', () => {
    const turn = turns(SLACK_PACE)
    expect(turn.take('a', 'C0APPROVALS', 'post', NOW)).toBe(0)
    expect(turn.take('b', 'C0APPROVALS', 'post', NOW)).toBe(1000)
    turn.pause('C0APPROVALS', NOW + 10_000)
    expect(turn.take('b', 'C0APPROVALS', 'post', NOW + 1000)).toBe(9000)
    expect(turn.take('b', 'C0APPROVALS', 'post', NOW + 10_000)).toBe(0)
  })
})

test('while Slack is not there, all of it is left alone, longer each time up to a quarter of a minute, until it answers', () => {
  const turn = turns(SLACK_PACE)
  const waits: number[] = []
  let now = NOW
  for (let n = 0; n < 6; n += 1) {
    turn.down(now)
    turn.down(now)
    const wait = turn.take('a', 'C0APPROVALS', 'post', now)
    waits.push(wait)
    now += wait
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000])
  turn.up()
  expect(turn.take('b', 'C0OTHER', 'post', now)).toBe(0)
})

test('a clock that is set back an hour holds nobody for an hour', () => {
  const turn = turns(SLACK_PACE)
  all(turn, rows.slice(0, 20), 'post')
  expect(turn.take('row_x', 'C0APPROVALS', 'post', NOW - 3_600_000)).toBeLessThanOrEqual(2000)
  turn.pause('C0APPROVALS', NOW + 5000)
  expect(turn.take('row_y', 'C0APPROVALS', 'post', NOW - 3_600_000)).toBeLessThanOrEqual(603_000)
})

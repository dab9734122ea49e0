/** The pace of home tabs, on a clock that only the test moves: who is published for, when, and with what. */
import { describe, expect, test } from 'vitest'
import type { Approval, RowId } from '../../../src/approval/approval.ts'
import { Failure } from '../../../src/approval/ports.ts'
import type { Waiting } from '../../../src/channels/slack/home.ts'
import { HOME_PACE, type HomePace, homes } from '../../../src/channels/slack/homes.ts'
import type { Found } from '../../../src/channels/slack/mine.ts'
import { handMoved } from '../../clock.ts'
import { pending, SETTINGS } from './hostile.ts'
import { look, rowId } from './look.ts'

const tool = (n: number, name: string): Waiting => ({ ...pending(new Map(), { toolName: name }), rowId: rowId(n) })
const decidedBy = (approval: Approval, by: string): Approval => ({
  ...approval,
  status: 'decided',
  decision: { verdict: 'approve', outcome: 'approved', by, via: null, note: null, at: new Date(0) },
  trouble: null,
  giveUpAt: new Date(0),
})

function keeping(pace: Partial<HomePace> = {}) {
  const clock = handMoved()
  const began = clock.ms()
  const rows = new Map<RowId, Approval>()
  const published: { readonly user: string; readonly at: number; readonly tools: readonly string[] }[] = []
  const errors: unknown[] = []
  const outsiders = new Set<string>()
  let gate: Promise<void> = Promise.resolve()
  let fault: Failure | undefined
  let under = 0
  let most = 0
  const kept = homes({
    clock,
    pace: { ...HOME_PACE, ...pace },
    settings: SETTINGS,
    find: async (id) => rows.get(id),
    async look(user): Promise<Found> {
      const waiting = [...rows.values()].filter((row): row is Waiting => row.status === 'pending')
      const out = outsiders.has(user)
      const sets = new Map(waiting.map((): [string, 'in' | 'out'] => ['leads', out ? 'out' : 'in']))
      const mine = { decides: true, waiting: out ? [] : waiting, unsure: 0, more: false, decided: [] } as const
      return { mine, by: `slack:T0/${user}`, sets }
    },
    async publish(user, view) {
      under += 1
      most = Math.max(most, under)
      try {
        await gate
        if (fault !== undefined) throw fault
        const tools = look(view).read.flatMap((text) => /^Approval needed: (.*)/.exec(text)?.[1] ?? [])
        published.push({ user, at: clock.ms() - began, tools })
      } finally {
        under -= 1
      }
    },
    report: (error) => void errors.push(error),
  })
  return {
    ...{ clock, rows, published, errors, outsiders, kept },
    most: () => most,
    async change(row: Approval) {
      rows.set(row.rowId, row)
      await kept.changed(row.rowId)
    },
    /** Holds every publish back until the function that it gives is called. */
    hold(): () => void {
      let go = (): void => undefined
      gate = new Promise((resolve) => {
        go = resolve
      })
      return go
    },
    fail(with_: Failure | undefined) {
      fault = with_
    },
    users: () => published.map(({ user }) => user),
  }
}

describe('a tab', () => {
  test('is drawn at once when it is opened, and for nobody else', async () => {
    const k = keeping()
    await k.change(tool(1, 'bash'))
    k.kept.opened('U1')
    await k.clock.advance(0)
    expect(k.published).toEqual([{ user: 'U1', at: 0, tools: ['bash'] }])
  })

  test('follows many changes with one publish every three seconds, the last of which is the newest state', async () => {
    const k = keeping()
    k.kept.opened('U1')
    await k.clock.advance(100)
    for (let n = 1; n <= 50; n += 1) {
      await k.change(tool(n, `t${n}`))
      await k.clock.advance(100)
    }
    await k.clock.advance(10_000)
    expect(k.published.map(({ at }) => at)).toEqual([0, 3000, 6000])
    expect(k.published.at(-1)?.tools).toHaveLength(15)
  })

  test('that is opened again and again is drawn no more often than that', async () => {
    const k = keeping()
    for (let n = 0; n < 40; n += 1) {
      k.kept.opened('U1')
      await k.clock.advance(100)
    }
    expect(k.published.map(({ at }) => at)).toEqual([0, 3000])
  })

  test('is drawn once more when something changed while it was on its way', async () => {
    const k = keeping()
    const go = k.hold()
    k.kept.opened('U1')
    await k.clock.advance(10)
    await k.change(tool(1, 'late'))
    go()
    await k.clock.advance(2980)
    expect(k.published.map(({ tools }) => tools)).toEqual([[]])
    await k.clock.advance(20)
    expect(k.published.map(({ tools }) => tools)).toEqual([[], ['late']])
  })

  test('is not drawn for what does not concern it, or did not change', async () => {
    const k = keeping()
    k.outsiders.add('U2')
    await k.change(tool(1, 'bash'))
    k.kept.opened('U1')
    k.kept.opened('U2')
    await k.clock.advance(5000)
    await k.change(tool(2, 'again'))
    await k.clock.advance(5000)
    expect(k.users()).toEqual(['U1', 'U2', 'U1'])
    await k.change(tool(2, 'again'))
    await k.clock.advance(5000)
    expect(k.users()).toHaveLength(3)
  })

  test('follows what its owner decided, also where they may no longer', async () => {
    const k = keeping()
    k.outsiders.add('U2')
    await k.change(tool(1, 'bash'))
    k.kept.opened('U1')
    k.kept.opened('U2')
    await k.clock.advance(5000)
    await k.change(decidedBy(tool(1, 'bash'), 'slack:T0/U2'))
    await k.clock.advance(5000)
    expect(k.users().slice(2).sort()).toEqual(['U1', 'U2'])
  })
})

describe('all tabs together', () => {
  test('keep Slack’s pace: ten at once, then one each 700 ms, and whoever opens goes first', async () => {
    const k = keeping({ personMs: 0 })
    for (let n = 0; n < 14; n += 1) k.kept.opened(`U${n}`)
    await k.clock.advance(0)
    expect(k.published).toHaveLength(10)
    await k.clock.advance(2800)
    expect(k.published.slice(10).map(({ at }) => at)).toEqual([700, 1400, 2100, 2800])
    await k.change(tool(1, 'bash'))
    k.kept.opened('NEW')
    await k.clock.advance(700)
    expect(k.published.at(-1)).toMatchObject({ user: 'NEW', at: 3500 })
    await k.clock.advance(60_000)
    expect(k.published).toHaveLength(14 + 1 + 14)
  })

  test('never more than four are under way', async () => {
    const k = keeping()
    const go = k.hold()
    for (let n = 0; n < 9; n += 1) k.kept.opened(`U${n}`)
    await k.clock.advance(10_000)
    expect([k.most(), k.published.length]).toEqual([4, 0])
    go()
    await k.clock.advance(0)
    expect([k.most(), k.published.length]).toEqual([4, 9])
  })

  test('of more than a thousand people, who opened theirs longest ago is forgotten', async () => {
    const k = keeping({ personMs: 0, publishMs: 0, atOnce: 2000 })
    for (let n = 0; n < 1000; n += 1) k.kept.opened(`U${n}`)
    await k.clock.advance(0)
    k.kept.opened('U0')
    k.kept.opened('NEW')
    await k.clock.advance(0)
    k.published.length = 0
    await k.change(tool(1, 'bash'))
    await k.clock.advance(60_000)
    expect(k.published).toHaveLength(1000)
    expect(k.users()).toContain('U0')
    expect(k.users()).toContain('NEW')
    expect(k.users()).not.toContain('U1')
  })

  test('go on when the clock is set back', async () => {
    const k = keeping()
    for (let n = 0; n < 12; n += 1) k.kept.opened(`U${n}`)
    await k.clock.advance(5000)
    k.clock.set(-3_600_000)
    await k.change(tool(1, 'bash'))
    await k.clock.advance(20_000)
    expect(k.published).toHaveLength(24)
  })
})

describe('a publish that failed', () => {
  test('is reported, and made up for with the next change, whatever that concerns', async () => {
    const k = keeping()
    k.outsiders.add('U1')
    const failure = new Failure({ kind: 'passing', code: 'http_503' }, 'maybe')
    k.fail(failure)
    k.kept.opened('U1')
    await k.clock.advance(60_000)
    expect(k.errors).toEqual([failure])
    k.fail(undefined)
    await k.change(tool(1, 'bash'))
    await k.clock.advance(0)
    expect(k.users()).toEqual(['U1'])
  })

  test('for being too many keeps its turn, and nobody is published for until Slack’s pause is over', async () => {
    const k = keeping()
    k.fail(new Failure({ kind: 'passing', code: 'ratelimited' }, 'no', 30_000))
    k.kept.opened('U1')
    await k.clock.advance(10)
    k.fail(undefined)
    k.kept.opened('U2')
    await k.clock.advance(29_900)
    expect([k.errors.length, k.published.length]).toEqual([1, 0])
    await k.clock.advance(5000)
    expect(k.users().sort()).toEqual(['U1', 'U2'])
  })
})

test('after a stop nothing is published, and it waits for what is under way', async () => {
  const k = keeping()
  const go = k.hold()
  k.kept.opened('U1')
  await k.clock.advance(0)
  const stopping = k.kept.stop()
  k.kept.opened('U2')
  await k.change(tool(1, 'bash'))
  go()
  await stopping
  await k.clock.advance(60_000)
  expect(k.users()).toEqual(['U1'])
})

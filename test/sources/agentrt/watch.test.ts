/** The pace of a watch, on a clock that only the test moves: what is asked of a source, and when. */
import { describe, expect, test } from 'vitest'
import { ApprovalHash, ApprovalId, RowId } from '../../../src/approval/approval.ts'
import { parseJson } from '../../../src/approval/json.ts'
import { Failure, type Watch } from '../../../src/approval/ports.ts'
import type { ChannelClient } from '../../../src/approval-channel/client.ts'
import { ChannelApproval } from '../../../src/approval-channel/wire.ts'
import { pacer } from '../../../src/sources/agentrt/pacer.ts'
import { GAP_MS, WATCH_PACE, type Watcher, watcher } from '../../../src/sources/agentrt/watch.ts'
import { EXAMPLE } from '../../approval-channel/example.ts'
import { handMoved } from '../../clock.ts'

interface Asked {
  readonly at: number
  readonly run: string
  readonly what: 'list' | 'show'
}

function watching(runs: readonly string[], lists: (run: string) => readonly string[] | Failure) {
  const clock = handMoved()
  const asked: Asked[] = []
  const opened: { readonly id: string; readonly at: number }[] = []
  const health: (string | undefined)[] = []
  const ended: string[] = []
  /** Approvals whose show always fails. */
  const broken = new Set<string>()
  const book = new Map<string, Watch>(runs.map((run) => [run, { run, askedAt: clock.now(), seenAt: null }]))
  const example = ChannelApproval.parse(parseJson(EXAMPLE))
  const approval = (run: string, id: string): ChannelApproval => ({ ...example, run_id: run, id: ApprovalId.parse(id) })
  const client: Pick<ChannelClient, 'list' | 'show'> = {
    async list(run) {
      asked.push({ at: clock.ms(), run, what: 'list' })
      const ids = lists(run)
      if (ids instanceof Failure) throw ids
      return { ok: true, value: ids.map((id) => approval(run, id)) }
    },
    async show(run, id) {
      asked.push({ at: clock.ms(), run, what: 'show' })
      if (broken.has(id)) throw new Failure({ kind: 'passing', code: 'internal' }, 'no')
      return { ok: true, value: { approval: approval(run, id), raw: '', theirClock: undefined } }
    },
  }
  const rows = new Map<string, { id: string; run: string }>()
  const watch: Watcher = watcher({
    name: 'steward',
    client: client as ChannelClient,
    clock,
    pace: WATCH_PACE,
    slot: pacer(clock, GAP_MS),
    now: clock.now,
    newRowId: () => RowId.parse('0'.repeat(32)),
    rule: () => ({ ruling: 'ask', rule: null, reason: 'why', approvers: 'everyone' }),
    ofRun: async (run) =>
      [...rows.values()].filter((row) => row.run === run).map(({ id }) => ({ ...open(run, id), status: 'pending' as const })),
    async open(one) {
      rows.set(one.id, { id: one.id, run: one.run })
      opened.push({ id: one.id, at: clock.ms() })
      return { opened: 'new', approval: { ...one, status: 'pending' } }
    },
    close: async () => true,
    book: {
      watched: async () => [...book.values()],
      isWatched: async (_source, run) => book.has(run),
      pendingRuns: async () => [...new Set([...rows.values()].map(({ run }) => run))],
      async watch(_source, run, _by, askedAt) {
        book.set(run, { run, askedAt, seenAt: null })
        return 'watching'
      },
      unwatch: async (_source, run) => book.delete(run),
      async seen(_source, run, seenAt) {
        const known = book.get(run)
        if (known !== undefined) book.set(run, { ...known, seenAt })
      },
    },
    forMs: 3_600_000,
    observe: () => undefined,
    health: (code) => void health.push(code),
    ended: ({ run, why }) => void ended.push(`${run} ${why}`),
    report: (error) => {
      throw error
    },
  })
  function open(run: string, id: string) {
    return {
      rowId: RowId.parse('0'.repeat(32)),
      source: 'steward',
      id: ApprovalId.parse(id),
      hash: ApprovalHash.parse(example.hash),
      form: 'channel' as const,
      run,
      rootRun: run,
      worker: null,
      agent: '',
      thread: '',
      step: '',
      tool: 'deploy',
      toolCall: 's',
      kind: null,
      call: '{}',
      resolveUrl: '',
      ruling: { ruling: 'ask' as const, rule: null, reason: 'why', approvers: 'everyone' },
      sourceReason: null,
      decodeError: null,
      openedAt: clock.now(),
      expiresAt: null,
    }
  }
  return { clock, asked, opened, health, ended, watch, book, broken }
}

/** The most requests in any one second. */
function busiest(asked: readonly Asked[]): number {
  return Math.max(...asked.map(({ at }) => asked.filter((other) => other.at >= at && other.at < at + 1000).length))
}

async function stop(clock: { advance(ms: number): Promise<void> }, watch: Watcher): Promise<void> {
  const stopped = watch.stop()
  await clock.advance(1000)
  await stopped
}

describe('two hundred watched runs of one source', () => {
  const runs = Array.from({ length: 200 }, (_, n) => `run_${n}`)

  test('never cost it more than five requests a second, and each is looked at within a minute and a half', async () => {
    const { clock, asked, watch } = watching(runs, () => [])
    await clock.advance(600_000)
    await stop(clock, watch)
    expect(busiest(asked)).toBeLessThanOrEqual(5)
    for (const run of runs) {
      const times = asked.filter((one) => one.run === run).map(({ at }) => at)
      const gaps = times.slice(1).map((at, n) => at - (times[n] ?? 0))
      expect(times.length).toBeGreaterThanOrEqual(6)
      expect(Math.max(...gaps)).toBeLessThanOrEqual(90_000)
    }
  })

  test('a new approval of each at once: five a second still, and each is opened within five seconds of its run’s turn', async () => {
    const { clock, asked, opened, watch } = watching(runs, (run) => (clock.ms() > start + 120_000 ? [`appr_${run}`] : []))
    const start = clock.ms()
    await clock.advance(400_000)
    await stop(clock, watch)
    expect(busiest(asked)).toBeLessThanOrEqual(5)
    expect(opened).toHaveLength(200)
    for (const { id, at } of opened) {
      const turn = asked.findLast((one) => one.what === 'list' && id === `appr_${one.run}` && one.at <= at)
      expect(at - (turn?.at ?? 0)).toBeLessThanOrEqual(5000)
    }
  })
})

describe('one watched run', () => {
  test('is looked at more rarely the longer it lists nothing, up to a minute apart, and soon again when it is asked for', async () => {
    const { clock, asked, watch } = watching(['run_1'], () => [])
    await clock.advance(200_000)
    const times = asked.map(({ at }) => at)
    const gaps = times.slice(1).map((at, n) => Math.round((at - (times[n] ?? 0)) / 1000))
    expect(gaps).toEqual([5, 10, 20, 40, 60, 60])
    const before = asked.length
    await watch.watch('run_1', 'cli:root')
    await clock.advance(1000)
    expect(asked.length).toBe(before + 1)
    await clock.advance(5000)
    expect(asked.length).toBe(before + 2)
    await stop(clock, watch)
  })

  test('is never unwatched for an empty list, but for an hour without an approval when that is the setting', async () => {
    const { clock, watch, ended, book } = watching(['run_1'], () => [])
    await clock.advance(3_590_000)
    expect(book.size).toBe(1)
    await clock.advance(120_000)
    expect([book.size, ended]).toEqual([0, ['run_1 silent']])
    await stop(clock, watch)
  })

  test('with something waiting is looked at every fifteen seconds, and stays watched for as long as it waits', async () => {
    const { clock, asked, watch, book, ended } = watching(['run_1'], () => ['appr_1'])
    await clock.advance(4 * 3_600_000)
    const lists = asked.filter(({ what }) => what === 'list').map(({ at }) => at)
    expect((lists.at(-1) ?? 0) - (lists.at(-2) ?? 0)).toBe(15_000)
    expect([book.size, ended]).toEqual([1, []])
    await stop(clock, watch)
  })
})

test('a source that does not answer is asked ever more rarely, a minute apart at most, and its health says so until it answers', async () => {
  let down = true
  const failure = new Failure({ kind: 'passing', code: 'unreachable' }, 'no')
  const { clock, asked, health, watch } = watching(['run_1', 'run_2'], () => (down ? failure : []))
  await clock.advance(600_000)
  expect(asked.length).toBeLessThan(20)
  expect(health.at(-1)).toBe('unreachable')
  down = false
  await clock.advance(61_000)
  expect(health.at(-1)).toBeUndefined()
  await stop(clock, watch)
})

test('a run whose list cannot be read keeps no other run from its looks', async () => {
  const failure = new Failure({ kind: 'lasting', code: 'answer_unreadable' }, 'no')
  const { clock, asked, health, watch } = watching(['bad', 'good'], (run) => (run === 'bad' ? failure : []))
  await clock.advance(60_000)
  expect(asked.filter(({ run }) => run === 'good').length).toBeGreaterThanOrEqual(4)
  expect(health.at(-1)).toBe('answer_unreadable')
  await stop(clock, watch)
})

test('a clock that is set back an hour stops no watch', async () => {
  const { clock, asked, watch } = watching(['run_1'], () => [])
  await clock.advance(30_000)
  clock.set(-3_600_000)
  const before = asked.length
  await clock.advance(130_000)
  expect(asked.length).toBeGreaterThan(before)
  await stop(clock, watch)
})

test('a run that is asked for is looked at before a thousand that list nothing', async () => {
  const runs = Array.from({ length: 999 }, (_, n) => `run_${n}`)
  const { clock, asked, watch } = watching(runs, () => [])
  await clock.advance(600_000)
  const before = clock.ms()
  await watch.watch('run_new', 'nudge')
  await clock.advance(2000)
  await stop(clock, watch)
  const [turn] = asked.filter(({ run }) => run === 'run_new')
  expect((turn?.at ?? 0) - before).toBeLessThanOrEqual(1000)
  expect(busiest(asked.slice(-200))).toBeLessThanOrEqual(5)
})

test('one approval that cannot be shown hides none of the others', async () => {
  const { clock, opened, health, watch, broken } = watching(['run_1'], () => ['appr_a', 'appr_b', 'appr_c'])
  broken.add('appr_a')
  await clock.advance(10_000)
  await stop(clock, watch)
  expect(opened.map(({ id }) => id)).toEqual(['appr_b', 'appr_c'])
  expect(health.at(-1)).toBe('internal')
})

test('however often people ask, the source is asked no faster, and the watch gets its turns', async () => {
  const { clock, asked, watch } = watching(['run_1'], () => [])
  await clock.advance(1000)
  const asks = Array.from({ length: 600 }, (_, n) => watch.ask(`run_x${n % 300}`).catch(() => 'busy'))
  await clock.advance(60_000)
  const answers = await Promise.all(asks)
  await stop(clock, watch)
  expect(busiest(asked)).toBeLessThanOrEqual(5)
  expect(answers.filter((answer) => answer !== 'busy').length).toBeGreaterThanOrEqual(4)
  expect(asked.filter(({ run }) => run === 'run_1').length).toBeGreaterThanOrEqual(4)
})

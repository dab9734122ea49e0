import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApprovalHash, ApprovalId, type Asked, type Decision, RowId } from '../../src/approval/approval.ts'
import { hashOf } from '../../src/approval/canonical.ts'
import { decide } from '../../src/approval/decide.ts'
import { open } from '../../src/approval/open.ts'
import type { ApprovalStore } from '../../src/approval/ports.ts'
import { approvalStore } from '../../src/store/approvals.ts'
import { Committer } from '../../src/store/commit.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { watchBook } from '../../src/store/watches.ts'

let folder: string
let db: Database
let store: ApprovalStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-store-'))
  db = await openDatabase(join(folder, 'test.db'))
  store = approvalStore(db)
})
afterEach(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true, force: true })
})

const AT = new Date('2026-11-30T12:00:00.123Z')
const later = (ms: number): Date => new Date(AT.getTime() + ms)
const rowId = (n: number): RowId => RowId.parse(n.toString(16).padStart(32, '0'))
const CALL = '{"input":{"command":"ls"}}'
const HASH = hashOf(CALL)

function asked(n: number, more: Partial<Asked> = {}): Asked {
  return {
    rowId: rowId(n),
    source: 'novo',
    id: ApprovalId.parse(`tar_${n}`),
    hash: HASH,
    form: 'review',
    run: `run_${n}`,
    rootRun: 'run_root',
    worker: null,
    agent: 'agent_1',
    thread: 'thread_1',
    step: '0',
    tool: 'bash',
    toolCall: 'tc_1',
    kind: null,
    call: CALL,
    resolveUrl: 'https://api.novoagents.ai/v1/interactions/tar_1/resolve',
    ruling: { ruling: 'ask', rule: null, reason: 'why', approvers: 'everyone' },
    sourceReason: null,
    decodeError: null,
    openedAt: AT,
    expiresAt: null,
    ...more,
  }
}
const decision = (by: string): Decision => ({ verdict: 'approve', outcome: 'approved', by, via: null, note: null, at: later(5) })
const deciding = (by: string) => ({
  rowId: rowId(1),
  hash: HASH,
  verdict: 'approve' as const,
  by,
  via: null,
  note: null,
  at: later(5),
  giveUpAt: later(1000),
})

test('a commit is on the disk before it is told: the database runs in WAL with full synchronisation', async () => {
  expect((await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows).toEqual([{ synchronous: 2 }])
  expect((await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db)).rows).toEqual([{ journal_mode: 'wal' }])
  expect((await sql<{ page_size: number }>`pragma page_size`.execute(db)).rows).toEqual([{ page_size: 8192 }])
})

test('what was opened is read back the same, with the task of its card', async () => {
  const one = asked(1, { worker: 'wkr_9', step: '12' })
  expect(await open(store, one)).toEqual({ opened: 'new', approval: { ...one, status: 'pending' } })
  expect(await store.find(one.rowId)).toEqual({ ...one, status: 'pending' })
  expect(await store.lease(AT, later(1000), 10)).toEqual([{ approval: one.rowId, step: 'present', turn: 1, attempts: 0 }])
})

test('the same call again finds the row that stands; other content under its id is refused, recorded, and changes nothing', async () => {
  await open(store, asked(1))
  const again = await open(store, asked(2, { id: ApprovalId.parse('tar_1') }))
  expect(again).toMatchObject({ opened: 'repeated', approval: { rowId: rowId(1) } })
  const other = await open(store, asked(3, { id: ApprovalId.parse('tar_1'), hash: ApprovalHash.parse('b'.repeat(64)) }))
  expect(other).toEqual({ opened: 'conflict', known: HASH })
  expect(await store.find(rowId(2))).toBeUndefined()
  expect(await store.find(rowId(3))).toBeUndefined()
  expect(await db.selectFrom('conflicts').selectAll().execute()).toEqual([
    { source: 'novo', id: 'tar_1', hash: 'b'.repeat(64), known: HASH, at: AT.getTime() },
  ])
})

test('an allow or a deny by rule is a row of its own, over at once and without a card', async () => {
  await open(store, asked(1, { ruling: { ruling: 'allow', rule: 'reads' } }))
  await open(store, asked(2, { ruling: { ruling: 'deny', rule: 'wipes', reason: 'destructive command' } }))
  expect(await store.find(rowId(1))).toMatchObject({ status: 'closed', because: 'allowed_by_rule' })
  expect(await store.find(rowId(2))).toMatchObject({ status: 'closed', because: 'denied_by_rule' })
  expect(await store.nextDue()).toBeUndefined()
  expect(await decide(store, deciding('cli:root'))).toEqual({
    ok: false,
    refusal: 'closed',
    because: 'allowed_by_rule',
  })
})

describe('of any number of decisions at once', () => {
  test('exactly one wins, and the others read who did', async () => {
    await open(store, asked(1))
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, n) => decide(store, deciding(`slack:T0ACME/U${n}`))))
    const won = outcomes.filter((one) => one.ok)
    expect(won).toHaveLength(1)
    const winner = won[0]?.ok === true ? won[0].decision : undefined
    expect(outcomes.filter((one) => !one.ok)).toEqual(
      Array.from({ length: 49 }, () => ({ ok: false, refusal: 'not_pending', decision: winner })),
    )
    expect(await store.find(rowId(1))).toMatchObject({ status: 'decided', decision: winner, trouble: null })
  })

  test('none wins with another hash than the one that stands', async () => {
    await open(store, asked(1))
    const other = { ...deciding('slack:T0ACME/U0ANA'), hash: ApprovalHash.parse('b'.repeat(64)) }
    expect(await decide(store, other)).toEqual({ ok: false, refusal: 'approval_changed' })
    expect(await decide(store, { ...deciding('x'), rowId: rowId(9) })).toEqual({ ok: false, refusal: 'unknown_approval' })
    expect(await store.find(rowId(1))).toMatchObject({ status: 'pending' })
    expect(await store.lease(AT, later(1000), 10)).toHaveLength(1)
  })
})

test('an approval can be decided until its time is over, that moment included, and not after', async () => {
  await open(store, asked(1, { expiresAt: later(4) }))
  expect(await decide(store, deciding('slack:T0ACME/U0ANA'))).toEqual({ ok: false, refusal: 'expired' })
  expect(await store.find(rowId(1))).toMatchObject({ status: 'pending' })
  expect(await decide(store, { ...deciding('slack:T0ACME/U0ANA'), at: later(4) })).toMatchObject({ ok: true })
})

describe('a task', () => {
  beforeEach(() => open(store, asked(1)))

  test('is leased to one at a time, and again when the lease has run out', async () => {
    expect(await store.lease(AT, later(1000), 10)).toHaveLength(1)
    expect(await store.lease(later(999), later(2000), 10)).toHaveLength(0)
    expect(await store.nextDue()).toEqual(later(1000))
    expect(await store.lease(later(1000), later(2000), 10)).toHaveLength(1)
  })

  test('that was asked for again while it ran is not forgotten when it ends', async () => {
    const [task] = await store.lease(AT, later(1000), 10)
    if (task === undefined) throw new Error('no task')
    await store.unit((unit) => unit.schedule('present', task.approval, later(5)))
    await store.finish(task)
    expect(await store.lease(later(5), later(2000), 10)).toEqual([{ ...task, turn: 2 }])
  })

  test('that ended is gone, and one that is postponed comes when it said', async () => {
    const [task] = await store.lease(AT, later(1000), 10)
    if (task === undefined) throw new Error('no task')
    await store.postpone(task, later(300), 'waited')
    expect(await store.lease(later(300), later(2000), 10)).toEqual([task])
    await store.postpone(task, later(500), 'tried')
    expect(await store.lease(later(499), later(2000), 10)).toEqual([])
    expect(await store.lease(later(500), later(2000), 10)).toEqual([{ ...task, attempts: 1 }])
    await store.finish({ ...task, attempts: 1 })
    expect(await store.nextDue()).toBeUndefined()
  })
})

describe('a delivery', () => {
  beforeEach(async () => {
    await open(store, asked(1))
    await decide(store, deciding('slack:T0ACME/U0ANA'))
  })

  test('remembers across its attempts that one may have landed', async () => {
    const sending = () => store.unit((unit) => unit.sending(rowId(1)))
    expect(await sending()).toEqual({ earlierMayHaveLanded: false })
    await store.unit((unit) => unit.failed(rowId(1), { kind: 'passing', code: 'http_429' }, 'no'))
    expect(await sending()).toEqual({ earlierMayHaveLanded: false })
    expect(await sending()).toEqual({ earlierMayHaveLanded: true })
  })

  test('is resolved once; a trouble that comes late changes nothing', async () => {
    expect(await store.unit((unit) => unit.resolve(rowId(1), { resolution: 'done' }, later(9)))).toBe(true)
    expect(await store.unit((unit) => unit.resolve(rowId(1), { resolution: 'undeliverable' }, later(10)))).toBe(false)
    await store.unit((unit) => unit.failed(rowId(1), { kind: 'lasting', code: 'bad_key' }, 'no'))
    expect(await store.find(rowId(1))).toMatchObject({
      status: 'resolved',
      resolution: { resolution: 'done' },
      resolvedAt: later(9),
    })
    expect(await store.stuck()).toBe(0)
  })

  test('counts as stuck while a lasting trouble holds it or it was given up, and goes on when reopened', async () => {
    await store.unit((unit) => unit.failed(rowId(1), { kind: 'lasting', code: 'bad_key' }, 'no'))
    expect(await store.stuck()).toBe(1)
    await store.unit((unit) => unit.resolve(rowId(1), { resolution: 'undeliverable' }, later(10)))
    expect(await store.stuck()).toBe(1)
    expect(await store.unit((unit) => unit.reopenDelivery(rowId(1), later(99)))).toBe(true)
    expect(await store.find(rowId(1))).toMatchObject({
      status: 'decided',
      decision: decision('slack:T0ACME/U0ANA'),
      giveUpAt: later(99),
    })
    expect(await store.stuck()).toBe(0)
  })
})

test('a run is found by its own id and by its root, oldest first', async () => {
  await open(store, asked(2, { openedAt: later(2) }))
  await open(store, asked(1))
  await open(store, asked(3, { rootRun: 'run_other', openedAt: later(3) }))
  expect((await store.ofRun('run_root')).map((row) => row.rowId)).toEqual([rowId(1), rowId(2)])
  expect((await store.ofRun('run_3')).map((row) => row.rowId)).toEqual([rowId(3)])
  expect(await store.ofRun('run_none')).toEqual([])
})

test('an approval that its source takes back and asks again without end gets five more cards at most', async () => {
  await open(store, asked(1, { form: 'channel' }))
  for (let n = 0; n < 9; n += 1) {
    await store.unit((unit) =>
      unit.savePlace({
        key: `k${n}`,
        approval: rowId(1),
        conversation: 'C0',
        ts: String(n),
        shown: null,
        attemptedAt: AT,
        retired: false,
      }),
    )
    await store.unit((unit) => unit.close(rowId(1), { because: 'withdrawn', at: AT, elsewhere: null }))
    expect(await open(store, asked(2, { id: ApprovalId.parse('tar_1'), form: 'channel', run: 'run_1' }))).toMatchObject({
      opened: 'again',
    })
  }
  const places = await store.places(rowId(1))
  expect(places.filter(({ retired }) => retired)).toHaveLength(5)
})

test('what a source refused for its form, or for who we are, can be sent again; what it decided cannot', async () => {
  for (const [n, why, again] of [
    [1, 'refused', true],
    [2, 'not_allowed', true],
    [3, 'resolved_elsewhere', false],
    [4, 'changed', false],
  ] as const) {
    await open(store, asked(n))
    await decide(store, { ...deciding('slack:T0ACME/U0ANA'), rowId: rowId(n) })
    const resolution = { resolution: 'refused', why, status: 400, ownAttemptMayHaveLanded: false } as const
    await store.unit((unit) => unit.resolve(rowId(n), resolution, later(1)))
    expect(await store.unit((unit) => unit.reopenDelivery(rowId(n), later(9)))).toBe(again)
    expect((await store.find(rowId(n)))?.status).toBe(again ? 'decided' : 'resolved')
  }
})

test('a full watch makes room by the one that was silent longest, never by one of the settings or of the last hour', async () => {
  const book = watchBook(db, new Committer(db))
  const hours = (n: number): Date => new Date(AT.getTime() + n * 3_600_000)
  await book.watch('steward', 'run_settings', 'settings', AT, 3)
  await book.watch('steward', 'run_old', 'nudge', hours(1), 3)
  await book.watch('steward', 'run_seen', 'nudge', AT, 3)
  await book.seen('steward', 'run_seen', hours(3))
  expect(await book.watch('steward', 'run_new', 'nudge', hours(1.5), 3)).toBe('full')
  expect(await book.watch('steward', 'run_new', 'nudge', hours(3.5), 3)).toBe('watching')
  expect((await book.watched('steward')).map(({ run }) => run).sort()).toEqual(['run_new', 'run_seen', 'run_settings'])
  expect(await book.unwatch('steward', 'run_new', hours(3))).toBe(false)
  expect(await book.unwatch('steward', 'run_new', hours(3.5))).toBe(true)
})

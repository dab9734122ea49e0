import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApprovalId, type Asked, RowId } from '../../src/approval/approval.ts'
import { hashOf } from '../../src/approval/canonical.ts'
import { close } from '../../src/approval/close.ts'
import { decide } from '../../src/approval/decide.ts'
import { open } from '../../src/approval/open.ts'
import type { ApprovalStore } from '../../src/approval/ports.ts'
import { approvalStore } from '../../src/store/approvals.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'

let db: Database
let store: ApprovalStore
beforeEach(async () => {
  db = await openDatabase(':memory:')
  store = approvalStore(db)
})
afterEach(() => db.destroy())

const AT = new Date('2026-11-30T12:00:00.123Z')
const later = (ms: number): Date => new Date(AT.getTime() + ms)
const rowId = (n: number): RowId => RowId.parse(n.toString(16).padStart(32, '0'))
const CALL = '{"input":{"command":"ls"}}'
const HASH = hashOf(CALL)
const ANA = 'slack:T0ACME/U0ANA'

async function asked(n: number, openedAt: Date, more: Partial<Asked> = {}): Promise<void> {
  await open(store, {
    rowId: rowId(n),
    source: 'novo',
    id: ApprovalId.parse(`tar_${n}`),
    hash: HASH,
    form: 'review',
    run: 'run_1',
    rootRun: 'run_1',
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
    openedAt,
    expiresAt: null,
    ...more,
  })
}
const decided = (n: number, by: string, at: Date, via: string | null = null) =>
  decide(store, { rowId: rowId(n), hash: HASH, verdict: 'approve', by, via, note: null, at, giveUpAt: later(9999) })
const ids = (all: readonly { readonly rowId: RowId }[]): readonly number[] => all.map((one) => Number.parseInt(one.rowId, 16))

test('what waits is told oldest first, of every run and source, and no more than was asked for', async () => {
  await asked(1, later(3))
  await asked(2, later(1), { source: 'other', run: 'run_2' })
  await asked(3, later(2))
  await asked(4, later(0), { ruling: { ruling: 'allow', rule: 'reads' } })
  expect(ids(await store.waiting(10))).toEqual([2, 3, 1])
  expect(ids(await store.waiting(2))).toEqual([2, 3])
  await decided(2, ANA, later(4))
  await close(store, rowId(3), { because: 'withdrawn', at: later(5), elsewhere: null })
  expect(ids(await store.waiting(10))).toEqual([1])
})

test('what somebody decided is told newest first, by exactly their label', async () => {
  for (let n = 1; n <= 5; n += 1) await asked(n, AT)
  await decided(1, ANA, later(1))
  await decided(2, ANA, later(3))
  await decided(3, 'slack:T0ACME/U0ANAX', later(4))
  await decided(4, ANA, later(2))
  await store.unit((unit) => unit.resolve(rowId(4), { resolution: 'done' }, later(5)))
  expect(ids(await store.decidedBy(ANA, 10))).toEqual([2, 4, 1])
  expect(ids(await store.decidedBy(ANA, 2))).toEqual([2, 4])
  expect(await store.decidedBy('slack:t0acme/u0ana', 10)).toEqual([])
  expect(await store.decidedBy('', 10)).toEqual([])
})

test('a label that came over a served channel, or from the source, is nobody’s', async () => {
  await asked(1, AT)
  await asked(2, AT)
  await decided(1, ANA, later(1), 'channel/console')
  await close(store, rowId(2), { because: 'decided_elsewhere', at: later(2), elsewhere: { verdict: 'approve', by: ANA } })
  expect(await store.decidedBy(ANA, 10)).toEqual([])
})

test('neither looks through the whole table', async () => {
  const plan = async (query: ReturnType<typeof sql>): Promise<string> =>
    JSON.stringify((await sql`explain query plan ${query}`.execute(db)).rows)
  const waiting = sql`select * from approvals where status = 'pending' order by opened_at, row_id limit 5`
  expect(await plan(waiting)).toContain('approvals_waiting')
  expect(await plan(waiting)).not.toContain('TEMP B-TREE')
  const by = sql`select * from approvals where decided_by = ${ANA} and via is null and decided_at is not null order by decided_at desc, row_id desc limit 5`
  expect(await plan(by)).toContain('approvals_decided_by')
})

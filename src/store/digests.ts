/** Where approvals are shown: on cards, or in their run's digest. */
import type { Kysely } from 'kysely'
import { RowId } from '../approval/approval.ts'
import type { ApprovalStore, Unit } from '../approval/ports.ts'
import { pendingOf } from './row.ts'
import type { Tables } from './schema.ts'

export function digests(db: Kysely<Tables>): Pick<Unit, 'takeHome' | 'promote' | 'digestFor' | 'digest' | 'inDigest'> {
  return {
    async takeHome(rowId, most) {
      const row = await db
        .selectFrom('approvals')
        .select(['home', 'source', 'root_run'])
        .where('row_id', '=', rowId)
        .executeTakeFirstOrThrow()
      if (row.home === 'card' || row.home === 'digest') return row.home
      const home = (await onCards(db, row.source, row.root_run)) < most ? 'card' : 'digest'
      await db.updateTable('approvals').set({ home }).where('row_id', '=', rowId).execute()
      return home
    },
    async promote(source, rootRun, most) {
      const room = most - (await onCards(db, source, rootRun))
      if (room <= 0) return []
      const rows = await waiting(db, source, rootRun, 'digest').select('row_id').limit(room).execute()
      const ids = rows.map((row) => RowId.parse(row.row_id))
      if (ids.length > 0) await db.updateTable('approvals').set({ home: 'card' }).where('row_id', 'in', ids).execute()
      return ids
    },
    async digestFor(source, rootRun, id) {
      await db
        .insertInto('digests')
        .values({ id, source, root_run: rootRun })
        .onConflict((conflict) => conflict.columns(['source', 'root_run']).doNothing())
        .execute()
      return (await findDigest(db, source, rootRun)) ?? RowId.parse(id)
    },
    async digest(id) {
      const row = await db.selectFrom('digests').select(['source', 'root_run']).where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : { source: row.source, rootRun: row.root_run }
    },
    inDigest: (source, rootRun) => inDigest(db, source, rootRun),
  }
}

/** The same, to be read outside a unit. */
export function digestReads(db: Kysely<Tables>): Pick<ApprovalStore, 'findDigest' | 'digested'> {
  return {
    findDigest: (source, rootRun) => findDigest(db, source, rootRun),
    async digested(id) {
      const row = await db.selectFrom('digests').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? [] : inDigest(db, row.source, row.root_run)
    },
  }
}

async function findDigest(db: Kysely<Tables>, source: string, rootRun: string): Promise<RowId | undefined> {
  const row = await db
    .selectFrom('digests')
    .select('id')
    .where('source', '=', source)
    .where('root_run', '=', rootRun)
    .executeTakeFirst()
  return row === undefined ? undefined : RowId.parse(row.id)
}

async function inDigest(db: Kysely<Tables>, source: string, rootRun: string): ReturnType<Unit['inDigest']> {
  const rows = await waiting(db, source, rootRun, 'digest').selectAll().execute()
  return rows.map(pendingOf)
}

async function onCards(db: Kysely<Tables>, source: string, rootRun: string): Promise<number> {
  const { count } = await db
    .selectFrom('approvals')
    .select((pick) => pick.fn.countAll<number>().as('count'))
    .where('source', '=', source)
    .where('root_run', '=', rootRun)
    .where('home', '=', 'card')
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(count)
}

function waiting(db: Kysely<Tables>, source: string, rootRun: string, home: 'digest') {
  return db
    .selectFrom('approvals')
    .where('source', '=', source)
    .where('root_run', '=', rootRun)
    .where('home', '=', home)
    .where('status', '=', 'pending')
    .orderBy('opened_at')
    .orderBy('row_id')
}

/** The store: the queries of the domain's ports over Kysely, one set for every database. */
import type { Kysely } from 'kysely'
import type { Approval } from '../approval/approval.ts'
import type { ApprovalStore, Unit } from '../approval/ports.ts'
import { Committer } from './commit.ts'
import { digestReads, digests } from './digests.ts'
import { mine } from './mine.ts'
import { approvalOf, placeOf } from './row.ts'
import type { Tables } from './schema.ts'
import { tasks } from './tasks.ts'

export function approvalStore(db: Kysely<Tables>, committer = new Committer(db)): ApprovalStore {
  return {
    unit: (work) => committer.unit((connection) => work(unitOn(connection))),
    find: (rowId) => find(db, rowId),
    places: (rowId) => places(db, rowId),
    ofRun: (run) => ofRun(db, run),
    ...tasks(db, committer),
    ...digestReads(db),
    ...mine(db),
    async stuck() {
      const row = await db
        .selectFrom('approvals')
        .select((pick) => pick.fn.countAll<number>().as('count'))
        .where((where) =>
          where.or([
            where('resolution', '=', 'undeliverable'),
            where.and([where('trouble_kind', '=', 'lasting'), where('status', '=', 'decided')]),
          ]),
        )
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
  }
}

/** A write that changes nothing: whether a hook call could be stored now. @throws when not. */
export async function probe(db: Kysely<Tables>): Promise<void> {
  await new Committer(db).unit(async (connection) => {
    await connection.insertInto('conflicts').values({ source: '', id: '', hash: '', known: '', at: 0 }).execute()
    await connection.deleteFrom('conflicts').where('source', '=', '').execute()
  })
}

async function find(db: Kysely<Tables>, rowId: string): Promise<Approval | undefined> {
  const row = await db.selectFrom('approvals').selectAll().where('row_id', '=', rowId).executeTakeFirst()
  return row === undefined ? undefined : approvalOf(row)
}

async function ofRun(db: Kysely<Tables>, run: string): Promise<readonly Approval[]> {
  const rows = await db
    .selectFrom('approvals')
    .selectAll()
    .where((where) => where.or([where('run', '=', run), where('root_run', '=', run)]))
    .orderBy('opened_at')
    .orderBy('row_id')
    .execute()
  return rows.map(approvalOf)
}

async function places(db: Kysely<Tables>, rowId: string) {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('approval', '=', rowId)
    .orderBy('attempted_at')
    .orderBy('key')
    .execute()
  return rows.map(placeOf)
}

function unitOn(db: Kysely<Tables>): Unit {
  return {
    ...digests(db),
    find: (rowId) => find(db, rowId),
    places: (rowId) => places(db, rowId),
    async findById(source, id) {
      const rows = await db.selectFrom('approvals').selectAll().where('source', '=', source).where('id', '=', id).execute()
      return rows.map(approvalOf)
    },
    async open(asked, as) {
      const { ruling } = asked
      await db
        .insertInto('approvals')
        .values({
          row_id: asked.rowId,
          source: asked.source,
          id: asked.id,
          hash: asked.hash,
          form: asked.form,
          run: asked.run,
          root_run: asked.rootRun,
          worker: asked.worker,
          agent: asked.agent,
          thread: asked.thread,
          step: asked.step,
          tool: asked.tool,
          tool_call: asked.toolCall,
          call: asked.call,
          resolve_url: asked.resolveUrl,
          ruling: ruling.ruling,
          rule: ruling.rule,
          reason: ruling.ruling === 'allow' ? null : ruling.reason,
          approvers: ruling.ruling === 'ask' ? ruling.approvers : null,
          opened_at: asked.openedAt.getTime(),
          expires_at: asked.expiresAt?.getTime() ?? null,
          status: as === 'pending' ? 'pending' : 'closed',
          closed_because: as === 'pending' ? null : as,
          closed_at: as === 'pending' ? null : asked.openedAt.getTime(),
          kind: asked.kind,
          source_reason: asked.sourceReason,
          decode_error: asked.decodeError,
          may_have_landed: 0,
        })
        .execute()
    },
    async close(rowId, { because, at, elsewhere }) {
      const { numUpdatedRows } = await db
        .updateTable('approvals')
        .set({
          status: 'closed',
          closed_because: because,
          closed_at: at.getTime(),
          verdict: elsewhere?.verdict ?? null,
          decided_by: elsewhere?.by ?? null,
        })
        .where('row_id', '=', rowId)
        .where('status', '=', 'pending')
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async reopen(rowId, expiresAt, mostRetired) {
      await db
        .updateTable('approvals')
        .set({ status: 'pending', closed_because: null, closed_at: null, expires_at: expiresAt?.getTime() ?? null })
        .where('row_id', '=', rowId)
        .where('status', '=', 'closed')
        .execute()
      const { count } = await db
        .selectFrom('messages')
        .select((pick) => pick.fn.countAll<number>().as('count'))
        .where('approval', '=', rowId)
        .where('retired', '=', 1)
        .executeTakeFirstOrThrow()
      if (Number(count) < mostRetired)
        await db.updateTable('messages').set({ retired: 1 }).where('approval', '=', rowId).execute()
    },
    async isCancelled(source, runs) {
      const row = await db
        .selectFrom('cancelled_runs')
        .select('run')
        .where('source', '=', source)
        .where('run', 'in', runs)
        .executeTakeFirst()
      return row !== undefined
    },
    async cancelRun(source, run, { by, note, at }) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('cancelled_runs')
        .values({ source, run, by, note, at: at.getTime() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
    ofRun: (run) => ofRun(db, run),
    async recordConflict({ at, ...conflict }) {
      await db
        .insertInto('conflicts')
        .values({ ...conflict, at: at.getTime() })
        .execute()
    },
    async decide(rowId, hash, decision, giveUpAt) {
      const { numUpdatedRows } = await db
        .updateTable('approvals')
        .set({
          status: 'decided',
          verdict: decision.verdict,
          outcome: decision.outcome,
          decided_by: decision.by,
          via: decision.via,
          note: decision.note,
          decided_at: decision.at.getTime(),
          give_up_at: giveUpAt.getTime(),
        })
        .where('row_id', '=', rowId)
        .where('hash', '=', hash)
        .where('status', '=', 'pending')
        // At the very moment it can still be decided (approval-channel section 5).
        .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>=', decision.at.getTime())]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async sending(rowId) {
      const row = await db.selectFrom('approvals').select('may_have_landed').where('row_id', '=', rowId).executeTakeFirstOrThrow()
      if (row.may_have_landed === 0)
        await db.updateTable('approvals').set({ may_have_landed: 1 }).where('row_id', '=', rowId).execute()
      return { earlierMayHaveLanded: row.may_have_landed === 1 }
    },
    async failed(rowId, trouble, landed) {
      await db
        .updateTable('approvals')
        .set({ trouble_kind: trouble.kind, trouble_code: trouble.code, may_have_landed: landed === 'maybe' ? 1 : 0 })
        .where('row_id', '=', rowId)
        .where('status', '=', 'decided')
        .execute()
    },
    async resolve(rowId, resolution, at) {
      const refused = resolution.resolution === 'refused' ? resolution : undefined
      const { numUpdatedRows } = await db
        .updateTable('approvals')
        .set({
          status: 'resolved',
          resolution: resolution.resolution,
          refused_why: refused?.why ?? null,
          refused_status: refused?.status ?? null,
          may_have_landed: refused?.ownAttemptMayHaveLanded === true ? 1 : 0,
          trouble_kind: null,
          trouble_code: null,
          resolved_at: at.getTime(),
        })
        .where('row_id', '=', rowId)
        .where('status', '=', 'decided')
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async reopenDelivery(rowId, giveUpAt) {
      const { numUpdatedRows } = await db
        .updateTable('approvals')
        // It was tried before, so it may have landed: a later "already resolved" must be able to say so.
        .set({
          status: 'decided',
          resolution: null,
          refused_why: null,
          refused_status: null,
          resolved_at: null,
          may_have_landed: 1,
          give_up_at: giveUpAt.getTime(),
        })
        .where('row_id', '=', rowId)
        .where((where) =>
          where.or([
            where('resolution', '=', 'undeliverable'),
            where('status', '=', 'decided'),
            // The source decided nothing: it took offence at the request, at us, or at its own record.
            where('refused_why', 'in', ['refused', 'damaged', 'not_allowed']),
          ]),
        )
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async savePlace(place) {
      const { attemptedAt, retired, ...rest } = place
      const values = { ...rest, attempted_at: attemptedAt.getTime(), retired: retired ? 1 : 0 }
      await db
        .insertInto('messages')
        .values(values)
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ ts: values.ts, shown: values.shown }))
        .execute()
    },
    async dropPlace(key) {
      await db.deleteFrom('messages').where('key', '=', key).execute()
    },
    async schedule(step, rowId, due) {
      await db
        .insertInto('tasks')
        .values({ approval: rowId, step, turn: 1, attempts: 0, due_at: due.getTime(), leased_until: null })
        .onConflict((conflict) =>
          conflict
            .columns(['approval', 'step'])
            .doUpdateSet((set) => ({ turn: set('tasks.turn', '+', 1), attempts: 0, due_at: due.getTime() })),
        )
        .execute()
    },
  }
}

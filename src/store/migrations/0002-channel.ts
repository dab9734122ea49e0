import { type Kysely, type Migration, sql } from 'kysely'

/** What the signed channel needs: other forms of a call, expiry, where a decision came from, cancelled runs, used signatures. */
export const channel: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('approvals')
      .addColumn('form', 'text', (c) => c.notNull().defaultTo('review'))
      .execute()
    await db.schema.alterTable('approvals').addColumn('expires_at', 'bigint').execute()
    await db.schema.alterTable('approvals').addColumn('via', 'text').execute()
    await db.schema.alterTable('approvals').addColumn('closed_because', 'text').execute()
    await sql`update approvals set closed_because = case ruling when 'allow' then 'allowed_by_rule' else 'denied_by_rule' end where status = 'closed'`.execute(
      db,
    )
    await db.schema.createIndex('tasks_leased').on('tasks').column('leased_until').execute()
    await db.schema
      .createTable('cancelled_runs')
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('run', 'text', (c) => c.notNull())
      .addColumn('by', 'text', (c) => c.notNull())
      .addColumn('note', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('cancelled_runs_key', ['source', 'run'])
      .execute()
    await db.schema.createIndex('cancelled_runs_run').on('cancelled_runs').column('run').execute()
    await db.schema
      .createTable('signatures')
      .addColumn('channel', 'text', (c) => c.notNull())
      .addColumn('signature', 'text', (c) => c.notNull())
      .addColumn('until', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('signatures_key', ['channel', 'signature'])
      .execute()
    await db.schema.createIndex('signatures_until').on('signatures').column('until').execute()
  },
}

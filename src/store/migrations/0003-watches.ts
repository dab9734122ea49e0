import { type Kysely, type Migration, sql } from 'kysely'

/** What a source that is asked needs: the runs that are watched, its own words, how an approval ended there, retired cards. */
export const watches: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('approvals').addColumn('kind', 'text').execute()
    await db.schema.alterTable('approvals').addColumn('source_reason', 'text').execute()
    await db.schema.alterTable('approvals').addColumn('decode_error', 'text').execute()
    await db.schema.alterTable('approvals').addColumn('closed_at', 'bigint').execute()
    await sql`update approvals set closed_at = opened_at where status = 'closed'`.execute(db)
    await db.schema
      .alterTable('messages')
      .addColumn('retired', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('approvals_pending')
      .on('approvals')
      .columns(['source', 'run'])
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .execute()
    await db.schema
      .createTable('watches')
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('run', 'text', (c) => c.notNull())
      .addColumn('by', 'text', (c) => c.notNull())
      .addColumn('asked_at', 'bigint', (c) => c.notNull())
      .addColumn('seen_at', 'bigint')
      .addPrimaryKeyConstraint('watches_key', ['source', 'run'])
      .execute()
  },
}

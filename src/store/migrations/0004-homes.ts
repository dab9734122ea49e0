import { type Kysely, type Migration, sql } from 'kysely'

/** What a person's home tab asks for: what waits, oldest first, and what somebody decided last. */
export const homes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex('approvals_waiting')
      .on('approvals')
      .columns(['opened_at', 'row_id'])
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .execute()
    await db.schema.createIndex('approvals_decided_by').on('approvals').columns(['decided_by', 'decided_at']).execute()
  },
}

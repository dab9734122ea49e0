import { type Kysely, type Migration, sql } from 'kysely'

/** Where an approval is shown: on a card, or as a line of its run's digest. */
export const digests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('approvals').addColumn('home', 'text').execute()
    await sql`update approvals set home = 'card' where row_id in (select approval from messages)`.execute(db)
    await db.schema
      .createIndex('approvals_home')
      .on('approvals')
      .columns(['source', 'root_run', 'home'])
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .execute()
    await db.schema
      .createTable('digests')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('root_run', 'text', (c) => c.notNull())
      .execute()
    await loosen(db)
    await db.schema.createIndex('digests_key').unique().on('digests').columns(['source', 'root_run']).execute()
  },
}

/** A digest has messages and tasks of its own, so that these belong to approvals alone no longer. SQLite drops a reference by a new table only. */
async function loosen(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('messages_of_any')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('approval', 'text', (c) => c.notNull())
    .addColumn('conversation', 'text', (c) => c.notNull())
    .addColumn('ts', 'text')
    .addColumn('shown', 'text')
    .addColumn('attempted_at', 'bigint', (c) => c.notNull())
    .addColumn('retired', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`insert into messages_of_any select key, approval, conversation, ts, shown, attempted_at, retired from messages`.execute(
    db,
  )
  await db.schema.dropTable('messages').execute()
  await db.schema.alterTable('messages_of_any').renameTo('messages').execute()
  await db.schema.createIndex('messages_approval').on('messages').column('approval').execute()
  await db.schema.createIndex('messages_place').unique().on('messages').columns(['conversation', 'ts']).execute()
  await db.schema
    .createTable('tasks_of_any')
    .addColumn('approval', 'text', (c) => c.notNull())
    .addColumn('step', 'text', (c) => c.notNull())
    .addColumn('turn', 'integer', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('leased_until', 'bigint')
    .addPrimaryKeyConstraint('tasks_of_any_key', ['approval', 'step'])
    .execute()
  await sql`insert into tasks_of_any select approval, step, turn, attempts, due_at, leased_until from tasks`.execute(db)
  await db.schema.dropTable('tasks').execute()
  await db.schema.alterTable('tasks_of_any').renameTo('tasks').execute()
  await db.schema.createIndex('tasks_due').on('tasks').column('due_at').execute()
  await db.schema.createIndex('tasks_leased').on('tasks').column('leased_until').execute()
}

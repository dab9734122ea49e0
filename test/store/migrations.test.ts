import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, type Migration, Migrator, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { approvalStore } from '../../src/store/approvals.ts'
import { openDatabase } from '../../src/store/database.ts'
import { approvals } from '../../src/store/migrations/0001-approvals.ts'
import { channel } from '../../src/store/migrations/0002-channel.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-migrations-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ROW = '0123456789abcdef0123456789abcdef'

/** A database as an older version left it: one approval that waits on a card, one that a rule ended, and tasks of both. */
async function older(path: string, migrations: Readonly<Record<string, Migration>>): Promise<void> {
  const sqlite = new Sqlite(path)
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } }).migrateToLatest()
  expect(error).toBeUndefined()
  const insert = sqlite.prepare(
    `insert into approvals (row_id, source, id, hash, run, root_run, agent, thread, step, tool, tool_call, call, resolve_url, ruling, reason, approvers, opened_at, status, may_have_landed)
     values (?, 'novo', ?, 'h', 'run_1', 'run_1', 'a', 't', '0', 'bash', 'tc', '{}', 'https://x/', ?, ?, ?, 1000, ?, 0)`,
  )
  insert.run(ROW, 'tar_1', 'ask', 'why', 'everyone', 'pending')
  insert.run('f'.repeat(32), 'tar_2', 'allow', null, null, 'closed')
  if ('0002-channel' in migrations) sqlite.exec("update approvals set closed_because = 'allowed_by_rule' where status = 'closed'")
  sqlite.exec(
    `insert into messages (key, approval, conversation, ts, shown, attempted_at) values ('k', '${ROW}', 'C0', '1.2', 'd', 5)`,
  )
  sqlite.exec(`insert into tasks (approval, step, turn, attempts, due_at) values ('${ROW}', 'present', 3, 2, 9)`)
  await db.destroy()
}

test.each([
  ['the first version', { '0001-approvals': approvals }],
  ['the second', { '0001-approvals': approvals, '0002-channel': channel }],
])('a database of %s is brought to this one with everything in it', async (_, migrations) => {
  const path = join(folder, 'countersign.db')
  await older(path, migrations)
  await expect(openDatabase(path, 'existing')).rejects.toThrow('of an older version')
  const db = await openDatabase(path)
  try {
    const store = approvalStore(db)
    const [closed, pending] = [...(await store.ofRun('run_1'))].sort((a, b) => a.status.localeCompare(b.status))
    expect(pending).toMatchObject({ rowId: ROW, status: 'pending', form: 'review', kind: null })
    expect(closed).toMatchObject({ status: 'closed', because: 'allowed_by_rule', closedAt: new Date(1000) })
    expect(pending && (await store.places(pending.rowId))).toMatchObject([{ conversation: 'C0', ts: '1.2', retired: false }])
    expect(await store.lease(new Date(10), new Date(20), 10)).toMatchObject([
      { approval: ROW, step: 'present', turn: 3, attempts: 2 },
    ])
    // Its card stands: it keeps its place among those of its run.
    expect(pending && (await store.unit((unit) => unit.takeHome(pending.rowId, 0)))).toBe('card')
  } finally {
    await db.destroy()
  }
})

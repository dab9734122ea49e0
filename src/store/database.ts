/** The SQLite file: opened with the durability that we promise, brought to this version's tables, and refused when it is a newer one's. */
import { closeSync, existsSync, lstatSync, openSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Kysely, type Migration, Migrator, SqliteDialect, type SqliteStatement } from 'kysely'
import { approvals } from './migrations/0001-approvals.ts'
import { channel } from './migrations/0002-channel.ts'
import { watches } from './migrations/0003-watches.ts'
import { homes } from './migrations/0004-homes.ts'
import { digests } from './migrations/0005-digests.ts'
import type { Tables } from './schema.ts'

export type Database = Kysely<Tables>

const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-approvals': approvals,
  '0002-channel': channel,
  '0003-watches': watches,
  '0004-homes': homes,
  '0005-digests': digests,
}

/** The database is not one that this program can use. The message is for the person who starts it. */
class UnusableDatabase extends Error {}

/** How long a statement waits for another process's lock. Milliseconds. */
const BUSY_MS = 5000

/**
 * Opens or makes the file, readable by its owner only: it holds what agents asked for. `existing` neither makes nor migrates.
 * @throws UnusableDatabase
 */
export async function openDatabase(path: string, mode: 'create' | 'existing' = 'create'): Promise<Database> {
  refuseStrange(path, mode)
  const sqlite = openSqlite(path, mode)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: preparedOnce(sqlite) }) })
  try {
    if (mode === 'create') await migrate(db, path)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return db
}

function openSqlite(path: string, mode: 'create' | 'existing'): Sqlite.Database {
  let sqlite: Sqlite.Database | undefined
  try {
    if (path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    sqlite = new Sqlite(path, { timeout: BUSY_MS })
    // Before anything is set: a file that is not ours must not change by being looked at.
    refuseOther(sqlite, path, mode)
    sqlite.pragma('page_size = 8192')
    sqlite.pragma('journal_mode = WAL')
    // In WAL mode the default build runs NORMAL, which may lose the last commits with the power. An answer has left by then.
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('foreign_keys = ON')
    return sqlite
  } catch (error) {
    sqlite?.close()
    if (error instanceof UnusableDatabase) throw error
    const code = codeOf(error)
    throw new UnusableDatabase(
      code === 'SQLITE_NOTADB'
        ? `the file ${path} is not a Countersign database`
        : `the database ${path} cannot be opened (${code})`,
    )
  }
}

/**
 * Holds the sole right to serve a database file until the process ends, however it ends: the lock is the operating system's.
 * With it, whatever a predecessor left leased can be taken at once.
 * @throws UnusableDatabase when another process serves it.
 */
export function holdSole(path: string): { release(): void } {
  const lock = new Sqlite(`${path}.lock`, { timeout: 0 })
  try {
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new UnusableDatabase(`the database ${path} is already served by another process; stop that one first`)
  }
  return { release: () => lock.close() }
}

function refuseStrange(path: string, mode: 'create' | 'existing'): void {
  if (path === ':memory:') return
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined && mode === 'existing')
    throw new UnusableDatabase(`there is no database at ${path}; DATABASE_URL names it`)
  if (found !== undefined && !found.isFile())
    throw new UnusableDatabase(`the database ${path} is not a plain file (symbolic links are refused)`)
}

/** A new file is nobody's; any other must be ours, and of a version that we know. */
function refuseOther(sqlite: Sqlite.Database, path: string, mode: 'create' | 'existing'): void {
  const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all()
  if (tables.length === 0 && mode === 'create') return
  if (!tables.includes('kysely_migration') || !tables.includes('approvals'))
    throw new UnusableDatabase(`the file ${path} is not a Countersign database`)
  const done = sqlite.prepare('select name from kysely_migration').pluck().all()
  if (done.some((name) => typeof name !== 'string' || !(name in MIGRATIONS))) {
    throw new UnusableDatabase(
      `the database ${path} was written by a newer version of Countersign; run that version, or restore a backup`,
    )
  }
  if (mode === 'existing' && done.length < Object.keys(MIGRATIONS).length) {
    throw new UnusableDatabase(`the database ${path} is of an older version; start the bot once to bring it to this one`)
  }
}

async function migrate(db: Database, path: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new UnusableDatabase(`the database ${path} cannot be brought to this version (${codeOf(error)})`)
}

/** Kysely prepares a statement at each call; ours are few and always the same. */
function preparedOnce(sqlite: Sqlite.Database): { close(): void; prepare(sql: string): SqliteStatement } {
  const prepared = new Map<string, SqliteStatement>()
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const known = prepared.get(sql)
      if (known !== undefined) return known
      const statement = sqlite.prepare(sql)
      const kept: SqliteStatement = {
        reader: statement.reader,
        all: (parameters) => statement.all(parameters),
        run: (parameters) => statement.run(parameters),
        iterate: (parameters) => statement.iterate(parameters),
      }
      // Only data statements: a schema change would leave a kept one stale, and those run once.
      if (/^(select|insert|update|delete|savepoint|release|rollback|begin|commit)/i.test(sql)) prepared.set(sql, kept)
      return kept
    },
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'unknown'
}

/** The database file as `serve` would find it. Looking makes no database, and brings none to another version. */
import { accessSync, constants, existsSync, lstatSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { holdSole, openDatabase } from '../store/database.ts'
import { type Finding, fails, ok, warning } from './doctor-finding.ts'

const CHECK = 'database'
const RUNNING = 'running bot'

export interface DatabaseSeen {
  readonly findings: readonly Finding[]
  /** Whether a bot serves this database now; undefined when that cannot be told. */
  readonly running: boolean | undefined
}

export async function lookAtDatabase(path: string): Promise<DatabaseSeen> {
  if (path === ':memory:') {
    const message = 'it is kept in memory: everything is forgotten when the bot ends.'
    return { findings: [warning(CHECK, message, 'Let DATABASE_URL name a file.')], running: false }
  }
  const { finding, running } = lookForBot(path)
  return { findings: [await lookAtFile(path), finding], running }
}

async function lookAtFile(path: string): Promise<Finding> {
  const whole = resolve(path)
  const folder = dirname(whole)
  if (!existsSync(folder)) {
    return fails(CHECK, `the folder ${folder} is not there.`, 'Make it, or let DATABASE_URL name a file in another one.')
  }
  if (!may(folder, constants.W_OK | constants.X_OK)) {
    const mend = 'Let this user write there: beside the file stand its log and its lock.'
    return fails(CHECK, `the folder ${folder} cannot be written.`, mend)
  }
  const found = lstatSync(whole, { throwIfNoEntry: false })
  if (found === undefined) return ok(CHECK, `${whole} is not there yet; serve makes it.`)
  if (found.isFile()) {
    if (!may(whole, constants.R_OK | constants.W_OK)) {
      return fails(CHECK, `${whole} cannot be read and written.`, 'Give it to the user that runs the bot.')
    }
    if (found.size === 0 || isBlank(whole)) return ok(CHECK, `${whole} is empty; serve makes the database in it.`)
  }
  return opened(whole)
}

async function opened(path: string): Promise<Finding> {
  try {
    await (await openDatabase(path, 'existing')).destroy()
    return ok(CHECK, `${path} is ours, and of this version.`)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be opened'
    // The store tells this by its words alone.
    if (why.includes('is of an older version')) {
      const message = `${path} is of an older version; serve brings it to this one, and there is no way back.`
      return warning(CHECK, message, 'Make a copy of it before the bot is started.')
    }
    return fails(CHECK, `${why}.`, 'Or let DATABASE_URL name another file. Nothing was changed in this one.')
  }
}

/** A file that SQLite has only marked as its own: `serve` was stopped while it made it, and goes on from there. */
function isBlank(path: string): boolean {
  let sqlite: Sqlite.Database | undefined
  try {
    sqlite = new Sqlite(path, { readonly: true })
    return sqlite.prepare('select name from sqlite_master').all().length === 0
  } catch {
    return false
  } finally {
    sqlite?.close()
  }
}

/** Takes the lock for a moment when there is one to take: a bot that starts in that very moment would be refused. */
function lookForBot(path: string): { readonly finding: Finding; readonly running: boolean | undefined } {
  const none = { finding: ok(RUNNING, 'none on this database.'), running: false }
  // A bot makes it before anything else, and looking is not to leave one behind.
  if (!existsSync(`${path}.lock`)) return none
  try {
    holdSole(path).release()
    return none
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) {
      return { finding: ok(RUNNING, 'one is running on this database.'), running: true }
    }
    const mend = 'Give it to the user that runs the bot.'
    return { finding: fails(RUNNING, `${path}.lock cannot be opened (${String(error.code)}).`, mend), running: undefined }
  }
}

function may(path: string, what: number): boolean {
  try {
    accessSync(path, what)
    return true
  } catch {
    return false
  }
}

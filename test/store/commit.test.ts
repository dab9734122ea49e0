import SqliteDriver from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Committer } from '../../src/store/commit.ts'

interface Tables {
  notes: { id: number; text: string }
}

let statements: string[]
let db: Kysely<Tables>
let committer: Committer<Tables>

beforeEach(async () => {
  statements = []
  db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new SqliteDriver(':memory:') }),
    log: (event) => void statements.push(event.query.sql),
  })
  await sql`create table notes (id integer primary key, text text not null)`.execute(db)
  statements = []
  committer = new Committer(db)
})
afterEach(() => db.destroy())

const insert = (id: number): Promise<number> =>
  committer.unit(async (connection) => {
    await connection.insertInto('notes').values({ id, text: 'x' }).execute()
    return id
  })
const commits = (): number => statements.filter((one) => one === 'commit').length
const stored = async (): Promise<readonly number[]> =>
  (await db.selectFrom('notes').select('id').orderBy('id').execute()).map(({ id }) => id)

test('units that wait at the same moment share one commit', async () => {
  expect(await Promise.all([1, 2, 3, 4, 5].map(insert))).toEqual([1, 2, 3, 4, 5])
  expect(commits()).toBe(1)
  expect(await stored()).toEqual([1, 2, 3, 4, 5])
})

test('a unit alone has its own commit, and waits for no other', async () => {
  await insert(1)
  await insert(2)
  expect(commits()).toBe(2)
})

test('one that throws is undone, and leaves the others of its commit', async () => {
  const failing = committer.unit(async (connection) => {
    await connection.insertInto('notes').values({ id: 7, text: 'half done' }).execute()
    throw new Error('no')
  })
  const outcomes = await Promise.allSettled([insert(1), failing, insert(1), insert(2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(await stored()).toEqual([1, 2])
  expect(commits()).toBe(1)
})

test('no unit is told that it is stored when the commit fails, and the next commit works', async () => {
  const outcomes = await Promise.allSettled([
    insert(1),
    committer.unit(async (connection) => {
      // Ends the transaction behind the committer's back, as a full disk does.
      await sql`rollback`.execute(connection)
      throw new Error('disk full')
    }),
    insert(2),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await stored()).toEqual([])
  await insert(3)
  expect(await stored()).toEqual([3])
})

test('what a unit reads is still so when it writes', async () => {
  const add = (): Promise<void> =>
    committer.unit(async (connection) => {
      const { count } = await connection
        .selectFrom('notes')
        .select((pick) => pick.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      await connection
        .insertInto('notes')
        .values({ id: count + 1, text: 'x' })
        .execute()
    })
  await Promise.all(Array.from({ length: 50 }, add))
  expect((await stored()).length).toBe(50)
})

/** The database as serve would find it: told, and left as it is. */
import { symlinkSync, writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { of, type Stage, stage } from './doctor-stage.ts'

let s: Stage
afterEach(() => s.close())

describe('the database', () => {
  const table = (path: string, sql: string): void => void new Sqlite(path).exec(sql).close()
  const databases: readonly [string, (path: string) => unknown, RegExp][] = [
    ['of somebody else', (path) => table(path, 'create table books (title text)'), /not a Countersign database/],
    ['that is none', (path) => writeFileSync(path, 'Dear diary, '.repeat(100)), /not a Countersign database/],
    ['behind a link', (path) => symlinkSync('elsewhere.db', path), /not a plain file/],
    [
      'of a newer version',
      async (path) => {
        await (await openDatabase(path)).destroy()
        table(path, "insert into kysely_migration values ('9999-later', '2030-01-01')")
      },
      /newer version/,
    ],
  ]
  test.each(databases)('%s fails, and is left as it is', async (_, make, told) => {
    s = await stage()
    await make(s.databasePath)
    const { code, findings } = await s.look()
    expect(of(findings, 'fails')).toEqual(['database'])
    expect(findings[0]?.message).toMatch(told)
    expect(findings[0]?.mend).toContain('DATABASE_URL')
    expect(code).toBe(1)
  })

  test('in a folder that is not there fails', async () => {
    s = await stage({ env: { DATABASE_URL: 'sqlite:nowhere/countersign.db' } })
    const { findings } = await s.look()
    expect(of(findings, 'fails')).toEqual(['database'])
    expect(findings[0]?.mend).toContain('Make it')
  })

  test('of an older version is not brought to this one: what serve does is told', async () => {
    s = await stage()
    await (await openDatabase(s.databasePath)).destroy()
    const last = 'delete from kysely_migration where name = (select max(name) from kysely_migration)'
    table(s.databasePath, last)
    const { code, findings } = await s.look()
    expect(code).toBe(0)
    expect(findings[0]).toMatchObject({ status: 'warning', message: expect.stringContaining('serve brings it to this one') })
    const db = new Sqlite(s.databasePath, { readonly: true })
    expect(() => db.prepare(last.replace('delete', 'select name')).get()).not.toThrow()
    db.close()
  })

  test('that was begun and holds nothing yet is what serve goes on with', async () => {
    s = await stage()
    table(s.databasePath, 'pragma journal_mode = wal; create table t (x); drop table t')
    const { findings } = await s.look()
    expect(findings[0]).toMatchObject({ status: 'ok', message: expect.stringContaining('is empty') })
  })
})

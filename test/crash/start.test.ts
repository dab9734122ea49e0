import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CONVERSATION } from '../scene.ts'
import { type Bot, bot, program } from './bot.ts'

const LONG_MS = 30_000

let b: Bot
beforeEach(async () => {
  b = await bot()
})
afterEach(() => b.close())

test(
  'a stop ends what is under way: a decision that was being made is made, and delivered after the next start',
  async () => {
    await b.start()
    const { id } = await b.platform.call({ hook: b.hook(), tool: 'bash', input: { command: 'ls' } })
    const { ts } = await b.slack.until('a card', () => b.cards(id)[0])
    b.slack.fault({ method: 'users.info', kind: 'hang' })
    await b.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts, action_id: 'approval.approve' })
    await b.slack.until('a hanging look-up', () => b.slack.hanging() === 1)
    const ending = b.terminate()
    b.slack.release()
    const { code, output } = await ending
    expect(code).toBe(0)
    expect(output).toContain('"msg":"stopped"')
    expect(b.row(id)).toMatchObject({ outcome: 'approved' })
    await b.start()
    await b.slack.until('the card says so', () => JSON.stringify(b.cards(id)[0]?.blocks).includes('The agent platform has it'))
    expect(b.platform.effects(id)).toBe(1)
  },
  LONG_MS,
)

test(
  'a second bot on one database is refused and told why; the first goes on',
  async () => {
    await b.start()
    const { code, output } = await b.run('serve')
    expect(code).toBe(1)
    expect(output).toContain('is already served by another process')
    expect((await b.platform.call({ hook: b.hook(), tool: 'read_file', input: {} })).state).toBe('allowed')
  },
  LONG_MS,
)

test(
  'a database of a newer version is refused, and so is a file that is none, or a link',
  async () => {
    await b.start()
    await b.terminate()
    const db = new Sqlite(b.databasePath)
    db.prepare('insert into kysely_migration (name, timestamp) values (?, ?)').run('9999-later', new Date().toISOString())
    db.close()
    expect(await b.run('serve')).toMatchObject({ code: 1, output: expect.stringContaining('newer version of Countersign') })
    const folder = mkdtempSync(join(tmpdir(), 'countersign-strange-'))
    try {
      const text = join(folder, 'notes.txt')
      writeFileSync(text, 'these are notes and no database at all')
      symlinkSync(b.databasePath, join(folder, 'link.db'))
      const retry = (path: string) =>
        program(
          ['approvals', 'retry', 'run_1', 'tar_1'],
          { PATH: process.env.PATH ?? '', DATABASE_URL: `sqlite:${path}` },
          folder,
        )
      expect(await retry(text)).toMatchObject({ code: 1, output: expect.stringContaining('not a Countersign database') })
      expect(await retry(join(folder, 'link.db'))).toMatchObject({
        code: 1,
        output: expect.stringContaining('symbolic links are refused'),
      })
      expect(await retry(join(folder, 'none.db'))).toMatchObject({
        code: 1,
        output: expect.stringContaining('there is no database'),
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  LONG_MS,
)

test(
  'a faulty start names every fault and no secret, and exits 1; wrong usage exits 2',
  async () => {
    const { SLACK_SIGNING_SECRET: _, ...rest } = b.variables
    const { code, output } = await program(['serve'], { ...rest, PORT: 'http', NOVO_HOOK_SECRET: 'short-secret' }, tmpdir())
    expect(code).toBe(1)
    expect(output).toContain('environment: PORT: must be a port number')
    expect(output).toContain('environment: SLACK_SIGNING_SECRET: is missing')
    expect(output).toContain('NOVO_HOOK_SECRET is too short')
    expect(output).not.toContain('short-secret')
    expect(output).not.toContain(b.variables.SLACK_BOT_TOKEN ?? 'none')
    expect(await b.run('config', 'check')).toMatchObject({ code: 0 })
    expect(await b.run('serv')).toMatchObject({ code: 2 })
    expect(await b.run('approvals', 'retry', 'run_1')).toMatchObject({ code: 2 })
  },
  LONG_MS,
)

test(
  'the database file is readable by its owner only',
  async () => {
    await b.start()
    const { statSync } = await import('node:fs')
    expect(statSync(b.databasePath).mode & 0o777).toBe(0o600)
  },
  LONG_MS,
)

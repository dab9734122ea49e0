/** The replay set is the database's: two processes on one share it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'

const DIST = new URL('../../dist/store/', import.meta.url)

/** Opens the database, says so, and at a word uses one signature twenty-five times at once, and fifty of its own. */
const PROCESS = `
const { openDatabase } = await import('${new URL('database.js', DIST)}')
const { Committer } = await import('${new URL('commit.js', DIST)}')
const { signatureBook } = await import('${new URL('signatures.js', DIST)}')
const db = await openDatabase(process.argv[1], 'existing')
const book = signatureBook(new Committer(db))
const use = (signature) => book.use('console', signature, new Date(Date.now() + 300000), new Date(), 6021)
console.log('ready')
process.stdin.once('data', async () => {
  const shared = await Promise.all(Array.from({ length: 25 }, () => use('v1=shared')))
  const own = await Promise.all(Array.from({ length: 50 }, (_, n) => use('v1=' + process.pid + '-' + n)))
  console.log(JSON.stringify([shared.filter((one) => one === 'new').length, own.filter((one) => one === 'new').length]))
  await db.destroy()
  process.exit(0)
})
`

test('of one signature used by two processes on one database at once, fifty times together, exactly one use passes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-replay-'))
  try {
    const path = join(folder, 'countersign.db')
    await (await openDatabase(path)).destroy()
    const processes = [0, 1].map(() => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', PROCESS, path], { stdio: ['pipe', 'pipe', 'inherit'] })
      return { child, lines: createInterface(child.stdout) }
    })
    await Promise.all(processes.map(({ lines }) => once(lines, 'line')))
    const results = processes.map(({ lines }) => once(lines, 'line'))
    for (const { child } of processes) child.stdin.write('go\n')
    const counts = (await Promise.all(results)).map(([line]): number[] => JSON.parse(String(line)))
    expect(counts.reduce((sum, [shared = 0]) => sum + shared, 0)).toBe(1)
    expect(counts.map(([, own]) => own)).toEqual([50, 50])
    await Promise.all(processes.map(({ child }) => (child.exitCode === null ? once(child, 'exit') : undefined)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

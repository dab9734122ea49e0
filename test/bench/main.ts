/**
 * `npm run bench`: hook calls answered in a second and how long each took, with 10 and with 64 connections: the built bot, with a
 * Slack that answers, that hangs and that cannot be reached, next to a bare server. They take turns, each time with new processes
 * and a new database; the columns with × are a server's figures over those of the bare one. The load, the server and the stand-in
 * share the machine. No time is asserted: it fails only when a call is not answered or an answered call is not stored.
 * `npm run bench -- FOLDER` puts the databases elsewhere than in the folder for temporary files.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { BODY_BYTES, requests } from './call.ts'
import { commits, cpuMs, fsyncMs, isMemory } from './cost.ts'
import { type Round, table } from './figures.ts'
import { openLoad } from './load.ts'
import { killAll, killNow, type Server, startBare, startBot } from './server.ts'

const CONNECTIONS = [10, 64]
const MOST_ROUNDS = 3
/** For the rounds of one number of connections: another is begun only when it should end within. Milliseconds. */
const BUDGET_MS = 42_000
/** Calls, and the milliseconds after which no more are sent: a slow disk must not make the bench endless. */
const WARM_UP = { calls: 1500, limitMs: 2500 }
const MEASURED = { calls: 4000, limitMs: 2000 }

type Start = (folder: string) => Promise<Server>
const SERVERS = new Map<string, Start>([
  ['bare', startBare],
  ['bot, Slack answers', (folder) => startBot(folder, 'answers')],
  ['bot, Slack hangs', (folder) => startBot(folder, 'hangs')],
  ['bot, Slack unreachable', (folder) => startBot(folder, 'unreachable')],
])

const parent = resolve(process.argv[2] ?? tmpdir())
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(join(parent, 'countersign-bench-'))
process.once('exit', () => {
  killNow()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

tell(`Node ${process.version}, ${availableParallelism()} cores, calls of ${BODY_BYTES} bytes.`)
tell(`Databases in ${parent}: a 4 KiB append and its fsync take ${fsyncMs(folder).toFixed(3)} ms on average.`)
if (isMemory(folder)) tell('That folder is memory, not a disk. Name one on a disk: npm run bench -- FOLDER')
for (const connections of CONNECTIONS) {
  const measured = new Map<string, Round[]>([...SERVERS.keys()].map((name) => [name, []]))
  const began = performance.now()
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    for (const [name, start] of SERVERS) measured.get(name)?.push(await measure(start, connections))
    if (((performance.now() - began) / round) * (round + 1) > BUDGET_MS) break
  }
  tell(`\n${table(connections, measured)}`)
}

async function measure(start: Start, connections: number): Promise<Round> {
  const { port, pid, databasePath, secret } = await start(folder)
  const load = await openLoad(port, connections)
  const warmUp = await load.drive(requests('warm', WARM_UP.calls, secret), WARM_UP.limitMs)
  const calls = requests('call', MEASURED.calls, secret)
  const before = { commits: commits(databasePath), cpuMs: cpuMs(pid) }
  const measured = await load.drive(calls, MEASURED.limitMs)
  const spent = { commits: commits(databasePath) - before.commits, cpuMs: cpuMs(pid) - before.cpuMs }
  load.close()
  await killAll()
  const stored = rowsIn(databasePath)
  const answered = warmUp.calls + measured.calls
  if (stored !== answered) throw new Error(`${answered} calls were answered and ${stored} are stored`)
  return { ...measured, ...spent }
}

function rowsIn(databasePath: string): number {
  const sqlite = new Sqlite(databasePath, { readonly: true })
  const count = sqlite.prepare('select count(*) from approvals').pluck().get()
  sqlite.close()
  return Number(count)
}

function tell(text: string): void {
  process.stdout.write(`${text}\n`)
}

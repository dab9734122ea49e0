// A small agent runtime on loopback: runs pause on approval rows, and the signed approval channel is the only way to decide
// them. Written from the protocol alone; it shares nothing with the bot that it is there to test.
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { fillBucket } from './bucket.ts'
import type { Event } from './event.ts'
import { keepEvents } from './event.ts'
import type { Fault } from './fault.ts'
import { queueFaults } from './fault.ts'
import type { Row } from './row.ts'
import type { Corrupted, Pause, Represented, Run, Then } from './runs.ts'
import { openRuns } from './runs.ts'
import type { Request } from './server.ts'
import { startServer } from './server.ts'
import { startWatch } from './until.ts'
import { startVerifier } from './verify.ts'

/** A number that is zero or negative counts as absent. */
export interface RuntimeOptions {
  /** 0 or absent: any free one. */
  readonly port?: number
  /** At least 32 bytes, taken as they are. */
  readonly secret: string
  readonly now?: () => Date
  /** Requests a second, for everybody together; 10 when absent. */
  readonly rate?: number
  /** 20 when absent. */
  readonly burst?: number
  /** How far a request's clock may be off, either way; 300 when absent. */
  readonly skewSeconds?: number
  /** Bytes; 16384 when absent. */
  readonly maxBody?: number
  /** How many approvals a list holds; 20 when absent. */
  readonly limit?: number
  /** The path the channel is mounted behind, such as `/hooks`. It is sent and not signed. */
  readonly prefix?: string
  /** How long an approval can be decided; no end when absent. */
  readonly approvalTtlMs?: number
  /** 32 random hexadecimal digits when absent. */
  readonly newId?: () => string
}

/** Where a run stands and which approval it waits for. */
export interface Paused {
  readonly run: string
  readonly approval: string
  readonly hash: string
}

export interface Runtime {
  readonly port: number
  /** What routes are appended to: the origin and the prefix. */
  readonly url: string
  /** A run reaches a tool call that its policy sends to a person, and waits. */
  start(pause: Pause): Paused
  /** The same for a call that had started when its process died: kind `interrupted_side_effect`. */
  interrupt(pause: Pause): Paused
  /** What the owner's process does: runs the granted call's tool, exactly as recorded. Throws when nothing is granted. */
  resume(run: string, then?: Then, change?: Represented): Run
  /** The policy asks differently: same id, new content, new hash. */
  represent(approval: string, change: Represented): Paused
  /** Somebody edits the row in the database: the hash stays as it was. */
  corrupt(approval: string, change: Corrupted): Paused
  run(id: string): Run | undefined
  approval(id: string): Row | undefined
  /** How often this approval's tool ran; never more than 1. */
  effects(approval: string): number
  events(): readonly Event[]
  /** Every request, oldest first. */
  requests(): readonly Request[]
  /** Spoils the next answers, in the order in which this was said. The rate and the body's bound come before. */
  answerNext(fault: Fault): void
  clearFaults(): void
  /** Answers everything that hangs. */
  release(): void
  /** Connections are refused until `comeBack`, on the same port; runs go on. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  /** Asks the predicate now and after every change here; rejects with the description when the time is over. Infinity: no end. */
  until(description: string, predicate: () => boolean, timeoutMs?: number): Promise<void>
  close(): Promise<void>
}

const MIN_SECRET_BYTES = 32

/** Listens on 127.0.0.1. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { secret, prefix = '', newId = () => randomBytes(16).toString('hex') } = options
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES) throw new Error(`the secret needs at least ${MIN_SECRET_BYTES} bytes`)
  if (prefix !== '' && !/^(?:\/[\w-]+)+$/.test(prefix)) throw new Error('a prefix is a path without a slash at its end')
  const now = options.now ?? (() => new Date())
  // A clock that is given drives the bucket too; else nothing that sets the machine's clock does.
  const ticks = options.now === undefined ? () => performance.now() : () => now().getTime()
  const rate = orDefault(options.rate, 10)
  const burst = orDefault(options.burst, 20)
  const skewSeconds = orDefault(options.skewSeconds, 300)
  const watch = startWatch()
  const { changed } = watch
  const events = keepEvents(now)
  const runs = openRuns({ now, newId, events, approvalTtlMs: orDefault(options.approvalTtlMs, 0), changed })
  const faults = queueFaults()
  const server = await startServer({
    port: options.port ?? 0,
    prefix,
    bucket: fillBucket(rate, burst, ticks),
    maxBody: orDefault(options.maxBody, 16_384),
    // As many as the bucket lets through while one of them can be accepted.
    verifier: startVerifier({ secret, now, skewSeconds, capacity: burst + rate * Math.floor(2 * skewSeconds) + 1 }),
    deciding: { runs, events, now },
    limit: orDefault(options.limit, 20),
    faults,
    changed,
  })
  const paused = ({ run, id, hash }: Row): Paused => ({ run, approval: id, hash })

  return {
    port: server.port,
    url: `http://127.0.0.1:${server.port}${prefix}`,
    start: (pause) => paused(runs.ask(pause)),
    interrupt: (pause) => paused(runs.interrupt(pause)),
    resume: (run, then = 'completes', change = {}) => runs.resume(run, then, change),
    represent: (approval, change) => paused(runs.represent(approval, change)),
    corrupt: (approval, change) => paused(runs.corrupt(approval, change)),
    run: runs.run,
    approval: runs.row,
    effects: runs.effects,
    events: events.all,
    requests: server.requests,
    answerNext: faults.add,
    clearFaults: faults.clear,
    release: server.release,
    goDown: server.goDown,
    comeBack: server.comeBack,
    until: watch.until,
    async close() {
      watch.close()
      await server.close()
    },
  }
}

function orDefault(value: number | undefined, byDefault: number): number {
  return value !== undefined && value > 0 ? value : byDefault
}

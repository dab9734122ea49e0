// Every run and every approval row, and the only place where a tool runs.
import type { Events } from './event.ts'
import { member, parseJson } from './json.ts'
import type { Ask, Row } from './row.ts'
import { coveredBy, hashOf, reasonOf } from './row.ts'
import { timeText } from './time.ts'
import { canonical } from './write.ts'

/** One execution of an agent. */
export type Run = {
  readonly id: string
  readonly steps: number
  /** In the order in which they were asked. */
  readonly approvals: readonly string[]
} & (
  | { readonly status: 'RUNNING' | 'WAITING_FOR_APPROVAL' | 'INTERRUPTED' }
  | { readonly status: 'COMPLETED' | 'FAILED' | 'CANCELLED'; readonly reason: string; readonly detail: string }
)

/** A tool call that pauses a run. What is absent gets a value of its own; times are RFC 3339 in UTC. */
export interface Pause extends Ask {
  /** Of a run that goes on or was interrupted; a new run when no such run is there. */
  readonly run?: string
  readonly approval?: string
  readonly step?: string
  readonly createdAt?: string
  /** Null: never. */
  readonly expiresAt?: string | null
  /** What the tool does with its recorded arguments. Its text is the run's detail when that ends it. */
  readonly effect?: (args: string) => string
}

/** What an owner's process finds when it resumes a granted run. In the last case the tool has not run: its policy asks anew. */
export type Then = 'completes' | 'fails' | 'goes on' | 'is interrupted' | 'asks again'

/** An edit that a policy makes: the hash follows. */
export type Represented = Pick<Ask, 'args' | 'kind' | 'capability' | 'presentation' | 'reason'>
/** An edit that somebody makes who can write the database: the hash stays. Expiry is not under the hash at all. */
export type Corrupted = Partial<Pick<Row, 'kind' | 'capability' | 'presentation' | 'request' | 'hash' | 'expiresAt' | 'reason'>>

export interface Runs {
  run(id: string): Run | undefined
  row(id: string): Row | undefined
  effects(id: string): number
  ask(pause: Pause): Row
  /** Asks for a call that had started when its process died. */
  interrupt(pause: Pause): Row
  /** Runs the tool of the granted call, once. Throws when there is no such call. */
  resume(run: string, then: Then, change: Represented): Run
  represent(id: string, change: Represented): Row
  corrupt(id: string, change: Corrupted): Row
  put(row: Row): void
  finish(run: string, status: 'COMPLETED' | 'FAILED' | 'CANCELLED', end: End): void
}

interface End {
  readonly reason: string
  readonly detail: string
  readonly by?: string
}

interface Entry {
  row: Row
  pause: Pause
  effects: number
}

interface Parts {
  readonly now: () => Date
  readonly newId: () => string
  readonly events: Events
  /** Zero: an approval never expires. */
  readonly approvalTtlMs: number
  readonly changed: () => void
}

const NOTICE =
  'This call had already started when its process stopped. Nobody knows whether it took effect; approving runs it again.'

export function openRuns(parts: Parts): Runs {
  const { now, newId, events, changed } = parts
  const runs = new Map<string, Run>()
  const entries = new Map<string, Entry>()

  const known = (id: string): Run => {
    const run = runs.get(id)
    if (run === undefined) throw new Error(`no run ${id}`)
    return run
  }
  const entryOf = (id: string): Entry => {
    const entry = entries.get(id)
    if (entry === undefined) throw new Error(`no approval ${id}`)
    return entry
  }

  const ask = (pause: Pause, from: readonly Run['status'][]): Row => {
    const id = pause.run ?? newId()
    const run = runs.get(id) ?? { id, steps: 0, approvals: [], status: 'RUNNING' }
    if (runs.has(id) && !from.includes(run.status)) throw new Error(`${id} is ${run.status} and calls no tool`)
    const approval = pause.approval ?? newId()
    if (entries.has(approval)) throw new Error(`there is an approval ${approval} already`)
    const step = pause.step ?? newId()
    const created = now()
    const { approvalTtlMs } = parts
    const byTtl = approvalTtlMs === 0 ? null : timeText(new Date(created.getTime() + approvalTtlMs))
    const covered = coveredBy(pause, id, step)
    const row: Row = {
      ...{ id: approval, run: id, step, ...covered, hash: hashed(covered), reason: reasonOf(pause) },
      createdAt: pause.createdAt ?? timeText(created),
      expiresAt: pause.expiresAt === undefined ? byTtl : pause.expiresAt,
      state: { status: 'pending' },
    }
    entries.set(approval, { row, pause: { ...pause, run: id, step }, effects: 0 })
    runs.set(id, { id, steps: run.steps + 1, approvals: [...run.approvals, approval], status: 'WAITING_FOR_APPROVAL' })
    const { kind, capability, presentation, hash, reason } = row
    events.tell('approval.requested', id, { approval_id: approval, capability, hash, kind, presentation, reason })
    changed()
    return row
  }

  const finish: Runs['finish'] = (id, status, end) => {
    const { steps, approvals } = known(id)
    runs.set(id, { id, steps, approvals, status, reason: end.reason, detail: end.detail })
    const by = end.by === undefined ? {} : { by: end.by }
    events.tell('run.finished', id, { ...by, detail: end.detail, reason: end.reason, status, steps })
    changed()
  }

  const granted = (id: string): Entry => {
    const run = known(id)
    const entry = entryOf(run.approvals.at(-1) ?? '')
    if (run.status !== 'WAITING_FOR_APPROVAL' || entry.row.state.status !== 'approved')
      throw new Error(`${id} is ${run.status} and its approval is ${entry.row.state.status}: there is nothing to resume`)
    if (hashOf(entry.row) !== entry.row.hash) throw new Error(`approval ${entry.row.id} does not match its hash`)
    return entry
  }

  return {
    run: (id) => runs.get(id),
    row: (id) => entries.get(id)?.row,
    effects: (id) => entryOf(id).effects,
    ask: (pause) => ask(pause, ['RUNNING']),
    interrupt(pause) {
      const sideEffect = pause.sideEffect ?? 'remote_mutation'
      const presentation = `{"args":${pause.args?.trim() || '{}'},"notice":${JSON.stringify(NOTICE)},"side_effect":"${sideEffect}","tool":${JSON.stringify(pause.tool)}}`
      const said = { kind: 'interrupted_side_effect', reason: 'interrupted while executing; outcome unknown', presentation }
      return ask({ ...pause, ...said }, ['RUNNING', 'INTERRUPTED'])
    },
    resume(id, then, change) {
      const entry = granted(id)
      const { steps, approvals } = known(id)
      runs.set(id, { id, steps, approvals, status: 'RUNNING' })
      if (then === 'asks again') {
        const { approval: _, createdAt: __, expiresAt: ___, ...again } = entry.pause
        ask({ ...again, ...change }, ['RUNNING'])
        return known(id)
      }
      entry.effects += 1
      const args = canonical(member(parseJson(entry.row.request), 'args') ?? null)
      const said = attempt(() => entry.pause.effect?.(args) ?? `${entry.pause.tool} ran`)
      if ('failure' in said) finish(id, 'FAILED', { reason: 'tool_failed', detail: said.failure })
      else if (then === 'completes') finish(id, 'COMPLETED', { reason: 'completed', detail: said.text })
      else if (then === 'fails') finish(id, 'FAILED', { reason: 'tool_failed', detail: said.text })
      else if (then === 'is interrupted') runs.set(id, { id, steps, approvals, status: 'INTERRUPTED' })
      changed()
      return known(id)
    },
    represent(id, change) {
      const entry = entryOf(id)
      entry.pause = { ...entry.pause, ...change }
      const covered = coveredBy(entry.pause, entry.row.run, entry.row.step)
      entry.row = { ...entry.row, ...covered, hash: hashed(covered), reason: reasonOf(entry.pause) }
      changed()
      return entry.row
    },
    corrupt(id, change) {
      const entry = entryOf(id)
      entry.row = { ...entry.row, ...change }
      changed()
      return entry.row
    },
    put(row) {
      entryOf(row.id).row = row
      changed()
    },
    finish,
  }
}

function hashed(covered: Parameters<typeof hashOf>[0]): string {
  const hash = hashOf(covered)
  if (hash === undefined) throw new Error('a new row has to be JSON')
  return hash
}

function attempt(effect: () => string): { readonly text: string } | { readonly failure: string } {
  try {
    return { text: effect() }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

// Takes a decision, or says why not: the checks in their order, and what each of them leaves behind.
import type { Events } from './event.ts'
import type { Row } from './row.ts'
import { decodeError, hashOf } from './row.ts'
import type { Run, Runs } from './runs.ts'
import { hasPassed, timeText, wholeSeconds } from './time.ts'

export interface Decision {
  readonly run: string
  readonly approval: string
  readonly hash: string
  readonly by: string
  readonly note: string
}

export interface Refusal {
  readonly status: number
  readonly code:
    | 'bad_request'
    | 'unauthorized'
    | 'not_found'
    | 'run_not_waiting'
    | 'run_finished'
    | 'not_pending'
    | 'approval_changed'
    | 'approval_hash'
    | 'expired'
    | 'body_too_large'
    | 'rate_limited'
    | 'internal'
  readonly text: string
}

export interface Deciding {
  readonly runs: Runs
  readonly events: Events
  readonly now: () => Date
}

/** What a row that never had an expiry says when it expired all the same. */
const NEVER = '0001-01-01T00:00:00Z'

export const NOT_FOUND: Refusal = { status: 404, code: 'not_found', text: 'agentrt: not found' }

/** Undefined when it is decided. Expiry is the one refusal that writes: it ends the approval and the run. */
export function decide(deciding: Deciding, verb: 'approve' | 'reject', decision: Decision): Refusal | undefined {
  const { runs, events, now } = deciding
  const run = runs.run(decision.run)
  if (run === undefined) return NOT_FOUND
  if (run.status !== 'WAITING_FOR_APPROVAL') {
    return { status: 409, code: 'run_not_waiting', text: wrongState(run, `${run.status}, not waiting for approval`) }
  }
  const row = runs.row(decision.approval)
  if (row === undefined || row.run !== run.id) return NOT_FOUND
  const refusal = undecidable(row, decision.hash)
  if (refusal !== undefined) return refusal
  const at = timeText(now())
  if (hasPassed(row.expiresAt, now())) {
    runs.put({ ...row, state: { status: 'expired', at } })
    events.tell('approval.decided', run.id, { approval_id: row.id, status: 'expired' })
    runs.finish(run.id, 'CANCELLED', { reason: 'approval_expired', detail: `approval ${row.id} expired` })
    const text = `approver: approval has expired: agentrt: approval is not pending: ${expiry(row).text}`
    return { ...expiry(row), text }
  }
  const { by, note } = decision
  const status = verb === 'approve' ? 'approved' : 'rejected'
  runs.put({ ...row, state: { status, at, by, note } })
  events.tell('approval.decided', run.id, { approval_id: row.id, by, note, status })
  if (verb === 'reject') runs.finish(run.id, 'CANCELLED', { reason: 'approval_rejected', detail: note })
  return undefined
}

/** Ends a run and leaves its approvals as they are. */
export function cancel({ runs }: Deciding, id: string, by: string, note: string): Refusal | undefined {
  const run = runs.run(id)
  if (run === undefined) return NOT_FOUND
  if (run.status === 'COMPLETED' || run.status === 'FAILED' || run.status === 'CANCELLED') {
    return { status: 409, code: 'run_finished', text: wrongState(run, `already ${run.status}`) }
  }
  runs.finish(id, 'CANCELLED', { reason: 'operator_cancelled', detail: note, by })
  return undefined
}

/** Why an approval is not shown any more, whatever was decided; writes nothing. */
export function gone(row: Row, now: Date): Refusal | undefined {
  return row.state.status === 'expired' || hasPassed(row.expiresAt, now) ? expiry(row) : undefined
}

function expiry(row: Row): Refusal {
  const at = row.expiresAt === null ? NEVER : wholeSeconds(row.expiresAt)
  return { status: 410, code: 'expired', text: `approval ${row.id} expired at ${at}` }
}

function undecidable(row: Row, hash: string): Refusal | undefined {
  if (row.state.status !== 'pending') {
    const text = `agentrt: approval is not pending: approval ${row.id} is already ${row.state.status}`
    return { status: 409, code: 'not_pending', text }
  }
  if (row.hash !== hash) {
    return { status: 409, code: 'approval_changed', text: `agentrt: approval is not the one that was shown: approval ${row.id}` }
  }
  const unread = decodeError(row)
  if (unread === '' && hashOf(row) === row.hash) return undefined
  const detail = unread === '' ? '' : `: ${unread}`
  return { status: 409, code: 'approval_hash', text: `agentrt: approval hash does not match its recorded request${detail}` }
}

function wrongState(run: Run, tail: string): string {
  return `agentrt: run is not in the required state: run ${run.id} is ${tail}`
}

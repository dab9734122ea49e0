/** First step: what was asked becomes one durable row, with the task of its card in the same commit. */
import type { Approval, ApprovalHash, Asked } from './approval.ts'
import type { ApprovalStore, Unit } from './ports.ts'

export type Opened =
  /** `again`: it was withdrawn, and is pending again. */
  | { readonly opened: 'new' | 'repeated' | 'again'; readonly approval: Approval }
  /** A hook's id is known with other content. Nothing changed but a record of the attempt. */
  | { readonly opened: 'conflict'; readonly known: ApprovalHash }

/** Safe to repeat: the same id and hash finds the row that stands. Resolves once everything is on disk. */
export async function open(store: ApprovalStore, asked: Asked): Promise<Opened> {
  return store.unit(async (unit) => {
    const known = await unit.findById(asked.source, asked.id)
    const same = known.find((row) => row.hash === asked.hash)
    const over = asked.expiresAt !== null && asked.expiresAt < asked.openedAt
    if (same !== undefined && (over || !mayReturn(same))) return { opened: 'repeated', approval: same }
    const [other] = known
    if (same === undefined && other !== undefined && asked.form === 'review') {
      await unit.recordConflict({ source: asked.source, id: asked.id, hash: asked.hash, known: other.hash, at: asked.openedAt })
      return { opened: 'conflict', known: other.hash }
    }
    for (const row of known) if (row !== same && row.run === asked.run) await supersede(unit, row, asked.openedAt)
    if (same !== undefined) return reopened(unit, same, asked)
    const cancelled = asked.form === 'review' && (await unit.isCancelled(asked.source, [asked.run, asked.rootRun]))
    const approval = cancelled ? ofCancelledRun(asked) : fresh(asked)
    await unit.open(approval, approval.status === 'closed' ? approval.because : 'pending')
    if (approval.status === 'pending') await ask(unit, approval, asked.openedAt)
    return { opened: 'new', approval }
  })
}

/** What a source took back, changed, or let run out by our clock, and now lists again as it was, waits again. */
export function mayReturn(row: Approval): row is Approval & { status: 'closed' } {
  return row.status === 'closed' && (row.because === 'withdrawn' || row.because === 'changed' || row.because === 'expired')
}

async function reopened(unit: Unit, closed: Approval & { status: 'closed' }, again: Asked): Promise<Opened> {
  const { because: _, closedAt: __, elsewhere: ___, ...asked } = closed
  const approval: Approval = { ...asked, expiresAt: again.expiresAt, status: 'pending' }
  await unit.reopen(closed.rowId, again.expiresAt, MOST_RETIRED)
  await ask(unit, approval, again.openedAt)
  return { opened: 'again', approval }
}

/** A source that asks the same with other content means the new one only: a press on the old card must find nothing to decide. */
async function supersede(unit: Unit, row: Approval, now: Date): Promise<void> {
  if (await unit.close(row.rowId, { because: 'changed', at: now, elsewhere: null }))
    await unit.schedule('present', row.rowId, now)
}

async function ask(unit: Unit, approval: Approval, now: Date): Promise<void> {
  await unit.schedule('present', approval.rowId, now)
  // At the very moment it can still be decided (approval-channel section 5).
  if (approval.expiresAt !== null)
    await unit.schedule('expire', approval.rowId, new Date(Math.max(now.getTime(), approval.expiresAt.getTime() + 1)))
}

/** Cards of one approval that are retired at most: a source that takes it back and asks again without end rewrites the last one. */
const MOST_RETIRED = 5

/** What the model reads of a later call of a run that was cancelled. */
export const CANCELLED_REASON = 'An operator cancelled this run. None of its calls may run.'

function ofCancelledRun(asked: Asked): Approval & { status: 'pending' | 'closed' } {
  return ruled({ ...asked, ruling: { ruling: 'deny', rule: null, reason: CANCELLED_REASON } }, 'cancelled')
}

/** What a row is the moment it opens: an allow or a deny by rule is over at once, its answer was its resolution. */
export function fresh(asked: Asked): Approval & { status: 'pending' | 'closed' } {
  switch (asked.ruling.ruling) {
    case 'ask':
      return { ...asked, status: 'pending' }
    case 'allow':
      return ruled(asked, 'allowed_by_rule')
    case 'deny':
      return ruled(asked, 'denied_by_rule')
  }
}

function ruled(
  asked: Asked,
  because: 'allowed_by_rule' | 'denied_by_rule' | 'cancelled',
): Approval & { readonly status: 'closed' } {
  return { ...asked, status: 'closed', because, closedAt: asked.openedAt, elsewhere: null }
}

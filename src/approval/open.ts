/** First step: what was asked becomes one durable row, with the task of its card in the same commit. */
import type { Approval, ApprovalHash, Asked } from './approval.ts'
import type { ApprovalStore } from './ports.ts'

export type Opened =
  | { readonly opened: 'new' | 'repeated'; readonly approval: Approval }
  /** The id is known with other content. Nothing changed but a record of the attempt. */
  | { readonly opened: 'conflict'; readonly known: ApprovalHash }

/** Safe to repeat: the same id and hash finds the row that stands. Resolves once everything is on disk. */
export async function open(store: ApprovalStore, asked: Asked): Promise<Opened> {
  return store.unit(async (unit) => {
    const known = await unit.findById(asked.source, asked.id)
    const same = known.find((row) => row.hash === asked.hash)
    if (same !== undefined) return { opened: 'repeated', approval: same }
    const [other] = known
    if (other !== undefined) {
      await unit.recordConflict({ source: asked.source, id: asked.id, hash: asked.hash, known: other.hash, at: asked.openedAt })
      return { opened: 'conflict', known: other.hash }
    }
    const cancelled = asked.form === 'review' && (await unit.isCancelled(asked.source, [asked.run, asked.rootRun]))
    const approval = cancelled ? ofCancelledRun(asked) : fresh(asked)
    await unit.open(approval, approval.status === 'closed' ? approval.because : 'pending')
    if (approval.status === 'pending') await unit.schedule('present', asked.rowId, asked.openedAt)
    return { opened: 'new', approval }
  })
}

/** What the model reads of a later call of a run that was cancelled. */
export const CANCELLED_REASON = 'An operator cancelled this run. None of its calls may run.'

function ofCancelledRun(asked: Asked): Approval & { status: 'pending' | 'closed' } {
  return { ...asked, ruling: { ruling: 'deny', rule: null, reason: CANCELLED_REASON }, status: 'closed', because: 'cancelled' }
}

/** What a row is the moment it opens: an allow or a deny by rule is over at once, its answer was its resolution. */
export function fresh(asked: Asked): Approval & { status: 'pending' | 'closed' } {
  switch (asked.ruling.ruling) {
    case 'ask':
      return { ...asked, status: 'pending' }
    case 'allow':
      return { ...asked, status: 'closed', because: 'allowed_by_rule' }
    case 'deny':
      return { ...asked, status: 'closed', because: 'denied_by_rule' }
  }
}

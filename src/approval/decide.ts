/** Third step: one decision wins, by one conditional change bound to the hash that was shown. */
import type { ApprovalHash, Decision, Refusal, RowId, Verdict } from './approval.ts'
import { isWhole } from './canonical.ts'
import type { ApprovalStore } from './ports.ts'

export interface Deciding {
  readonly rowId: RowId
  /** The hash that the person was shown. */
  readonly hash: ApprovalHash
  readonly verdict: Verdict
  readonly by: string
  readonly via: string | null
  readonly note: string | null
  readonly at: Date
  /** When the delivery of the decision is given up. */
  readonly giveUpAt: Date
}

/**
 * Whoever calls has made sure that `by` may decide. Commits the decision with the tasks that tell the source and rewrite the
 * card. Of any number at once, exactly one gets `ok`; the others read who won, for words only. Nobody approves what we do not
 * hold whole, and nobody decides what its source cannot read.
 */
export async function decide(
  store: ApprovalStore,
  deciding: Deciding,
): Promise<{ readonly ok: true; readonly decision: Decision } | ({ readonly ok: false } & Refusal)> {
  const decision: Decision = {
    verdict: deciding.verdict,
    outcome: deciding.verdict === 'approve' ? 'approved' : 'denied',
    by: deciding.by,
    via: deciding.via,
    note: deciding.note,
    at: deciding.at,
  }
  return store.unit(async (unit) => {
    const asked = await unit.find(deciding.rowId)
    if (asked?.status === 'pending' && asked.hash === deciding.hash) {
      const unfit = asked.decodeError !== null || (deciding.verdict === 'approve' && !isWhole(asked))
      if (unfit) return { ok: false, refusal: 'not_whole' }
    }
    if (await unit.decide(deciding.rowId, deciding.hash, decision, deciding.giveUpAt)) {
      await unit.schedule('settle', deciding.rowId, deciding.at)
      await unit.schedule('present', deciding.rowId, deciding.at)
      return { ok: true, decision }
    }
    const row = await unit.find(deciding.rowId)
    if (row === undefined) return { ok: false, refusal: 'unknown_approval' }
    switch (row.status) {
      case 'pending':
        return { ok: false, refusal: row.hash === deciding.hash ? 'expired' : 'approval_changed' }
      case 'decided':
      case 'resolved':
        return { ok: false, refusal: 'not_pending', decision: row.decision }
      case 'closed':
        return { ok: false, refusal: 'closed', because: row.because }
    }
  })
}

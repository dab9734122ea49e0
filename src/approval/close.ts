/** How an approval ends without a decision of ours: its source took it back, changed it, decided it itself, or its time is over. */
import type { RowId } from './approval.ts'
import { type ApprovalStore, type Clock, type Ending, NotYet } from './ports.ts'

/** Safe to repeat; whatever was decided meanwhile stands. Whether it ended now. */
export async function close(store: ApprovalStore, rowId: RowId, ending: Ending): Promise<boolean> {
  return store.unit(async (unit) => {
    if (!(await unit.close(rowId, ending))) return false
    await unit.schedule('present', rowId, ending.at)
    return true
  })
}

/**
 * Its time is over by our clock. Only approvals of a channel source carry a time yet; nothing is sent there, since that source
 * judges by its own clock. @throws NotYet when it is not time: a clock was set back, or the task came early.
 */
export async function expire({ store, clock }: { store: ApprovalStore; clock: Clock }, rowId: RowId): Promise<void> {
  const approval = await store.find(rowId)
  if (approval?.status !== 'pending' || approval.expiresAt === null) return
  const now = clock.now()
  const left = approval.expiresAt.getTime() - now.getTime()
  if (left >= 0) throw new NotYet(left + 1)
  await close(store, rowId, { because: 'expired', at: now, elsewhere: null })
}

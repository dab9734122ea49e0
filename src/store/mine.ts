/** What concerns one person: everything that waits, and what they decided. */
import { type Kysely, sql } from 'kysely'
import type { Approval } from '../approval/approval.ts'
import type { ApprovalStore } from '../approval/ports.ts'
import { approvalOf, pendingOf } from './row.ts'
import type { Tables } from './schema.ts'

export function mine(db: Kysely<Tables>): Pick<ApprovalStore, 'waiting' | 'decidedBy'> {
  return {
    async waiting(most) {
      const rows = await db
        .selectFrom('approvals')
        .selectAll()
        // A literal: the index holds pending rows only, and the database uses it only where it can see that we ask for these.
        .where('status', '=', sql.lit('pending'))
        .orderBy('opened_at')
        .orderBy('row_id')
        .limit(most)
        .execute()
      return rows.map(pendingOf)
    },
    async decidedBy(by, most) {
      const rows = await db
        .selectFrom('approvals')
        .selectAll()
        .where('decided_by', '=', by)
        // What came over a served channel, or was decided at the source, carries a label that nobody here checked.
        .where('via', 'is', null)
        .where('decided_at', 'is not', null)
        .orderBy('decided_at', 'desc')
        .orderBy('row_id', 'desc')
        .limit(most)
        .execute()
      return rows.map(approvalOf).filter(isDecided)
    },
  }
}

function isDecided(approval: Approval): approval is Approval & { status: 'decided' | 'resolved' } {
  return approval.status === 'decided' || approval.status === 'resolved'
}

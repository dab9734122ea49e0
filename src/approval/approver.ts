/**
 * The five things that a channel can do with the approvals that we hold, whichever source they come from. Everything is
 * addressed by a run: nothing lists runs, so who holds one run's id learns nothing about another's.
 */
import type { Approval, Decision, Verdict } from './approval.ts'
import { hashOf } from './canonical.ts'
import { decide } from './decide.ts'
import type { ApprovalStore, Clock } from './ports.ts'

/** What a channel supplies. The hash is the one that was shown; `by` is a label, recorded as given. */
export interface ChannelDecision {
  readonly run: string
  readonly id: string
  readonly hash: string
  readonly by: string
  readonly note: string | null
  /** `channel/<name>`; null for an operator on the host itself. */
  readonly via: string | null
}

/** The closed list of what a channel may be refused for, in the signed protocol's own words (approval-channel section 5). */
export type ChannelRefusal =
  | 'not_found'
  | 'run_not_waiting'
  | 'run_finished'
  | 'not_pending'
  | 'approval_changed'
  | 'approval_hash'
  | 'expired'
  | 'not_an_approver'

export type Answered<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: ChannelRefusal }

export interface Approver {
  /** At most `limit` of what waits in a run, oldest first; empty where nothing of it can be decided. */
  pending(run: string, limit: number): Promise<Answered<readonly Approval[]>>
  /** One approval of a run, whatever its state. */
  show(run: string, id: string): Promise<Answered<Approval>>
  approve(decision: ChannelDecision): Promise<Answered<Decision>>
  /** Of a hook's approval: denies that one call, and nothing else. */
  reject(decision: ChannelDecision): Promise<Answered<Decision>>
  /** Denies what waits in a run, and each later call of it. */
  cancel(run: string, by: string, note: string | null, via: string | null): Promise<Answered<null>>
}

export interface Approving {
  readonly store: ApprovalStore
  readonly clock: Clock
  readonly newGiveUp: (source: string, now: Date) => Date
  /** Whether a channel may decide what this approval asks of its set. */
  readonly mayDecide: (via: string | null, approvers: string) => boolean
  /** Something is due. */
  readonly wake: () => void
}

export function approver(deps: Approving): Approver {
  const { store, clock } = deps
  return {
    async pending(run, limit) {
      const rows = await store.ofRun(run)
      if (rows.length === 0) return refused('not_found')
      return { ok: true, value: rows.filter((row) => row.status === 'pending').slice(0, limit) }
    },
    async show(run, id) {
      const row = (await store.ofRun(run)).find((one) => one.rowId === id)
      return row === undefined ? refused('not_found') : { ok: true, value: row }
    },
    approve: (decision) => deciding(deps, decision, 'approve'),
    reject: (decision) => deciding(deps, decision, 'deny'),
    async cancel(run, by, note, via) {
      const outcome = await store.unit(async (unit): Promise<Answered<null>> => {
        const rows = await unit.ofRun(run)
        if (rows.length === 0) return refused('not_found')
        const now = clock.now()
        const sources = new Set(rows.map(({ source }) => source))
        let cancelled = false
        for (const source of sources) cancelled = (await unit.cancelRun(source, run, { by, note, at: now })) || cancelled
        if (!cancelled) return refused('run_finished')
        for (const row of rows) {
          if (row.status !== 'pending') continue
          const decision: Decision = { verdict: 'deny', outcome: 'cancelled', by, via, note, at: now }
          if (!(await unit.decide(row.rowId, row.hash, decision, deps.newGiveUp(row.source, now)))) continue
          await unit.schedule('settle', row.rowId, now)
          await unit.schedule('present', row.rowId, now)
        }
        return { ok: true, value: null }
      })
      deps.wake()
      return outcome
    },
  }
}

/** In the order of the protocol: the run, its state, the approval, its state, its hash, its row; then one conditional change. */
async function deciding(deps: Approving, decision: ChannelDecision, verdict: Verdict): Promise<Answered<Decision>> {
  const { store, clock } = deps
  const rows = await store.ofRun(decision.run)
  if (rows.length === 0) return refused('not_found')
  if (!rows.some(waits)) return refused('run_not_waiting')
  const row = rows.find((one) => one.rowId === decision.id)
  if (row === undefined) return refused('not_found')
  if (row.status !== 'pending') return refused('not_pending')
  if (row.hash !== decision.hash) return refused('approval_changed')
  if (row.form === 'review' && hashOf(row.call) !== row.hash) return refused('approval_hash')
  const now = clock.now()
  if (row.ruling.ruling !== 'ask' || !deps.mayDecide(decision.via, row.ruling.approvers)) return refused('not_an_approver')
  const { by, via, note } = decision
  const decided = await decide(store, {
    rowId: row.rowId,
    hash: row.hash,
    verdict,
    by,
    via,
    note,
    at: now,
    giveUpAt: deps.newGiveUp(row.source, now),
  })
  deps.wake()
  if (decided.ok) return { ok: true, value: decided.decision }
  switch (decided.refusal) {
    case 'unknown_approval':
      return refused('not_found')
    case 'approval_changed':
    case 'expired':
      return refused(decided.refusal)
    case 'not_pending':
    case 'not_asked':
      return refused('not_pending')
  }
}

/** A hook's run waits while one of its calls is pending, or decided and not settled. */
function waits(row: Approval): boolean {
  return row.status === 'pending' || row.status === 'decided'
}

function refused(refusal: ChannelRefusal): { readonly ok: false; readonly refusal: ChannelRefusal } {
  return { ok: false, refusal }
}

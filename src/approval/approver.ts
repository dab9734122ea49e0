/**
 * The five things that a channel can do with the approvals that we hold, whichever source they come from. Everything is
 * addressed by a run: nothing lists runs, so who holds one run's id learns nothing about another's.
 */
import type { Approval, Decision, Verdict } from './approval.ts'
import { isWhole } from './canonical.ts'
import { decide } from './decide.ts'
import type { ApprovalStore, Clock, RunOwner, Unit } from './ports.ts'

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
  /** Of a hook's approval: denies that one call, and nothing else. Of another source's: ends its run. */
  reject(decision: ChannelDecision): Promise<Answered<Decision>>
  /**
   * Of a hook's run: denies what waits in it, and each later call of it. Of another source's: ends it there.
   * @throws Failure when that source did not answer for good
   */
  cancel(run: string, by: string, note: string | null, via: string | null): Promise<Answered<null>>
}

export interface Approving {
  readonly store: ApprovalStore
  readonly clock: Clock
  readonly newGiveUp: (source: string, now: Date) => Date
  /** Whether a channel may decide what this approval asks of its set; null: of any set at all. */
  readonly mayDecide: (via: string | null, approvers: string | null) => boolean
  /** The sources whose runs live elsewhere. */
  readonly owners: readonly RunOwner[]
  /** Something is due. */
  readonly wake: () => void
}

export function approver(deps: Approving): Approver {
  const { store } = deps
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
    cancel: (run, by, note, via) => cancelling(deps, run, { by, note, via }),
  }
}

interface Cancelling {
  readonly by: string
  readonly note: string | null
  readonly via: string | null
}

async function cancelling(deps: Approving, run: string, who: Cancelling): Promise<Answered<null>> {
  const { store } = deps
  if (who.via !== null && !mayCancel(deps, await store.ofRun(run), who.via)) return refused('not_an_approver')
  const here = await store.unit((unit) => cancelHere(deps, unit, run, who))
  deps.wake()
  const outcomes: ('cancelled' | 'run_finished' | 'not_found')[] = [here.outcome]
  for (const owner of deps.owners) {
    // What waited there carries the cancellation itself, and is tried until the source has taken it.
    if (here.told.has(owner.name)) continue
    if (!here.sources.has(owner.name) && !(await owner.isWatched(run))) continue
    if (who.via !== null && !deps.mayDecide(who.via, null)) return refused('not_an_approver')
    outcomes.push(await owner.cancel(run, label(who), who.note))
  }
  if (outcomes.includes('cancelled')) return { ok: true, value: null }
  return refused(outcomes.includes('run_finished') ? 'run_finished' : 'not_found')
}

/** A channel may end what it might deny: all that waits, or where nothing waits, what any set might be asked about. */
function mayCancel({ mayDecide }: Approving, rows: readonly Approval[], via: string): boolean {
  const asked = rows
    .filter(({ status }) => status === 'pending')
    .flatMap(({ ruling }) => (ruling.ruling === 'ask' ? [ruling.approvers] : []))
  return asked.length > 0 ? asked.every((approvers) => mayDecide(via, approvers)) : rows.length === 0 || mayDecide(via, null)
}

/** What one commit can do: a hook's run is cancelled by our own record, and each pending approval by a decision. */
async function cancelHere(
  deps: Approving,
  unit: Unit,
  run: string,
  { by, note, via }: Cancelling,
): Promise<{
  readonly outcome: 'cancelled' | 'run_finished' | 'not_found'
  readonly told: ReadonlySet<string>
  readonly sources: ReadonlySet<string>
}> {
  const now = deps.clock.now()
  const rows = await unit.ofRun(run)
  const sources = new Set(rows.map(({ source }) => source))
  const hooks = new Set(rows.filter(({ form }) => form === 'review').map(({ source }) => source))
  let cancelled = false
  for (const source of hooks) cancelled = (await unit.cancelRun(source, run, { by, note, at: now })) || cancelled
  const told = new Set<string>()
  for (const row of rows) {
    if (row.status !== 'pending') continue
    const decision: Decision = { verdict: 'deny', outcome: 'cancelled', by, via, note, at: now }
    if (!(await unit.decide(row.rowId, row.hash, decision, deps.newGiveUp(row.source, now)))) continue
    told.add(row.source)
    await unit.schedule('settle', row.rowId, now)
    await unit.schedule('present', row.rowId, now)
  }
  const outcome = cancelled || told.size > 0 ? 'cancelled' : hooks.size > 0 ? 'run_finished' : 'not_found'
  return { outcome, told, sources }
}

/** What a source records of who decided: a label that came over a channel says so, since nobody here checked it. */
export function label({ by, via }: { readonly by: string; readonly via: string | null }): string {
  return via === null ? by : `${via}: ${by}`
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
  if (row.form === 'review' && !isWhole(row)) return refused('approval_hash')
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
    case 'not_whole':
      return refused('approval_hash')
    case 'not_pending':
    case 'closed':
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

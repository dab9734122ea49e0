/**
 * One look at a run: what it lists is opened, and what it no longer lists is asked after, one by one. A list may be cut and
 * shortened (approval-channel section 2), so that nothing is opened from it, and nothing is withdrawn for its silence alone.
 */
import type { Approval, ApprovalId, Asked, Closed, Elsewhere, RowId, Ruling } from '../../approval/approval.ts'
import { isWhole } from '../../approval/canonical.ts'
import { mayReturn, type Opened } from '../../approval/open.ts'
import { Failure } from '../../approval/ports.ts'
import type { ChannelClient, Refused } from '../../approval-channel/client.ts'
import type { ChannelApproval } from '../../approval-channel/wire.ts'
import { asked } from './asked.ts'
import { troubleOf } from './trouble.ts'

export interface Looking {
  readonly name: string
  readonly client: Pick<ChannelClient, 'list' | 'show'>
  /** Resolves when the next request may leave. */
  readonly slot: () => Promise<void>
  readonly now: () => Date
  readonly newRowId: () => RowId
  /** Always an ask: the source's own policy has asked already. */
  readonly rule: (tool: string) => Ruling
  readonly ofRun: (run: string) => Promise<readonly Approval[]>
  readonly open: (asked: Asked) => Promise<Opened>
  readonly close: (rowId: RowId, ending: { because: Closed; at: Date; elsewhere: Elsewhere | null }) => Promise<boolean>
  /** Ids and codes only. */
  readonly observe: (event: LookEvent) => void
}

export type LookEvent =
  | {
      readonly event: 'watch.opened'
      readonly source: string
      readonly run: string
      readonly row: string
      readonly again: boolean
      readonly whole: boolean
    }
  | {
      readonly event: 'watch.closed'
      readonly source: string
      readonly run: string
      readonly row: string
      readonly because: Closed
    }

export interface Looked {
  /** `over`: the run has ended. `unknown`: the source does not know it, now at least. */
  readonly found: 'waiting' | 'nothing' | 'over' | 'unknown'
  /** Whether a row was opened or ended. */
  readonly changed: boolean
  /** What could not be looked at; the rest was. */
  readonly trouble: Failure | undefined
}

/** @param opens whether approvals are opened that nobody here knows yet. @throws Failure when the source does not answer for good */
export async function look(deps: Looking, run: string, opens: boolean): Promise<Looked> {
  await deps.slot()
  const listed = await deps.client.list(run)
  if (!listed.ok && listed.code !== 'not_found' && listed.code !== 'run_finished') throw thrown(listed, deps.now())
  const pending = listed.ok ? listed.value.slice(0, MOST_ITEMS) : []
  const known = await own(deps, run)
  let changed = false
  let trouble: Failure | undefined
  const attempt = async (work: () => Promise<boolean>): Promise<void> => {
    try {
      changed = (await work()) || changed
    } catch (error) {
      // One approval that cannot be shown must not hide the others; a source that is gone hides them anyway.
      if (!(error instanceof Failure) || AWAY.has(error.trouble.code)) throw error
      trouble = error
    }
  }
  for (const item of pending) {
    const same = known.find((row) => row.id === item.id && row.hash === item.hash)
    if (item.expired) {
      if (same?.status === 'pending') await attempt(() => end(deps, same, 'expired'))
    } else if (same === undefined ? opens || known.some(({ id }) => id === item.id) : mayReturn(same)) {
      await attempt(() => take(deps, run, item.id))
    }
  }
  const listedNow = (row: Approval): boolean => pending.some((item) => item.id === row.id && item.hash === row.hash)
  for (const row of await own(deps, run)) {
    if (row.status === 'pending' && !listedNow(row)) await attempt(() => askAfter(deps, row, pending.length === 0))
  }
  return { found: foundIn(listed, pending.length), changed, trouble }
}

/** The protocol's list has twenty; a source that sends more is not followed without end. */
const MOST_ITEMS = 40

/** Nothing of the source can be looked at now. */
const AWAY = new Set(['unreachable', 'no_answer', 'rate_limited', 'clocks_differ', 'bad_signature', 'bad_certificate'])

function foundIn(listed: { readonly ok: true } | Refused, waiting: number): Looked['found'] {
  if ('code' in listed) return listed.code === 'run_finished' ? 'over' : 'unknown'
  return waiting > 0 ? 'waiting' : 'nothing'
}

async function own({ ofRun, name }: Looking, run: string): Promise<readonly Approval[]> {
  return (await ofRun(run)).filter(({ source }) => source === name)
}

/** Opens what can be decided, from the whole that show serves. */
async function take(deps: Looking, run: string, id: ApprovalId): Promise<boolean> {
  await deps.slot()
  const shown = await deps.client.show(run, id)
  if (!shown.ok) {
    if (shown.code === 'expired' || shown.code === 'not_found') return false
    throw thrown(shown, deps.now())
  }
  return opened(deps, shown.value)
}

async function opened(
  deps: Looking,
  { approval, theirClock }: { readonly approval: ChannelApproval; readonly theirClock: Date | undefined },
): Promise<boolean> {
  if (approval.status !== 'pending' || approval.expired) return false
  const made = { rowId: deps.newRowId(), ruling: deps.rule(approval.request.spec.name), at: deps.now(), theirClock }
  const result = await deps.open(asked(deps.name, approval, made))
  if (result.opened !== 'new' && result.opened !== 'again') return false
  const { rowId, run } = result.approval
  deps.observe({
    event: 'watch.opened',
    source: deps.name,
    run,
    row: rowId,
    again: result.opened === 'again',
    whole: isWhole(result.approval),
  })
  return true
}

/** What became of an approval that is pending here and not listed there. */
async function askAfter(deps: Looking, row: Approval, nothingListed: boolean): Promise<boolean> {
  await deps.slot()
  const shown = await deps.client.show(row.run, row.id)
  if (!shown.ok) {
    if (shown.code === 'expired') return end(deps, row, 'expired')
    if (shown.code === 'not_found') return end(deps, row, 'withdrawn')
    throw thrown(shown, deps.now())
  }
  const { approval } = shown.value
  // Where the new content is not to be decided any more, no new card is promised.
  if (approval.hash !== row.hash) return (await opened(deps, shown.value)) || end(deps, row, 'withdrawn')
  switch (approval.status) {
    case 'approved':
    case 'rejected':
      return end(deps, row, 'decided_elsewhere', {
        verdict: approval.status === 'approved' ? 'approve' : 'deny',
        by: approval.decided_by,
      })
    case 'expired':
      return end(deps, row, 'expired')
    case 'pending':
    case '':
      // A run that does not wait lists nothing and leaves the row as it was; a full list may just have no room for it.
      return nothingListed ? end(deps, row, 'withdrawn') : false
  }
}

async function end(deps: Looking, row: Approval, because: Closed, elsewhere: Elsewhere | null = null): Promise<boolean> {
  const ended = await deps.close(row.rowId, { because, at: deps.now(), elsewhere })
  if (ended) deps.observe({ event: 'watch.closed', source: deps.name, run: row.run, row: row.rowId, because })
  return ended
}

function thrown(refused: Refused, now: Date): Failure {
  return troubleOf(refused, now, 'no') ?? new Failure({ kind: 'lasting', code: refused.code }, 'no')
}

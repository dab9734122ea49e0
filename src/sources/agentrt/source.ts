/**
 * Tells a channel source what was decided (approval-channel sections 1.3 to 1.5 and 5). Where an earlier attempt had no answer,
 * the source is asked what stands before anything is sent again.
 */
import type { Approval, RefusedWhy, Resolution } from '../../approval/approval.ts'
import { label } from '../../approval/approver.ts'
import { Failure, type RunOwner, type Source } from '../../approval/ports.ts'
import type { ChannelClient, Refused } from '../../approval-channel/client.ts'
import { troubleOf } from './trouble.ts'

export interface Deciding {
  readonly name: string
  readonly client: ChannelClient
  readonly now: () => Date
  readonly isWatched: (run: string) => Promise<boolean>
  /** The run is over for good. */
  readonly ended: (run: string) => Promise<void>
  /** Something of the run changed over there, or is about to. */
  readonly look: (run: string) => void
  /** Looks at a run now, and opens what waits in it. @throws Failure */
  readonly ask: (run: string) => Promise<unknown>
}

type Decided = Approval & { readonly status: 'decided' }

/** A hook's approval that another Countersign serves: there a reject denies one call, and its run goes on. */
const ONE_CALL = 'tool_execution_review'

/** Our own served channel counts a vote that completes no quorum; asked again this much later. Milliseconds. */
const VOTES_WAIT_MS = 60_000

export function agentrtSource(deps: Deciding): Source & RunOwner {
  return {
    name: deps.name,
    async resolve(approval, earlierMayHaveLanded) {
      const resolution = await resolving(deps, approval, earlierMayHaveLanded)
      // The card will promise a new one, which must stand in the record before: the run may not be watched.
      if (resolution.resolution === 'refused' && resolution.why === 'changed') await deps.ask(approval.run)
      const { decision } = approval
      if (resolution.resolution === 'done' && decision.verdict === 'deny' && approval.kind !== ONE_CALL)
        await deps.ended(approval.run)
      deps.look(approval.run)
      return resolution
    },
    isWatched: deps.isWatched,
    async cancel(run, by, note) {
      const answer = await deps.client.cancel(run, { by, note })
      if (answer.ok) {
        await deps.ended(run)
        return 'cancelled'
      }
      if (answer.code === 'run_finished') await deps.ended(run)
      if (answer.code === 'run_finished' || answer.code === 'not_found') return answer.code
      throw troubleOf(answer, deps.now(), 'maybe') ?? new Failure({ kind: 'lasting', code: answer.code }, 'no')
    },
  }
}

async function resolving(deps: Deciding, approval: Decided, earlierMayHaveLanded: boolean): Promise<Resolution> {
  const { client } = deps
  const { run, id, hash, decision } = approval
  const by = label(decision)
  if (decision.outcome === 'cancelled') {
    const answer = await client.cancel(run, { by, note: decision.note })
    if (answer.ok || answer.code === 'run_finished') await deps.ended(run)
    return answer.ok ? { resolution: 'done' } : refusedAs(answer, deps.now(), earlierMayHaveLanded)
  }
  if (earlierMayHaveLanded) {
    const stands = await lookUp(deps, approval, by)
    if (stands !== undefined) return stands
  }
  const sent = { hash, by, note: decision.note }
  const answer = await (decision.verdict === 'approve' ? client.approve(run, id, sent) : client.reject(run, id, sent))
  if (!answer.ok) return refusedAs(answer, deps.now(), earlierMayHaveLanded)
  if (answer.value === 'pending') throw new Failure({ kind: 'passing', code: 'waits_for_others' }, 'maybe', VOTES_WAIT_MS)
  return { resolution: 'done' }
}

/** What stands at the source; undefined when nothing of ours has landed. */
async function lookUp({ client, now }: Deciding, approval: Decided, by: string): Promise<Resolution | undefined> {
  const { run, id, hash, decision } = approval
  const shown = await client.show(run, id)
  if (!shown.ok) {
    // It answers 410 for what was decided in time, too (approval-channel section 5).
    if (shown.code === 'expired' || shown.code === 'not_found') return refusedAs(shown, now(), true)
    throw troubleOf(shown, now(), 'maybe') ?? new Failure({ kind: 'lasting', code: shown.code }, 'maybe')
  }
  const stands = shown.value.approval
  if (stands.hash !== hash) return refused('changed', 200, true)
  const ours = stands.decided_by === by && stands.status === (decision.verdict === 'approve' ? 'approved' : 'rejected')
  switch (stands.status) {
    case 'pending':
      return undefined
    case 'approved':
    case 'rejected':
      return ours ? { resolution: 'done' } : refused('resolved_elsewhere', 200, false)
    case 'expired':
      return refused('expired', 200, true)
    case '':
      throw new Failure({ kind: 'lasting', code: 'answer_unreadable' }, 'maybe')
  }
}

function refusedAs(answer: Refused, now: Date, ownAttemptMayHaveLanded: boolean): Resolution {
  const trouble = troubleOf(answer, now, 'maybe')
  if (trouble !== undefined) throw trouble
  return refused(whyOf(answer), answer.status, ownAttemptMayHaveLanded)
}

function refused(why: RefusedWhy, status: number, ownAttemptMayHaveLanded: boolean): Resolution {
  return { resolution: 'refused', why, status, ownAttemptMayHaveLanded }
}

function whyOf({ code }: Refused): RefusedWhy {
  switch (code) {
    case 'not_found':
      return 'unknown_approval'
    case 'not_pending':
      return 'resolved_elsewhere'
    case 'expired':
      return 'expired'
    case 'approval_changed':
      return 'changed'
    case 'run_not_waiting':
    case 'run_finished':
      return 'run_not_waiting'
    case 'approval_hash':
      return 'damaged'
    case 'not_an_approver':
      return 'not_allowed'
    case 'bad_request':
    case 'unauthorized':
    case 'body_too_large':
    case 'rate_limited':
    case 'internal':
      return 'refused'
  }
}

/** An approval that we hold, as the signed channel presents it (approval-channel section 2). */
import type { Approval } from '../../approval/approval.ts'
import { ApprovalId } from '../../approval/approval.ts'
import { isObject, type Json, JsonNumber, type JsonObject, parseJson } from '../../approval/json.ts'
import { channelTime } from '../../approval-channel/time.ts'
import { ChannelApproval, type ChannelStatus } from '../../approval-channel/wire.ts'

/** @param run the run that was asked for: a worker's call is addressable under its root too */
export function served(approval: Approval, run: string, now: Date): ChannelApproval {
  const decision = approval.status === 'decided' || approval.status === 'resolved' ? approval.decision : undefined
  const elsewhere = approval.status === 'closed' ? approval.elsewhere : null
  return {
    // Our row's own: two hooks may share an id, and a changed approval has two rows.
    id: ApprovalId.parse(approval.rowId),
    run_id: run,
    ...(approval.form === 'review' ? ofReview(approval) : ofChannel(approval)),
    hash: approval.hash,
    status: statusOf(approval),
    created_at: channelTime(approval.openedAt),
    expires_at: approval.expiresAt === null ? undefined : channelTime(approval.expiresAt),
    decided_at: decision === undefined ? undefined : channelTime(decision.at),
    decided_by: decision?.by ?? elsewhere?.by ?? '',
    note: decision?.note ?? '',
    decode_error: approval.decodeError ?? '',
    reason: approval.sourceReason ?? (approval.ruling.ruling === 'allow' ? '' : approval.ruling.reason),
    expired: approval.expiresAt !== null && approval.expiresAt < now,
  }
}

type Called = Pick<ChannelApproval, 'step_id' | 'kind' | 'capability' | 'presentation' | 'request'>

/** What came over a channel goes over ours as it came: its four hashed members are the stored call. */
function ofChannel(approval: Approval): Called {
  const stored = parseJson(approval.call)
  if (!isObject(stored)) throw new Error('a stored call is not an object')
  const rest: readonly (readonly [string, Json])[] = [
    ['id', approval.rowId],
    ['run_id', approval.run],
    ['step_id', approval.toolCall],
    ['hash', approval.hash],
    ['status', 'pending'],
    ['created_at', channelTime(approval.openedAt)],
  ]
  const { step_id, kind, capability, presentation, request } = ChannelApproval.parse(new Map([...stored, ...rest]))
  return { step_id, kind, capability, presentation, request }
}

function ofReview(approval: Approval): Called {
  const review = parseJson(approval.call)
  if (!isObject(review)) throw new Error('a stored call is not an object')
  const about: readonly (readonly [string, string | null])[] = [
    ['agent', approval.agent],
    ['issuing_run', approval.run],
    ['source', approval.source],
    ['source_id', approval.id],
    ['thread', approval.thread],
    ['tool', approval.tool],
    ['worker', approval.worker],
  ]
  const capability: JsonObject = new Map(about.filter((entry): entry is readonly [string, string] => entry[1] !== null))
  const preview: Json = review.get('preview') ?? new Map()
  return {
    step_id: approval.toolCall,
    kind: 'tool_execution_review',
    capability,
    presentation: preview,
    request: {
      run_id: approval.run,
      step_id: approval.toolCall,
      spec: {
        name: approval.tool,
        description: '',
        input_schema: null,
        side_effect: '',
        timeout: new JsonNumber('0'),
        terminal: false,
      },
      args: review.get('input') ?? null,
    },
  }
}

function statusOf(approval: Approval): ChannelStatus {
  switch (approval.status) {
    case 'pending':
      return 'pending'
    case 'decided':
    case 'resolved':
      return approval.decision.verdict === 'approve' ? 'approved' : 'rejected'
    case 'closed':
      return closedStatus(approval)
  }
}

/** The protocol has no word for what was taken back: like what ran out, it can be decided no longer. */
function closedStatus({ because, elsewhere }: Approval & { status: 'closed' }): ChannelStatus {
  switch (because) {
    case 'allowed_by_rule':
      return 'approved'
    case 'denied_by_rule':
    case 'cancelled':
      return 'rejected'
    case 'decided_elsewhere':
      return elsewhere?.verdict === 'approve' ? 'approved' : 'rejected'
    case 'expired':
    case 'withdrawn':
    case 'changed':
      return 'expired'
  }
}

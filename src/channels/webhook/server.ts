/**
 * The signed approval channel's server, over every approval that we hold (approval-channel sections 1 and 5): what is routed once
 * the gate let it through. Nothing lists runs.
 */
import type { Answered, Approver, ChannelDecision, ChannelRefusal } from '../../approval/approver.ts'
import type { SignatureBook } from '../../approval/ports.ts'
import { failure, type RawAnswer, type RefusedEvent, stopAnswer, success } from '../../approval-channel/answer.ts'
import type { ChannelCode } from '../../approval-channel/code.ts'
import { readCancel, readDecision } from '../../approval-channel/decision-body.ts'
import {
  GATE_BOUNDS,
  type GateBounds,
  gate,
  type NamedSecret,
  type Passed,
  type RawRequest,
} from '../../approval-channel/gate.ts'
import { approvalText } from '../../approval-channel/text.ts'
import { writeAnswer, writeApproval, writeList } from '../../approval-channel/wire.ts'
import { served } from './served.ts'

export interface Serving {
  readonly approver: Approver
  readonly channels: readonly NamedSecret[]
  readonly signatures: SignatureBook
  readonly now: () => Date
  readonly bounds: ServerBounds
}

export interface ServerBounds extends GateBounds {
  /** Entries of a list. */
  readonly limit: number
}

/** The protocol's own (approval-channel section 0). */
export const BOUNDS: ServerBounds = { ...GATE_BOUNDS, limit: 20 }

type ChannelAnswer = RawAnswer<ChannelEvent>

/** Decided and refused requests (approval-channel section 8). No note and no hash. */
export type ChannelEvent =
  | {
      readonly event: 'webhook.decision'
      readonly channel: string
      readonly run: string
      readonly action: 'approve' | 'reject' | 'cancel'
      readonly approval: string
      readonly by: string
      readonly remote: string
      readonly status: number
      readonly error?: ChannelCode
    }
  | RefusedEvent<'webhook.refused'>

/** @throws RangeError for one that could answer nobody: without an Approver behind it, or without a secret before it */
export function channelServer(serving: Serving): (request: RawRequest) => Promise<ChannelAnswer> {
  const { channels, signatures, now, bounds } = serving
  // A caller without types must not find out at the first decision.
  const { approver }: Partial<Serving> = serving
  if (approver === undefined) throw new RangeError('a served channel needs an Approver: what it shows and decides over')
  if (channels.length === 0) throw new RangeError('a served channel needs a secret: nobody could sign for it')
  const pass = gate({ secretsOf: () => channels, signatures, now, bounds })
  return async (request) => {
    const passed = await pass(request)
    return passed.ok ? route(serving, request, passed) : stopAnswer('webhook.refused', request, passed)
  }
}

async function route(serving: Serving, request: RawRequest, { name: channel, segments, body }: Passed): Promise<ChannelAnswer> {
  const [runs, run, what, id, verb] = segments
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (runs === 'runs' && run !== undefined && run !== '') {
    if (what === 'approvals' && segments.length === 3 && reads) return list(serving, run)
    if (what === 'approvals' && segments.length === 4 && id !== undefined && id !== '' && reads)
      return show(serving, run, id, request)
    if (
      what === 'approvals' &&
      segments.length === 5 &&
      id !== undefined &&
      request.method === 'POST' &&
      (verb === 'approve' || verb === 'reject')
    ) {
      return decideOne(serving, channel, request, run, id, verb, body)
    }
    if (what === 'cancel' && segments.length === 3 && request.method === 'POST')
      return cancel(serving, channel, request, run, body)
  }
  return failure('not_found', 'no such route')
}

async function list({ approver, bounds, now }: Serving, run: string): Promise<ChannelAnswer> {
  const pending = await approver.pending(run, bounds.limit)
  if (!pending.ok) return refusedAnswer(pending.refusal)
  return success(
    200,
    writeList(
      run,
      pending.value.map((approval) => served(approval, run, now())),
    ),
  )
}

async function show({ approver, now }: Serving, run: string, id: string, request: RawRequest): Promise<ChannelAnswer> {
  const shown = await approver.show(run, id)
  if (!shown.ok) return refusedAnswer(shown.refusal)
  const approval = served(shown.value, run, now())
  if (approval.expired) return refusedAnswer('expired')
  if (!wantsText(request)) return success(200, writeApproval(approval))
  return {
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    noStore: false,
    body: approvalText(approval),
    close: false,
    event: undefined,
  }
}

function wantsText({ target, headers }: RawRequest): boolean {
  const at = target.indexOf('?')
  const format = at < 0 ? null : new URLSearchParams(target.slice(at + 1)).get('format')
  return format === 'text' || headers.accept?.[0]?.startsWith('text/plain') === true
}

async function decideOne(
  { approver }: Serving,
  channel: string,
  request: RawRequest,
  run: string,
  id: string,
  action: 'approve' | 'reject',
  bytes: Uint8Array,
): Promise<ChannelAnswer> {
  const body = readDecision(bytes, run, id)
  if (!body.ok) return failure('bad_request', body.error)
  const { by, hash, note } = body.value
  const decision: ChannelDecision = { run, id, hash, by, note: note === '' ? null : note, via: via(channel) }
  const decided = await (action === 'approve' ? approver.approve(decision) : approver.reject(decision))
  const answer = decided.ok
    ? success(
        action === 'approve' ? 202 : 200,
        writeAnswer({ approval_id: id, by, hash, run_id: run, status: action === 'approve' ? 'approved' : 'rejected' }),
      )
    : refusedAnswer(decided.refusal)
  return observed(answer, channel, request, { run, action, approval: id, by }, decided)
}

async function cancel(
  { approver }: Serving,
  channel: string,
  request: RawRequest,
  run: string,
  bytes: Uint8Array,
): Promise<ChannelAnswer> {
  const body = readCancel(bytes, run)
  if (!body.ok) return failure('bad_request', body.error)
  const { by, note } = body.value
  const cancelled = await approver.cancel(run, by, note === '' ? null : note, via(channel))
  const answer = cancelled.ok
    ? success(200, writeAnswer({ by, run_id: run, status: 'cancelled' }))
    : refusedAnswer(cancelled.refusal)
  return observed(answer, channel, request, { run, action: 'cancel', approval: '', by }, cancelled)
}

function via(channel: string): string {
  return `channel/${channel}`
}

function observed(
  answer: ChannelAnswer,
  channel: string,
  { remote }: RawRequest,
  what: {
    readonly run: string
    readonly action: 'approve' | 'reject' | 'cancel'
    readonly approval: string
    readonly by: string
  },
  outcome: Answered<unknown>,
): ChannelAnswer {
  const error = outcome.ok ? {} : { error: outcome.refusal }
  return {
    ...answer,
    event: { event: 'webhook.decision', channel, ...what, remote, status: answer.status, ...error },
  }
}

/** One sentence each. Clients match the code alone. */
const TEXTS = {
  not_found: 'there is no such run, or no such approval of it',
  run_not_waiting: 'nothing of this run waits for a decision',
  run_finished: 'the run was cancelled before',
  not_pending: 'the approval is already decided',
  approval_changed: 'the approval is not the one that was shown',
  approval_hash: 'the stored approval no longer matches its own hash',
  expired: 'the approval has expired',
  not_an_approver: 'this channel may not decide this',
} as const satisfies Record<ChannelRefusal, string>

function refusedAnswer(refusal: ChannelRefusal): ChannelAnswer {
  return failure(refusal, TEXTS[refusal])
}

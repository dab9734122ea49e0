/**
 * The signed approval channel's server, over every approval that we hold (approval-channel sections 1, 4 and 5). The order of work
 * is fixed: rate, body, signature, replay, route. Nothing is routed that did not verify, and nothing lists runs.
 */
import type { Answered, Approver, ChannelDecision, ChannelRefusal } from '../../approval/approver.ts'
import type { SignatureBook } from '../../approval/ports.ts'
import type { ChannelCode } from '../../approval-channel/code.ts'
import { STATUS_OF } from '../../approval-channel/code.ts'
import { readCancel, readDecision } from '../../approval-channel/decision-body.ts'
import { type ChannelSecret, decodePath, remembered, unverified } from '../../approval-channel/signature.ts'
import { approvalText } from '../../approval-channel/text.ts'
import { writeAnswer, writeApproval, writeList } from '../../approval-channel/wire.ts'
import { bucket } from './bucket.ts'
import { served } from './served.ts'

export interface ServedChannel {
  readonly name: string
  readonly secret: ChannelSecret
}

export interface Serving {
  readonly approver: Approver
  readonly channels: readonly ServedChannel[]
  readonly signatures: SignatureBook
  readonly now: () => Date
  readonly bounds: ServerBounds
}

export interface ServerBounds {
  readonly perSecond: number
  readonly burst: number
  readonly maxBodyBytes: number
  readonly skewSeconds: number
  /** Entries of a list. */
  readonly limit: number
}

/** The protocol's own (approval-channel section 0). */
export const BOUNDS: ServerBounds = { perSecond: 10, burst: 20, maxBodyBytes: 16_384, skewSeconds: 300, limit: 20 }

export interface ChannelRequest {
  readonly method: string
  /** The target as it was sent, without the prefix that the channel is mounted at. */
  readonly target: string
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  readonly remote: string
  readonly read: (
    maxBytes: number,
  ) => Promise<{ readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly because: string }>
}

export interface ChannelAnswer {
  readonly status: number
  readonly contentType: string
  readonly noStore: boolean
  readonly body: string
  /** The body was not read to its end. */
  readonly close: boolean
  /** For observers, once the answer has left. */
  readonly event: ChannelEvent | undefined
}

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
  | {
      readonly event: 'webhook.refused'
      readonly method: string
      readonly path: string
      readonly reason: string
      readonly remote: string
      readonly status: number
    }

export function channelServer(serving: Serving): (request: ChannelRequest) => Promise<ChannelAnswer> {
  const { bounds } = serving
  const take = bucket(bounds.perSecond, bounds.burst, () => serving.now().getTime())
  /** More than can be sent within the window at the rate that is let through. */
  const most = bounds.burst + bounds.perSecond * 2 * bounds.skewSeconds + 1
  return async (request) => {
    const refuse = (code: ChannelCode, error: string, reason: string, close = false): ChannelAnswer => ({
      ...failure(code, error),
      close,
      event: {
        event: 'webhook.refused',
        method: request.method,
        path: pathOf(request.target),
        reason,
        remote: request.remote,
        status: STATUS_OF[code],
      },
    })
    if (!take()) return refuse('rate_limited', 'too many requests', 'rate limit exceeded', true)
    const body = await request.read(bounds.maxBodyBytes)
    if (!body.ok) {
      if (body.because === 'too_large')
        return refuse('body_too_large', `body over ${bounds.maxBodyBytes} bytes`, 'body too large', true)
      return { ...failure('bad_request', 'body could not be read'), close: true }
    }
    const path = decodePath(request.target)
    if (path === undefined) return failure('bad_request', 'the path is malformed')
    const signed = { method: request.method, path: path.path, headers: request.headers, body: body.bytes }
    const now = serving.now()
    const verdicts = serving.channels.map((channel) => ({
      channel,
      why: unverified(signed, channel.secret, now, bounds.skewSeconds),
    }))
    const verified = verdicts.find(({ why }) => why === undefined)?.channel
    if (verified === undefined) {
      const why = verdicts[0]?.why ?? 'signature does not match'
      return refuse('unauthorized', why, why)
    }
    const { key, until } = remembered(signed, bounds.skewSeconds)
    const use = await serving.signatures.use(verified.name, key, until, now, most)
    if (use === 'used') return refuse('unauthorized', 'signature already used', 'signature already used')
    if (use === 'full') return refuse('unauthorized', 'too many signatures in the window', 'too many signatures in the window')
    return route(serving, verified, request, path.segments, body.bytes)
  }
}

async function route(
  serving: Serving,
  channel: ServedChannel,
  request: ChannelRequest,
  segments: readonly (string | undefined)[],
  body: Uint8Array,
): Promise<ChannelAnswer> {
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

async function show({ approver, now }: Serving, run: string, id: string, request: ChannelRequest): Promise<ChannelAnswer> {
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

function wantsText({ target, headers }: ChannelRequest): boolean {
  const at = target.indexOf('?')
  const format = at < 0 ? null : new URLSearchParams(target.slice(at + 1)).get('format')
  return format === 'text' || headers.accept?.[0]?.startsWith('text/plain') === true
}

async function decideOne(
  { approver }: Serving,
  channel: ServedChannel,
  request: ChannelRequest,
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
  channel: ServedChannel,
  request: ChannelRequest,
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

function via({ name }: ServedChannel): string {
  return `channel/${name}`
}

function observed(
  answer: ChannelAnswer,
  channel: ServedChannel,
  { remote }: ChannelRequest,
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
    event: { event: 'webhook.decision', channel: channel.name, ...what, remote, status: answer.status, ...error },
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

function success(status: number, body: string): ChannelAnswer {
  return { status, contentType: 'application/json', noStore: true, body, close: false, event: undefined }
}

function failure(code: ChannelCode, error: string): ChannelAnswer {
  return success(STATUS_OF[code], writeAnswer({ code, error }))
}

/** For the log: the decoded path, never the query. */
function pathOf(target: string): string {
  return decodePath(target)?.path.toString('utf8') ?? 'malformed'
}

/**
 * The calling end of the channel (approval-channel sections 1 to 5). Each call is one attempt under a fresh nonce: nothing is
 * retried, no redirect is followed, and what comes back is bounded in bytes and in time. What the other end says by a code of
 * its closed list is returned; whatever else happens is thrown.
 */
import { Agent } from 'undici'
import type { z } from 'zod'
import type { ApprovalHash, ApprovalId } from '../approval/approval.ts'
import { readJson } from '../approval/json.ts'
import { Failure } from '../approval/ports.ts'
import type { ChannelCode } from './code.ts'
import { writeCancel, writeDecision } from './decision-body.ts'
import { type ChannelSecret, NONCE_HEADER, SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from './signature.ts'
import { CancelAnswer, ChannelApproval, DecisionAnswer, ErrorAnswer, ListAnswer } from './wire.ts'

export interface ChannelEnd {
  /** What stands before `/runs`, or before `/sources` of a nudge, in the address. Plain http only to this machine. */
  readonly url: string
  /** What stands there in the signed path, decoded: what the other end sees of the address. Nothing, unless said otherwise. */
  readonly signedPath?: string
  readonly secret: ChannelSecret
  readonly now: () => Date
  /** Makes 1 to 64 characters of ASCII, never the same ones again. */
  readonly newNonce: () => string
  /** From the first byte sent to the last byte read. Milliseconds. */
  readonly answerMs?: number
}

export interface Refused {
  readonly code: ChannelCode
  readonly status: number
  /** The other end's words, for the log; never matched, never shown. */
  readonly error: string
  /** The other end's clock, to the second, when it told: where it is minutes from ours, every signature is refused. */
  readonly theirClock: Date | undefined
}

/** After `internal` a decision may have been made all the same; after any other code this attempt made none. */
export type Answered<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Refused)

export interface ChannelDecision {
  /** Of what the person saw. */
  readonly hash: ApprovalHash
  readonly by: string
  readonly note: string | null
}

/**
 * Every call @throws Failure when the other end did not answer for good, `landed` saying whether a decision may have been made:
 * `unreachable`, `no_answer`, `bad_certificate`, `answer_too_large`, `http_<status>`, or `answer_unreadable`: what cannot be
 * shown must not be decided. @throws RangeError for an id that no address can carry.
 */
export interface ChannelClient {
  /** What waits, possibly shortened more than by `show`. A run that is not waiting has none. */
  list(runId: string): Promise<Answered<readonly ChannelApproval[]>>
  /** `raw` is the text as served, for `servedWhole`. Look at `expired`, `decode_error` and `status` before offering a decision. */
  show(
    runId: string,
    approvalId: ApprovalId,
  ): Promise<Answered<{ readonly approval: ChannelApproval; readonly raw: string; readonly theirClock: Date | undefined }>>
  /** Grants. The run still waits for its owner; `pending` means that other people must approve too. */
  approve(runId: string, approvalId: ApprovalId, decision: ChannelDecision): Promise<Answered<'approved' | 'pending'>>
  /** Refuses; for an agentrt this cancels the whole run. */
  reject(runId: string, approvalId: ApprovalId, decision: ChannelDecision): Promise<Answered<'rejected' | 'pending'>>
  cancel(runId: string, decision: Omit<ChannelDecision, 'hash'>): Promise<Answered<'cancelled'>>
  close(): Promise<void>
}

/** Signs and sends to one end. */
interface Caller {
  /** One attempt. @throws as each call of `ChannelClient`. */
  call<T>(one: Call<T>): Promise<Answered<T>>
  close(): Promise<void>
}

/** Milliseconds. */
const ANSWER_MS = 10_000
const CONNECT_MS = 5000

/** Twenty approvals of this protocol's size fit many times over. Bytes. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024

interface Call<T> {
  readonly method: 'GET' | 'POST'
  /** The names of the signed path after what `ChannelEnd` puts before it, not encoded. */
  readonly segments: readonly string[]
  readonly body: string
  /** HTTP statuses that mean yes. */
  readonly yes: readonly number[]
  /** Undefined when the answer is not one to this call. */
  readonly read: (bytes: Buffer, theirClock: Date | undefined) => T | undefined
}

/** @throws RangeError for an address that must not be called, saying what to do. */
export function caller(end: ChannelEnd): Caller {
  const { answerMs = ANSWER_MS } = end
  const base = baseOf(end.url)
  // A connection a call: one that the other end closed meanwhile would make a decision uncertain for nothing.
  const agent = new Agent({
    pipelining: 0,
    connect: { timeout: Math.min(CONNECT_MS, answerMs) },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxResponseSize: MOST_ANSWER_BYTES,
  })
  return { call: (one) => attempt(agent, base, end, answerMs, one), close: () => agent.close() }
}

/** @throws RangeError for an address that must not be called, saying what to do. */
export function channelClient(end: ChannelEnd): ChannelClient {
  const { call, close } = caller(end)
  const decide = <Made extends DecisionAnswer['status']>(
    verb: string,
    statuses: readonly Made[],
    yes: readonly number[],
    runId: string,
    approvalId: ApprovalId,
    { hash, by, note }: ChannelDecision,
  ): Promise<Answered<Made>> =>
    call({
      method: 'POST',
      segments: ['runs', runId, 'approvals', approvalId, verb],
      body: writeDecision(runId, approvalId, { hash, by, note: note ?? '' }),
      yes,
      read: (bytes) => {
        const answer = parsed(DecisionAnswer, bytes)
        const same = answer?.run_id === runId && answer.approval_id === approvalId && answer.hash === hash
        return same ? statuses.find((status) => status === answer.status) : undefined
      },
    })
  return {
    list: (runId) =>
      call({
        method: 'GET',
        segments: ['runs', runId, 'approvals'],
        body: '',
        yes: [200],
        read: (bytes) => {
          const answer = parsed(ListAnswer, bytes)
          return answer?.run_id === runId ? answer.pending : undefined
        },
      }),
    show: (runId, approvalId) =>
      call({
        method: 'GET',
        segments: ['runs', runId, 'approvals', approvalId],
        body: '',
        yes: [200],
        read: (bytes, theirClock) => {
          const approval = parsed(ChannelApproval, bytes)
          const same = approval?.run_id === runId && approval.id === approvalId
          return same ? { approval, raw: bytes.toString('utf8'), theirClock } : undefined
        },
      }),
    approve: (runId, approvalId, decision) => decide('approve', ['approved', 'pending'], [202], runId, approvalId, decision),
    reject: (runId, approvalId, decision) => decide('reject', ['rejected', 'pending'], [200, 202], runId, approvalId, decision),
    cancel: (runId, { by, note }) =>
      call({
        method: 'POST',
        segments: ['runs', runId, 'cancel'],
        body: writeCancel(runId, { by, note: note ?? '' }),
        yes: [200],
        read: (bytes) => {
          const answer = parsed(CancelAnswer, bytes)
          return answer?.run_id === runId ? answer.status : undefined
        },
      }),
    close,
  }
}

async function attempt<T>(agent: Agent, base: URL, end: ChannelEnd, answerMs: number, call: Call<T>): Promise<Answered<T>> {
  const { method, segments, body } = call
  const timestamp = Math.floor(end.now().getTime() / 1000)
  const nonce = end.newNonce()
  const path = `${end.signedPath ?? ''}/${segments.join('/')}`
  // What only reads can leave nothing behind.
  const maybe = method === 'GET' ? 'no' : 'maybe'
  const { status, date, bytes } = await exchange(agent, maybe, {
    origin: base.origin,
    path: `${base.pathname.replace(/\/$/, '')}/${segments.map(escaped).join('/')}`,
    method,
    headers: {
      accept: 'application/json',
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      [TIMESTAMP_HEADER]: String(timestamp),
      [NONCE_HEADER]: nonce,
      [SIGNATURE_HEADER]: sign({ secret: end.secret, timestamp, nonce, method, path, body }),
    },
    body: body === '' ? null : body,
    signal: AbortSignal.timeout(answerMs),
  })
  if (call.yes.includes(status)) {
    const value = call.read(bytes, date)
    // Of a decision: it may have been taken, so it is looked up like any other that has no answer.
    if (value === undefined)
      throw new Failure({ kind: maybe === 'maybe' ? 'passing' : 'lasting', code: 'answer_unreadable' }, maybe)
    return { ok: true, value }
  }
  const refused = status >= 400 ? parsed(ErrorAnswer, bytes) : undefined
  if (refused !== undefined) return { ok: false, code: refused.code, status, error: refused.error, theirClock: date }
  throw unexpected(status, maybe)
}

async function exchange(
  agent: Agent,
  maybe: 'no' | 'maybe',
  options: Parameters<Agent['request']>[0],
): Promise<{ readonly status: number; readonly date: Date | undefined; readonly bytes: Buffer }> {
  try {
    const answer = await agent.request(options)
    const date = new Date(String(answer.headers.date))
    return {
      status: answer.statusCode,
      date: Number.isNaN(date.getTime()) ? undefined : date,
      bytes: Buffer.from(await answer.body.arrayBuffer()),
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (NEVER_SENT.includes(code)) throw new Failure({ kind: 'passing', code: 'unreachable' }, 'no')
    if (BAD_CERTIFICATE.includes(code)) throw new Failure({ kind: 'lasting', code: 'bad_certificate' }, 'no')
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
      throw new Failure({ kind: maybe === 'maybe' ? 'passing' : 'lasting', code: 'answer_too_large' }, maybe)
    throw new Failure({ kind: 'passing', code: 'no_answer' }, maybe)
  }
}

const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH']
/** TLS gives up before anything is sent. */
const BAD_CERTIFICATE = [
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]

/** A status without a code of the list: somebody between us and the other end answered, or it is not that other end. */
function unexpected(status: number, maybe: 'no' | 'maybe'): Failure {
  const code = `http_${status}`
  if (status === 408 || status >= 500) return new Failure({ kind: 'passing', code }, maybe)
  if (status === 425 || status === 429) return new Failure({ kind: 'passing', code }, 'no')
  // A redirect stands here too: followed, it would take a decision where no setting sent it.
  return new Failure({ kind: 'lasting', code }, status >= 400 ? 'no' : maybe)
}

export function parsed<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array): z.infer<Schema> | undefined {
  const json = readJson(bytes)
  return json.ok ? schema.safeParse(json.value).data : undefined
}

/** One segment of an address. Dots are escaped where they alone would climb. @throws RangeError */
function escaped(segment: string): string {
  if (segment === '' || /\p{Cs}/u.test(segment)) throw new RangeError('an empty or ill-formed id stands in no address')
  return segment === '.' || segment === '..' ? segment.replaceAll('.', '%2E') : encodeURIComponent(segment)
}

function baseOf(address: string): URL {
  if (!URL.canParse(address)) throw new RangeError('the address of a channel is not a URL: write it like https://host/prefix')
  const url = new URL(address)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new RangeError(
      'the address of a channel holds a user, a query or a fragment: take it out, the secret is a setting of its own',
    )
  const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    throw new RangeError(
      `the address of a channel, ${url.origin}, is neither https nor on this machine: decisions would travel in the open. Use https, or a tunnel that ends at 127.0.0.1`,
    )
  }
  return url
}

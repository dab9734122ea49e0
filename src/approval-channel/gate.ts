/**
 * What every signed request passes before it is routed, in the protocol's fixed order (approval-channel section 4): rate, body,
 * signature, replay. Nothing is routed that did not verify, and a signature is used up whatever the route answers later.
 */
import type { SignatureBook } from '../approval/ports.ts'
import { bucket } from './bucket.ts'
import type { ChannelCode } from './code.ts'
import { type ChannelSecret, decodePath, remembered, unverified } from './signature.ts'

/** A target's names, decoded. One that is not UTF-8 is undefined: it is no id of anything. */
export type Segments = readonly (string | undefined)[]

export interface NamedSecret {
  /** Who its holder is to us, and what its used signatures are remembered under. */
  readonly name: string
  readonly secret: ChannelSecret
}

export interface GateBounds {
  /** Of all requests together, whoever sends them: what is unsigned costs as much. */
  readonly perSecond: number
  readonly burst: number
  readonly maxBodyBytes: number
  /** Either way. */
  readonly skewSeconds: number
}

/** The protocol's own (approval-channel section 0). */
export const GATE_BOUNDS: GateBounds = { perSecond: 10, burst: 20, maxBodyBytes: 16_384, skewSeconds: 300 }

export interface Gating {
  /** Those that may sign for this address; the first that verifies is the one. */
  readonly secretsOf: (segments: Segments) => readonly NamedSecret[]
  readonly signatures: SignatureBook
  readonly now: () => Date
  readonly bounds: GateBounds
}

/** A request of which nothing was read but its head. */
export interface RawRequest {
  readonly method: string
  /** The target as it was sent, from where the signed path begins. */
  readonly target: string
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  readonly remote: string
  readonly read: (
    maxBytes: number,
  ) => Promise<{ readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly because: string }>
}

export interface Passed {
  readonly ok: true
  /** Of the secret that verified. */
  readonly name: string
  readonly segments: Segments
  readonly body: Uint8Array
}

export interface Stopped {
  readonly ok: false
  readonly code: ChannelCode
  /** The protocol's text. */
  readonly error: string
  /** What observers are told; undefined where the protocol tells them nothing (section 8). */
  readonly reason: string | undefined
  /** The body was not read to its end. */
  readonly close: boolean
}

export function gate({ secretsOf, signatures, now, bounds }: Gating): (request: RawRequest) => Promise<Passed | Stopped> {
  const take = bucket(bounds.perSecond, bounds.burst, () => now().getTime())
  /** More than can be sent within the window at the rate that is let through. */
  const most = bounds.burst + bounds.perSecond * 2 * bounds.skewSeconds + 1
  return async ({ method, target, headers, read }) => {
    if (!take()) return stopped('rate_limited', 'too many requests', 'rate limit exceeded', true)
    const body = await read(bounds.maxBodyBytes)
    if (!body.ok) {
      return body.because === 'too_large'
        ? stopped('body_too_large', `body over ${bounds.maxBodyBytes} bytes`, 'body too large', true)
        : stopped('bad_request', 'body could not be read', undefined, true)
    }
    const decoded = decodePath(target)
    if (decoded === undefined) return stopped('bad_request', 'the path is malformed', undefined)
    const { path, segments } = decoded
    const signed = { method, path, headers, body: body.bytes }
    const at = now()
    const verdicts = secretsOf(segments).map(({ name, secret }) => ({
      name,
      why: unverified(signed, secret, at, bounds.skewSeconds),
    }))
    const verified = verdicts.find(({ why }) => why === undefined)
    if (verified === undefined) return unauthorized(verdicts[0]?.why ?? 'signature does not match')
    const { key, until } = remembered(signed, bounds.skewSeconds)
    const use = await signatures.use(verified.name, key, until, at, most)
    if (use === 'used') return unauthorized('signature already used')
    if (use === 'full') return unauthorized('too many signatures in the window')
    return { ok: true, name: verified.name, segments, body: body.bytes }
  }
}

function unauthorized(why: string): Stopped {
  return stopped('unauthorized', why, why)
}

function stopped(code: ChannelCode, error: string, reason: string | undefined, close = false): Stopped {
  return { ok: false, code, error, reason, close }
}

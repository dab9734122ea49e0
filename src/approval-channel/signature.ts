/**
 * The channel's signature (approval-channel section 3). Pure: the secret and the moment come in. What was signed is bytes: the
 * decoded path, and the body as it travelled. Whether a signature came before is the server's to know (section 4, steps 3.5
 * and 3.6); `remembered` says what it must keep for that.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

declare const channelSecretBrand: unique symbol
/** A key object: printed or logged by mistake, it shows nothing of itself. */
export type ChannelSecret = KeyObject & { readonly [channelSecretBrand]: true }

const LEAST_SECRET_BYTES = 32

/** The raw bytes are the key, text as UTF-8; nothing is decoded from hex or base64. @throws RangeError under 32 bytes. */
export function channelSecret(secret: string | Uint8Array): ChannelSecret {
  const bytes = typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret
  if (bytes.length < LEAST_SECRET_BYTES) {
    throw new RangeError(
      `a channel secret must be at least ${LEAST_SECRET_BYTES} bytes and this one has ${bytes.length}: make one with "openssl rand -hex 32" and set it at both ends`,
    )
  }
  return createSecretKey(bytes) as ChannelSecret
}

export const TIMESTAMP_HEADER = 'X-Approval-Timestamp'
export const NONCE_HEADER = 'X-Approval-Nonce'
export const SIGNATURE_HEADER = 'X-Approval-Signature'

/** The signature header's value. @throws RangeError for a timestamp that is no whole number of seconds. */
export function sign(request: {
  readonly secret: ChannelSecret
  /** Unix seconds. */
  readonly timestamp: number
  /** As it stands in its header: one character a byte. */
  readonly nonce: string
  readonly method: string
  /** Percent-decoded, text as UTF-8. Without the query, and without a prefix that is stripped before the other end verifies. */
  readonly path: string | Uint8Array
  readonly body: string | Uint8Array
}): string {
  if (!Number.isSafeInteger(request.timestamp)) throw new RangeError('a timestamp is a whole number of seconds')
  return signature(request.secret, String(request.timestamp), request.nonce, request)
}

export interface SignedRequest {
  /** As sent: `get` is not `GET`. */
  readonly method: string
  /** What `decodePath` made of the target, prefix stripped. */
  readonly path: string | Uint8Array
  /**
   * By name, in any case. Of several values the first counts, so give `headersDistinct`: `headers` joins them. Values are as
   * node:http gives them, one character a byte.
   */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
}

/** The protocol's own texts for a 401 (section 4, steps 3.1 to 3.4), in the order in which they are found. */
export type Unverified =
  | 'missing or malformed X-Approval-Timestamp'
  | 'timestamp outside the accepted window'
  | 'missing or oversized X-Approval-Nonce'
  | 'signature does not match'

/** Why a request is not proven to come from a holder of the secret; undefined when it is. */
export function unverified(
  request: SignedRequest,
  secret: ChannelSecret,
  now: Date,
  skewSeconds: number,
): Unverified | undefined {
  const timestamp = printed(first(request, TIMESTAMP_HEADER))
  if (timestamp === undefined) return 'missing or malformed X-Approval-Timestamp'
  // Floating point on purpose: it neither wraps nor saturates, so the far future is as far away as the far past.
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= skewSeconds)) return 'timestamp outside the accepted window'
  const nonce = first(request, NONCE_HEADER)
  if (nonce === undefined || nonce.length < 1 || nonce.length > 64) return 'missing or oversized X-Approval-Nonce'
  const expected = Buffer.from(signature(secret, timestamp, nonce, request), 'latin1')
  const given = Buffer.from(first(request, SIGNATURE_HEADER) ?? '', 'latin1')
  return given.length === expected.length && timingSafeEqual(given, expected) ? undefined : 'signature does not match'
}

/**
 * For a verified request: what to remember it by, and until when, that last moment included. Whatever the request was answered,
 * the same key is refused until then; after it the timestamp refuses. @throws RangeError for headers that cannot have verified.
 */
export function remembered(
  request: Pick<SignedRequest, 'headers'>,
  skewSeconds: number,
): { readonly key: string; readonly until: Date } {
  const timestamp = printed(first(request, TIMESTAMP_HEADER))
  const key = first(request, SIGNATURE_HEADER)
  if (timestamp === undefined || key === undefined) throw new RangeError('a request that did not verify is not remembered')
  return { key, until: new Date((Number(timestamp) + skewSeconds) * 1000) }
}

/**
 * A request's target, decoded. `path` is what is signed. `segments` is what is routed: the target is split before it is
 * decoded, so `/runs/a%2Fb` names the run `a/b`; a segment that is not UTF-8 is undefined, since it is no id of anything.
 * Undefined for what is no path of ours: a bad escape, a control character, or a target that does not begin with a slash.
 */
export function decodePath(
  rawTarget: string,
): { readonly path: Buffer; readonly segments: readonly (string | undefined)[] } | undefined {
  const [raw = ''] = rawTarget.split('?', 1)
  if (!/^\/(?:[^%\x00-\x1F\x7F\u0100-\uFFFF]|%[0-9A-Fa-f]{2})*$/.test(raw)) return undefined
  const segments = raw.slice(1).split('/').map(decoded)
  return {
    path: Buffer.from(`/${segments.map((bytes) => bytes.toString('latin1')).join('/')}`, 'latin1'),
    segments: segments.map(text),
  }
}

function decoded(escaped: string): Buffer {
  const bytes = escaped.replace(/%(..)/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

function text(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function signature(
  secret: ChannelSecret,
  timestamp: string,
  nonce: string,
  request: { readonly method: string; readonly path: string | Uint8Array; readonly body: string | Uint8Array },
): string {
  const mac = createHmac('sha256', secret)
    .update(`${timestamp}\n${nonce}\n${request.method}\n`, 'latin1')
    .update(request.path)
    .update('\n')
    .update(request.body)
  return `v1=${mac.digest('hex')}`
}

function first({ headers }: Pick<SignedRequest, 'headers'>, name: string): string | undefined {
  const wanted = name.toLowerCase()
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== wanted) continue
    const one = typeof value === 'string' ? value : value?.[0]
    if (one !== undefined) return trimmed(one)
  }
  return undefined
}

/** Without the blanks and tabs around it. By hand: a regular expression would look at inner blanks again and again. */
function trimmed(value: string): string {
  const blank = (char: string | undefined): boolean => char === ' ' || char === '\t'
  let from = 0
  let to = value.length
  while (from < to && blank(value[from])) from += 1
  while (to > from && blank(value[to - 1])) to -= 1
  return value.slice(from, to)
}

const INT64_MOST = 2n ** 63n - 1n

/** A timestamp's number as the MAC uses it: no plus sign, no zeros in front. Undefined when it is no 64-bit integer. */
function printed(header: string | undefined): string | undefined {
  const [, sign, digits] = /^([+-]?)(\d+)$/.exec(header ?? '') ?? []
  if (digits === undefined) return undefined
  const significant = digits.replace(/^0+/, '')
  if (significant.length > 19) return undefined
  const size = BigInt(significant)
  const number = sign === '-' ? -size : size
  return number > INT64_MOST || number < -INT64_MOST - 1n ? undefined : number.toString()
}

// Who may speak: the signature, its window, and that none is used twice.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** What of a request is signed, and the three headers. */
export interface Signed {
  /** Each undefined when the header is missing, else its first value. */
  readonly timestamp: string | undefined
  readonly nonce: string | undefined
  readonly signature: string | undefined
  readonly method: string
  /** The decoded path: bytes, since an escape can stand for any. */
  readonly path: Uint8Array
  readonly body: Uint8Array
}

interface Parts {
  readonly secret: string
  readonly now: () => Date
  readonly skewSeconds: number
  /** Signatures that are remembered at once. */
  readonly capacity: number
}

export interface Verifier {
  /** Why the request is not let in, or undefined. A signature that is let in is used up, whatever comes of the request. */
  refuse(signed: Signed): string | undefined
}

/** Bytes; the runtime's own documents say characters. */
const MAX_NONCE = 64
const MAX_INT64 = 2n ** 63n - 1n
const MIN_INT64 = -(2n ** 63n)

export function startVerifier({ secret, now, skewSeconds, capacity }: Parts): Verifier {
  /** Until when each could still be accepted, in seconds. */
  const used = new Map<string, number>()

  return {
    refuse({ timestamp, nonce, signature, method, path, body }) {
      const sent = parseTimestamp(timestamp)
      if (sent === undefined) return 'missing or malformed X-Approval-Timestamp'
      const seconds = now().getTime() / 1000
      if (Math.abs(seconds - Number(sent)) > skewSeconds) return 'timestamp outside the accepted window'
      // A header's characters are its bytes.
      if (nonce === undefined || nonce === '' || nonce.length > MAX_NONCE) return 'missing or oversized X-Approval-Nonce'
      const mac = createHmac('sha256', secret)
        .update(`${sent}\n`)
        .update(Buffer.from(nonce, 'latin1'))
        .update(`\n${method}\n`)
        .update(path)
        .update('\n')
        .update(body)
        .digest('hex')
      if (signature === undefined || !same(signature, `v1=${mac}`)) return 'signature does not match'
      for (const [one, until] of used) if (until < seconds) used.delete(one)
      if (used.has(signature)) return 'signature already used'
      if (used.size >= capacity) return 'too many signatures in the window'
      used.set(signature, Number(sent) + skewSeconds)
      return undefined
    },
  }
}

function parseTimestamp(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?[0-9]+$/.test(text)) return undefined
  const number = BigInt(text.replace(/^\+/, ''))
  return number < MIN_INT64 || number > MAX_INT64 ? undefined : number
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1')]
  return left.length === right.length && timingSafeEqual(left, right)
}

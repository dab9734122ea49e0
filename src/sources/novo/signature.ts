/** The hook's signature (novo-hook section 2). Pure: the secrets and the moment come in. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type Unverified = 'header_missing' | 'header_malformed' | 'outside_window' | 'mismatch'

/** Why a body is not proven to come from the platform; undefined when it is. For the log, never for the answer. */
export function unverified(
  header: string | undefined,
  body: Uint8Array,
  secrets: readonly Uint8Array[],
  now: Date,
  windowSeconds: number,
): Unverified | undefined {
  if (header === undefined || header === '') return 'header_missing'
  const signed = parse(header)
  if (signed === undefined) return 'header_malformed'
  // Both ways: a far future would stay valid for as long.
  if (Math.abs(now.getTime() / 1000 - Number(signed.t)) > windowSeconds) return 'outside_window'
  let matched = false
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${signed.t}.`).update(body).digest()
    for (const given of signed.v1) matched = timingSafeEqual(given, expected) || matched
  }
  return matched ? undefined : 'mismatch'
}

/** More than this many signatures in one header is nobody's rotation. */
const MOST_SIGNATURES = 8

function parse(header: string): { readonly t: string; readonly v1: readonly Buffer[] } | undefined {
  let t: string | undefined
  const v1: Buffer[] = []
  for (const entry of header.split(',')) {
    const [, key, value] = /^\s*([a-z0-9_]{1,16})=([^\s,]*)\s*$/.exec(entry) ?? []
    if (key === undefined || value === undefined) return undefined
    if (key === 't') {
      if (t !== undefined || !/^\d{1,12}$/.test(value)) return undefined
      t = value
    } else if (key === 'v1') {
      if (!/^[0-9a-f]{64}$/.test(value)) return undefined
      v1.push(Buffer.from(value, 'hex'))
    }
  }
  return t === undefined || v1.length === 0 || v1.length > MOST_SIGNATURES ? undefined : { t, v1 }
}

// A request's target: what of it is signed, and what it asks for. Both go by the decoded bytes, but a route's
// segments are taken apart first, so that an escaped slash is part of an id.

export interface Target {
  /** Of the decoded path, without the prefix. */
  readonly path: Uint8Array
  readonly segments: readonly string[]
  readonly query: URLSearchParams
}

/** `malformed`: a bad escape. `elsewhere`: not under the prefix. Neither reaches the channel. */
export function parseTarget(target: string, prefix: string): Target | 'malformed' | 'elsewhere' {
  const [raw = '', ...query] = target.split('?')
  const whole = decode(raw)
  if (whole === undefined) return 'malformed'
  if (!raw.startsWith(`${prefix}/`)) return 'elsewhere'
  const rest = raw.slice(prefix.length)
  const segments = rest.split('/').slice(1)
  return {
    path: decode(rest) ?? whole,
    segments: segments.map((one) => text(decode(one))),
    query: new URLSearchParams(query.join('?')),
  }
}

/** The parser of HTTP gives each byte as one character. */
function decode(raw: string): Buffer | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(raw)) return undefined
  return Buffer.from(
    raw.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/** No id is empty, so bytes that are no UTF-8 name nothing. */
function text(bytes: Buffer | undefined): string {
  const read = bytes?.toString('utf8') ?? ''
  return bytes?.equals(Buffer.from(read)) ? read : ''
}

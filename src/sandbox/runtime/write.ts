// Writes JSON in the one escaping that the runtime knows, for hashing, for the wire and for reading.
import type { Json } from './json.ts'

/** For the hash: members sorted, every number as it was written. */
export function canonical(json: Json): string {
  return write(json, (digits) => digits)
}

/** For the wire: members sorted, every number through a 64-bit float. */
export function rounded(json: Json): string {
  return write(json, float)
}

/** As `rounded`, over several lines. */
export function indented(json: Json): string {
  return write(json, float, '\n')
}

/** For a tool's schema: members in their own order, numbers as they were written. */
export function ordered(json: Json): string {
  return write(
    json,
    (digits) => digits,
    '',
    (members) => members,
  )
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** A JSON string with what could end a script or a line written out. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (character) => ESCAPES[character] ?? character)
}

/** Sorts by UTF-8 bytes, which is not JavaScript's order once characters beyond U+FFFF come in. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

type Entries = readonly (readonly [string, Json])[]

const sorted = (members: Entries): Entries => [...members].sort(([a], [b]) => byBytes(a, b))

/** `line` is empty for compact JSON, else a line feed with the indent of this level. */
function write(json: Json, number: (digits: string) => string, line = '', order = sorted): string {
  if (json === null || typeof json === 'boolean') return String(json)
  if (typeof json === 'string') return quoted(json)
  const inner = line === '' ? '' : `${line}  `
  const list = (open: string, items: readonly string[], close: string) =>
    items.length === 0 ? open + close : `${open}${inner}${items.join(`,${inner}`)}${line}${close}`
  if (Array.isArray(json)) {
    return list(
      '[',
      json.map((item) => write(item, number, inner, order)),
      ']',
    )
  }
  if ('digits' in json) return number(json.digits)
  const colon = line === '' ? ':' : ': '
  // Of a repeated member the last one counts.
  const members = order([...new Map(json.members)])
  return list(
    '{',
    members.map(([name, value]) => `${quoted(name)}${colon}${write(value, number, inner, order)}`),
    '}',
  )
}

/** A number that no float holds stays as it was written. */
function float(digits: string): string {
  const number = Number(digits)
  if (Object.is(number, -0)) return '-0'
  return Number.isFinite(number) ? String(number) : digits
}

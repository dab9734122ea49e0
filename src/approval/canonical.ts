/**
 * The one form of a call that is hashed, stored and compared (approval-channel section 7): keys sorted by their UTF-8
 * bytes, no blanks, each number as its literal was written, each string in one escaping.
 */
import { createHash } from 'node:crypto'
import { ApprovalHash } from './approval.ts'
import { isList, isObject, type Json, JsonNumber } from './json.ts'

export function canonical(value: Json): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'string') return quoted(value)
  if (value instanceof JsonNumber) return value.literal
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  if (isObject(value))
    return `{${sorted(value)
      .map(([key, member]) => `${quoted(key)}:${canonical(member)}`)
      .join(',')}}`
  throw new TypeError('a value that is not JSON cannot be hashed')
}

/** SHA-256, lower-case hex, over the UTF-8 bytes of a canonical text. */
export function hashOf(canonicalText: string): ApprovalHash {
  return ApprovalHash.parse(createHash('sha256').update(canonicalText, 'utf8').digest('hex'))
}

/**
 * Whether what we hold is the whole of what a decision would bind: it hashes to the hash. A source that shortens what it serves
 * makes this false, and so does a row that was tampered with.
 */
export function isWhole({ call, hash }: { readonly call: string; readonly hash: ApprovalHash }): boolean {
  return hashOf(call) === hash
}

/** Members in canonical order. */
export function sorted(object: ReadonlyMap<string, Json>): readonly (readonly [string, Json])[] {
  return [...object].sort(([a], [b]) => byUtf8(a, b))
}

const SPECIAL = /["\\\u0000-\u001F<>&\u2028\u2029]/g
const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function quoted(text: string): string {
  return `"${text.replace(SPECIAL, (char) => SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}

/** UTF-16 order is UTF-8 order but for surrogates, which belong above U+E000 to U+FFFF. */
function byUtf8(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i += 1) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return lifted(x) - lifted(y)
  }
  return a.length - b.length
}

function lifted(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

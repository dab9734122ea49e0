// Shortens what is shown, never what is hashed.
import type { Json } from './json.ts'

/** Bytes of UTF-8 that a string may have before only its two ends are shown. */
const MAX_BYTES = 2000
/** Bytes of either end. */
const END_BYTES = 200
/** Characters of a column that a list reads. */
export const MAX_PAGE_TEXT = 65_536

/** A long string as its head, what is missing, and its tail; no character is cut in two. */
export function boundText(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_BYTES) return text
  let head = END_BYTES
  while (isInside(bytes, head)) head -= 1
  let tail = bytes.length - END_BYTES
  while (isInside(bytes, tail)) tail += 1
  return `${bytes.toString('utf8', 0, head)}…[${tail - head} bytes omitted]…${bytes.toString('utf8', tail)}`
}

/** Every string value at every depth. Names, counts and the total stay as they are. */
export function bound(json: Json): Json {
  if (typeof json === 'string') return boundText(json)
  if (typeof json !== 'object' || json === null || 'digits' in json) return json
  if (Array.isArray(json)) return json.map(bound)
  return { members: json.members.map(([name, value]) => [name, bound(value)] as const) }
}

/** A text column as a list reads it. */
export function cutText(text: string): string {
  const characters = [...text]
  if (characters.length <= MAX_PAGE_TEXT) return text
  return `${characters.slice(0, MAX_PAGE_TEXT).join('')}…[truncated: ${characters.length} characters]`
}

/** The number of characters when it is more than a list reads, else undefined. */
export function overlong(text: string): number | undefined {
  if (text.length <= MAX_PAGE_TEXT) return undefined
  const { length } = [...text]
  return length > MAX_PAGE_TEXT ? length : undefined
}

function isInside(bytes: Buffer, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80
}

/** Shortens what is shown, never what is hashed (approval-channel section 6.4). Keys, lists and the whole are not bounded. */
import { isList, isObject, type Json } from '../approval/json.ts'

/** Bytes of UTF-8 that a string may have to be shown whole. */
const MOST_BYTES = 2000
/** Bytes kept at either end of a longer one, less where a character would be cut. */
const KEPT_BYTES = 200

export function boundedText(text: string): string {
  // No UTF-16 unit takes more than three bytes.
  if (text.length * 3 <= MOST_BYTES) return text
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= MOST_BYTES) return text
  let head = KEPT_BYTES
  while (continues(bytes[head])) head -= 1
  let tail = bytes.length - KEPT_BYTES
  while (continues(bytes[tail])) tail += 1
  return `${bytes.toString('utf8', 0, head)}…[${tail - head} bytes omitted]…${bytes.toString('utf8', tail)}`
}

/** Bounds every string value, however deep. */
export function boundedJson(json: Json): Json {
  if (typeof json === 'string') return boundedText(json)
  if (isList(json)) return json.map(boundedJson)
  if (isObject(json)) return new Map([...json].map(([key, value]) => [key, boundedJson(value)]))
  return json
}

/** Whether a byte stands inside a character of UTF-8, not at its start. */
function continues(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

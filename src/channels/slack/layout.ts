/** A JSON value as a person reads it: indented, and what is short on one line. */
import { canonical, sorted } from '../../approval/canonical.ts'
import { isList, isObject, type Json } from '../../approval/json.ts'
import { type Inert, inert } from './safe-text.ts'

/** Indentation stops growing here; brackets tell the rest. Levels. */
const DEEPEST = 12
/** What a list or an object may take to stand on one line: a phone shows about as much. Characters. */
const MOST_INLINE = 48

/** Inert: our brackets and blanks, and each string and key made inert by itself. */
export function laidOut(value: Json): Inert {
  return indented(value, 0) as Inert
}

/** What a name and its value may take to share a line with each other. Characters. */
const MOST_LINE = 72
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,39}$/

/**
 * A short argument on one line, as `name: value`; undefined when it is not short, or when a text would need an escape: that one is
 * better read by itself, as it was written. A name that is not quoted ends at its colon.
 */
export function onOneLine(name: string, value: Json): Inert | undefined {
  if (!PLAIN_NAME.test(name)) return undefined
  if (typeof value === 'string' && (value.length > MOST_LINE || inert(value, 'quoted') !== value)) return undefined
  const written = inline(value, MOST_LINE - name.length)
  return written === undefined ? undefined : (`${name}: ${written}` as Inert)
}

function indented(value: Json, depth: number): string {
  const short = inline(value, MOST_INLINE)
  if (short !== undefined) return short
  const inner = '  '.repeat(Math.min(depth + 1, DEEPEST))
  const outer = '  '.repeat(Math.min(depth, DEEPEST))
  if (isList(value)) return `[\n${value.map((item) => inner + indented(item, depth + 1)).join(',\n')}\n${outer}]`
  if (isObject(value)) {
    const members = sorted(value).map(([key, member]) => `${inner}${quoted(key)}: ${indented(member, depth + 1)}`)
    return `{\n${members.join(',\n')}\n${outer}}`
  }
  return scalar(value)
}

/** On one line, or undefined when that takes more than `room`; looks no further than that, however large the value is. */
function inline(value: Json, room: number): string | undefined {
  if (isList(value)) return joined('[', ']', value, room, (item, left) => inline(item, left))
  if (!isObject(value)) return typeof value === 'string' && value.length > room ? undefined : within(scalar(value), room)
  if (value.size > room) return undefined
  return joined('{ ', ' }', sorted(value), room, ([key, member], left) => {
    if (key.length > left) return undefined
    const name = `${quoted(key)}: `
    const rest = inline(member, left - name.length)
    return rest === undefined ? undefined : name + rest
  })
}

function joined<T>(
  begin: string,
  end: string,
  items: readonly T[],
  room: number,
  write: (item: T, left: number) => string | undefined,
): string | undefined {
  if (items.length === 0) return begin.trim() + end.trim()
  let text = begin
  for (const [index, item] of items.entries()) {
    const left = room - text.length - end.length
    const written = left > 0 ? write(item, left) : undefined
    if (written === undefined) return undefined
    text += (index === 0 ? '' : ', ') + written
  }
  return within(text + end, room)
}

function within(text: string, room: number): string | undefined {
  return text.length <= room ? text : undefined
}

function scalar(value: Json): string {
  return typeof value === 'string' ? quoted(value) : canonical(value)
}

function quoted(text: string): string {
  return `"${inert(text, 'quoted')}"`
}

/**
 * An approval as plain text (approval-channel section 6): ours is the margin and the last line, and no value can move a cursor,
 * turn the direction of reading, or begin a line. It is not made safe for Slack: `<`, `>` and `&` of labels and keys stay.
 */
import { canonical, sorted } from '../approval/canonical.ts'
import { isList, isObject, type Json } from '../approval/json.ts'
import { boundedJson, boundedText } from './bound.ts'
import { ChannelTime, wholeSeconds } from './time.ts'
import type { ChannelApproval } from './wire.ts'

/** What is written where a decision names no moment. */
const NO_TIME = ChannelTime.parse('0001-01-01T00:00:00Z')

/** Numbers stand as their literals were written: a person decides about the digits that will be used. */
export function approvalText(approval: ChannelApproval): string {
  const { args, spec } = approval.request
  const { expires_at, decided_at, decided_by } = approval
  const expires = expires_at === undefined ? '' : `${wholeSeconds(expires_at)}${approval.expired ? ' (expired)' : ''}`
  const unread = approval.decode_error !== ''
  return [
    `APPROVAL ${sanitised(approval.status.toUpperCase() || 'UNKNOWN')}  ${sanitised(approval.id)}`,
    label('run', approval.run_id),
    label('kind', approval.kind),
    label('tool', spec.name),
    ...labelIf('reason', boundedText(approval.reason)),
    label('hash', approval.hash),
    ...labelIf('expires', expires),
    ...labelIf('decided', decided_by === '' ? '' : `${wholeSeconds(decided_at ?? NO_TIME)} by ${decided_by}`),
    ...labelIf('unread', approval.decode_error),
    "arguments (the tool call the model made; one field per line, byte count is the field's own size)",
    // A row that did not decode has no arguments; the wire's word for that is the same null.
    ...(unread && args === null ? ['  (none)'] : fields(args)),
    "presentation (supplied by the consumer's policy; it may contain model-chosen text)",
    ...fields(approval.presentation),
    `----- end of approval ${sanitised(approval.id)} for tool ${sanitised(spec.name)} -----`,
    '',
  ].join('\n')
}

function label(name: string, value: string): string {
  return `${name.padEnd(8)}${sanitised(value)}`
}

function labelIf(name: string, value: string): readonly string[] {
  return value === '' ? [] : [label(name, value)]
}

function fields(json: Json): readonly string[] {
  if (!isObject(json)) return field('value', json)
  return json.size === 0 ? ['  (no fields)'] : sorted(json).flatMap(([key, value]) => field(key, value))
}

/** The size is of the value as it is shown, so a shortened one tells its shortened size. */
function field(key: string, json: Json): readonly string[] {
  const shown = boundedJson(json)
  const size = Buffer.byteLength(canonical(shown), 'utf8')
  return [`  ${sanitised(key)} (${size} bytes)`, ...indented(shown, '').map((line) => `    ${sanitised(line)}`)]
}

/** Lines of JSON, two blanks a level, keys sorted; an empty list or object stays on its line. */
function indented(json: Json, margin: string): readonly string[] {
  const inside = `${margin}  `
  if (isList(json) && json.length > 0) return ['[', ...commas(json.map((item) => under(inside, '', item))), `${margin}]`]
  if (isObject(json) && json.size > 0)
    return ['{', ...commas(sorted(json).map(([key, value]) => under(inside, `${canonical(key)}: `, value))), `${margin}}`]
  return [canonical(json)]
}

/** The lines of one item, the first of them with its margin and key. */
function under(margin: string, key: string, json: Json): readonly string[] {
  const [first = '', ...rest] = indented(json, margin)
  return [`${margin}${key}${first}`, ...rest]
}

/** A comma after the last line of every item but the last. */
function commas(items: readonly (readonly string[])[]): readonly string[] {
  return items.flatMap((lines, item) =>
    item === items.length - 1 ? lines : [...lines.slice(0, -1), `${lines[lines.length - 1] ?? ''},`],
  )
}

/** More marks than this on one letter are nobody's writing. */
const EXCESS_MARKS = /(\p{M}{4})(\p{M}+)/gu
const CONTROL = /[\x00-\x1F\x7F-\x9F]/g
/**
 * All that section 6.3 lists, and the rest of its kind: a format character that it passes (U+206A, U+FFF9 and others) could still
 * change how a line is read.
 */
const FORMAT = /[\p{Cf}\p{Zl}\p{Zp}\u{E0000}-\u{E007F}]/gu

/** Section 6.3, in its order. A backslash is not escaped, so an escape here may have been written as such. */
export function sanitised(text: string): string {
  return text
    .replace(/\p{Cs}+/gu, '\uFFFD')
    .replace(EXCESS_MARKS, (_run, kept: string, rest: string) => `${kept}[+${Array.from(rest).length} combining marks dropped]`)
    .replace(/[\n\r]/g, ' ')
    .replace(CONTROL, (char) => `\\x${hex(char, 2)}`)
    .replace(FORMAT, (char) => `\\u{${hex(char, 4)}}`)
}

function hex(char: string, digits: number): string {
  return (char.codePointAt(0) ?? 0).toString(16).padStart(digits, '0')
}

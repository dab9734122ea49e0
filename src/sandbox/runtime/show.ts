// An approval as the channel shows it: bounded, and as JSON or as text.
import { bound, boundText, cutText, MAX_PAGE_TEXT, overlong } from './bound.ts'
import type { Json } from './json.ts'
import { isMembers, member, parseJson } from './json.ts'
import type { Row } from './row.ts'
import { decodeError, objectOf } from './row.ts'
import { sanitise } from './sanitise.ts'
import { hasPassed, wholeSeconds } from './time.ts'
import { byBytes, indented, ordered, quoted, rounded } from './write.ts'

/** JSON of a column, or its text when it is none. */
type Part = { readonly json: Json } | { readonly notJson: string }

export interface Shown {
  readonly row: Row
  readonly request: Json | undefined
  readonly capability: Part
  readonly presentation: Part
  readonly reason: string
  readonly decodeError: string
  readonly expired: boolean
}

/** One row, read whole. */
export function show(row: Row, now: Date): Shown {
  return {
    row,
    request: parseJson(row.request),
    capability: part(row.capability),
    presentation: part(row.presentation),
    reason: boundText(cutText(row.reason)),
    decodeError: decodeError(row),
    expired: hasPassed(row.expiresAt, now),
  }
}

/** One row as a list reads it: no column longer than a page's text. */
export function showInList(row: Row, now: Date): Shown {
  const shown = show({ ...row, kind: cutText(row.kind) }, now)
  const length = overlong(row.request)
  const cut = { ...shown, capability: pagePart(row.capability), presentation: pagePart(row.presentation) }
  if (length === undefined) return cut
  const name = member(member(shown.request, 'spec'), 'name') ?? ''
  const args: Json = {
    members: [
      ['length', { digits: String(length) }],
      ['truncated', true],
    ],
  }
  const request: Json = {
    members: [
      ['run_id', row.run],
      ['step_id', row.step],
      ['spec', { members: [['name', name]] }],
      ['args', args],
    ],
  }
  const why = `request: ${length} characters, over MaxPageText; its arguments were not read`
  return { ...cut, request, decodeError: [why, shown.decodeError].filter((one) => one !== '').join('; ') }
}

/** Undefined when the row holds something that cannot be encoded. */
export function shownJson(shown: Shown): string | undefined {
  const { row, request, capability, presentation } = shown
  const { state } = row
  if ('notJson' in capability || 'notJson' in presentation) return undefined
  const spec = member(request, 'spec')
  const schema = member(spec, 'input_schema')
  const terminal = member(spec, 'terminal') === true ? ',"terminal":true' : ''
  const timeout = member(spec, 'timeout')
  const text = (json: Json | undefined) => quoted(typeof json === 'string' ? json : '')
  const specText = [
    `{"name":${text(member(spec, 'name'))},"description":${text(member(spec, 'description'))}`,
    `"input_schema":${schema === undefined ? 'null' : ordered(schema)}`,
    `"side_effect":${text(member(spec, 'side_effect'))},"timeout":${timeout === undefined ? '0' : ordered(timeout)}${terminal}}`,
  ].join(',')
  const args = rounded(bound(member(request, 'args') ?? null))
  const [runId, stepId] = [text(member(request, 'run_id')), text(member(request, 'step_id'))]
  const decided = state.status === 'approved' || state.status === 'rejected'
  const note = decided ? state.note : state.status
  const members: readonly (readonly [string, string | undefined])[] = [
    ['id', quoted(row.id)],
    ['run_id', quoted(row.run)],
    ['step_id', quoted(row.step)],
    ['kind', quoted(row.kind)],
    ['capability', rounded(bound(capability.json))],
    ['presentation', rounded(bound(presentation.json))],
    ['request', `{"run_id":${runId},"step_id":${stepId},"spec":${specText},"args":${args}}`],
    ['hash', quoted(row.hash)],
    ['status', quoted(state.status)],
    ['created_at', quoted(row.createdAt)],
    ['expires_at', row.expiresAt === null || Number.isNaN(Date.parse(row.expiresAt)) ? undefined : quoted(row.expiresAt)],
    ['decided_at', state.status === 'pending' ? undefined : quoted(state.at)],
    ['decided_by', decided ? quoted(state.by) : undefined],
    ['note', state.status === 'pending' || note === '' ? undefined : quoted(note)],
    ['decode_error', shown.decodeError === '' ? undefined : quoted(shown.decodeError)],
    ['reason', shown.reason === '' ? undefined : quoted(shown.reason)],
    ['expired', shown.expired ? 'true' : undefined],
  ]
  return `{${members.flatMap(([name, value]) => (value === undefined ? [] : [`"${name}":${value}`])).join(',')}}`
}

/** The form for a chat message. Everything that somebody else chose is made inert; the last line is the runtime's own. */
export function shownText(shown: Shown): string {
  const { row, request } = shown
  const { state } = row
  const name = member(member(request, 'spec'), 'name')
  const tool = sanitise(typeof name === 'string' ? name : '')
  const args = member(request, 'args')
  const decided = state.status === 'approved' || state.status === 'rejected'
  const lines = [
    `APPROVAL ${state.status.toUpperCase()}  ${sanitise(row.id)}`,
    `run     ${sanitise(row.run)}`,
    `kind    ${sanitise(row.kind)}`,
    `tool    ${tool}`,
    ...(shown.reason === '' ? [] : [`reason  ${sanitise(shown.reason)}`]),
    `hash    ${sanitise(row.hash)}`,
    ...(row.expiresAt === null ? [] : [`expires ${sanitise(wholeSeconds(row.expiresAt))}${shown.expired ? ' (expired)' : ''}`]),
    ...(decided ? [`decided ${wholeSeconds(state.at)} by ${sanitise(state.by)}`] : []),
    ...(shown.decodeError === '' ? [] : [`unread  ${sanitise(shown.decodeError)}`]),
    "arguments (the tool call the model made; one field per line, byte count is the field's own size)",
    ...(args === undefined ? ['  (none)'] : fields(bound(args))),
    "presentation (supplied by the consumer's policy; it may contain model-chosen text)",
    ...presented(row.presentation, shown.presentation),
    `----- end of approval ${sanitise(row.id)} for tool ${tool} -----`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function presented(raw: string, presentation: Part): readonly string[] {
  if (raw.trim() === '') return ['  (none)']
  if ('json' in presentation) return fields(bound(presentation.json))
  return [`  value (${Buffer.byteLength(raw)} bytes)`, `    ${sanitise(boundText(raw))}`]
}

function fields(json: Json): readonly string[] {
  const members = isMembers(json) ? json.members : [['value', json] as const]
  if (members.length === 0) return ['  (no fields)']
  return [...new Map(members)]
    .sort(([a], [b]) => byBytes(a, b))
    .flatMap(([name, value]) => [
      `  ${sanitise(name)} (${Buffer.byteLength(rounded(value))} bytes)`,
      ...indented(value)
        .split('\n')
        .map((line) => `    ${sanitise(line)}`),
    ])
}

function part(text: string): Part {
  const json = objectOf(text)
  return json === undefined ? { notJson: text } : { json }
}

function pagePart(text: string): Part {
  const length = overlong(text)
  if (length === undefined) return part(text)
  const head = [...text].slice(0, MAX_PAGE_TEXT).join('')
  return {
    json: {
      members: [
        ['truncated', true],
        ['length', { digits: String(length) }],
        ['head', head],
      ],
    },
  }
}

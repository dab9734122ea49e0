/** A call's arguments as a person reads them: one by one, each with its kind and size in our words before its value. */
import type { Approval } from '../../approval/approval.ts'
import { canonical, sorted } from '../../approval/canonical.ts'
import { isList, isObject, type Json, JsonNumber, type JsonObject, parseJson } from '../../approval/json.ts'
import { laidOut } from './layout.ts'
import { type Inert, inert, ours, plainId, type Words } from './safe-text.ts'

/** What is shown, in order: a line of ours, and below it text that is not ours. A value without a line of its own belongs to the name before it. */
export interface Piece {
  readonly label: Words | undefined
  readonly text: Inert | undefined
  /** Of what was sent; undefined where the text is our layout of a value. */
  readonly bytes?: number
}

/** Members of a review that the card names by themselves (novo-hook section 1). */
const NAMED = new Set([
  'type',
  'id',
  'runId',
  'rootRunId',
  'workerRef',
  'threadId',
  'agentId',
  'stepNumber',
  'toolName',
  'toolCallId',
  'input',
  'preview',
  'resolveUrl',
])

/** Everything of an approval that a person must be able to read: strange names, the preview, each argument, and whatever else was sent. */
export function piecesOf(approval: Approval): readonly Piece[] {
  const call = parseJson(approval.call)
  if (!isObject(call)) throw new Error('a stored call is not an object')
  return approval.form === 'review'
    ? [...strangeIds(approval), ...reviewPieces(call)]
    : [...strangeIds(approval), ...channelPieces(approval, call)]
}

/** Ids and names that cannot stand among our words, as text that is not ours. */
function strangeIds(approval: Approval): readonly Piece[] {
  const ids: readonly (readonly [Words, string | null])[] = [
    [ours`The tool's name:`, approval.tool],
    [ours`The agent's id:`, approval.form === 'review' ? approval.agent : null],
    [ours`The run's id:`, approval.run],
    [ours`The root run's id:`, approval.rootRun === approval.run ? null : approval.rootRun],
    [ours`The worker's mark:`, approval.worker],
    [ours`The step:`, approval.form === 'review' ? null : approval.toolCall],
    [ours`The hash:`, approval.form === 'review' ? null : approval.hash],
    [ours`Its kind:`, approval.kind],
  ]
  return ids.flatMap(([label, id]) => (id === null || plainId(id) !== undefined ? [] : [{ label, ...sent(id, 'one line') }]))
}

function sent(source: string, layout: 'lines' | 'one line'): Pick<Piece, 'text' | 'bytes'> {
  return { text: inert(source, layout), bytes: Buffer.byteLength(source, 'utf8') }
}

function reviewPieces(review: JsonObject): readonly Piece[] {
  const preview = review.get('preview')
  const summary = isObject(preview) ? preview.get('summary') : undefined
  const also = [...review].filter(([key]) => !NAMED.has(key))
  const withPreview = isObject(preview) ? [...preview].filter(([key]) => key !== 'summary') : []
  return [
    ...(typeof summary === 'string' ? [previewPiece(summary)] : []),
    ...argumentPieces(review.get('input') ?? null),
    ...sorted(new Map(withPreview)).flatMap(([name, value]) => valuePieces(ours`Also sent with the preview`, name, value)),
    ...sorted(new Map(also)).flatMap(([name, value]) => valuePieces(ours`Also sent`, name, value)),
  ]
}

/** The four members that the hash of a channel's approval is over, and what stands beside them (approval-channel sections 2 and 7). */
function channelPieces({ sourceReason, decodeError }: Approval, call: JsonObject): readonly Piece[] {
  const request = call.get('request') ?? null
  const [args, spec] = isObject(request) ? [request.get('args') ?? null, request.get('spec') ?? null] : [null, null]
  const presentation = call.get('presentation') ?? null
  const capability = call.get('capability') ?? null
  return [
    ...(decodeError === null
      ? []
      : [{ label: ours`The source cannot read its own record, and says:`, ...sent(decodeError, 'lines') }]),
    ...(sourceReason === null
      ? []
      : [{ label: ours`Why the source asks, which may hold the model's words:`, ...sent(sourceReason, 'lines') }]),
    ...argumentPieces(args),
    ...whole(ours`The source's presentation, which may hold the model's words`, presentation, args),
    ...(canonical(capability) === canonical(presentation)
      ? [{ label: ours`Its capability is the same as its presentation.`, text: undefined }]
      : whole(ours`Its capability`, capability, args)),
    ...whole(ours`The tool as the source knows it`, spec, args),
  ]
}

/** One value with everything in it. The usual policy repeats the arguments in it: those are said, and not shown again. */
function whole(which: Words, value: Json, args: Json): readonly Piece[] {
  if (isObject(value) && value.size === 0) return [{ label: ours`${which}: empty.`, text: undefined }]
  const repeats = isObject(value) && value.has('args') && canonical(value.get('args') ?? null) === canonical(args)
  if (!repeats || !isObject(value)) return valuePieces(which, undefined, value)
  const rest = new Map([...value].filter(([key]) => key !== 'args'))
  return valuePieces(ours`${which}; beside “args”, the arguments above unchanged`, undefined, rest)
}

function previewPiece(summary: string): Piece {
  if (summary === '') return { label: ours`The platform's preview is empty.`, text: undefined }
  return { label: ours`The platform's preview, which may hold the model's words:`, ...sent(summary, 'lines') }
}

function argumentPieces(input: Json): readonly Piece[] {
  if (!isObject(input)) return valuePieces(ours`The whole input`, undefined, input)
  if (input.size === 0) return [{ label: ours`The input is an object without arguments.`, text: undefined }]
  return sorted(input).flatMap(([name, value], index) => valuePieces(ours`Argument ${index + 1} of ${input.size}`, name, value))
}

function valuePieces(which: Words, name: string | undefined, value: Json): readonly Piece[] {
  const isText = typeof value === 'string'
  const size = counted(Buffer.byteLength(isText ? value : canonical(value), 'utf8'), ours`byte`)
  const described = ours`${which}: ${isText ? textKind(value) : kindOf(value)}, ${size}`
  const body = value === '' ? { text: undefined } : isText ? sent(value, 'lines') : { text: laidOut(value) }
  if (name === undefined) return [{ label: described, ...body }]
  if (name === '') return [{ label: ours`${described}. Its name is empty. Its value:`, ...body }]
  return [{ label: described, ...sent(name, 'one line') }, ...(value === '' ? [] : [{ label: undefined, ...body }])]
}

function textKind(text: string): Words {
  const lines = text.split('\n').length
  return lines > 1 ? ours`text of ${lines} lines` : ours`text`
}

function kindOf(value: Exclude<Json, string>): Words {
  if (value === null) return ours`null`
  if (typeof value === 'boolean') return ours`true or false`
  if (value instanceof JsonNumber) return ours`number`
  if (isList(value)) return ours`list of ${value.length}`
  return ours`object of ${(value as JsonObject).size}`
}

export function counted(count: number, unit: Words): Words {
  return count === 1 ? ours`1 ${unit}` : ours`${grouped(count)} ${unit}s`
}

/** 12345 as 12,345. */
function grouped(count: number): Words {
  const rest = count % 1000
  if (count < 1000) return ours`${count}`
  return ours`${grouped(Math.floor(count / 1000))},${padded(rest)}`
}

function padded(rest: number): Words {
  if (rest < 10) return ours`00${rest}`
  return rest < 100 ? ours`0${rest}` : ours`${rest}`
}

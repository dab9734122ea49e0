/** A call's arguments as a person reads them: one by one, each with its kind and size in our words before its value. */
import type { Approval } from '../../approval/approval.ts'
import { canonical, sorted } from '../../approval/canonical.ts'
import { isList, isObject, type Json, JsonNumber, type JsonObject, parseJson } from '../../approval/json.ts'
import { laidOut, onOneLine } from './layout.ts'
import { type Inert, inert, ours, plainId, type Words } from './safe-text.ts'

/** What is shown, in order: a line of ours, and below it text that is not ours. A value without a line of its own belongs to the name before it. */
export interface Piece {
  readonly label: Words | undefined
  readonly text: Inert | undefined
  /** Of what was sent; undefined where the text is our layout of a value. */
  readonly bytes?: number
  /** What it is a piece of, in few words. */
  readonly which: Words
  /** A name, whose value comes next. */
  readonly isName?: true
  /** Covered by the hash, and not what would run: it comes last, and on a card below the buttons. */
  readonly beside?: true
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
  return pieces(approval, argumentPieces)
}

/** The same in less room, for a card: short arguments share one text, a line each. */
export function cardPiecesOf(approval: Approval): readonly Piece[] {
  return pieces(approval, shortTogether)
}

type Arguments = (input: Json) => readonly Piece[]

function pieces(approval: Approval, args: Arguments): readonly Piece[] {
  const call = parseJson(approval.call)
  if (!isObject(call)) throw new Error('a stored call is not an object')
  return approval.form === 'review'
    ? [...strangeIds(approval), ...reviewPieces(call, args)]
    : [...strangeIds(approval), ...channelPieces(approval, call, args)]
}

/** Ids and names that cannot stand among our words, as text that is not ours. */
function strangeIds(approval: Approval): readonly Piece[] {
  const ids: readonly (readonly [Words, string | null])[] = [
    [ours`The tool's name`, approval.tool],
    [ours`The agent's id`, approval.form === 'review' ? approval.agent : null],
    [ours`The run's id`, approval.run],
    [ours`The root run's id`, approval.rootRun === approval.run ? null : approval.rootRun],
    [ours`The worker's mark`, approval.worker],
    [ours`The step`, approval.form === 'review' ? null : approval.toolCall],
    [ours`The hash`, approval.form === 'review' ? null : approval.hash],
    [ours`Its kind`, approval.kind],
  ]
  return ids.flatMap(([which, id]) =>
    id === null || plainId(id) !== undefined ? [] : [{ which, label: ours`${which}:`, ...sent(id, 'one line') }],
  )
}

function sent(source: string, layout: 'lines' | 'one line'): Pick<Piece, 'text' | 'bytes'> {
  return { text: inert(source, layout), bytes: Buffer.byteLength(source, 'utf8') }
}

function reviewPieces(review: JsonObject, argsOf: Arguments): readonly Piece[] {
  const preview = review.get('preview')
  const summary = isObject(preview) ? preview.get('summary') : undefined
  const also = [...review].filter(([key]) => !NAMED.has(key))
  const withPreview = isObject(preview) ? [...preview].filter(([key]) => key !== 'summary') : []
  return [
    ...argsOf(review.get('input') ?? null),
    ...(typeof summary === 'string' ? [previewPiece(summary)] : []),
    ...beside(
      sorted(new Map(withPreview)).flatMap(([name, value]) => valuePieces(ours`Also sent with the preview`, name, value)),
    ),
    ...beside(sorted(new Map(also)).flatMap(([name, value]) => valuePieces(ours`Also sent`, name, value))),
  ]
}

function beside(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece) => ({ ...piece, beside: true }))
}

/**
 * The four members that the hash of a channel's approval is over, and what stands beside them (approval-channel sections 2 and 7).
 * First what would run, and what the source shows of it; its own registry's entries are the same for every call of the tool.
 */
function channelPieces({ sourceReason, decodeError }: Approval, call: JsonObject, argsOf: Arguments): readonly Piece[] {
  const request = call.get('request') ?? null
  const [args, spec] = isObject(request) ? [request.get('args') ?? null, request.get('spec') ?? null] : [null, null]
  const presentation = call.get('presentation') ?? null
  const capability = call.get('capability') ?? null
  return [
    ...(decodeError === null
      ? []
      : [
          {
            which: ours`The source's trouble`,
            label: ours`The source cannot read its own record, and says:`,
            ...sent(decodeError, 'lines'),
          },
        ]),
    ...argsOf(args),
    ...whole(ours`The source's presentation`, presentation, args, ours`, which may hold the model's words`),
    ...(sourceReason === null
      ? []
      : [
          {
            which: ours`The source's reason`,
            label: ours`Why the source asks, which may hold the model's words:`,
            ...sent(sourceReason, 'lines'),
          },
        ]),
    ...beside(
      canonical(capability) === canonical(presentation)
        ? [{ which: ours`Its capability`, label: ours`Its capability is the same as its presentation.`, text: undefined }]
        : whole(ours`Its capability`, capability, args),
    ),
    ...beside(whole(ours`The tool as the source knows it`, spec, args)),
  ]
}

/** One value with everything in it. The usual policy repeats the arguments in it: those are said, and not shown again. */
function whole(which: Words, value: Json, args: Json, also = ours``): readonly Piece[] {
  if (isObject(value) && value.size === 0) return [{ which, label: ours`${which}${also}: empty.`, text: undefined }]
  const repeats = isObject(value) && value.has('args') && canonical(value.get('args') ?? null) === canonical(args)
  if (!repeats || !isObject(value)) return valuePieces(which, undefined, value, also)
  const rest = new Map([...value].filter(([key]) => key !== 'args'))
  return valuePieces(which, undefined, rest, ours`${also}; beside “args”, the arguments above unchanged`)
}

function previewPiece(summary: string): Piece {
  const which = ours`The platform's preview`
  if (summary === '') return { which, label: ours`${which} is empty.`, text: undefined }
  return { which, label: ours`${which}, which may hold the model's words:`, ...sent(summary, 'lines') }
}

function argumentPieces(input: Json): readonly Piece[] {
  if (!isObject(input)) return valuePieces(ours`The whole input`, undefined, input)
  if (input.size === 0) {
    return [{ which: ours`The input`, label: ours`The input is an object without arguments.`, text: undefined }]
  }
  return sorted(input).flatMap(([name, value], index) => valuePieces(ours`Argument ${index + 1} of ${input.size}`, name, value))
}

/** Arguments that a person reads at a glance; of more than these each is told by itself. */
const MOST_TOGETHER = 12

/** First those that need room, as they are; then, where it is more than one, those that take a line. */
function shortTogether(input: Json): readonly Piece[] {
  if (!isObject(input) || input.size > MOST_TOGETHER) return argumentPieces(input)
  const members = sorted(input)
  const lines = members.map(([name, value]) => onOneLine(name, value))
  const short = lines.filter((line) => line !== undefined)
  if (short.length < 2) return argumentPieces(input)
  const long = members.flatMap(([name, value], index) =>
    lines[index] === undefined ? valuePieces(ours`Argument ${index + 1} of ${input.size}`, name, value) : [],
  )
  const label =
    long.length === 0 ? ours`The ${short.length} arguments:` : ours`The other ${short.length} of ${input.size} arguments:`
  return [...long, { which: ours`Arguments`, label, text: short.join('\n') as Inert }]
}

/** @param also what the line before it says of it, beside which it is, its kind and its size */
function valuePieces(which: Words, name: string | undefined, value: Json, also = ours``): readonly Piece[] {
  const isText = typeof value === 'string'
  const size = counted(Buffer.byteLength(isText ? value : canonical(value), 'utf8'), ours`byte`)
  const described = ours`${which}${also}: ${isText ? textKind(value) : kindOf(value)}, ${size}`
  const body = value === '' ? { text: undefined } : isText ? sent(value, 'lines') : { text: laidOut(value) }
  if (name === undefined) return [{ which, label: described, ...body }]
  if (name === '') return [{ which, label: ours`${described}. Its name is empty. Its value:`, ...body }]
  return [
    { which, isName: true, label: described, ...sent(name, 'one line') },
    ...(value === '' ? [] : [{ which, label: undefined, ...body }]),
  ]
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

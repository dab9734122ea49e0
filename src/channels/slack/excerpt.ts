/** Whether a call fits on a card, and what stands there when it does not: its head and its tail, and how much is left out. */
import { counted, type Piece } from './argument.ts'
import { bytesBehind, cuts, type Inert, ours, type Words } from './safe-text.ts'

/** What a card may hold of a call: enough for a command, little enough for a phone and for the copy that comes back with each click. */
const MOST_CHARACTERS = 2600
const MOST_LINES = 60
const MOST_PIECES = 16

/** For a cut call: the most of one text at either end, and of the whole. Characters, as shown. */
const HEAD = 240
const TAIL = 240
const MOST_EXCERPT = 1000
/** Room of a text in an excerpt below which only its size is told. */
const LEAST = 60

export function fits(all: readonly Piece[]): boolean {
  const texts = all.map((piece) => piece.text ?? '')
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length, 0)
  return characters <= MOST_CHARACTERS && lines <= MOST_LINES && all.length <= MOST_PIECES
}

/** A line of ours, or text that is not. */
export type Shown = { readonly words: Words } | { readonly text: Inert }

export function whole(all: readonly Piece[]): readonly Shown[] {
  return all.flatMap((piece) => [...labelOf(piece), ...(piece.text === undefined ? [] : [{ text: piece.text }])])
}

function labelOf({ label }: Piece): readonly Shown[] {
  return label === undefined ? [] : [{ words: label }]
}

/**
 * Ends with how much is not shown at all.
 * @param beside how many more pieces there are, of which nothing is to be shown
 */
export function excerpt(all: readonly Piece[], beside = 0): readonly Shown[] {
  const out: Shown[] = []
  let room = MOST_EXCERPT
  let left = beside
  for (const piece of all) {
    if (room < LEAST || out.length > MOST_PIECES) {
      left += 1
      continue
    }
    out.push(...labelOf(piece))
    if (piece.text === undefined) continue
    const parts = ends(piece, room)
    for (const part of parts) if ('text' in part) room -= part.text.length
    out.push(...parts)
  }
  return left === 0 ? out : [...out, { words: ours`And ${counted(left, ours`more piece`)} of this call, not shown here.` }]
}

/** Lines of an end that are shown at most. */
const END_LINES = 8

function ends({ text, bytes }: Piece, room: number): readonly Shown[] {
  if (text === undefined) return []
  if (text.length <= Math.min(HEAD + TAIL, room) && text.split('\n').length <= 2 * END_LINES) return [{ text }]
  const most = Math.floor(room / 2)
  const head = firstLines(text.slice(0, cuts(text, 0, Math.min(HEAD, most, text.length)).before))
  const tailFrom = Math.max(head.length, text.length - Math.min(TAIL, most))
  const tail = lastLines(text.slice(cuts(text, head.length, tailFrom).after))
  const left =
    bytes === undefined
      ? counted(text.length - head.length - tail.length, ours`character`)
      : counted(bytes - bytesBehind(head) - bytesBehind(tail), ours`byte`)
  return [...shown(head), { words: ours`… ${left} left out here …` }, ...shown(tail)]
}

function shown(text: Inert): readonly Shown[] {
  return text === '' ? [] : [{ text }]
}

/** With the last one's line break: a mark of many line breaks is never parted from the break after it. */
function firstLines(text: string): Inert {
  const lines = text.split('\n')
  return (lines.length > END_LINES ? `${lines.slice(0, END_LINES).join('\n')}\n` : text) as Inert
}

function lastLines(text: string): Inert {
  return text.split('\n').slice(-END_LINES).join('\n') as Inert
}

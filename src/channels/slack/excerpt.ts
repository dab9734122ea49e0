/** Whether a call fits on a card, and what stands there when it does not: its head and its tail, and how much is left out. */
import { counted, type Piece } from './argument.ts'
import { type Inert, ours, type Words } from './safe-text.ts'

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

/** Ends with how much is not shown at all. */
export function excerpt(all: readonly Piece[]): readonly Shown[] {
  const out: Shown[] = []
  let room = MOST_EXCERPT
  let left = 0
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

function ends(piece: Piece & { text?: Inert | undefined }, room: number): readonly Shown[] {
  const text = piece.text
  if (text === undefined) return []
  if (text.length <= Math.min(HEAD + TAIL, room) && text.split('\n').length <= 16) return [{ text }]
  const { source, render } = piece.from ?? { source: text, render: (part: string) => part as Inert }
  const characters = [...source]
  const most = Math.min(HEAD, Math.floor(room / 2))
  const head = longest(characters, most, render, 'head')
  const tail = longest(characters.slice([...head].length), most, render, 'tail')
  const out = Buffer.byteLength(source, 'utf8') - Buffer.byteLength(head, 'utf8') - Buffer.byteLength(tail, 'utf8')
  return [
    ...(head === '' ? [] : [{ text: render(head) }]),
    { words: ours`… ${counted(out, ours`byte`)} left out here …` },
    ...(tail === '' ? [] : [{ text: render(tail) }]),
  ]
}

/** Lines of an end that are shown at most. */
const END_LINES = 8

/** The longest end of a text that is shown in `most` characters. */
function longest(characters: readonly string[], most: number, render: (part: string) => Inert, end: 'head' | 'tail'): string {
  let count = Math.min(characters.length, most)
  for (;;) {
    const part = end === 'head' ? characters.slice(0, count).join('') : characters.slice(characters.length - count).join('')
    const shown = render(part)
    if (count === 0 || (shown.length <= most && shown.split('\n').length <= END_LINES)) return part
    count = shown.length > most ? Math.min(count - 1, Math.floor((count * most) / shown.length)) : Math.floor(count * 0.8)
  }
}

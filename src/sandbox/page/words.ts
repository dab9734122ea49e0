/** Draws texts: mrkdwn and plain_text objects, and the mentions that they share with rich text. */
import { dateWords } from './date.ts'
import { el, link } from './element.ts'
import { emoji } from './emoji.ts'
import { bag, text } from './json.ts'
import { decode, type Piece, parse } from './mrkdwn.ts'
import type { Names } from './names.ts'

/** The nodes of a text object; a bare string is taken as mrkdwn, as the `text` of a message is. */
export function words(object: unknown, names: Names): readonly Node[] {
  if (typeof object === 'string') return drawn(parse(object), names)
  if (bag(object).type === 'mrkdwn') return drawn(parse(text(bag(object).text)), names)
  return [document.createTextNode(plain(object))]
}

/** The characters of a plain_text object. With `emoji: false` the colons stay as they are. */
export function plain(object: unknown): string {
  const source = decode(text(bag(object).text))
  return bag(object).emoji === false ? source : source.replace(/:([a-z0-9_+-]+):/g, (_, name: string) => emoji(name))
}

/** A mention of a person, a conversation or a group. */
export function mention(label: string): HTMLElement {
  return el('span', { class: 'mention' }, label)
}

/** A moment in the reader's zone, with the fallback as its title. */
export function moment(epoch: number, format: string, fallback: string): HTMLElement {
  return el('time', { title: fallback || undefined }, dateWords(epoch, format, fallback, new Date()))
}

function drawn(pieces: readonly Piece[], names: Names): readonly Node[] {
  return pieces.map((piece) => node(piece, names))
}

function node(piece: Piece, names: Names): Node {
  switch (piece.is) {
    case 'text':
      return document.createTextNode(piece.text)
    case 'emoji':
      return document.createTextNode(emoji(piece.name))
    case 'code':
      return el('code', {}, piece.text)
    case 'fence':
      return el('pre', {}, piece.text)
    case 'bold':
      return el('strong', {}, ...drawn(piece.of, names))
    case 'italic':
      return el('em', {}, ...drawn(piece.of, names))
    case 'strike':
      return el('s', {}, ...drawn(piece.of, names))
    case 'quote':
      return el('blockquote', {}, ...drawn(piece.of, names))
    case 'link':
      return link(piece.url, piece.label)
    case 'person':
      return mention(`@${names.person(piece.id)}`)
    case 'conversation':
      return mention(`#${names.conversation(piece.id)}`)
    case 'mention':
      return mention(piece.label)
    case 'date':
      return moment(piece.epoch, piece.format, piece.fallback)
  }
}

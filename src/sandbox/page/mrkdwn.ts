/**
 * Slack's mrkdwn as a tree, without a browser. What it does not know stays literal: a text may look plainer here than in
 * Slack, but no character of it goes missing. (Docs: "Formatting text for app surfaces".)
 */
import { text } from './json.ts'

export type Piece =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'code' | 'fence'; readonly text: string }
  | { readonly is: 'bold' | 'italic' | 'strike' | 'quote'; readonly of: readonly Piece[] }
  | { readonly is: 'link'; readonly url: string; readonly label: string }
  | { readonly is: 'person' | 'conversation'; readonly id: string }
  | { readonly is: 'mention'; readonly label: string }
  | { readonly is: 'date'; readonly epoch: number; readonly format: string; readonly fallback: string }
  | { readonly is: 'emoji'; readonly name: string }

const STYLES = { '*': 'bold', _: 'italic', '~': 'strike' } as const

// An angle bracket pair, code, an emoji, or a style mark that neither begins nor ends inside a word (`2*3*4` is arithmetic).
const INLINE =
  /<([^<>\n]+)>|`([^`\n]+)`|:([a-z0-9_+-]+):|(?<![\p{L}\p{N}])([*_~])(?=\S)((?:<[^<>\n]*>|`[^`\n]*`|[^\n<`])+?)(?<=\S)\4(?![\p{L}\p{N}])/gu

/** The pieces of a mrkdwn text. */
export function parse(source: string): readonly Piece[] {
  return source
    .split(/```([\s\S]+?)```\n?/)
    .flatMap((part, at) => (at % 2 === 1 ? [{ is: 'fence', text: decode(part.replace(/^\n|\n$/g, '')) } as const] : quoted(part)))
}

function quoted(part: string): readonly Piece[] {
  return part.split(/((?:^(?:&gt;|>) ?.*(?:\n|$))+)/m).flatMap((run, at): readonly Piece[] => {
    if (at % 2 === 0) return inline(run)
    return [{ is: 'quote', of: inline(run.replace(/^(?:&gt;|>) ?/gm, '').replace(/\n$/, '')) }]
  })
}

function inline(run: string): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of run.matchAll(INLINE)) {
    const [whole, angle, code, emoji, mark, inner] = match
    if (match.index > from) pieces.push({ is: 'text', text: decode(run.slice(from, match.index)) })
    from = match.index + whole.length
    if (angle !== undefined) pieces.push(angled(angle))
    else if (code !== undefined) pieces.push({ is: 'code', text: decode(code) })
    else if (emoji !== undefined) pieces.push({ is: 'emoji', name: emoji })
    else if (mark === '*' || mark === '_' || mark === '~') pieces.push({ is: STYLES[mark], of: inline(text(inner)) })
  }
  if (from < run.length) pieces.push({ is: 'text', text: decode(run.slice(from)) })
  return pieces
}

function angled(inside: string): Piece {
  const bar = inside.indexOf('|')
  const target = bar < 0 ? inside : inside.slice(0, bar)
  const label = bar < 0 ? '' : decode(inside.slice(bar + 1))
  if (/^@[UWB]/.test(target)) return { is: 'person', id: target.slice(1) }
  if (/^#[CGD]/.test(target)) return { is: 'conversation', id: target.slice(1) }
  if (/^!(here|channel|everyone)$/.test(target)) return { is: 'mention', label: `@${target.slice(1)}` }
  if (target.startsWith('!subteam^')) return { is: 'mention', label: label || `@${target.slice('!subteam^'.length)}` }
  const [, epoch, format] = /^!date\^(\d{1,12})\^([^^]+)(?:\^.*)?$/.exec(target) ?? []
  if (epoch !== undefined && format !== undefined) {
    return { is: 'date', epoch: Number(epoch), format: decode(format), fallback: label }
  }
  if (/^(https?:\/\/|mailto:)/i.test(target)) return { is: 'link', url: decode(target), label: label || decode(target) }
  return { is: 'text', text: decode(`<${inside}>`) }
}

/** The three entities that Slack's texts are escaped with; `&amp;lt;` becomes `&lt;`, not `<`. */
export function decode(escaped: string): string {
  return escaped.replace(/&(amp|lt|gt);/g, (_, name: string) => (name === 'amp' ? '&' : name === 'lt' ? '<' : '>'))
}

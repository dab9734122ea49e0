/** Draws a rich_text block (docs: "Rich text block"). Its texts are literal: no marks, no entities, no emoji names. */
import { el, link } from './element.ts'
import { emojiMark } from './emoji.ts'
import { bag, list, number, text } from './json.ts'
import type { Names } from './names.ts'
import { notDrawn } from './not-drawn.ts'
import { mention, moment } from './words.ts'

/** The elements of a rich_text block, one below the other. */
export function richText(block: unknown, names: Names): HTMLElement {
  return el('div', { class: 'rich' }, ...list(bag(block).elements).map((part) => piece(part, names)))
}

function piece(part: unknown, names: Names): HTMLElement {
  const inside = list(bag(part).elements)
  switch (bag(part).type) {
    case 'rich_text_section':
      return el('div', { class: 'words' }, ...inside.map((element) => inline(element, names)))
    case 'rich_text_preformatted':
      return el('pre', {}, ...inside.map((element) => inline(element, names)))
    case 'rich_text_quote':
      return el('blockquote', {}, ...inside.map((element) => inline(element, names)))
    case 'rich_text_list':
      return listing(part, names)
    default:
      return notDrawn(bag(part).type)
  }
}

/** Slack allows indents from 0 to 8. */
function listing(part: unknown, names: Names): HTMLElement {
  const tag = bag(part).style === 'ordered' ? 'ol' : 'ul'
  const indent = Math.min(8, Math.max(0, Math.trunc(number(bag(part).indent) ?? 0)))
  return el(tag, { class: `indent-${indent}` }, ...list(bag(part).elements).map((item) => el('li', {}, piece(item, names))))
}

function inline(element: unknown, names: Names): Node {
  const { type, style } = bag(element)
  const { bold, italic, strike, code, underline } = bag(style)
  let node = unstyled(text(type), element, names)
  if (code === true) node = el('code', {}, node)
  if (strike === true) node = el('s', {}, node)
  if (underline === true) node = el('u', {}, node)
  if (italic === true) node = el('em', {}, node)
  if (bold === true) node = el('strong', {}, node)
  return node
}

function unstyled(type: string, element: unknown, names: Names): Node {
  const member = bag(element)
  switch (type) {
    case 'text':
      return document.createTextNode(text(member.text))
    case 'link':
      return link(text(member.url), text(member.text))
    case 'user':
      return mention(`@${names.person(text(member.user_id))}`)
    case 'channel':
      return mention(`#${names.conversation(text(member.channel_id))}`)
    case 'usergroup':
      return mention(`@${names.group(text(member.usergroup_id))}`)
    case 'broadcast':
      return mention(`@${text(member.range)}`)
    case 'emoji':
      return emojiMark(text(member.name))
    case 'date':
      return moment(number(member.timestamp) ?? Number.NaN, text(member.format), text(member.fallback))
    case 'color':
      return el('code', {}, text(member.value))
    default:
      return notDrawn(type)
  }
}

/** Draws Block Kit blocks (docs: "Blocks"). A kind without a drawing becomes a visible box, never a hole. */
import { interactive, picture } from './button.ts'
import { el } from './element.ts'
import { bag, list, text } from './json.ts'
import type { Names } from './names.ts'
import { notDrawn } from './not-drawn.ts'
import { richText } from './rich-text.ts'
import type { Surface } from './surface.ts'
import { plain, words } from './words.ts'

/** One block. Input blocks belong to modals and are drawn there. */
export function drawBlock(block: unknown, surface: Surface): HTMLElement {
  const { type, elements } = bag(block)
  const id = text(bag(block).block_id)
  switch (type) {
    case 'header':
      return el('h3', { class: 'block header' }, plain(bag(block).text))
    case 'section':
      return section(block, id, surface)
    case 'context':
      return el('div', { class: 'block context' }, ...list(elements).map((element) => remark(element, surface.names)))
    case 'actions':
      return el('div', { class: 'block actions' }, ...list(elements).map((element) => interactive(element, id, surface)))
    case 'divider':
      return el('hr', { class: 'block' })
    case 'rich_text':
      return el('div', { class: 'block' }, richText(block, surface.names))
    case 'image':
      return image(block)
    default:
      return el('div', { class: 'block' }, notDrawn(type))
  }
}

function section(block: unknown, id: string, surface: Surface): HTMLElement {
  const { text: body, fields, accessory } = bag(block)
  const main = el('div', { class: 'section-main' })
  if (body !== undefined) main.append(el('div', { class: 'words' }, ...words(body, surface.names)))
  const cells = list(fields).map((field) => el('div', { class: 'words' }, ...words(field, surface.names)))
  if (cells.length > 0) main.append(el('div', { class: 'fields' }, ...cells))
  const drawn = el('div', { class: 'block section' }, main)
  if (accessory !== undefined) drawn.append(el('div', { class: 'accessory' }, interactive(accessory, id, surface)))
  return drawn
}

function remark(element: unknown, names: Names): HTMLElement {
  const { type } = bag(element)
  if (type === 'image') return picture(element)
  if (type === 'mrkdwn' || type === 'plain_text') return el('span', { class: 'words' }, ...words(element, names))
  return notDrawn(type)
}

function image(block: unknown): HTMLElement {
  const drawn = el('figure', { class: 'block image' }, picture(block))
  const title = plain(bag(block).title)
  if (title !== '') drawn.prepend(el('figcaption', {}, title))
  return drawn
}

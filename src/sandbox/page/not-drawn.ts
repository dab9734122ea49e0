/** What the page cannot draw is said aloud: a card with a silent hole would be taken for the whole card. */
import { el } from './element.ts'

/** A box that names the type that has no drawing here. */
export function notDrawn(type: unknown): HTMLElement {
  return el('span', { class: 'not-drawn', 'data-not-drawn': String(type) }, `not drawn: ${String(type)}`)
}

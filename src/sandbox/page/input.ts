/** Draws a modal's input block with a plain_text_input (docs: "Input block", "Plain-text input element"). */
import { el } from './element.ts'
import { bag, number, text } from './json.ts'
import { notDrawn } from './not-drawn.ts'
import { plain } from './words.ts'

/** A text that a person is writing, and the rules that Slack's client holds it to before it sends anything. */
export interface Field {
  readonly block: string
  readonly action: string
  readonly value: string
  /** Why the client would not send this value, or nothing. */
  readonly fault: string | undefined
}

/** How many characters must be left before the page counts them aloud. */
const COUNTED_FROM = 60

/** The block's drawing. `draft` is what the person wrote before the block was drawn anew. */
export function drawInput(block: unknown, draft: string | undefined, changed: (value: string) => void): HTMLElement {
  const { label, hint, optional, element } = bag(block)
  const { type, multiline, placeholder, initial_value } = bag(element)
  const id = text(bag(block).block_id)
  const name = el('span', { class: 'input-label' }, plain(label))
  if (optional === true) name.append(el('span', { class: 'optional' }, ' (optional)'))
  if (type !== 'plain_text_input') return el('div', { class: 'block input' }, name, notDrawn(type))
  const attributes = {
    class: 'input-text',
    name: id,
    'data-block-id': id,
    placeholder: plain(placeholder) || undefined,
    autocomplete: 'off',
    'aria-describedby': `error-${id}`,
  }
  const input = multiline === true ? el('textarea', { ...attributes, rows: '4' }) : el('input', { ...attributes, type: 'text' })
  input.value = draft ?? text(initial_value)
  const left = el('span', { class: 'left', 'aria-live': 'polite' })
  const count = (): void => {
    const most = mostOf(element)
    const rest = most - input.value.length
    left.textContent = rest > COUNTED_FROM ? '' : String(rest)
    left.classList.toggle('over', rest < 0)
  }
  input.addEventListener('input', () => {
    count()
    changed(input.value)
  })
  count()
  const drawn = el('label', { class: 'block input' }, name, el('span', { class: 'input-box' }, input, left))
  drawn.append(el('span', { class: 'field-error', id: `error-${id}`, 'data-error-for': id, role: 'alert' }))
  if (plain(hint) !== '') drawn.append(el('span', { class: 'hint' }, plain(hint)))
  return drawn
}

/** The block's field with this draft, or nothing when the block holds no text input. */
export function fieldOf(block: unknown, draft: string | undefined): Field | undefined {
  const { element, optional } = bag(block)
  if (bag(block).type !== 'input' || bag(element).type !== 'plain_text_input') return undefined
  const value = draft ?? text(bag(element).initial_value)
  const least = number(bag(element).min_length) ?? 0
  let fault: string | undefined
  if (value === '' && optional !== true) fault = 'Please complete this required field.'
  else if (value.length > mostOf(element)) fault = `This must be no more than ${mostOf(element)} characters.`
  else if (value !== '' && value.length < least) fault = `This must be at least ${least} characters.`
  return { block: text(bag(block).block_id), action: text(bag(element).action_id), value, fault }
}

/** Slack takes at most 3000 characters in a plain_text_input, whatever the app asks for. */
function mostOf(element: unknown): number {
  return Math.min(3000, number(bag(element).max_length) ?? 3000)
}

/** Draws interactive elements. Buttons and lists work; the other kinds are shown for what they are, with the note that they do not. */
import { confirmed } from './confirm.ts'
import { el, webAddress } from './element.ts'
import { bag, list, text } from './json.ts'
import { notDrawn } from './not-drawn.ts'
import type { Surface } from './surface.ts'
import { plain } from './words.ts'

/** An element of an actions block or a section's accessory. */
export function interactive(element: unknown, block: string, surface: Surface): HTMLElement {
  const { type } = bag(element)
  switch (type) {
    case 'button':
      return button(element, block, surface)
    case 'image':
      return picture(element)
    case 'static_select':
      return picker(element, block, surface)
    case 'overflow':
      return choice(element)
    default:
      return notDrawn(type)
  }
}

function button(element: unknown, block: string, surface: Surface): HTMLElement {
  const { style, confirm, url, accessibility_label } = bag(element)
  const action = text(bag(element).action_id)
  const busy = surface.busy(block, action)
  const look = style === 'primary' ? ' primary' : style === 'danger' ? ' danger' : ''
  const drawn = el(
    'button',
    {
      type: 'button',
      class: `button${look}${busy ? ' busy' : ''}`,
      'data-action-id': action,
      'data-block-id': block,
      'aria-label': text(accessibility_label) || undefined,
      'aria-busy': busy && 'true',
      'aria-disabled': busy && 'true',
    },
    el('span', { class: 'label' }, plain(bag(element).text)),
  )
  const press = async (): Promise<void> => {
    if (confirm !== undefined && !(await confirmed(confirm, surface.names))) return
    const address = webAddress(text(url))
    if (address !== undefined) window.open(address, '_blank', 'noopener,noreferrer')
    surface.press(block, action)
  }
  drawn.addEventListener('click', () => {
    if (!busy) void press()
  })
  return drawn
}

/** Pictures are not loaded: the page fetches nothing from anywhere but its own server. */
export function picture(element: unknown): HTMLElement {
  return el('span', { class: 'picture', role: 'img' }, text(bag(element).alt_text) || 'image')
}

/** A list; picking what is chosen already is no press, as in Slack. */
function picker(element: unknown, block: string, surface: Surface): HTMLElement {
  const { placeholder, initial_option, options } = bag(element)
  const action = text(bag(element).action_id)
  const busy = surface.busy(block, action)
  const chosen = text(bag(initial_option).value)
  const drawn = el('select', {
    class: `button picker${busy ? ' busy' : ''}`,
    'data-action-id': action,
    'data-block-id': block,
    'aria-label': plain(placeholder) || 'Select',
    'aria-busy': busy && 'true',
    disabled: busy,
  })
  if (chosen === '') drawn.append(el('option', { value: '', selected: true }, plain(placeholder) || 'Select…'))
  for (const option of list(options)) {
    const value = text(bag(option).value)
    drawn.append(el('option', { value, selected: value === chosen }, plain(bag(option).text)))
  }
  drawn.addEventListener('change', () => {
    if (drawn.value !== chosen) surface.press(block, action, drawn.value)
  })
  return drawn
}

function choice(element: unknown): HTMLElement {
  const { placeholder, initial_option, options, type } = bag(element)
  const label = plain(bag(initial_option).text) || plain(placeholder) || (type === 'overflow' ? '⋯' : 'Select…')
  const names = list(options).map((option) => plain(bag(option).text))
  return el(
    'span',
    { class: 'choice' },
    el('span', { class: 'button', 'aria-disabled': 'true', title: names.join('\n') }, `${label} ▾`),
    notDrawn(type),
  )
}

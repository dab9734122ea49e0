import { isList, isObject, type Json, type JsonObject } from './json.ts'

/** Counts names such as `V0001`, so that they are readable and the same in every run. */
export class Counter {
  readonly #prefix: string
  #last = 0

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  next(): string {
    this.#last += 1
    return `${this.#prefix}${String(this.#last).padStart(4, '0')}`
  }
}

/** The ids that Slack gives to blocks and elements which came without. */
export interface Names {
  readonly block: Counter
  readonly action: Counter
}

/** Elements that can be acted on, and so have an action id. */
const ACTIONABLE = new Set([
  'button',
  'overflow',
  'static_select',
  'users_select',
  'checkboxes',
  'radio_buttons',
  'plain_text_input',
])

/** The blocks with the missing `block_id` and `action_id` filled in, as Slack returns them. */
export function fill(blocks: readonly Json[], names: Names): JsonObject[] {
  return blocks.filter(isObject).map((block) => {
    const named: Record<string, Json> = { ...block, block_id: block.block_id ?? names.block.next() }
    for (const place of ['elements', 'accessory', 'element']) {
      const held = block[place]
      if (held !== undefined) named[place] = isList(held) ? held.map((entry) => act(entry, names)) : act(held, names)
    }
    return named
  })
}

function act(element: Json, names: Names): Json {
  if (!isObject(element) || typeof element.type !== 'string') return element
  if (!ACTIONABLE.has(element.type) || element.action_id !== undefined) return element
  return { ...element, action_id: names.action.next() }
}

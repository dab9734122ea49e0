import { stateOf } from './action.ts'
import { isObject, type Json, type JsonObject, objectsIn, textAt } from './json.ts'
import type { View } from './views.ts'

/** What a person filled in, by block id and action id. A text or null is put into the shape of the input's type. */
export type Values = { readonly [blockId: string]: { readonly [actionId: string]: string | null | JsonObject } }

/** The state that a submission carries, and what Slack's client would hold against it before sending anything. */
export interface Filled {
  readonly values: JsonObject
  readonly errors: Readonly<Record<string, string>>
  /** Names in `Values` that the view has no input for. */
  readonly unknown: readonly string[]
}

/** The inputs of a view as submitted. An input that was not touched has its initial value; an empty text is null, as in Slack. */
export function filled(view: View, given: Values): Filled {
  const values: Record<string, Json> = {}
  const errors: Record<string, string> = {}
  const asked = new Set(Object.entries(given).flatMap(([block, held]) => Object.keys(held).map((action) => `${block}/${action}`)))
  for (const block of objectsIn(view.body.blocks)) {
    const element = block.element
    if (block.type !== 'input' || !isObject(element)) continue
    const blockId = textAt(block, 'block_id') ?? ''
    const actionId = textAt(element, 'action_id') ?? ''
    asked.delete(`${blockId}/${actionId}`)
    const entered = given[blockId]?.[actionId]
    const state = isObject(entered) ? entered : stateOf(element, (entered ?? initial(element, entered)) || null)
    values[blockId] = { [actionId]: state }
    const error = objection(block, element, state)
    if (error !== undefined) errors[blockId] = error
  }
  return { values, errors, unknown: [...asked] }
}

/** The block ids of a view's inputs: only these may be named in `response_action: errors`. */
export function inputIds(view: View): string[] {
  return objectsIn(view.body.blocks)
    .filter((block) => block.type === 'input')
    .map((block) => textAt(block, 'block_id') ?? '')
}

function initial(element: JsonObject, entered: null | undefined): string | null {
  if (entered === null) return null
  const option = element.initial_option
  if (isObject(option)) return textAt(option, 'value') ?? null
  return textAt(element, 'initial_value') ?? textAt(element, 'initial_user') ?? null
}

function objection(block: JsonObject, element: JsonObject, state: JsonObject): string | undefined {
  const held = state.value ?? state.selected_option ?? state.selected_user ?? state.selected_options ?? null
  const empty = held === null || (Array.isArray(held) && held.length === 0)
  if (empty) return block.optional === true ? undefined : 'Please complete this required field.'
  if (typeof held !== 'string' || element.type !== 'plain_text_input') return undefined
  const { min_length: min, max_length: max } = element
  if (typeof max === 'number' && held.length > max) return `Please enter at most ${max} characters.`
  if (typeof min === 'number' && held.length < min) return `Please enter at least ${min} characters.`
  return undefined
}

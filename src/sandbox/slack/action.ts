import { isObject, type Json, type JsonObject, objectsIn, textAt } from './json.ts'

/** An element that was pressed, as `actions[0]` of the payload has it, or undefined when the blocks hold no such element. */
export function actionIn(blocks: Json | undefined, actionId: string, blockId?: string, chosen?: string): JsonObject | undefined {
  for (const block of objectsIn(blocks)) {
    if (blockId !== undefined && block.block_id !== blockId) continue
    const element = elementsOf(block).find((entry) => entry.action_id === actionId)
    if (element !== undefined) return pressed(element, textAt(block, 'block_id') ?? '', chosen)
  }
  return undefined
}

function elementsOf(block: JsonObject): JsonObject[] {
  return [...objectsIn(block.elements), ...[block.accessory, block.element].filter((entry) => isObject(entry))]
}

function pressed(element: JsonObject, blockId: string, chosen: string | undefined): JsonObject {
  const type = textAt(element, 'type') ?? ''
  const base = { type, action_id: element.action_id ?? '', block_id: blockId }
  if (type !== 'button') return { ...base, ...stateOf(element, chosen ?? null) }
  const kept: Record<string, Json> = {}
  for (const name of ['text', 'value', 'style', 'url']) {
    const held = element[name]
    if (held !== undefined) kept[name] = held
  }
  return { ...base, ...kept }
}

/** The state of one input: what stands in `state.values` below its action id, or in an action's own fields. */
export function stateOf(element: JsonObject, given: string | null): JsonObject {
  const type = textAt(element, 'type') ?? ''
  switch (type) {
    case 'plain_text_input':
      return { type, value: given }
    case 'users_select':
      return { type, selected_user: given }
    case 'checkboxes':
      return { type, selected_options: given === null ? [] : optionsOf(element).filter((entry) => entry.value === given) }
    default:
      return { type, selected_option: optionsOf(element).find((entry) => entry.value === given) ?? null }
  }
}

function optionsOf(element: JsonObject): JsonObject[] {
  const grouped = objectsIn(element.option_groups).flatMap((group) => objectsIn(group.options))
  return [...objectsIn(element.options), ...grouped]
}

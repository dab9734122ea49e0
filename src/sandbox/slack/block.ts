import { accessory, actionsElement, anyText, contextElement, inputElement, plainText } from './element.ts'
import { isList, isObject, type Json, objectsIn, textAt } from './json.ts'
import { LIMITS } from './limits.ts'
import { RICH_TEXT_ELEMENTS, richTextElement } from './rich-text.ts'
import { address, all, type Check, type Finding, flag, kinds, list, may, must, object, text, word } from './shape.ts'

const block = { block_id: may(text(LIMITS.blockId)) }

/** Duplicate action ids inside one block are refused by Slack; across blocks they are allowed. */
const distinctActions: Check = (value, pointer, found) => {
  if (!isObject(value)) return
  const seen = new Set<string>()
  objectsIn(value.elements).forEach((element, at) => {
    const id = textAt(element, 'action_id')
    if (id === undefined) return
    if (seen.has(id))
      found.push({ pointer: `${pointer}/elements/${at}/action_id`, message: `\`action_id\` already exists: ${id}` })
    seen.add(id)
  })
}

const someText: Check = (value, pointer, found) => {
  if (!isObject(value)) return
  if (value.text === undefined && value.fields === undefined) {
    found.push({ pointer, message: 'missing required field: text' })
  }
}

/** The eight block types that the stand-in knows. Source: docs.slack.dev/reference/block-kit/blocks. */
const oneBlock = kinds({
  section: all(
    object({
      ...block,
      type: must(word('section')),
      text: may(anyText(LIMITS.text)),
      fields: may(list(anyText(LIMITS.sectionField), 1, LIMITS.sectionFields)),
      accessory: may(accessory),
      expand: may(flag),
    }),
    someText,
  ),
  context: object({
    ...block,
    type: must(word('context')),
    elements: must(list(contextElement, 1, LIMITS.contextElements)),
  }),
  actions: all(
    object({
      ...block,
      type: must(word('actions')),
      elements: must(list(actionsElement, 1, LIMITS.actionsElements)),
    }),
    distinctActions,
  ),
  divider: object({ ...block, type: must(word('divider')) }),
  header: object({ ...block, type: must(word('header')), text: must(plainText(LIMITS.header)) }),
  rich_text: object({
    ...block,
    type: must(word('rich_text')),
    elements: must(list(richTextElement, 1, RICH_TEXT_ELEMENTS)),
  }),
  input: object({
    ...block,
    type: must(word('input')),
    label: must(plainText(LIMITS.inputLabel)),
    element: must(inputElement),
    hint: may(plainText(LIMITS.inputLabel)),
    optional: may(flag),
    dispatch_action: may(flag),
  }),
  image: object({
    ...block,
    type: must(word('image')),
    image_url: must(address(LIMITS.imageUrl)),
    alt_text: must(text(LIMITS.imageText)),
    title: may(plainText(LIMITS.imageText)),
  }),
})

/** What Slack would refuse in a list of blocks of at most `max`, with pointers that begin at `pointer`. */
export function blocksFindings(blocks: Json, pointer: string, max: number): Finding[] {
  const found: Finding[] = []
  list(oneBlock, 0, max)(blocks, pointer, found)
  const seen = new Set<string>()
  if (!isList(blocks)) return found
  blocks.forEach((entry, at) => {
    const id = isObject(entry) ? textAt(entry, 'block_id') : undefined
    if (id === undefined) return
    if (seen.has(id)) found.push({ pointer: `${pointer}/${at}/block_id`, message: `\`block_id\` already exists: ${id}` })
    seen.add(id)
  })
  return found
}

/** How many characters of text the blocks hold in all: every `text` that is a text, at any depth. */
export function textLength(value: Json): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0)
  if (!isObject(value)) return 0
  return Object.entries(value).reduce(
    (sum, [name, held]) => sum + (name === 'text' && typeof held === 'string' ? held.length : textLength(held)),
    0,
  )
}

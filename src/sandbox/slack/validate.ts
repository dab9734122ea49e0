import { blocksFindings, textLength } from './block.ts'
import { plainText } from './element.ts'
import { isList, isObject, type Json, objectsIn } from './json.ts'
import { LIMITS } from './limits.ts'
import { type Check, type Finding, flag, may, must, object, text, word } from './shape.ts'

/**
 * What Slack would refuse, as a list; an empty list means that it would be taken.
 * Messages and views are checked as they would be sent: nothing is escaped, cut or mended first.
 */

/** Checks a message `{ text?, blocks?, metadata? }`; pointers are like `/blocks/0/text/text`. Other fields are not looked at. */
export function validateMessage(message: { readonly [field: string]: unknown }): Finding[] {
  const found: Finding[] = []
  const given = asJson(message)
  if (!isObject(given)) return [{ pointer: '', message: 'must provide an object' }]
  const words = given.text ?? ''
  text(LIMITS.postText, 0)(words, '/text', found)
  if (given.metadata !== undefined) metadata(given.metadata, '/metadata', found)
  const blocks = given.blocks ?? []
  if (words === '' && isList(blocks) && blocks.length === 0)
    found.push({ pointer: '', message: 'no_text: neither text nor blocks' })
  found.push(...blocksFindings(blocks, '/blocks', LIMITS.messageBlocks))
  const length = textLength(blocks)
  if (length > LIMITS.messageBlocksText) {
    const message = `msg_blocks_too_long: ${length} characters of text in all, at most ${LIMITS.messageBlocksText}`
    found.push({ pointer: '/blocks', message })
  }
  return found
}

/** Checks a modal or a home view; pointers are like `/blocks/0/element/action_id`. */
export function validateView(view: { readonly [field: string]: unknown }): Finding[] {
  const found: Finding[] = []
  const given = asJson(view)
  if (!isObject(given)) return [{ pointer: '', message: 'must provide an object' }]
  const type = given.type
  if (type === 'modal') modal(given, '', found)
  else if (type === 'home') home(given, '', found)
  else found.push({ pointer: '/type', message: 'must be a valid enum value: modal, home' })
  const blocks = given.blocks
  if (blocks !== undefined) found.push(...blocksFindings(blocks, '/blocks', LIMITS.viewBlocks))
  if (type === 'modal' && given.submit === undefined && objectsIn(blocks).some((block) => block.type === 'input')) {
    found.push({ pointer: '', message: 'must define `submit` to use an `input` block in modals' })
  }
  if (viewBytes(given) > LIMITS.viewBytes) {
    found.push({ pointer: '', message: `view_too_large: more than ${LIMITS.viewBytes} bytes` })
  }
  return found
}

/** The bytes of a view as JSON, which is what Slack's 250 kB are counted in. */
export function viewBytes(view: Json): number {
  return Buffer.byteLength(JSON.stringify(view))
}

/** Message metadata. Source: docs.slack.dev/messaging/message-metadata. */
export const metadata: Check = object({
  event_type: must(text(LIMITS.callbackId)),
  event_payload: must((value, pointer, found) => {
    if (!isObject(value)) found.push({ pointer, message: 'must provide an object' })
  }),
})

const anything: Check = () => undefined

const common = {
  blocks: must(anything),
  private_metadata: may(text(LIMITS.privateMetadata, 0)),
  callback_id: may(text(LIMITS.callbackId, 0)),
  external_id: may(text(LIMITS.externalId, 0)),
}

const modal = object({
  ...common,
  type: must(word('modal')),
  title: must(plainText(LIMITS.viewTitle)),
  submit: may(plainText(LIMITS.viewTitle)),
  close: may(plainText(LIMITS.viewTitle)),
  clear_on_close: may(flag),
  notify_on_close: may(flag),
  submit_disabled: may(flag),
})

const home = object({ ...common, type: must(word('home')) })

/** What really goes over the wire: undefined fields are gone, as JSON drops them. */
function asJson(value: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(value ?? null))
  return json
}

import { LIMITS } from './limits.ts'
import { address, type Check, flag, kinds, list, may, must, object, text, whole, word } from './shape.ts'

/**
 * The inside of a rich_text block. Source: docs.slack.dev/reference/block-kit/blocks/rich-text-block.
 * Slack states no length for one element: the cumulative limit of the message is the only one.
 */
const MANY = 10_000
const words = text(LIMITS.viewBytes)
const id = text(LIMITS.actionId)

const mentionStyle = object({
  bold: may(flag),
  italic: may(flag),
  strike: may(flag),
  highlight: may(flag),
  client_highlight: may(flag),
  unlink: may(flag),
})
const textStyle = object({ bold: may(flag), italic: may(flag), strike: may(flag), code: may(flag), underline: may(flag) })

const plain = object({ type: must(word('text')), text: must(words), style: may(textStyle) })
const link = object({
  type: must(word('link')),
  url: must(address(LIMITS.buttonUrl)),
  text: may(words),
  unsafe: may(flag),
  style: may(textStyle),
})

const inline = kinds({
  text: plain,
  link,
  user: object({ type: must(word('user')), user_id: must(id), style: may(mentionStyle) }),
  channel: object({ type: must(word('channel')), channel_id: must(id), style: may(mentionStyle) }),
  usergroup: object({ type: must(word('usergroup')), usergroup_id: must(id), style: may(mentionStyle) }),
  emoji: object({ type: must(word('emoji')), name: must(id), unicode: may(id), style: may(textStyle) }),
  broadcast: object({
    type: must(word('broadcast')),
    range: must(word('here', 'channel', 'everyone')),
    style: may(mentionStyle),
  }),
  date: object({
    type: must(word('date')),
    timestamp: must(whole(0, Number.MAX_SAFE_INTEGER)),
    format: must(id),
    url: may(address(LIMITS.buttonUrl)),
    fallback: may(words),
    style: may(textStyle),
  }),
  color: object({ type: must(word('color')), value: must(id), style: may(textStyle) }),
})

const border = may(whole(0, 1))
const section = object({ type: must(word('rich_text_section')), elements: must(list(inline, 1, MANY)) })

const preformatted = object({
  type: must(word('rich_text_preformatted')),
  elements: must(list(kinds({ text: plain, link }), 1, MANY)),
  border,
  language: may(id),
})

const quote = object({ type: must(word('rich_text_quote')), elements: must(list(inline, 1, MANY)), border })

const bullets = object({
  type: must(word('rich_text_list')),
  style: must(word('bullet', 'ordered')),
  elements: must(list(kinds({ rich_text_section: section }), 1, MANY)),
  indent: may(whole(0, 8)),
  offset: may(whole(0, MANY)),
  border,
})

/** What the `elements` of a rich_text block may hold. */
export const richTextElement: Check = kinds({
  rich_text_section: section,
  rich_text_preformatted: preformatted,
  rich_text_list: bullets,
  rich_text_quote: quote,
})

/** How many elements a rich_text block may hold; Slack states none, so this is only against nonsense. */
export const RICH_TEXT_ELEMENTS = MANY

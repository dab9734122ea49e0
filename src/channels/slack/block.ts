/** Builders for the few kinds of block that we use, with Slack's limits (slack-facts B1). They take nothing but safe text. */
import type { Button, KnownBlock, RichTextBlock, RichTextPreformatted, RichTextSection } from '@slack/types'
import type { Inert, Words } from './safe-text.ts'

export type Part =
  | { readonly words: Words; readonly bold?: boolean; readonly strike?: boolean }
  | { readonly user: string }
  | { readonly conversation: string }
  | { readonly moment: Date }

export function header(text: Words): KnownBlock {
  return { type: 'header', text: { type: 'plain_text', text: cut(text, 150), emoji: false } }
}

/** Small print: at most ten elements. */
export function context(elements: readonly Words[]): KnownBlock {
  return {
    type: 'context',
    elements: elements.slice(0, 10).map((text) => ({ type: 'plain_text', text: escapeMarks(text), emoji: false })),
  }
}

export function section(text: Words): KnownBlock {
  return { type: 'section', text: { type: 'plain_text', text: cut(escapeMarks(text), 3000), emoji: false } }
}

export function divider(): KnownBlock {
  return { type: 'divider' }
}

export function richText(elements: readonly (RichTextSection | RichTextPreformatted)[]): RichTextBlock {
  return { type: 'rich_text', elements: [...elements] }
}

export function line(parts: readonly Part[]): RichTextSection {
  return {
    type: 'rich_text_section',
    elements: parts.map((part) => {
      if ('user' in part) return { type: 'user', user_id: part.user }
      if ('conversation' in part) return { type: 'channel', channel_id: part.conversation }
      if ('moment' in part) {
        const fallback = `${part.moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
        return {
          type: 'date',
          timestamp: Math.floor(part.moment.getTime() / 1000),
          format: '{date_short_pretty} at {time}',
          fallback,
        }
      }
      const style = { ...(part.bold === true ? { bold: true } : {}), ...(part.strike === true ? { strike: true } : {}) }
      return { type: 'text', text: part.words, ...(Object.keys(style).length === 0 ? {} : { style }) }
    }),
  }
}

/** The one place for text that is not ours. */
export function preformatted(text: Inert): RichTextPreformatted {
  return { type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }
}

export function actions(buttons: readonly Button[]): KnownBlock {
  return { type: 'actions', elements: [...buttons] }
}

/** Slack reads `&`, `<` and `>` in plain text as entities and tokens; in rich text it does not. */
function escapeMarks(text: string): string {
  return text.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'))
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

/** Builders for the few kinds of block that we use, with Slack's limits (slack-facts B1). They take nothing but safe text. */
import type { Button, KnownBlock, RichTextBlock, RichTextPreformatted, RichTextSection, StaticSelect } from '@slack/types'
import type { Inert, Words } from './safe-text.ts'

export type Part =
  | { readonly words: Words; readonly bold?: boolean; readonly strike?: boolean }
  | { readonly user: string }
  | { readonly group: string }
  | { readonly conversation: string }
  | { readonly moment: Date; readonly told?: keyof typeof MOMENTS }
  | { readonly emoji: Emoji }

/** A state at a glance. Ours alone: in a sender's text such a name stays the letters that it is made of. */
export type Emoji = 'hourglass' | 'hourglass_flowing_sand' | 'information_source' | 'no_entry' | 'warning' | 'white_check_mark'

/** Each in the reader's own zone and language. How long ago goes stale while a card stands, so only what waits tells it. */
const MOMENTS = {
  exactly: '{date_short_pretty} at {time}',
  both: '{date_short_pretty} at {time} ({ago})',
  ago: '{ago}',
} as const

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

/** @param beside what stands at its right; on a phone below it */
export function section(text: Words, beside?: StaticSelect): KnownBlock {
  return {
    type: 'section',
    text: { type: 'plain_text', text: cut(escapeMarks(text), 3000), emoji: false },
    ...(beside === undefined ? {} : { accessory: beside }),
  }
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
      if ('group' in part) return { type: 'usergroup', usergroup_id: part.group }
      if ('emoji' in part) return { type: 'emoji', name: part.emoji }
      if ('conversation' in part) return { type: 'channel', channel_id: part.conversation }
      if ('moment' in part) {
        const fallback = `${part.moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
        return {
          type: 'date',
          timestamp: Math.floor(part.moment.getTime() / 1000),
          format: MOMENTS[part.told ?? 'exactly'],
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

import { el } from './element.ts'
import { type Icon, icon } from './icon.ts'

/** The emoji names that an approvals bot is likely to use. Any other name stays written out as `:name:`. */
const EMOJI: Readonly<Record<string, string>> = {
  '+1': '👍',
  arrow_right: '➡️',
  bell: '🔔',
  eyes: '👀',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  information_source: 'ℹ️',
  key: '🔑',
  large_green_circle: '🟢',
  lock: '🔒',
  memo: '📝',
  no_entry: '⛔',
  no_entry_sign: '🚫',
  red_circle: '🔴',
  robot_face: '🤖',
  rotating_light: '🚨',
  snowflake: '❄️',
  tada: '🎉',
  thumbsup: '👍',
  warning: '⚠️',
  white_check_mark: '✅',
  x: '❌',
}

/** The picture of an emoji's name, or the name between colons. */
export function emoji(name: string): string {
  return Object.hasOwn(EMOJI, name) ? (EMOJI[name] ?? '') : `:${name}:`
}

/** Those that tell a state at a glance are drawn: not every machine has a font with their pictures. */
const DRAWN: Readonly<Record<string, readonly [Icon, 'good' | 'bad' | 'wait' | 'note' | 'warn']>> = {
  hourglass: ['hourglass', 'note'],
  hourglass_flowing_sand: ['hourglass', 'wait'],
  information_source: ['info', 'note'],
  no_entry: ['bar', 'bad'],
  warning: ['exclaim', 'warn'],
  white_check_mark: ['check', 'good'],
}

/** An emoji that is an element of its own. */
export function emojiMark(name: string): Node {
  const [drawn, look] = (Object.hasOwn(DRAWN, name) ? DRAWN[name] : undefined) ?? []
  if (drawn === undefined || look === undefined) return document.createTextNode(emoji(name))
  return el(
    'span',
    { class: `mark ${look}`, role: 'img', 'aria-label': name.replaceAll('_', ' '), 'data-emoji': name },
    icon(drawn),
  )
}

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

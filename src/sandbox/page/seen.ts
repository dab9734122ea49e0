/** What each person has seen of each conversation, for the dots of unread ones. Kept for the life of the browser tab. */
import { bag, text } from './json.ts'
import type { Message } from './state.ts'

const KEY = 'seen'

let seen: Readonly<Record<string, string>> = stored()

function stored(): Readonly<Record<string, string>> {
  try {
    const kept = bag(JSON.parse(sessionStorage.getItem(KEY) ?? '{}'))
    return Object.fromEntries(Object.entries(kept).map(([place, ts]) => [place, text(ts)]))
  } catch {
    return {}
  }
}

/** Whether a message is newer than what the person has seen there. */
export function unread(as: string, conversation: string, messages: readonly Message[]): boolean {
  return newest(messages) > Number(seen[`${as}/${conversation}`] ?? 0)
}

/** Everything there has been seen now. */
export function see(as: string, conversation: string, messages: readonly Message[]): void {
  if (!unread(as, conversation, messages)) return
  seen = { ...seen, [`${as}/${conversation}`]: String(newest(messages)) }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(seen))
  } catch {
    // A browser that keeps nothing still has the dots until its next reload.
  }
}

function newest(messages: readonly Message[]): number {
  return messages.reduce((latest, message) => Math.max(latest, Number(message.ts) || 0), 0)
}

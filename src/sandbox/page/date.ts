/** Slack's date tokens (docs: "Formatting text for app surfaces", date formatting), in the reader's own zone and language. */

const DAY_MS = 86_400_000

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  date_long: { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' },
  time: { hour: 'numeric', minute: '2-digit' },
  time_secs: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
}

/** The words for a moment, in seconds since 1970; the fallback when the moment or a token of the format is not known. */
export function dateWords(epoch: number, format: string, fallback: string, now: Date): string {
  const at = new Date(epoch * 1000)
  if (format === '' || Number.isNaN(at.getTime())) return fallback
  let known = true
  const words = format.replace(/\{([a-z_]+)\}/g, (_, token: string) => {
    const word = tokenWords(at, token, now)
    if (word === undefined) known = false
    return word ?? ''
  })
  return known ? words : fallback
}

function tokenWords(at: Date, token: string, now: Date): string | undefined {
  if (token === 'date_num') {
    return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
  }
  if (token === 'ago') return agoWords(at, now)
  if (token.endsWith('_pretty')) return nearDay(at, now) ?? tokenWords(at, token.slice(0, -'_pretty'.length), now)
  const style = Object.hasOwn(STYLES, token) ? STYLES[token] : undefined
  return style === undefined ? undefined : new Intl.DateTimeFormat(undefined, style).format(at)
}

/** "today", "yesterday" or "tomorrow" in the reader's language, or nothing for any other day. */
function nearDay(at: Date, now: Date): string | undefined {
  const midnight = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  const days = Math.round((midnight(at) - midnight(now)) / DAY_MS)
  return Math.abs(days) > 1 ? undefined : new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(days, 'day')
}

function agoWords(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
  const size = Math.abs(seconds)
  if (size < 60) return words.format(seconds, 'second')
  if (size < 3600) return words.format(Math.trunc(seconds / 60), 'minute')
  if (size < 86_400) return words.format(Math.trunc(seconds / 3600), 'hour')
  return words.format(Math.trunc(seconds / 86_400), 'day')
}

/** The time of day of a message's ts. */
export function timeOf(ts: string): string {
  return dateWords(Number.parseFloat(ts), '{time}', '', new Date())
}

/** A heading for the day of a message's ts, such as "Today" or "Tuesday, 18 February 2025". */
export function dayOf(ts: string, now: Date): string {
  const words = dateWords(Number.parseFloat(ts), '{date_long_pretty}', 'Some day', now)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

// Times as rows hold them: RFC 3339 in UTC, fractions without trailing zeros. Digits beyond the millisecond survive.

export function timeText(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, 'Z')
}

/** Without the fraction. */
export function wholeSeconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z')
}

/** Strictly: at the instant itself it has not passed. A time that cannot be read never passes. */
export function hasPassed(time: string | null, now: Date): boolean {
  return time !== null && Date.parse(time) < now.getTime()
}

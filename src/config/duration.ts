import { z } from 'zod'

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `30m`, `24h`, `7d`: milliseconds, at least a second and at most a year. */
export const Duration = z.string('must be a duration such as 30m or 24h').transform((text, context) => {
  const [, count, unit] = /^([1-9][0-9]{0,6})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN)
  if (!(ms >= 1000 && ms <= 366 * 86_400_000)) {
    context.addIssue({ code: 'custom', message: 'must be a duration such as 90s, 30m, 24h or 7d' })
    return z.NEVER
  }
  return ms
})

/** Whether our clock is near enough to somebody else's: signatures are refused from five minutes on, either way. */
import { type Finding, fails, ok, skipped, warning } from './doctor-finding.ts'

/** What an answer's `Date` header said, and what our clock said then. */
export interface Told {
  readonly theirs: Date
  readonly ours: Date
}

/** Under the five minutes with room for the way, and an amount that no network explains. Milliseconds. */
const FAILS_MS = 240_000
const WARNS_MS = 60_000

/** Undefined for a header that is no date. */
export function toldBy(header: string | null | undefined, ours: Date): Told | undefined {
  const theirs = new Date(header ?? '')
  return Number.isNaN(theirs.getTime()) ? undefined : { theirs, ours }
}

export function clockFinding(whose: string, told: Told | undefined): Finding {
  const check = `clock against ${whose}`
  if (told === undefined) return skipped(check, 'there was no answer that told the time.')
  const apart = told.ours.getTime() - told.theirs.getTime()
  const seconds = Math.round(Math.abs(apart) / 1000)
  if (Math.abs(apart) <= WARNS_MS) return ok(check, `less than a minute apart.`)
  const message = `our clock is ${seconds} s ${apart > 0 ? 'ahead' : 'behind'}; from 300 s on signatures are refused.`
  const mend = 'Have this host (and the other end) set its clock by a time server.'
  return Math.abs(apart) > FAILS_MS ? fails(check, message, mend) : warning(check, message, mend)
}

/** What a source answers that says nothing of the approval: it could not, or would not, look at it. */
import { Failure } from '../../approval/ports.ts'
import type { Refused } from '../../approval-channel/client.ts'

/** The protocol accepts five minutes either way; their clock is told in whole seconds. Milliseconds. */
const CLOCKS_MS = 295_000
/** The other side's bucket refills at ten a second, for everybody together. Milliseconds. */
const RATE_WAIT_MS = 2000
const CLOCK_WAIT_MS = 60_000

/** Undefined when the code is an answer about the run or the approval. @param landed whether a decision may have been made */
export function troubleOf({ code, theirClock }: Refused, now: Date, landed: 'no' | 'maybe'): Failure | undefined {
  switch (code) {
    case 'unauthorized': {
      const apart = theirClock === undefined ? 0 : Math.abs(theirClock.getTime() - now.getTime())
      return apart > CLOCKS_MS
        ? new Failure({ kind: 'passing', code: 'clocks_differ' }, 'no', CLOCK_WAIT_MS)
        : new Failure({ kind: 'lasting', code: 'bad_signature' }, 'no')
    }
    case 'rate_limited':
      return new Failure({ kind: 'passing', code: 'rate_limited' }, 'no', RATE_WAIT_MS)
    case 'internal':
      return new Failure({ kind: 'passing', code: 'internal' }, landed)
    default:
      return undefined
  }
}

// Answers on demand: what the channel does instead of its work, or after it.
import type { Action, Place } from './route.ts'

/** Which requests are spoiled, and whether they count all the same. */
interface Aim {
  /** True: the work is done first, and then the answer is spoiled. That is the case a client cannot tell from the other. */
  readonly after?: boolean
  /** Only these; any request when absent. */
  readonly action?: Action
  readonly run?: string
  /** How many; 1 when absent, Infinity for all. */
  readonly times?: number
}

export type Fault = Aim &
  (
    | {
        readonly status: number
        readonly headers?: Readonly<Record<string, string>>
        /** An error in the channel's form when absent. */
        readonly body?: string
      }
    /** No answer until `release`. Without `after` the work is done then too, if the client is still there. */
    | { readonly hang: true }
    /** The connection is reset. */
    | { readonly reset: true }
  )

export interface Faults {
  add(fault: Fault): void
  /** The oldest fault that fits, used up by one. */
  take(place: Place | undefined): Fault | undefined
  clear(): void
}

export function queueFaults(): Faults {
  const queue: { readonly fault: Fault; left: number }[] = []
  const fits = (place: Place | undefined, { action, run }: Fault) =>
    (action === undefined || action === place?.action) && (run === undefined || run === place?.run)
  return {
    add(fault) {
      queue.push({ fault, left: fault.times ?? 1 })
    },
    take(place) {
      const found = queue.find(({ fault, left }) => left > 0 && fits(place, fault))
      if (found === undefined) return undefined
      found.left -= 1
      return found.fault
    },
    clear() {
      queue.length = 0
    },
  }
}

// Answers on demand: what the resolve address does instead of its work, or after it.

/** Which answers are spoiled, and whether the resolution counts all the same. */
interface Aim {
  /** True: the resolution takes effect first, and then the answer is spoiled. That is the case a client cannot tell from the other. */
  readonly after?: boolean
  /** Only posts for this interaction. Absent: any. */
  readonly id?: string
  /** How many posts; 1 when absent, Infinity for all. */
  readonly times?: number
}

export type Fault = Aim &
  (
    | {
        readonly status: number
        /** Seconds, or an HTTP date. */
        readonly retryAfter?: number | string
        readonly headers?: Readonly<Record<string, string>>
        readonly body?: string
      }
    /** No answer until `release`. Without `after` the work is done then too, if the client is still there. */
    | { readonly hang: true }
    /** The connection is reset. */
    | { readonly reset: true }
  )

export interface Faults {
  add(fault: Fault): void
  /** The oldest fault that fits this interaction, used up by one. */
  take(id: string): Fault | undefined
  clear(): void
}

export function queueFaults(): Faults {
  const queue: { readonly fault: Fault; left: number }[] = []
  return {
    add(fault) {
      queue.push({ fault, left: fault.times ?? 1 })
    },
    take(id) {
      const found = queue.find(({ fault, left }) => left > 0 && (fault.id === undefined || fault.id === id))
      if (found === undefined) return undefined
      found.left -= 1
      return found.fault
    },
    clear() {
      queue.length = 0
    },
  }
}

// Waiting for a state without polling: every change asks the waiting conditions again.

/** Who changes a state calls `changed`; who waits for one calls `until`. */
export interface Watch {
  changed(): void
  until(description: string, predicate: () => boolean, timeoutMs?: number): Promise<void>
  /** Everybody who still waits is told that it will not happen. */
  close(): void
}

interface Waiting {
  readonly predicate: () => boolean
  readonly done: () => void
  readonly fail: (why: string, cause?: unknown) => void
}

/** Node fires a longer timer at once; such a wait has no end instead. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** `state` is a short text for the message of a wait that failed. */
export function startWatch(state: () => string): Watch {
  const waiting = new Set<Waiting>()
  let scheduled = false
  let closed = false

  const ask = (one: Waiting) => {
    try {
      if (one.predicate()) one.done()
    } catch (error) {
      one.fail('its condition threw', error)
    }
  }

  return {
    changed() {
      if (scheduled) return
      scheduled = true
      // Later, but in this turn: the answer that goes with a change is then already on its way.
      queueMicrotask(() => {
        scheduled = false
        for (const one of [...waiting]) ask(one)
      })
    },
    until(description, predicate, timeoutMs = 10_000) {
      return new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined
        const leave = () => {
          clearTimeout(timer)
          waiting.delete(one)
        }
        const one: Waiting = {
          predicate,
          done: () => {
            leave()
            resolve()
          },
          fail: (why, cause) => {
            leave()
            reject(new Error(`waited for "${description}", but ${why}. State: ${state()}`, { cause }))
          },
        }
        waiting.add(one)
        if (timeoutMs <= LONGEST_TIMER_MS) timer = setTimeout(() => one.fail(`${timeoutMs} ms went by`), timeoutMs)
        ask(one)
        if (closed && waiting.has(one)) one.fail('the platform is closed')
      })
    },
    close() {
      closed = true
      for (const one of [...waiting]) one.fail('the platform was closed')
    },
  }
}

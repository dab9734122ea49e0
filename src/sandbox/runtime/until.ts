// Waiting for a state without polling: every change asks the waiting conditions again.

export interface Watch {
  changed(): void
  /** Rejects with the description when the time is over. Infinity: no end. */
  until(description: string, predicate: () => boolean, timeoutMs?: number): Promise<void>
  /** Everybody who still waits is told that it will not happen. */
  close(): void
}

/** Node fires a longer timer at once; such a wait has no end instead. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export function startWatch(): Watch {
  const waiting = new Set<{ readonly ask: () => void; readonly fail: (why: string) => void }>()
  let closed = false
  return {
    changed() {
      // Later, but in this turn: the answer that goes with a change is then already on its way.
      queueMicrotask(() => {
        for (const one of [...waiting]) one.ask()
      })
    },
    until(description, predicate, timeoutMs = 10_000) {
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer)
          waiting.delete(one)
        }
        const fail = (why: string, cause?: unknown) => {
          leave()
          reject(new Error(`waited for "${description}", but ${why}`, { cause }))
        }
        const ask = () => {
          try {
            if (!predicate()) return
            leave()
            resolve()
          } catch (error) {
            fail('its condition threw', error)
          }
        }
        const one = { ask, fail }
        const late = () => fail(`${timeoutMs} ms went by`)
        const timer = timeoutMs <= LONGEST_TIMER_MS ? setTimeout(late, timeoutMs) : undefined
        waiting.add(one)
        ask()
        if (closed && waiting.has(one)) fail('the runtime is closed')
      })
    },
    close() {
      closed = true
      for (const one of [...waiting]) one.fail('the runtime was closed')
    },
  }
}

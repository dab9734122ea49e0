import type { Changes } from './changes.ts'

/**
 * Waits until `probe` gives something true, asking again after each change and never by a timer.
 * Milliseconds of real time; at the end it rejects with the description and a short state.
 */
export function until<T>(
  changes: Changes,
  closed: AbortSignal,
  state: () => string,
  description: string,
  probe: () => T,
  timeoutMs: number,
): Promise<NonNullable<T>> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const onClosed = (): void => end(() => reject(new Error(`the stand-in was closed before ${description}`)))
    const stop = changes.listen(ask)
    closed.addEventListener('abort', onClosed)
    timer = setTimeout(() => end(() => reject(new Error(`not within ${timeoutMs} ms: ${description}\n${state()}`))), timeoutMs)
    if (closed.aborted) onClosed()
    else ask()

    function end(answer: () => void): void {
      clearTimeout(timer)
      stop()
      closed.removeEventListener('abort', onClosed)
      answer()
    }
    function ask(): void {
      try {
        const value = probe()
        if (value !== undefined && value !== null && value !== false) end(() => resolve(value))
      } catch (error) {
        end(() => reject(error))
      }
    }
  })
}

import type { Clock } from '../src/approval/ports.ts'

/** Calls back in order of time, when the test moves it on. Setting it moves what it tells, and no call: timers know no wall clock. */
export function handMoved(): Clock & { advance(ms: number): Promise<void>; set(ms: number): void; readonly ms: () => number } {
  let offset = 0
  let now = 1_790_000_000_000
  const due: { at: number; call: () => void }[] = []
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 60; n += 1) await Promise.resolve()
  }
  return {
    ms: () => now + offset,
    now: () => new Date(now + offset),
    set(ms) {
      offset += ms
    },
    after(ms, call) {
      const entry = { at: now + ms, call }
      due.push(entry)
      return () => void due.splice(due.indexOf(entry), due.includes(entry) ? 1 : 0)
    },
    async advance(ms) {
      const end = now + ms
      await settle()
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        due.splice(due.indexOf(next), 1)
        now = Math.max(now, next.at)
        next.call()
        await settle()
      }
      now = end
    },
  }
}

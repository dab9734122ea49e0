import type { Clock } from './approval/ports.ts'

/** The machine's own clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => new Date(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

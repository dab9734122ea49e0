/** Spaces what is sent to one source, whoever sends it: the other side's rate is shared by all of its clients. */
import type { Clock } from '../../approval/ports.ts'

/** Resolves when the caller may send: one caller every `gapMs`, in the order of asking. */
export function pacer(clock: Clock, gapMs: number): () => Promise<void> {
  let free = 0
  let waiting = 0
  return async () => {
    const now = clock.now().getTime()
    // Further ahead than those who wait have booked: the clock was set back.
    const at = Math.min(Math.max(now, free), now + gapMs * (waiting + 1))
    free = at + gapMs
    if (at <= now) return
    waiting += 1
    await new Promise<void>((resolve) => void clock.after(at - now, resolve))
    waiting -= 1
  }
}

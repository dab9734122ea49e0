/** Spaces what is sent to one source, whoever sends it: the other side's rate is shared by all of its clients. */
import type { Clock } from '../../approval/ports.ts'

/** Further ahead than this nobody has booked: the clock was set back. Milliseconds. */
const MOST_BOOKED_MS = 60_000

/** Resolves when the caller may send: one caller every `gapMs`, in the order of asking. */
export function pacer(clock: Clock, gapMs: number): () => Promise<void> {
  let free = 0
  return async () => {
    const now = clock.now().getTime()
    const at = free - now > MOST_BOOKED_MS ? now : Math.max(now, free)
    free = at + gapMs
    if (at > now) await new Promise<void>((resolve) => void clock.after(at - now, resolve))
  }
}

/** A token bucket: full at the start, refilled continuously. Every request costs one token, before anything of it is looked at. */
export function bucket(perSecond: number, burst: number, nowMs: () => number): () => boolean {
  let tokens = burst
  let last = nowMs()
  return () => {
    const now = nowMs()
    // A clock that was set back refills nothing.
    tokens = Math.min(burst, tokens + (Math.max(0, now - last) / 1000) * perSecond)
    last = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

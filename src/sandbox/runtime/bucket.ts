// One token bucket for everybody who asks.

export interface Bucket {
  /** Whether there was a token. */
  take(): boolean
}

/** `ticks` in milliseconds, never backwards. Starts full. */
export function fillBucket(rate: number, burst: number, ticks: () => number): Bucket {
  let tokens = burst
  let last = ticks()
  return {
    take() {
      const at = ticks()
      tokens = Math.min(burst, tokens + (Math.max(0, at - last) / 1000) * rate)
      last = at
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}

/** The given clock, and the message timestamps that Slack makes from it. */
export class SlackClock {
  readonly now: () => Date
  #lastMicros = 0

  constructor(now: () => Date) {
    this.now = now
  }

  ms(): number {
    return this.now().getTime()
  }

  /** Whole seconds, as in signatures and dates. */
  seconds(): number {
    return Math.floor(this.ms() / 1000)
  }

  /** A new `ts`: seconds with six decimals, greater than every one before, even while the clock stands still or goes back. */
  ts(): string {
    this.#lastMicros = Math.max(this.ms() * 1000, this.#lastMicros + 1)
    const micros = this.#lastMicros
    return `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`
  }
}

/** Compares two `ts`; negative when `a` is older. Their whole seconds may differ in length. */
export function compareTs(a: string, b: string): number {
  return micros(a) - micros(b)
}

function micros(ts: string): number {
  const [whole = '0', part = ''] = ts.split('.')
  return Number(whole) * 1e6 + Number(part.padEnd(6, '0').slice(0, 6))
}

// What the runtime and its channel tell an observer.

export interface Event {
  readonly type:
    | 'approval.requested'
    | 'approval.decided'
    | 'run.finished'
    /** The channel's own two; their `seq` is 0. */
    | 'webhook.decision'
    | 'webhook.refused'
  /** Empty for a refused request. */
  readonly run: string
  /** Counted for each run, from 1. */
  readonly seq: number
  readonly at: Date
  readonly payload: Readonly<Record<string, string | number>>
}

export interface Events {
  /** From the runtime. */
  tell(type: Event['type'], run: string, payload: Event['payload']): void
  /** From the channel. */
  observe(type: Event['type'], run: string, payload: Event['payload']): void
  all(): readonly Event[]
}

export function keepEvents(now: () => Date): Events {
  const events: Event[] = []
  const counts = new Map<string, number>()
  return {
    tell(type, run, payload) {
      const seq = (counts.get(run) ?? 0) + 1
      counts.set(run, seq)
      events.push({ type, run, seq, at: now(), payload })
    },
    observe(type, run, payload) {
      events.push({ type, run, seq: 0, at: now(), payload })
    },
    all: () => [...events],
  }
}

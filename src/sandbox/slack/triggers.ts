import type { SlackClock } from './clock.ts'
import { Counter } from './fill.ts'
import { LIMITS } from './limits.ts'

/** What a trigger stands for: one deed of one person, in a modal or not. */
export interface Trigger {
  readonly user: string
  readonly view: string | null
}

export type TriggerRefusal = 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id'

/** Trigger ids: three seconds by the given clock, one use each. Source: docs.slack.dev/interactivity/handling-user-interaction. */
export class Triggers {
  readonly #issued = new Map<string, Trigger & { readonly at: number; used: boolean }>()
  readonly #ids = new Counter('trigger.')
  readonly #clock: SlackClock

  constructor(clock: SlackClock) {
    this.#clock = clock
  }

  issue(trigger: Trigger): string {
    const id = this.#ids.next()
    this.#issued.set(id, { ...trigger, at: this.#clock.ms(), used: false })
    return id
  }

  /** What the id stands for, or why it cannot be used. Looking does not use it up. */
  look(id: string | undefined): Trigger | TriggerRefusal {
    const trigger = this.#issued.get(id ?? '')
    if (trigger === undefined) return 'invalid_trigger_id'
    if (trigger.used) return 'exchanged_trigger_id'
    return this.#clock.ms() - trigger.at > LIMITS.triggerMs ? 'expired_trigger_id' : trigger
  }

  use(id: string): void {
    const trigger = this.#issued.get(id)
    if (trigger !== undefined) trigger.used = true
  }
}

import type { SlackClock } from './clock.ts'
import { Counter } from './fill.ts'
import { LIMITS } from './limits.ts'
import type { Message } from './messages.ts'

/** Where an answer by response_url goes. */
export interface Link {
  readonly user: string
  readonly conversation: string
  /** The message that was clicked; null for a command, whose response_url can replace nothing. */
  readonly message: Message | null
}

/** response_urls: five uses, thirty minutes by the given clock. Source: docs.slack.dev/interactivity/handling-user-interaction. */
export class ResponseLinks {
  readonly #issued = new Map<string, Link & { readonly at: number; uses: number }>()
  readonly #ids = new Counter('R')
  readonly #clock: SlackClock

  constructor(clock: SlackClock) {
    this.#clock = clock
  }

  issue(link: Link): string {
    const id = this.#ids.next()
    this.#issued.set(id, { ...link, at: this.#clock.ms(), uses: 0 })
    return id
  }

  /** Takes one of the five uses, or says why there is none. */
  use(id: string): Link | 'invalid_url' | 'expired_url' | 'used_url' {
    const link = this.#issued.get(id)
    if (link === undefined) return 'invalid_url'
    if (this.#clock.ms() - link.at > LIMITS.responseUrlMs) return 'expired_url'
    if (link.uses >= LIMITS.responseUrlUses) return 'used_url'
    link.uses += 1
    return link
  }
}

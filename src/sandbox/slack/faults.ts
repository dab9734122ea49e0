import { wordAt } from './arguments.ts'
import type { Changes } from './changes.ts'
import type { JsonObject } from './json.ts'

/** What goes wrong with a call. `after` means that the effect is stored first, and then the failure is sent. */
type Trouble =
  | { readonly kind: 'ratelimited'; readonly retryAfter: number }
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'status'; readonly status: number; readonly after?: boolean }
  | { readonly kind: 'hang'; readonly after?: boolean }
  | { readonly kind: 'reset'; readonly after?: boolean }

/** A trouble and when it happens. `retryAfter` is in seconds. */
export type Fault = Trouble & {
  /** A method's name, `response_url`, or `*` for every Web API method. */
  readonly method: string
  /** Only calls whose `channel` is this one. */
  readonly conversation?: string
  /** How many calls it hits; 1 when left out, Infinity for all. */
  readonly times?: number
}

/** Faults on demand. They are used in the order in which they were asked for. */
export class Faults {
  #waiting: { readonly fault: Fault; left: number }[] = []
  readonly #held = new Set<() => void>()
  readonly #changes: Changes

  constructor(changes: Changes) {
    this.#changes = changes
  }

  add(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 })
  }

  /** The fault that hits this call, counted down; undefined when the call goes through. */
  take(method: string, args: JsonObject): Fault | undefined {
    const hit = this.#waiting.find(({ fault }) => {
      if (fault.method !== method && (fault.method !== '*' || method === 'response_url')) return false
      return fault.conversation === undefined || fault.conversation === wordAt(args, 'channel')
    })
    if (hit === undefined) return undefined
    hit.left -= 1
    if (hit.left <= 0) this.#waiting = this.#waiting.filter((entry) => entry !== hit)
    return hit.fault
  }

  /** Waits until `release`; false when `gone` comes first (the client went, or the stand-in closes). */
  hold(gone: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const go = (): void => end(true)
      const leave = (): void => end(false)
      const end = (released: boolean): void => {
        this.#held.delete(go)
        this.#changes.touch()
        gone.removeEventListener('abort', leave)
        resolve(released)
      }
      this.#held.add(go)
      this.#changes.touch()
      gone.addEventListener('abort', leave)
      if (gone.aborted) leave()
    })
  }

  /** How many calls hang now. */
  get held(): number {
    return this.#held.size
  }

  /** Lets every hung call go on. */
  release(): void {
    for (const go of [...this.#held]) go()
  }

  clear(): void {
    this.#waiting = []
  }
}

/** Why Slack asks a connection to leave. Source: slack-stand-in.md, 3.3, and field report A77 for `too_many_websockets`. */
export const DISCONNECT_REASONS = ['warning', 'refresh_requested', 'link_disabled', 'too_many_websockets'] as const
export type DisconnectReason = (typeof DISCONNECT_REASONS)[number]

/**
 * What goes wrong with sockets. `socket` is a number from `sockets()`; without it, the fault hits every one that is there.
 * A refused `apps.connections.open` is a fault of that method like any other.
 */
export type SocketFault =
  /** Goes on to be counted, sends and reads nothing, and is never closed: a half-open connection (field report A01). */
  | { readonly kind: 'silent'; readonly socket?: number }
  /** Ends without goodbye. */
  | { readonly kind: 'cut'; readonly socket?: number }
  /** The app is asked to leave; Slack does not close it before ten seconds, except where it must go at once. */
  | { readonly kind: 'disconnect'; readonly reason: DisconnectReason; readonly socket?: number }
  /** The next acknowledgements are lost on the way; 1 when left out. */
  | { readonly kind: 'drop_ack'; readonly times?: number }
  /** The next envelopes come twice with the same id (field report A02), the copy on another connection when there is one. */
  | { readonly kind: 'twice'; readonly times?: number }
  /** The next connections are not greeted. */
  | { readonly kind: 'no_hello'; readonly times?: number }
  /** The next greetings count so many connections, whatever there are. */
  | { readonly kind: 'num_connections'; readonly count: number; readonly times?: number }

/** How often each fault that waits for its moment will still happen. */
export class SocketFaults {
  readonly #left = new Map<SocketFault['kind'], number>()
  #count = 0

  add(fault: SocketFault & { readonly kind: 'drop_ack' | 'twice' | 'no_hello' | 'num_connections' }): void {
    this.#left.set(fault.kind, (this.#left.get(fault.kind) ?? 0) + (fault.times ?? 1))
    if (fault.kind === 'num_connections') this.#count = fault.count
  }

  /** True when it happens now; counted down. */
  take(kind: SocketFault['kind']): boolean {
    const left = this.#left.get(kind) ?? 0
    if (left > 0) this.#left.set(kind, left - 1)
    return left > 0
  }

  /** The number that a greeting must name instead of the true one. */
  takeCount(): number | undefined {
    return this.take('num_connections') ? this.#count : undefined
  }

  clear(): void {
    this.#left.clear()
  }
}

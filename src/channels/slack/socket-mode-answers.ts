/**
 * What was said to each envelope, by its id. Slack sends one again when it did not see the acknowledgement in time, and around a
 * reconnect (field report A02): the copy gets the same acknowledgement, and nobody works twice. The oldest are forgotten; what
 * must never happen twice is guarded in the store, not here.
 */
export class Answers {
  readonly #most: number
  readonly #known = new Map<string, Promise<string>>()

  constructor(most: number) {
    this.#most = most
  }

  /** The acknowledgement of an envelope that came before, as soon as there is one; undefined when it is new. */
  of(id: string): Promise<string> | undefined {
    return this.#known.get(id)
  }

  /** Remembers a new envelope. @returns what to call with its acknowledgement. */
  await(id: string): (ack: string) => void {
    let say: (ack: string) => void = () => undefined
    this.#known.set(
      id,
      new Promise((resolve) => {
        say = resolve
      }),
    )
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#most) break
      this.#known.delete(oldest)
    }
    return say
  }
}

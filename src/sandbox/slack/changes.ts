/**
 * Tells whoever waits that something in the stand-in changed.
 * Changes that happen in one turn of the event loop are told once, after it, so nobody sees a half-made state.
 */
export class Changes {
  readonly #listeners = new Set<() => void>()
  #due = false

  /** Something changed; the listeners run after the present turn of the event loop. */
  touch(): void {
    if (this.#due) return
    this.#due = true
    setImmediate(() => {
      this.#due = false
      for (const listener of [...this.#listeners]) listener()
    })
  }

  /** Runs `listener` after each change, until the function that is returned is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/**
 * Units of work that wait at the same moment share one commit, each in a savepoint of its own. A commit costs one flush to
 * the disk whatever it holds, so under load many hook calls pay for one; a unit that waits alone shares with nobody and waits
 * for nobody.
 */
import { type Kysely, sql } from 'kysely'

interface Waiting<DB> {
  run(connection: Kysely<DB>): Promise<void>
  committed(): void
  lost(error: unknown): void
}

/** Most units in one commit: bounds how long the first of them waits. */
const MOST = 256

export class Committer<DB> {
  readonly #db: Kysely<DB>
  #waiting: Waiting<DB>[] = []
  #working: Promise<void> | undefined

  constructor(db: Kysely<DB>) {
    this.#db = db
  }

  /** Resolves with what the work returned once that is on disk; rejects with what it threw, or with why the commit failed. */
  unit<T>(work: (connection: Kysely<DB>) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let value: { readonly of: T } | undefined
      this.#waiting.push({
        run: async (connection) => {
          value = { of: await work(connection) }
        },
        committed: () =>
          value === undefined ? reject(new Error('a unit of work was committed without an end')) : resolve(value.of),
        lost: reject,
      })
      // Not at once: what arrived in the same turn of the event loop is read by then and shares the commit.
      this.#working ??= new Promise<void>((turn) => setImmediate(turn)).then(() => this.#drain())
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST)
      try {
        await this.#db.connection().execute((connection) => commitTogether(connection, batch))
      } catch (error) {
        for (const one of batch) one.lost(error)
      }
      // Lets what came in during the flush join the next commit.
      if (this.#waiting.length > 0) await new Promise<void>((turn) => setImmediate(turn))
    }
    this.#working = undefined
  }
}

async function commitTogether<DB>(connection: Kysely<DB>, batch: readonly Waiting<DB>[]): Promise<void> {
  // IMMEDIATE: takes the write lock before anything is read, so that what a unit reads is still so when it writes.
  await sql`begin immediate`.execute(connection)
  const held: Waiting<DB>[] = []
  try {
    for (const one of batch) {
      await sql`savepoint unit`.execute(connection)
      try {
        await one.run(connection)
      } catch (error) {
        one.lost(error)
        await sql`rollback to unit`.execute(connection)
        await sql`release unit`.execute(connection)
        continue
      }
      await sql`release unit`.execute(connection)
      held.push(one)
    }
    await sql`commit`.execute(connection)
  } catch (error) {
    // A full disk ends the whole transaction by itself; then there is nothing left to roll back.
    await sql`rollback`.execute(connection).catch(() => undefined)
    throw error
  }
  for (const one of held) one.committed()
}

/** Which runs of a source are watched. */
import { type Kysely, sql } from 'kysely'
import type { WatchBook } from '../approval/ports.ts'
import type { Committer } from './commit.ts'
import type { Tables } from './schema.ts'

export function watchBook(db: Kysely<Tables>, committer: Committer<Tables>): WatchBook {
  return {
    async watched(source) {
      const rows = await db
        .selectFrom('watches')
        .select(['run', 'asked_at', 'seen_at'])
        .where('source', '=', source)
        .orderBy('asked_at')
        .execute()
      return rows.map(({ run, asked_at, seen_at }) => ({
        run,
        askedAt: new Date(Number(asked_at)),
        seenAt: seen_at === null ? null : new Date(Number(seen_at)),
      }))
    },
    async isWatched(source, run) {
      const row = await db
        .selectFrom('watches')
        .select('run')
        .where('source', '=', source)
        .where('run', '=', run)
        .executeTakeFirst()
      return row !== undefined
    },
    async pendingRuns(source) {
      const rows = await db
        .selectFrom('approvals')
        .select('run')
        .distinct()
        .where('source', '=', source)
        .where('status', 'in', ['pending', 'decided'])
        .execute()
      return rows.map(({ run }) => run)
    },
    watch: (source, run, by, at, most) =>
      committer.unit(async (connection) => {
        const { numUpdatedRows } = await connection
          .updateTable('watches')
          .set({ asked_at: at.getTime() })
          .where('source', '=', source)
          .where('run', '=', run)
          .executeTakeFirst()
        if (numUpdatedRows > 0n) return 'watching'
        const { count } = await connection
          .selectFrom('watches')
          .select((pick) => pick.fn.countAll<number>().as('count'))
          .where('source', '=', source)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most && !(await evict(connection, source, at))) return 'full'
        await connection.insertInto('watches').values({ source, run, by, asked_at: at.getTime(), seen_at: null }).execute()
        return 'watching'
      }),
    unwatch: (source, run, asOf) =>
      committer.unit(async (connection) => {
        const all = connection.deleteFrom('watches').where('source', '=', source).where('run', '=', run)
        const { numDeletedRows } = await (asOf === undefined
          ? all
          : all.where('asked_at', '=', asOf.getTime())
        ).executeTakeFirst()
        return numDeletedRows > 0n
      }),
    seen: (source, run, at) =>
      committer.unit(async (connection) => {
        await connection
          .updateTable('watches')
          .set({ seen_at: at.getTime() })
          .where('source', '=', source)
          .where('run', '=', run)
          .execute()
      }),
  }
}

/** A run that ended lists nothing for ever, and only the next that needs its place can tell. Milliseconds. */
const SILENT_MS = 3_600_000

async function evict(db: Kysely<Tables>, source: string, now: Date): Promise<boolean> {
  const last = sql<number>`max(asked_at, coalesce(seen_at, 0))`
  const silent = await db
    .selectFrom('watches')
    .select('run')
    .where('source', '=', source)
    .where('by', '!=', 'settings')
    .where(last, '<', now.getTime() - SILENT_MS)
    .orderBy(last)
    .limit(1)
    .executeTakeFirst()
  if (silent === undefined) return false
  await db.deleteFrom('watches').where('source', '=', source).where('run', '=', silent.run).execute()
  return true
}

/** Due tasks: taken under a lease, ended, put off. What asks for one stands with the change that asks, in the store's unit of work. */
import type { Kysely } from 'kysely'
import { RowId } from '../approval/approval.ts'
import type { ApprovalStore, Step, Task } from '../approval/ports.ts'
import type { Committer } from './commit.ts'
import type { Tables } from './schema.ts'

export function tasks(
  db: Kysely<Tables>,
  committer: Committer<Tables>,
): Pick<ApprovalStore, 'lease' | 'finish' | 'postpone' | 'nextDue'> {
  return {
    lease: (now, until, most) =>
      committer.unit(async (connection) => {
        const rows = await connection
          .updateTable('tasks')
          .set({ leased_until: until.getTime() })
          .where((where) =>
            where(
              where.refTuple('approval', 'step'),
              'in',
              where
                .selectFrom('tasks')
                .select(['approval', 'step'])
                .where('due_at', '<=', now.getTime())
                .where((free) => free.or([free('leased_until', 'is', null), free('leased_until', '<=', now.getTime())]))
                .orderBy('due_at')
                .limit(most)
                .$asTuple('approval', 'step'),
            ),
          )
          .returningAll()
          .execute()
        return rows.map(
          (row): Task => ({
            approval: RowId.parse(row.approval),
            step: stepOf(row.step),
            turn: row.turn,
            attempts: row.attempts,
          }),
        )
      }),
    finish: (task) =>
      committer.unit(async (connection) => {
        await connection
          .deleteFrom('tasks')
          .where('approval', '=', task.approval)
          .where('step', '=', task.step)
          .where('turn', '=', task.turn)
          .execute()
        await connection
          .updateTable('tasks')
          .set({ leased_until: null })
          .where('approval', '=', task.approval)
          .where('step', '=', task.step)
          .execute()
      }),
    postpone: (task, due, because) =>
      committer.unit(async (connection) => {
        // Asked for again meanwhile: that turn keeps its own moment, and only the lease ends.
        await connection
          .updateTable('tasks')
          .set({ due_at: due.getTime(), attempts: task.attempts + (because === 'tried' ? 1 : 0) })
          .where('approval', '=', task.approval)
          .where('step', '=', task.step)
          .where('turn', '=', task.turn)
          .execute()
        await connection
          .updateTable('tasks')
          .set({ leased_until: null })
          .where('approval', '=', task.approval)
          .where('step', '=', task.step)
          .execute()
      }),
    async nextDue() {
      // Two looks into an index each, because thousands may wait and this is asked after every step.
      const free = await db
        .selectFrom('tasks')
        .select('due_at')
        .where('leased_until', 'is', null)
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst()
      const leased = await db
        .selectFrom('tasks')
        .select('leased_until')
        .where('leased_until', 'is not', null)
        .orderBy('leased_until')
        .limit(1)
        .executeTakeFirst()
      const moments = [free?.due_at, leased?.leased_until].filter((moment): moment is number => typeof moment === 'number')
      return moments.length === 0 ? undefined : new Date(Math.min(...moments))
    },
  }
}

/** Ends every lease and brings forward what waits to be tried again: for a process that has just taken sole charge of the database. */
export async function takeOver(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.updateTable('tasks').set({ leased_until: null }).execute()
  await db
    .updateTable('tasks')
    .set({ due_at: now.getTime() })
    .where('due_at', '>', now.getTime())
    // An approval's time is not over earlier because we started again.
    .where('step', '!=', 'expire')
    .execute()
}

function stepOf(text: string): Step {
  if (text === 'present' || text === 'settle' || text === 'expire' || text === 'digest') return text
  throw new Error('a task names a step that this version does not know')
}

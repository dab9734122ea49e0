/**
 * Takes due tasks and calls the same steps that everything else calls. It wakes at the start, when a step asks, when the next
 * task is due, and now and then to see what another process asked for. There is no other path for a retry or a restart.
 */

import type { RowId } from './approval.ts'
import { type ApprovalStore, type Clock, Failure, NotYet, type Step, type Task } from './ports.ts'

export interface Pace {
  /** Wait before the second attempt, doubled each time up to `longestMs`, each cut at random to between half and whole. */
  readonly firstMs: number
  readonly longestMs: number
  /** Tasks that run side by side. */
  readonly atOnce: number
  /** How long a task belongs to who took it. Longer than any step takes, or two would run it at once. */
  readonly leaseMs: number
  /** The longest sleep: another process on the same database leaves tasks without a word. */
  readonly lookMs: number
}

export const PACE: Pace = { firstMs: 1000, longestMs: 60_000, atOnce: 16, leaseMs: 120_000, lookMs: 2000 }

export interface Sweeping {
  readonly store: ApprovalStore
  readonly clock: Clock
  readonly steps: Readonly<Record<Step, (rowId: RowId) => Promise<void>>>
  readonly pace: Pace
  /** Uniform in [0, 1). */
  readonly random: () => number
  /** Told of each step that did not succeed; never of what the approval holds. */
  readonly report: (what: Task | 'look', error: unknown) => void
}

export interface Sweep {
  /** Something may be due. Cheap, and safe to call at any time. */
  wake(): void
  /** Takes no more tasks; resolves when those that run have ended. */
  stop(): Promise<void>
}

export function sweep(deps: Sweeping): Sweep {
  const { store, clock, pace } = deps
  const running = new Set<Promise<void>>()
  let stopped = false
  let looking: Promise<void> | undefined
  let again = false
  let cancelTimer = (): void => undefined

  function wake(): void {
    if (stopped) return
    if (looking !== undefined) {
      again = true
      return
    }
    looking = look().finally(() => {
      looking = undefined
      if (again) {
        again = false
        wake()
      }
    })
  }

  async function look(): Promise<void> {
    cancelTimer()
    let sleepMs = pace.lookMs
    try {
      const now = clock.now()
      const free = pace.atOnce - running.size
      const tasks = free > 0 ? await store.lease(now, new Date(now.getTime() + pace.leaseMs), free) : []
      for (const task of tasks) start(task)
      // With every place taken there is nothing to wait for but one of them ending, and that wakes us.
      const next = running.size < pace.atOnce ? await store.nextDue() : undefined
      if (next !== undefined) sleepMs = Math.max(1, Math.min(sleepMs, next.getTime() - clock.now().getTime()))
    } catch (error) {
      deps.report('look', error)
    }
    if (!stopped) cancelTimer = clock.after(sleepMs, wake)
  }

  function start(task: Task): void {
    const turn = run(task).finally(() => {
      running.delete(turn)
      wake()
    })
    running.add(turn)
  }

  async function run(task: Task): Promise<void> {
    try {
      await deps.steps[task.step](task.approval)
      await store.finish(task)
    } catch (error) {
      if (error instanceof NotYet) return putOff(task, error.waitMs, 'waited')
      deps.report(task, error)
      const asked = error instanceof Failure ? error.retryAfterMs : undefined
      await putOff(task, Math.max(asked ?? 0, backoff(task.attempts)), 'tried')
    }
  }

  /** If even this cannot be stored, the lease runs out and the task is taken again. */
  async function putOff(task: Task, waitMs: number, because: 'tried' | 'waited'): Promise<void> {
    const due = new Date(clock.now().getTime() + waitMs)
    await store.postpone(task, due, because).catch((failure: unknown) => deps.report(task, failure))
  }

  function backoff(attempts: number): number {
    const whole = Math.min(pace.longestMs, pace.firstMs * 2 ** Math.min(attempts, 30))
    return whole * (0.5 + deps.random() / 2)
  }

  return {
    wake,
    async stop() {
      stopped = true
      cancelTimer()
      await looking
      await Promise.all(running)
    },
  }
}

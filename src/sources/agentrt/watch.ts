/**
 * Watches runs of one source: looks at each in turn, gently. Nothing over there calls us, and an empty list says little: a run that
 * runs, was granted or has ended lists the same. So silence makes the looks rarer, up to a minute apart, and only the source's
 * word, an operator's, or a long time without an approval ends them.
 */
import { type Clock, Failure, type WatchBook } from '../../approval/ports.ts'
import { type Looked, type Looking, look } from './look.ts'

export interface WatchPace {
  /** Between a run's looks: after something happened, the most while something waits, the most while nothing does. Milliseconds. */
  readonly soonMs: number
  readonly waitingMs: number
  readonly emptyMs: number
  /** The longest sleep: another process on the same database may ask for a watch. */
  readonly idleMs: number
  /** How long a source that does not answer is left alone, doubled each time up to the most. */
  readonly troubleMs: number
  readonly longestTroubleMs: number
}

export const WATCH_PACE: WatchPace = {
  soonMs: 5000,
  waitingMs: 15_000,
  emptyMs: 60_000,
  idleMs: 2000,
  troubleMs: 1000,
  longestTroubleMs: 60_000,
}

/** Between two requests of a watch to one source: four a second, of the ten that all its clients share. Milliseconds. */
export const GAP_MS = 250

/** Runs of one source that are watched at most: at four requests a second each is then looked at every four minutes. */
const MOST_WATCHED = 1000

/** Looks that people may ask of one source at the same time. */
const MOST_ASKING = 4

/** Looks in a row at which the source must not know a run before its watch ends. */
const GONE_LOOKS = 3

export interface Watching extends Looking {
  readonly clock: Clock
  readonly book: WatchBook
  readonly pace: WatchPace
  /** How long a run is watched without an approval. Milliseconds. */
  readonly forMs: number
  /** Told what is wrong with the source, and undefined when nothing is. */
  readonly health: (code: string | undefined) => void
  readonly ended: (event: { readonly run: string; readonly why: 'gone' | 'silent' }) => void
  /** Whatever else failed. */
  readonly report: (error: unknown) => void
}

export interface Watcher {
  /** Watches a run from now on, or looks at it again now. */
  watch(run: string, by: string): Promise<'watching' | 'full'>
  unwatch(run: string): Promise<boolean>
  /** Looks at a run once, watched or not, and opens what waits in it. @throws Failure when the source does not answer for good */
  ask(run: string): Promise<Looked['found']>
  /** Something of a run has changed, or is about to: the next look comes soon. */
  soon(run: string): void
  /** Ends with the look that is under way. */
  stop(): Promise<void>
}

/** When a run is looked at next. */
interface Turn {
  due: number
  waitMs: number
  askedAt: number
  /** Looks in a row at which the source did not know it. */
  gone: number
}

function late({ due, waitMs }: Turn, now: number): number {
  return due > now ? 2 : waitMs === 0 ? 0 : 1
}

export function watcher(deps: Watching): Watcher {
  const { name, clock, book, pace } = deps
  const turns = new Map<string, Turn>()
  const troubles = new Map<string, string>()
  /** Looks that people asked for, by run. */
  const asking = new Map<string, Promise<Looked['found']>>()
  let pausedUntil = 0
  let failures = 0
  let stopped = false
  let woken = false
  let interrupt = (): void => undefined
  const looping = loop()

  function wake(): void {
    woken = true
    interrupt()
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      let sleepMs = pace.idleMs
      woken = false
      try {
        const next = await nextTurn()
        if ('run' in next) {
          await take(next.run, next.watched)
          continue
        }
        sleepMs = next.sleepMs
      } catch (error) {
        deps.report(error)
      }
      if (!woken) await sleep(sleepMs)
    }
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      interrupt = () => {
        cancel()
        resolve()
      }
    })
  }

  /** The run that has waited longest for its look, from what is on disk: the settings, a command or a nudge may have changed it. */
  async function nextTurn(): Promise<{ readonly run: string; readonly watched: boolean } | { readonly sleepMs: number }> {
    const now = clock.now().getTime()
    const asked = new Map((await book.watched(name)).map(({ run, askedAt }) => [run, askedAt.getTime()]))
    // What waits on a card is followed to its end, watched or not.
    const runs = new Set([...asked.keys(), ...(await book.pendingRuns(name))])
    for (const run of turns.keys()) if (!runs.has(run)) turns.delete(run)
    for (const run of runs) {
      const askedAt = asked.get(run) ?? 0
      const turn = turns.get(run)
      // Also where the clock was set back meanwhile.
      if (turn === undefined || turn.askedAt !== askedAt) turns.set(run, { due: now, waitMs: 0, askedAt, gone: 0 })
    }
    // Nothing is put off further than this; more means that the clock was set back.
    for (const turn of turns.values()) turn.due = Math.min(turn.due, now + pace.emptyMs)
    pausedUntil = Math.min(pausedUntil, now + Math.max(pace.longestTroubleMs, pace.emptyMs))
    // What was asked for just now goes before what is looked at out of habit.
    const [first] = [...turns].sort(([, a], [, b]) => late(a, now) - late(b, now) || a.due - b.due)
    const at = Math.max(first?.[1].due ?? Number.POSITIVE_INFINITY, pausedUntil)
    if (first !== undefined && at <= now) return { run: first[0], watched: asked.has(first[0]) }
    return { sleepMs: Math.max(1, Math.min(pace.idleMs, at - now)) }
  }

  async function take(run: string, watched: boolean): Promise<void> {
    const turn = turns.get(run)
    let waitMs = pace.soonMs
    let gone = 0
    try {
      const looked = await look(deps, run, watched)
      answered(run, looked.trouble)
      gone = looked.found === 'unknown' ? (turn?.gone ?? 0) + 1 : 0
      // One 404 may be a restart, or an address that was wrong for a moment; what is over is over.
      if (watched && (looked.found === 'over' || gone >= GONE_LOOKS)) await end(run, 'gone', turn?.askedAt)
      else if (watched) await remember(run, looked)
      const most = looked.found === 'waiting' ? pace.waitingMs : pace.emptyMs
      if (!looked.changed) waitMs = Math.min(most, Math.max(pace.soonMs, (turn?.waitMs ?? 0) * 2))
    } catch (error) {
      unanswered(run, error)
    }
    // Asked for again meanwhile: that turn stands.
    if (turn !== undefined && turns.get(run) === turn)
      turns.set(run, { ...turn, waitMs, gone, due: clock.now().getTime() + waitMs })
  }

  function answered(run: string, trouble: Failure | undefined): void {
    failures = 0
    troubles.delete('')
    if (trouble === undefined) troubles.delete(run)
    else troubles.set(run, trouble.trouble.code)
    tellHealth()
  }

  function unanswered(run: string, error: unknown): void {
    if (!(error instanceof Failure)) {
      deps.report(error)
      return
    }
    if (error.trouble.code.startsWith('answer_')) {
      // This one run's list cannot be read; the source is there for the others.
      troubles.set(run, error.trouble.code)
    } else {
      const backoff = Math.min(pace.longestTroubleMs, pace.troubleMs * 2 ** Math.min(failures, 20))
      failures += 1
      pausedUntil = clock.now().getTime() + Math.max(backoff, error.retryAfterMs ?? 0)
      troubles.set('', error.trouble.code)
    }
    tellHealth()
  }

  function tellHealth(): void {
    for (const run of troubles.keys()) if (run !== '' && !turns.has(run)) troubles.delete(run)
    deps.health([...troubles.values()][0])
  }

  /** Keeps when something last waited, at most once a minute, and ends a watch that has seen nothing for long. */
  async function remember(run: string, { found }: Looked): Promise<void> {
    const now = clock.now()
    const watch = (await book.watched(name)).find((one) => one.run === run)
    if (watch === undefined) return
    const last = Math.max(watch.askedAt.getTime(), watch.seenAt?.getTime() ?? 0)
    if (found === 'waiting') {
      if (now.getTime() - last > 60_000) await book.seen(name, run, now)
    } else if (now.getTime() - last > deps.forMs) {
      await end(run, 'silent', watch.askedAt.getTime())
    }
  }

  /** Unless it was asked for again since. */
  async function end(run: string, why: 'gone' | 'silent', askedAt: number | undefined): Promise<void> {
    if (await book.unwatch(name, run, askedAt === undefined ? undefined : new Date(askedAt))) deps.ended({ run, why })
  }

  return {
    async watch(run, by) {
      const watching = await book.watch(name, run, by, clock.now(), MOST_WATCHED)
      wake()
      return watching
    },
    unwatch: (run) => book.unwatch(name, run),
    async ask(run) {
      const known = asking.get(run)
      if (known !== undefined) return known
      // A person can ask again; the watch must get its turns.
      if (asking.size >= MOST_ASKING) throw new Failure({ kind: 'passing', code: 'busy' }, 'no')
      const asked = look(deps, run, true)
        .then(({ found, changed }) => {
          if (changed) wake()
          return found
        })
        .finally(() => asking.delete(run))
      asking.set(run, asked)
      return asked
    },
    soon(run) {
      const turn = turns.get(run)
      if (turn === undefined) return
      turns.set(run, { ...turn, waitMs: 0, due: Math.min(turn.due, clock.now().getTime()) })
      wake()
    },
    async stop() {
      stopped = true
      wake()
      await looping
    },
  }
}

/**
 * Keeps home tabs up to date: published when somebody opens theirs, and again when an approval that concerns them changes. Who
 * opened one is kept in memory only: after a restart a tab is as old as its “As of” says, until it is opened again.
 */
import type { HomeView } from '@slack/types'
import type { Approval, RowId } from '../../approval/approval.ts'
import { type Clock, Failure } from '../../approval/ports.ts'
import type { CardSettings } from './card.ts'
import { homeView } from './home.ts'
import type { Found } from './mine.ts'

/** `views.publish` is tier 4: a hundred and more a minute for the whole app (slack-facts B2). */
export interface HomePace {
  /** Between two publishes for one person. Milliseconds. */
  readonly personMs: number
  /** Between any two, once the burst is used up. Milliseconds. */
  readonly publishMs: number
  /** Publishes that may leave at once after a quiet time. */
  readonly burst: number
  /** Publishes under way at the same time. */
  readonly atOnce: number
}

export const HOME_PACE: HomePace = { personMs: 3000, publishMs: 700, burst: 10, atOnce: 4 }

/** People whose tab is kept up to date. Who opened theirs longest ago is forgotten first. */
const MOST_PEOPLE = 1000
/** Approvals of which it is remembered what was told last. */
const MOST_TOLD = 1000
/** Slack asks for less. Milliseconds. */
const LONGEST_PAUSE_MS = 600_000

export interface Keeping {
  readonly clock: Clock
  readonly pace: HomePace
  readonly settings: CardSettings
  readonly find: (rowId: RowId) => Promise<Approval | undefined>
  /** @throws Failure */
  readonly look: (user: string) => Promise<Found>
  /** @throws Failure */
  readonly publish: (user: string, view: HomeView) => Promise<void>
  readonly report: (error: unknown) => void
}

export interface Homes {
  /** Somebody opened their tab. */
  opened(user: string): void
  /** Something of an approval may have changed: those whom it concerns see it soon. Never rejects. */
  changed(rowId: RowId): Promise<void>
  /** Publishes nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

interface Person {
  readonly user: string
  /** When the last publish left. */
  last: number
  publishing: boolean
  /** What the tab was last made of; undefined until one was published, and after a failure. */
  found: Found | undefined
}

export function homes({ clock, pace, settings, find, look, publish, report }: Keeping): Homes {
  /** The one who opened theirs last stands last. */
  const people = new Map<string, Person>()
  /** Who is to be published for, in this order: those who look at an empty tab, then the others. */
  const opening = new Set<Person>()
  const refreshing = new Set<Person>()
  const working = new Set<Promise<void>>()
  const told = new Map<RowId, string>()
  let free = 0
  let pausedUntil = 0
  let stopped = false
  let cancelTimer = (): void => undefined

  /** Starts all that may leave now, and comes back when the next may. */
  function go(): void {
    cancelTimer()
    if (stopped) return
    const now = clock.now().getTime()
    // Further ahead than they can be, a clock was set back.
    free = Math.min(free, now + pace.publishMs)
    pausedUntil = Math.min(pausedUntil, now + LONGEST_PAUSE_MS)
    let soonest = Number.POSITIVE_INFINITY
    for (const person of [...opening, ...refreshing]) {
      // Whoever is under way, or ends, comes back here.
      if (person.publishing) continue
      if (working.size >= pace.atOnce) return
      person.last = Math.min(person.last, now)
      const wait = Math.max(person.last + pace.personMs, free, pausedUntil) - now
      if (wait > 0) {
        soonest = Math.min(soonest, wait)
        continue
      }
      free = Math.max(free, now - pace.publishMs * (pace.burst - 1)) + pace.publishMs
      start(person, now)
    }
    if (soonest < Number.POSITIVE_INFINITY) cancelTimer = clock.after(soonest, go)
  }

  function start(person: Person, now: number): void {
    opening.delete(person)
    refreshing.delete(person)
    person.publishing = true
    person.last = now
    const work = show(person).finally(() => {
      person.publishing = false
      working.delete(work)
      go()
    })
    working.add(work)
  }

  /** What is published is read when its turn has come, so it is the newest; what changes meanwhile has a turn of its own. */
  async function show(person: Person): Promise<void> {
    try {
      const found = await look(person.user)
      await publish(person.user, homeView(found.mine, settings, clock.now()))
      person.found = found
    } catch (error) {
      person.found = undefined
      report(error)
      const wait = error instanceof Failure ? error.retryAfterMs : undefined
      if (wait === undefined) return
      // Slack took nothing, and said when it will: their turn is kept.
      pausedUntil = Math.max(pausedUntil, clock.now().getTime() + Math.min(wait, LONGEST_PAUSE_MS))
      if (people.get(person.user) === person) refreshing.add(person)
    }
  }

  function forgetOldest(): void {
    const [oldest] = people.values()
    if (people.size <= MOST_PEOPLE || oldest === undefined) return
    people.delete(oldest.user)
    opening.delete(oldest)
    refreshing.delete(oldest)
  }

  /** A step may run again without a change of what it shows. */
  function isNews(rowId: RowId, approval: Approval): boolean {
    const state = stateOf(approval)
    if (told.get(rowId) === state) return false
    told.delete(rowId)
    told.set(rowId, state)
    const [oldest] = told.keys()
    if (told.size > MOST_TOLD && oldest !== undefined) told.delete(oldest)
    return true
  }

  return {
    opened(user) {
      const known = people.get(user)
      const person = known ?? { user, last: Number.NEGATIVE_INFINITY, publishing: false, found: undefined }
      people.delete(user)
      people.set(user, person)
      forgetOldest()
      opening.add(person)
      go()
    },
    async changed(rowId) {
      if (people.size === 0 || stopped) return
      try {
        const approval = await find(rowId)
        if (approval === undefined || !isNews(rowId, approval)) return
        for (const person of people.values()) if (concerns(approval, person)) refreshing.add(person)
        go()
      } catch (error) {
        report(error)
      }
    },
    async stop() {
      stopped = true
      cancelTimer()
      await Promise.all(working)
    },
  }
}

/** Judged by what the tab was last made of. A right that somebody got since then shows when they open it again. */
function concerns(approval: Approval, { found, publishing }: Person): boolean {
  if (found === undefined || publishing) return true
  const { by, sets } = found
  if (by === undefined || approval.ruling.ruling !== 'ask') return false
  if (
    (approval.status === 'decided' || approval.status === 'resolved') &&
    approval.decision.by === by &&
    approval.decision.via === null
  )
    return true
  const inSet = sets.get(approval.ruling.approvers)
  // A set that nobody asked for: nothing of it waited then.
  return inSet === undefined ? approval.status === 'pending' : inSet !== 'out'
}

function stateOf(approval: Approval): string {
  switch (approval.status) {
    case 'pending':
    case 'closed':
      return approval.status
    case 'decided':
      return `decided ${approval.trouble?.kind ?? ''} ${approval.trouble?.code ?? ''}`
    case 'resolved':
      return `resolved ${approval.resolution.resolution}`
  }
}

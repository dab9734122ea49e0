/** What the domain needs from outside, named by the need. Each port has its real end elsewhere and is joined in app.ts. */
import type {
  Approval,
  ApprovalHash,
  ApprovalId,
  Asked,
  Closed,
  Decision,
  Elsewhere,
  Place,
  Resolution,
  RowId,
  Told,
  Trouble,
} from './approval.ts'

export interface Clock {
  now(): Date
  /** Calls back once after that many milliseconds, unless cancelled by the function that it returns. */
  after(ms: number, call: () => void): () => void
}

/** The steps that the sweep takes by itself. */
export type Step = 'present' | 'settle' | 'expire' | 'digest'

/** One due step of one approval. `turn` grows each time the step is asked for again, so that a finished turn never erases a newer one. */
export interface Task {
  readonly approval: RowId
  readonly step: Step
  readonly turn: number
  readonly attempts: number
}

/** How an approval ends without a decision of ours. */
export interface Ending {
  readonly because: Closed
  readonly at: Date
  readonly elsewhere: Elsewhere | null
}

/** What one unit of work may read and change. Everything in it is committed together or not at all. */
export interface Unit {
  find(rowId: RowId): Promise<Approval | undefined>
  /** Every row under that id of that source, whatever its hash. */
  findById(source: string, id: ApprovalId): Promise<readonly Approval[]>
  open(asked: Asked, as: 'pending' | Closed): Promise<void>
  /** Ends a pending approval without a decision of ours; false when it was not pending. */
  close(rowId: RowId, ending: Ending): Promise<boolean>
  /** Makes a closed approval pending again; its cards so far are retired, unless as many as `mostRetired` are already. */
  reopen(rowId: RowId, expiresAt: Date | null, mostRetired: number): Promise<void>
  /** Whether an operator cancelled this run, or the run that is its root. */
  isCancelled(source: string, runs: readonly string[]): Promise<boolean>
  /** False when it was cancelled before. */
  cancelRun(
    source: string,
    run: string,
    cancelled: { readonly by: string; readonly note: string | null; readonly at: Date },
  ): Promise<boolean>
  /** Every row of a run, by its own id or as the root of its tree, oldest first. */
  ofRun(run: string): Promise<readonly Approval[]>
  /** Records that an id came again with other content. The approval itself does not change. */
  recordConflict(conflict: { source: string; id: ApprovalId; hash: ApprovalHash; known: ApprovalHash; at: Date }): Promise<void>
  /** The one contested change: true when this decision is the one. */
  decide(rowId: RowId, hash: ApprovalHash, decision: Decision, giveUpAt: Date): Promise<boolean>
  /** Marks that a delivery is about to leave; returns whether an earlier one may have landed. */
  sending(rowId: RowId): Promise<{ readonly earlierMayHaveLanded: boolean }>
  /** An attempt failed. `landed` says whether the source may have taken it all the same. */
  failed(rowId: RowId, trouble: Trouble, landed: 'no' | 'maybe'): Promise<void>
  resolve(rowId: RowId, resolution: Resolution, at: Date): Promise<boolean>
  /** Takes an approval that could not be delivered back to `decided`, to be tried until `giveUpAt`. */
  reopenDelivery(rowId: RowId, giveUpAt: Date): Promise<boolean>
  /** Where an approval is shown, chosen once: on a card while fewer than `most` of its run's wait on one. */
  takeHome(rowId: RowId, most: number): Promise<'card' | 'digest'>
  /** Gives cards to the oldest of a run's digest while there is room, and tells which. */
  promote(source: string, rootRun: string, most: number): Promise<readonly RowId[]>
  /** The id of a run's digest: `id` when it has none yet. */
  digestFor(source: string, rootRun: string, id: string): Promise<RowId>
  digest(id: RowId): Promise<{ readonly source: string; readonly rootRun: string } | undefined>
  /** What waits in a run's digest, oldest first. */
  inDigest(source: string, rootRun: string): Promise<readonly (Approval & { readonly status: 'pending' })[]>
  places(rowId: RowId): Promise<readonly Place[]>
  savePlace(place: Place): Promise<void>
  dropPlace(key: string): Promise<void>
  schedule(step: Step, rowId: RowId, due: Date): Promise<void>
}

export interface ApprovalStore {
  /**
   * Runs one unit of work and resolves once its commit is on disk. Units that wait at the same moment share a commit, each
   * in its own savepoint, so one that throws leaves the others. The work must touch nothing but the unit: others wait for it.
   */
  unit<T>(work: (unit: Unit) => Promise<T>): Promise<T>
  find(rowId: RowId): Promise<Approval | undefined>
  ofRun(run: string): Promise<readonly Approval[]>
  places(rowId: RowId): Promise<readonly Place[]>
  /** The id of a run's digest, when it has one. */
  findDigest(source: string, rootRun: string): Promise<RowId | undefined>
  /** What waits in a digest, oldest first. */
  digested(id: RowId): Promise<readonly (Approval & { readonly status: 'pending' })[]>
  /** Takes due tasks under a lease: nobody else gets them before `until`. */
  lease(now: Date, until: Date, most: number): Promise<readonly Task[]>
  /** A leased task is done: forgotten, unless it was asked for again meanwhile. */
  finish(task: Task): Promise<void>
  /** A leased task is to be tried again at `due`. `tried` counts an attempt; `waited` does not. */
  postpone(task: Task, due: Date, because: 'tried' | 'waited'): Promise<void>
  /** When the next task is due, leases counted; undefined when there is none. */
  nextDue(): Promise<Date | undefined>
  /** Decisions that are not getting through: given up, or held by a lasting trouble. */
  stuck(): Promise<number>
  /** What waits, oldest first; no more than `most`. */
  waiting(most: number): Promise<readonly (Approval & { readonly status: 'pending' })[]>
  /** What a person decided here, newest first: by exactly this label, which we made. */
  decidedBy(by: string, most: number): Promise<readonly (Approval & { readonly status: 'decided' | 'resolved' })[]>
}

/** Something broke on the way to a source or a channel. Thrown; says how to go on. */
export class Failure extends Error {
  readonly trouble: Trouble
  /** Whether the other side may have acted all the same. */
  readonly landed: 'no' | 'maybe'
  /** Milliseconds that the other side asked us to wait. */
  readonly retryAfterMs: number | undefined
  constructor(trouble: Trouble, landed: 'no' | 'maybe', retryAfterMs?: number) {
    super(trouble.code)
    this.name = 'Failure'
    this.trouble = trouble
    this.landed = landed
    this.retryAfterMs = retryAfterMs
  }
}

/** It is not a step's turn yet: nothing was tried, and nothing is wrong. Thrown; the step comes again after the wait. */
export class NotYet extends Error {
  readonly waitMs: number
  constructor(waitMs: number) {
    super('not yet')
    this.name = 'NotYet'
    this.waitMs = waitMs
  }
}

/** Where approvals come from. */
export interface Source {
  readonly name: string
  /**
   * Tells the source what was decided. Safe to repeat: the source sees the same key each time.
   * @throws Failure when it did not answer for good.
   */
  resolve(approval: Approval & { status: 'decided' }, earlierMayHaveLanded: boolean): Promise<Resolution>
}

/** A source whose runs live elsewhere: it is asked about them, and only it can end one. */
export interface RunOwner {
  readonly name: string
  isWatched(run: string): Promise<boolean>
  /** Ends a run. @throws Failure when the source did not answer for good. */
  cancel(run: string, by: string, note: string | null): Promise<'cancelled' | 'run_finished' | 'not_found'>
}

/** Where approvals are shown. One writer, `present`, calls it. */
export interface Channel {
  /**
   * Milliseconds until this may be written into a conversation: Slack's pace, and what it asked of us. Zero takes the
   * turn; more keeps it for when this asks again.
   */
  turn(told: Told, conversation: string, what: 'post' | 'rewrite'): number
  /** Conversations for this approval's card, in the order of preference. */
  homes(told: Told): readonly string[]
  /** Identifies what its message shows now; of a retired one it is something else. */
  digest(told: Told, retired: boolean): string
  /** @throws Failure; `landed: 'maybe'` means that the card may stand although we were not told where. */
  post(told: Told, conversation: string): Promise<{ readonly ts: string }>
  /** Rewrites one message from the record. `gone` when it no longer exists, or can never be changed again. @throws Failure */
  rewrite(told: Told, place: { conversation: string; ts: string; retired: boolean }): Promise<'done' | 'gone'>
  /** Looks for cards of this approval posted since a moment. `unreadable` when this conversation's history is closed to us. @throws Failure */
  seek(told: Told, conversation: string, since: Date): Promise<readonly { readonly ts: string }[] | 'unreadable'>
}

/** A run of a source that is looked at again and again. */
export interface Watch {
  readonly run: string
  readonly askedAt: Date
  /** When something of it last waited. */
  readonly seenAt: Date | null
}

/** Which runs are watched: kept, so that a restart forgets none. */
export interface WatchBook {
  /** Every watched run of a source. */
  watched(source: string): Promise<readonly Watch[]>
  isWatched(source: string, run: string): Promise<boolean>
  /** Runs of a source in which something is pending, or decided and on its way, watched or not. */
  pendingRuns(source: string): Promise<readonly string[]>
  /**
   * Watches a run, or asks to look at it again now. Where as many as `most` are watched, the one that has been silent longest,
   * for an hour at least and not named by the settings, makes room; `full` where there is none.
   */
  watch(source: string, run: string, by: string, at: Date, most: number): Promise<'watching' | 'full'>
  /** False when it was not watched. */
  /** @param asOf leaves a watch that was asked for since */
  unwatch(source: string, run: string, asOf?: Date): Promise<boolean>
  seen(source: string, run: string, at: Date): Promise<void>
}

/** Signatures that were used, so that none is used twice. Look-up and entry are one: of any number at once, one is `new`. */
export interface SignatureBook {
  /** Remembers a signature until a moment, that moment included. `full`: more than `most` are remembered for this channel. */
  use(channel: string, signature: string, until: Date, now: Date, most: number): Promise<'new' | 'used' | 'full'>
}

/** Makes random ids of 32 lower-case hex digits. */
export type NewId = () => string

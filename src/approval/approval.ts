/**
 * What an approval is: the durable record that one tool call waits for people, and what became of it. This file owns the
 * words; the four steps beside it own the changes.
 */
import { z } from 'zod'

/** Our row's own random id: what buttons and metadata carry. */
export const RowId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .brand<'RowId'>()
export type RowId = z.infer<typeof RowId>

/** The source's id of the approval. Opaque: compared and carried back, never interpreted. */
export const ApprovalId = z.string().min(1).max(256).brand<'ApprovalId'>()
export type ApprovalId = z.infer<typeof ApprovalId>

/** What a decision is bound to. Opaque too: a source may make its own. */
export const ApprovalHash = z.string().min(1).max(128).brand<'ApprovalHash'>()
export type ApprovalHash = z.infer<typeof ApprovalHash>

/** What the policy says about a call. An `ask` keeps the names it was made under; the sets are read when somebody decides. */
export type Ruling =
  | { readonly ruling: 'allow'; readonly rule: string | null }
  | { readonly ruling: 'deny'; readonly rule: string | null; readonly reason: string }
  | { readonly ruling: 'ask'; readonly rule: string | null; readonly reason: string; readonly approvers: string }

/** What the canonical text of a call holds: a hook's review, or an approval of the signed channel. */
export type Form = 'review' | 'channel'

/** What was asked: the same for the life of the row. */
export interface Asked {
  readonly rowId: RowId
  readonly source: string
  readonly id: ApprovalId
  readonly hash: ApprovalHash
  readonly form: Form
  readonly run: string
  readonly rootRun: string
  /** The platform's mark of a worker's call. */
  readonly worker: string | null
  readonly agent: string
  readonly thread: string
  /** As its literal was sent. */
  readonly step: string
  readonly tool: string
  readonly toolCall: string
  /** What sort of approval a channel source calls it; null for a hook's. */
  readonly kind: string | null
  /** Canonical JSON of what the hash is over, as it came. Model-chosen in part: shown only as safe text. */
  readonly call: string
  readonly resolveUrl: string
  readonly ruling: Ruling
  /** Why the source's own policy asked. Not covered by the hash; may hold the model's words. */
  readonly sourceReason: string | null
  /** The source cannot read its own record: it takes no decision on this. Its words, shown only as safe text. */
  readonly decodeError: string | null
  readonly openedAt: Date
  /** When the source stops waiting, by its own clock. */
  readonly expiresAt: Date | null
}

export type Verdict = 'approve' | 'deny'

/** The recorded words for what was decided (contract, "Recorded outcomes"). */
export type Outcome = 'approved' | 'denied' | 'cancelled'

export interface Decision {
  readonly verdict: Verdict
  readonly outcome: Outcome
  /** `slack:<team>/<user>`, `cli:<user>` or `countersign`. */
  readonly by: string
  /** `channel/<name>` when it came over a served channel: then `by` is a label that nobody checked. */
  readonly via: string | null
  /** Goes to the model verbatim on a deny. */
  readonly note: string | null
  readonly at: Date
}

/** What the source did with a decision. */
export type Resolution =
  | { readonly resolution: 'done' }
  | {
      readonly resolution: 'refused'
      readonly why: RefusedWhy
      readonly status: number
      readonly ownAttemptMayHaveLanded: boolean
    }
  | { readonly resolution: 'undeliverable' }

export type RefusedWhy =
  | 'unknown_approval'
  | 'resolved_elsewhere'
  | 'expired'
  | 'changed'
  | 'run_not_waiting'
  /** Its record no longer matches the hash. */
  | 'damaged'
  | 'not_allowed'
  | 'refused'

/** Why a decision has not reached the source yet. */
export interface Trouble {
  readonly kind: 'passing' | 'lasting'
  /** A code of ours: `http_503`, `unreachable`, `bad_key`. */
  readonly code: string
}

/** Why a row ended without a person of ours. */
export type Closed =
  | 'allowed_by_rule'
  | 'denied_by_rule'
  | 'cancelled'
  /** The source asks the same with other content: a new row stands for that. */
  | 'changed'
  /** The source no longer lists it. */
  | 'withdrawn'
  | 'expired'
  | 'decided_elsewhere'

/** A decision that was made at the source, not here. `by` is its label, which nobody here checked. */
export interface Elsewhere {
  readonly verdict: Verdict
  readonly by: string
}

export type Approval =
  | (Asked & { readonly status: 'pending' })
  | (Asked & {
      readonly status: 'decided'
      readonly decision: Decision
      readonly trouble: Trouble | null
      readonly giveUpAt: Date
    })
  | (Asked & {
      readonly status: 'resolved'
      readonly decision: Decision
      readonly resolution: Resolution
      readonly resolvedAt: Date
    })
  | (Asked & {
      readonly status: 'closed'
      readonly because: Closed
      readonly closedAt: Date
      readonly elsewhere: Elsewhere | null
    })

/** The expected no, to whoever decides. */
export type Refusal =
  | { readonly refusal: 'unknown_approval' }
  | { readonly refusal: 'approval_changed' }
  | { readonly refusal: 'not_pending'; readonly decision: Decision }
  | { readonly refusal: 'expired' }
  /** What stands here is not all of what would be approved. */
  | { readonly refusal: 'not_whole' }
  | { readonly refusal: 'closed'; readonly because: Closed }

/**
 * What waits of a run beyond what cards are for: one message tells of it, and approvals move from it to cards as there is room.
 * `rowId` is its own random id.
 */
export interface Digest {
  readonly rowId: RowId
  readonly status: 'digest'
  readonly source: string
  readonly rootRun: string
  /** Pending, without a card, oldest first. */
  readonly waiting: readonly (Approval & { readonly status: 'pending' })[]
}

/** How an approval ended, as a line in its card's thread. `rowId` is the line's own, made from the approval's. */
export interface OutcomeLine {
  readonly rowId: RowId
  readonly status: 'outcome'
  readonly of: Approval & { readonly status: 'resolved' | 'closed' }
  readonly card: { readonly conversation: string; readonly ts: string }
}

/** What a message of ours can show. */
export type Told = Approval | Digest | OutcomeLine

/** Where a card stands, or may stand: a post whose answer never came has no `ts`. */
export interface Place {
  readonly key: string
  readonly approval: RowId
  readonly conversation: string
  readonly ts: string | null
  /** The digest of what the message shows, as far as we know; null when it was never confirmed. */
  readonly shown: string | null
  readonly attemptedAt: Date
  /** The approval was withdrawn and asked again: this card keeps saying so, and another one asks. */
  readonly retired: boolean
}

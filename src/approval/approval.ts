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
  /** Canonical JSON of everything that was sent; the hash is over this. Model-chosen in part: shown only as safe text. */
  readonly call: string
  readonly resolveUrl: string
  readonly ruling: Ruling
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

export type RefusedWhy = 'unknown_approval' | 'resolved_elsewhere' | 'expired' | 'refused'

/** Why a decision has not reached the source yet. */
export interface Trouble {
  readonly kind: 'passing' | 'lasting'
  /** A code of ours: `http_503`, `unreachable`, `bad_key`. */
  readonly code: string
}

/** Why a row ended without a person. */
export type Closed = 'allowed_by_rule' | 'denied_by_rule' | 'cancelled'

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
  | (Asked & { readonly status: 'closed'; readonly because: Closed })

/** The expected no, to whoever decides. */
export type Refusal =
  | { readonly refusal: 'unknown_approval' }
  | { readonly refusal: 'approval_changed' }
  | { readonly refusal: 'not_pending'; readonly decision: Decision }
  | { readonly refusal: 'expired' }
  | { readonly refusal: 'not_asked' }

/** Where a card stands, or may stand: a post whose answer never came has no `ts`. */
export interface Place {
  readonly key: string
  readonly approval: RowId
  readonly conversation: string
  readonly ts: string | null
  /** The digest of what the message shows, as far as we know; null when it was never confirmed. */
  readonly shown: string | null
  readonly attemptedAt: Date
}

/** The tables, as the queries see them. Moments are milliseconds since the epoch. */
export interface ApprovalsTable {
  row_id: string
  source: string
  id: string
  hash: string
  form: string
  run: string
  root_run: string
  worker: string | null
  agent: string
  thread: string
  step: string
  tool: string
  tool_call: string
  call: string
  resolve_url: string
  ruling: string
  rule: string | null
  reason: string | null
  approvers: string | null
  opened_at: number
  expires_at: number | null
  status: string
  verdict: string | null
  outcome: string | null
  decided_by: string | null
  via: string | null
  note: string | null
  decided_at: number | null
  give_up_at: number | null
  trouble_kind: string | null
  trouble_code: string | null
  may_have_landed: number
  resolution: string | null
  refused_why: string | null
  refused_status: number | null
  resolved_at: number | null
  closed_because: string | null
  kind: string | null
  source_reason: string | null
  decode_error: string | null
  closed_at: number | null
  home: string | null
}

/** Cards: where they stand, or may stand. */
export interface MessagesTable {
  key: string
  approval: string
  conversation: string
  ts: string | null
  shown: string | null
  attempted_at: number
  retired: number
}

/** Steps that are due. At most one row for each step of each approval. */
export interface TasksTable {
  approval: string
  step: string
  turn: number
  attempts: number
  due_at: number
  leased_until: number | null
}

/** An id that came again with other content: the attempt, never the content. */
export interface ConflictsTable {
  source: string
  id: string
  hash: string
  known: string
  at: number
}

/** Runs that an operator cancelled: their later calls are denied. */
export interface CancelledRunsTable {
  source: string
  run: string
  by: string
  note: string | null
  at: number
}

/** Runs of a source that are looked at again and again. */
export interface WatchesTable {
  source: string
  run: string
  by: string
  asked_at: number
  seen_at: number | null
}

/** What waits of a run beyond its cards: one message each. */
export interface DigestsTable {
  id: string
  source: string
  root_run: string
}

/** Signatures of the signed channel that were used, for as long as their moment is acceptable. */
export interface SignaturesTable {
  channel: string
  signature: string
  until: number
}

export interface Tables {
  approvals: ApprovalsTable
  messages: MessagesTable
  tasks: TasksTable
  conflicts: ConflictsTable
  cancelled_runs: CancelledRunsTable
  signatures: SignaturesTable
  watches: WatchesTable
  digests: DigestsTable
}

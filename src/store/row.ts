/** A row as it is read: parsed by schema, then made a value of the domain. A row that does not parse was not written by us. */
import { z } from 'zod'
import {
  type Approval,
  ApprovalHash,
  ApprovalId,
  type Asked,
  type Decision,
  type Place,
  type Resolution,
  RowId,
  type Ruling,
  type Trouble,
} from '../approval/approval.ts'

const moment = z
  .number()
  .int()
  .transform((ms) => new Date(ms))

const Row = z.object({
  row_id: RowId,
  source: z.string(),
  id: ApprovalId,
  hash: ApprovalHash,
  form: z.enum(['review', 'channel']),
  run: z.string(),
  root_run: z.string(),
  worker: z.string().nullable(),
  agent: z.string(),
  thread: z.string(),
  step: z.string(),
  tool: z.string(),
  tool_call: z.string(),
  call: z.string(),
  resolve_url: z.string(),
  ruling: z.enum(['allow', 'deny', 'ask']),
  rule: z.string().nullable(),
  reason: z.string().nullable(),
  approvers: z.string().nullable(),
  opened_at: moment,
  expires_at: moment.nullable(),
  status: z.enum(['pending', 'decided', 'resolved', 'closed']),
  verdict: z.enum(['approve', 'deny']).nullable(),
  outcome: z.enum(['approved', 'denied', 'cancelled']).nullable(),
  decided_by: z.string().nullable(),
  via: z.string().nullable(),
  note: z.string().nullable(),
  decided_at: moment.nullable(),
  give_up_at: moment.nullable(),
  trouble_kind: z.enum(['passing', 'lasting']).nullable(),
  trouble_code: z.string().nullable(),
  may_have_landed: z.number(),
  resolution: z.enum(['done', 'refused', 'undeliverable']).nullable(),
  refused_why: z
    .enum([
      'unknown_approval',
      'resolved_elsewhere',
      'expired',
      'changed',
      'run_not_waiting',
      'damaged',
      'not_allowed',
      'refused',
    ])
    .nullable(),
  refused_status: z.number().nullable(),
  resolved_at: moment.nullable(),
  closed_because: z
    .enum(['allowed_by_rule', 'denied_by_rule', 'cancelled', 'changed', 'withdrawn', 'expired', 'decided_elsewhere'])
    .nullable(),
  kind: z.string().nullable(),
  source_reason: z.string().nullable(),
  decode_error: z.string().nullable(),
  closed_at: moment.nullable(),
})
type Row = z.infer<typeof Row>

/** @throws Error when the row is not one of ours. */
export function approvalOf(raw: unknown): Approval {
  const row = Row.parse(raw)
  const asked: Asked = {
    rowId: row.row_id,
    source: row.source,
    id: row.id,
    hash: row.hash,
    form: row.form,
    run: row.run,
    rootRun: row.root_run,
    worker: row.worker,
    agent: row.agent,
    thread: row.thread,
    step: row.step,
    tool: row.tool,
    toolCall: row.tool_call,
    kind: row.kind,
    call: row.call,
    resolveUrl: row.resolve_url,
    ruling: rulingOf(row),
    sourceReason: row.source_reason,
    decodeError: row.decode_error,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
  }
  switch (row.status) {
    case 'pending':
      return { ...asked, status: 'pending' }
    case 'decided':
      return { ...asked, status: 'decided', decision: decisionOf(row), trouble: troubleOf(row), giveUpAt: held(row.give_up_at) }
    case 'resolved':
      return {
        ...asked,
        status: 'resolved',
        decision: decisionOf(row),
        resolution: resolutionOf(row),
        resolvedAt: held(row.resolved_at),
      }
    case 'closed':
      return {
        ...asked,
        status: 'closed',
        because: held(row.closed_because),
        closedAt: held(row.closed_at),
        elsewhere: row.verdict === null ? null : { verdict: row.verdict, by: held(row.decided_by) },
      }
  }
}

/** @throws Error when the row is not one of ours, or not pending. */
export function pendingOf(raw: unknown): Approval & { readonly status: 'pending' } {
  const approval = approvalOf(raw)
  if (approval.status !== 'pending') throw new Error('a row that was asked for as pending is not')
  return approval
}

const PlaceRow = z.object({
  key: z.string(),
  approval: RowId,
  conversation: z.string(),
  ts: z.string().nullable(),
  shown: z.string().nullable(),
  attempted_at: moment,
  retired: z.number(),
})

export function placeOf(raw: unknown): Place {
  const { attempted_at, retired, ...place } = PlaceRow.parse(raw)
  return { ...place, attemptedAt: attempted_at, retired: retired === 1 }
}

function rulingOf(row: Row): Ruling {
  switch (row.ruling) {
    case 'allow':
      return { ruling: 'allow', rule: row.rule }
    case 'deny':
      return { ruling: 'deny', rule: row.rule, reason: held(row.reason) }
    case 'ask':
      return { ruling: 'ask', rule: row.rule, reason: held(row.reason), approvers: held(row.approvers) }
  }
}

function decisionOf(row: Row): Decision {
  return {
    verdict: held(row.verdict),
    outcome: held(row.outcome),
    by: held(row.decided_by),
    via: row.via,
    note: row.note,
    at: held(row.decided_at),
  }
}

function troubleOf(row: Row): Trouble | null {
  return row.trouble_kind === null ? null : { kind: row.trouble_kind, code: held(row.trouble_code) }
}

function resolutionOf(row: Row): Resolution {
  const resolution = held(row.resolution)
  if (resolution !== 'refused') return { resolution }
  return {
    resolution,
    why: held(row.refused_why),
    status: held(row.refused_status),
    ownAttemptMayHaveLanded: row.may_have_landed === 1,
  }
}

function held<T>(value: T | null): T {
  if (value === null) throw new Error('a row of the approvals table lacks what its status needs')
  return value
}

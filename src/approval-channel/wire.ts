/**
 * The channel's messages, read and written (approval-channel sections 1 and 2). Field names are the wire's own. Reading ignores
 * fields that we do not know; writing keeps the wire's order, leaves out what is empty, and keeps each number's literal.
 */
import { z } from 'zod'
import { ApprovalHash, ApprovalId } from '../approval/approval.ts'
import { canonical } from '../approval/canonical.ts'
import { isList, isObject, type Json, JsonNumber } from '../approval/json.ts'
import { boundedJson, boundedText } from './bound.ts'
import { ChannelCode } from './code.ts'
import { ChannelTime } from './time.ts'

const members = (json: unknown): unknown => (json instanceof Map ? Object.fromEntries(json) : json)
/** A JSON object as the strict reader gives it, read by its fields. */
const fields = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.preprocess(members, z.object(shape))
const AnyJson = z.custom<Json>((value) => value !== undefined)
const textOrNone = z.string().default('')

const Spec = fields({
  name: z.string(),
  description: z.string(),
  /** In the order in which the tool registered it. */
  input_schema: AnyJson,
  side_effect: z.string(),
  /** Whole nanoseconds. */
  timeout: z.instanceof(JsonNumber).refine((number) => /^-?\d{1,19}$/.test(number.literal)),
  terminal: z.boolean().default(false),
})

export const ChannelStatus = z.enum([
  'pending',
  'approved',
  'rejected',
  'expired',
  /** A row that lost it. */
  '',
])
export type ChannelStatus = z.infer<typeof ChannelStatus>

/**
 * One approval as the channel presents it. Of what it holds, reason, presentation, capability, args, kind and description may be
 * model-chosen, and nothing here makes it safe to show. Times are text, empty text is absence.
 */
export const ChannelApproval = fields({
  id: ApprovalId,
  run_id: z.string().min(1),
  step_id: z.string(),
  kind: z.string(),
  capability: AnyJson,
  presentation: AnyJson,
  request: fields({ run_id: z.string(), step_id: z.string(), spec: Spec, args: AnyJson }),
  /** Of the stored approval, which is not always what is shown here. */
  hash: ApprovalHash,
  status: ChannelStatus,
  created_at: ChannelTime,
  expires_at: ChannelTime.optional(),
  decided_at: ChannelTime.optional(),
  decided_by: textOrNone,
  /** What the decider wrote. */
  note: textOrNone,
  /** The row is damaged or was cut: what is shown here is not what would be decided. */
  decode_error: textOrNone,
  /** Why the policy asked. */
  reason: textOrNone,
  /** Its time is over by the server's clock, whatever the status says. */
  expired: z.boolean().default(false),
})
export type ChannelApproval = z.infer<typeof ChannelApproval>

/** A `null` list is an empty one: another implementation may send it. */
export const ListAnswer = fields({
  pending: z.preprocess((pending) => (pending === null ? [] : pending), z.array(ChannelApproval)),
  run_id: z.string(),
})

export const DecisionAnswer = fields({
  approval_id: z.string(),
  by: z.string(),
  hash: z.string(),
  run_id: z.string(),
  /** `pending`: our own served channel counted a vote that completes no quorum. */
  status: z.enum(['approved', 'rejected', 'pending']),
})
export type DecisionAnswer = z.infer<typeof DecisionAnswer>

export const CancelAnswer = fields({ by: z.string(), run_id: z.string(), status: z.literal('cancelled') })

export const ErrorAnswer = fields({ code: ChannelCode, error: z.string() })

/** Show: strings whole. */
export function writeApproval(approval: ChannelApproval): string {
  return `${approvalJson(approval)}\n`
}

/** List: strings bounded (section 6.4). */
export function writeList(runId: string, approvals: readonly ChannelApproval[]): string {
  const pending = approvals.map((approval) =>
    approvalJson({
      ...approval,
      capability: boundedJson(approval.capability),
      presentation: boundedJson(approval.presentation),
      request: { ...approval.request, args: boundedJson(approval.request.args) },
      reason: boundedText(approval.reason),
    }),
  )
  return `{"pending":[${pending.join(',')}],"run_id":${canonical(runId)}}\n`
}

/** An answer, or an error, made of text only. Keys are sorted. */
export function writeAnswer(
  answer: DecisionAnswer | z.infer<typeof CancelAnswer> | { readonly code: ChannelCode; readonly error: string },
): string {
  return `${canonical(new Map(Object.entries(answer)))}\n`
}

function approvalJson(approval: ChannelApproval): string {
  const { request } = approval
  const { spec } = request
  const some = (value: string | undefined): string | undefined =>
    value === undefined || value === '' ? undefined : canonical(value)
  const specText = written([
    ['name', canonical(spec.name)],
    ['description', canonical(spec.description)],
    ['input_schema', inOrder(spec.input_schema)],
    ['side_effect', canonical(spec.side_effect)],
    ['timeout', canonical(spec.timeout)],
    ['terminal', spec.terminal ? 'true' : undefined],
  ])
  const requestText = written([
    ['run_id', canonical(request.run_id)],
    ['step_id', canonical(request.step_id)],
    ['spec', specText],
    ['args', canonical(request.args)],
  ])
  return written([
    ['id', canonical(approval.id)],
    ['run_id', canonical(approval.run_id)],
    ['step_id', canonical(approval.step_id)],
    ['kind', canonical(approval.kind)],
    ['capability', canonical(approval.capability)],
    ['presentation', canonical(approval.presentation)],
    ['request', requestText],
    ['hash', canonical(approval.hash)],
    ['status', canonical(approval.status)],
    ['created_at', canonical(approval.created_at)],
    ['expires_at', some(approval.expires_at)],
    ['decided_at', some(approval.decided_at)],
    ['decided_by', some(approval.decided_by)],
    ['note', some(approval.note)],
    ['decode_error', some(approval.decode_error)],
    ['reason', some(approval.reason)],
    ['expired', approval.expired ? 'true' : undefined],
  ])
}

/** An object of members that are already written; those without a value are left out. */
function written(object: readonly (readonly [key: string, text: string | undefined])[]): string {
  return `{${object.flatMap(([key, text]) => (text === undefined ? [] : [`"${key}":${text}`])).join(',')}}`
}

/** Compact, each object's keys in its own order. */
function inOrder(json: Json): string {
  if (isObject(json)) return `{${[...json].map(([key, value]) => `${canonical(key)}:${inOrder(value)}`).join(',')}}`
  if (isList(json)) return `[${json.map(inOrder).join(',')}]`
  return canonical(json)
}

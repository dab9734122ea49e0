/** The hook's messages (novo-hook sections 1, 3 and 4). Every choice that the platform's page leaves open stands here. */
import { z } from 'zod'
import { ApprovalId, type Asked, type Decision, type RowId, type Ruling } from '../../approval/approval.ts'
import { canonical, hashOf } from '../../approval/canonical.ts'
import { isObject, type Json, JsonNumber } from '../../approval/json.ts'

const text = (most: number) => z.string().min(1).max(most)
const step = z.instanceof(JsonNumber).refine((number) => /^\d{1,15}$/.test(number.literal))
const preview = z.custom<ReadonlyMap<string, Json>>((value) => value instanceof Map && typeof value.get('summary') === 'string')

/** Members that we do not know are kept in the canonical text; only these are looked at. */
const Review = z.object({
  id: ApprovalId,
  runId: text(256),
  rootRunId: text(256),
  workerRef: text(256).optional(),
  threadId: text(256),
  agentId: text(256),
  stepNumber: step,
  toolName: text(256),
  toolCallId: text(256),
  preview: preview.optional(),
  resolveUrl: text(2048),
})
export type Review = z.infer<typeof Review> & { readonly call: string }

export type Malformed = { readonly code: 'not_a_review'; readonly error: string }

/** Names the field that is wrong, never its value. */
export function readReview(json: Json): { readonly ok: true; readonly review: Review } | ({ readonly ok: false } & Malformed) {
  if (!isObject(json)) return { ok: false, code: 'not_a_review', error: 'The body is not a JSON object.' }
  if (json.get('type') !== 'tool_execution_review')
    return { ok: false, code: 'not_a_review', error: 'The field type is not tool_execution_review.' }
  if (!json.has('input')) return { ok: false, code: 'not_a_review', error: 'The field input is missing.' }
  const parsed = Review.safeParse(Object.fromEntries(json))
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? '')
    return {
      ok: false,
      code: 'not_a_review',
      error: `The field ${field} is ${json.has(field) ? 'not of the right type or size' : 'missing'}.`,
    }
  }
  return { ok: true, review: { ...parsed.data, call: canonical(json) } }
}

export function asked(review: Review, source: string, rowId: RowId, ruling: Ruling, now: Date): Asked {
  return {
    rowId,
    source,
    id: review.id,
    hash: hashOf(review.call),
    form: 'review',
    run: review.runId,
    rootRun: review.rootRunId,
    worker: review.workerRef ?? null,
    agent: review.agentId,
    thread: review.threadId,
    step: review.stepNumber.literal,
    tool: review.toolName,
    toolCall: review.toolCallId,
    kind: null,
    call: review.call,
    resolveUrl: review.resolveUrl,
    ruling,
    openedAt: now,
    expiresAt: null,
    sourceReason: null,
    decodeError: null,
  }
}

/** What the hook answers. A replay of a call that a person has approved since still gets `pause`: `allow` would be a way in. */
export function answerOf(
  ruling: Ruling,
): { readonly decision: 'allow' } | { readonly decision: 'deny' | 'pause'; readonly reason: string } {
  switch (ruling.ruling) {
    case 'allow':
      return { decision: 'allow' }
    case 'deny':
      return { decision: 'deny', reason: ruling.reason }
    case 'ask':
      return { decision: 'pause', reason: ruling.reason }
  }
}

/** Fills `{note}` where a whole value is that; where there is no note the member is left out. */
export function resolutionBody(template: unknown, decision: Pick<Decision, 'note'>): unknown {
  if (template === '{note}') return decision.note ?? undefined
  if (Array.isArray(template))
    return template.map((item: unknown) => resolutionBody(item, decision)).filter((item) => item !== undefined)
  if (typeof template === 'object' && template !== null) {
    return Object.fromEntries(
      Object.entries(template)
        .map(([key, value]: [string, unknown]) => [key, resolutionBody(value, decision)] as const)
        .filter(([, value]) => value !== undefined),
    )
  }
  return template
}

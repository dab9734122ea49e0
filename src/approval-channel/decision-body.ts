/**
 * The bodies of approve, reject and cancel, read and written (approval-channel sections 1.3 to 1.5 and 5). Stricter than the
 * protocol where section 12 lets us: a repeated key, a key in another case, and text that is not well-formed are refused, since
 * another reader of the same bytes could see another decision in them.
 */
import { z } from 'zod'
import { isObject, type Json, readJson } from '../approval/json.ts'

export interface DecisionBody {
  /** As it was shown; compared with the stored one byte for byte, so nothing is asked of its form. */
  readonly hash: string
  /** A label, kept as given. It proves nothing. */
  readonly by: string
  /** Empty when there is none. */
  readonly note: string
}

/** The protocol's texts of a 400 `bad_request`. */
export type BadBody =
  | 'body is not a JSON decision'
  | 'body must name the run and approval of the path'
  | 'hash and by are required'
  | 'body must name the run of the path and an identity'

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: BadBody }

const bad = (error: BadBody): { readonly ok: false; readonly error: BadBody } => ({ ok: false, error })

/** Reads what decides one approval, the ids being those of the path. */
export function readDecision(bytes: Uint8Array, runId: string, approvalId: string): Read<DecisionBody> {
  const body = read(bytes)
  if (body === undefined) return bad('body is not a JSON decision')
  if (body.run_id !== runId || body.approval_id !== approvalId) return bad('body must name the run and approval of the path')
  if (body.hash === '' || body.by === '') return bad('hash and by are required')
  return { ok: true, value: { hash: body.hash, by: body.by, note: body.note } }
}

/** Reads what cancels a run, the id being that of the path. */
export function readCancel(bytes: Uint8Array, runId: string): Read<Omit<DecisionBody, 'hash'>> {
  const body = read(bytes)
  if (body === undefined) return bad('body is not a JSON decision')
  if (body.run_id !== runId || body.by === '') return bad('body must name the run of the path and an identity')
  return { ok: true, value: { by: body.by, note: body.note } }
}

export function writeDecision(runId: string, approvalId: string, { hash, by, note }: DecisionBody): string {
  return written([['run_id', runId], ['approval_id', approvalId], ['hash', hash], ['by', by], ...noteOf(note)])
}

export function writeCancel(runId: string, { by, note }: Omit<DecisionBody, 'hash'>): string {
  return written([['run_id', runId], ['by', by], ...noteOf(note)])
}

function noteOf(note: string): readonly (readonly [string, string])[] {
  return note === '' ? [] : [['note', note]]
}

function written(members: readonly (readonly [string, string])[]): string {
  // Not in the canonical escaping, which triples a note of marks: the other end bounds the whole body.
  return JSON.stringify(Object.fromEntries(members))
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const Body = z.object({ run_id: text, approval_id: text, hash: text, by: text, note: text })

/** One shape for all three: a cancel's hash is ignored, but must be text. */
function read(bytes: Uint8Array): z.infer<typeof Body> | undefined {
  const json = readJson(bytes)
  if (!json.ok) return undefined
  const members = json.value === null ? new Map<string, Json>() : json.value
  if (!isObject(members) || [...members.keys()].some(inAnotherCase)) return undefined
  return Body.safeParse(Object.fromEntries(members)).data
}

/** Up and down again, so that the long s and the Kelvin sign, which other readers fold too, are seen. */
function inAnotherCase(key: string): boolean {
  const folded = key.toUpperCase().toLowerCase()
  return folded !== key && Object.hasOwn(Body.shape, folded)
}

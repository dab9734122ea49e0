// The stored form of an approval: columns of text, and the hash that ties a decision to them.
import { createHash } from 'node:crypto'
import type { Json } from './json.ts'
import { admitJson, parseJson } from './json.ts'
import { canonical } from './write.ts'

export type SideEffect = 'read_only' | 'local_mutation' | 'remote_mutation' | 'destructive'

/** A tool call that a policy sends to a person. JSON comes as text, so that no digit of it is lost. */
export interface Ask {
  readonly tool: string
  /** JSON; `{}` when absent. */
  readonly args?: string
  readonly description?: string
  /** JSON; a plain object's schema when absent. */
  readonly inputSchema?: string
  /** `remote_mutation` when absent. */
  readonly sideEffect?: SideEffect
  readonly timeoutSeconds?: number
  readonly terminal?: boolean
  /** What the policy says. What is absent is what the default policy says. */
  readonly kind?: string
  readonly capability?: string
  readonly presentation?: string
  readonly reason?: string
}

export type State =
  | { readonly status: 'pending' }
  | { readonly status: 'approved' | 'rejected'; readonly at: string; readonly by: string; readonly note: string }
  | { readonly status: 'expired'; readonly at: string }

/** What a hash covers, as it is stored. */
export interface Covered {
  readonly kind: string
  /** JSON, all three. Empty counts as `{}` in the first two. */
  readonly capability: string
  readonly presentation: string
  readonly request: string
}

export interface Row extends Covered {
  readonly id: string
  readonly run: string
  readonly step: string
  readonly hash: string
  readonly reason: string
  readonly createdAt: string
  /** Null: it never expires. */
  readonly expiresAt: string | null
  readonly state: State
}

const ANY_OBJECT = '{"type":"object"}'
const TIMEOUT_SECONDS = 30
const NANOSECONDS = 1_000_000_000

/** Throws on JSON that the runtime would not let in. */
export function coveredBy(ask: Ask, run: string, step: string): Covered {
  const { tool } = ask
  const sideEffect = ask.sideEffect ?? 'remote_mutation'
  const args = admitted('args', ask.args?.trim() || '{}')
  const byDefault = `{"tool":${JSON.stringify(tool)},"args":${args}}`
  const spec = [
    `"name":${JSON.stringify(tool)}`,
    `"description":${JSON.stringify(ask.description ?? '')}`,
    `"input_schema":${admitted('inputSchema', ask.inputSchema?.trim() || ANY_OBJECT)}`,
    `"side_effect":"${sideEffect}"`,
    `"timeout":${(ask.timeoutSeconds ?? TIMEOUT_SECONDS) * NANOSECONDS}`,
    ...(ask.terminal === true ? ['"terminal":true'] : []),
  ]
  return {
    kind: ask.kind ?? sideEffect,
    capability: admitted('capability', ask.capability ?? byDefault),
    presentation: admitted('presentation', ask.presentation ?? byDefault),
    request: `{"run_id":${JSON.stringify(run)},"step_id":${JSON.stringify(step)},"spec":{${spec.join(',')}},"args":${args}}`,
  }
}

export function reasonOf(ask: Ask): string {
  return ask.reason ?? `side effect ${ask.sideEffect ?? 'remote_mutation'} is require_approval by policy`
}

/** Undefined when a column is no JSON. */
export function hashOf(covered: Covered): string | undefined {
  const capability = objectOf(covered.capability)
  const presentation = objectOf(covered.presentation)
  const request = parseJson(covered.request)
  if (capability === undefined || presentation === undefined || request === undefined) return undefined
  const whole: Json = {
    members: [
      ['capability', capability],
      ['kind', covered.kind],
      ['presentation', presentation],
      ['request', request],
    ],
  }
  return createHash('sha256').update(canonical(whole)).digest('hex')
}

/** The JSON of a capability or a presentation. */
export function objectOf(text: string): Json | undefined {
  return text.trim() === '' ? { members: [] } : parseJson(text)
}

/** What the runtime could not read of a row; empty when it is whole. */
export function decodeError(row: Row): string {
  const parts = [
    ...(parseJson(row.request) === undefined ? ['request: not JSON'] : []),
    ...(row.expiresAt !== null && Number.isNaN(Date.parse(row.expiresAt)) ? ['expires_at: not a time'] : []),
  ]
  return parts.join('; ')
}

function admitted(what: string, text: string): string {
  if (text.trim() !== '' && admitJson(text) === undefined) throw new Error(`${what}: this JSON is not let in`)
  return text
}

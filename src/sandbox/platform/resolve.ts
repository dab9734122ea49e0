// Judges a POST to an interaction's resolve address. Knows nothing of sockets and of spoiled answers.
import { isRecord, readJson } from './answer.ts'
import type { Ledger, Verdict } from './ledger.ts'

/** What counts of a POST. */
export interface Posting {
  readonly id: string
  readonly authorization: string | undefined
  readonly contentType: string | undefined
  readonly idempotencyKey: string | undefined
  readonly body: Buffer
}

export interface Judgement {
  readonly status: number
  readonly body: string
  /** Whether this very POST resolved the interaction. */
  readonly applied: boolean
}

export interface Judge {
  authorized(authorization: string | undefined): boolean
  judge(posting: Posting): Judgement
  /** From now on only this key counts. */
  rotateKey(apiKey: string): void
}

/** `{"decision":"allow"}` or `{"decision":"deny"}` with or without a reason; anything else is null. */
export function parseVerdict(body: Uint8Array): Verdict | null {
  const value = readJson(body)
  if (!isRecord(value)) return null
  const { decision, reason, ...rest } = value
  if (Object.keys(rest).length > 0) return null
  if (decision === 'allow') return reason === undefined ? { decision } : null
  if (decision !== 'deny') return null
  if (reason === undefined) return { decision }
  return typeof reason === 'string' ? { decision, reason } : null
}

/** An error body in the form that the platform's page shows by its codes; the texts are the stand-in's own. */
export function refusal(status: number, code: string, message: string): Judgement {
  return { status, body: JSON.stringify({ error: { code, message } }), applied: false }
}

/** `replay`: what the second POST with one Idempotency-Key gets, the first answer again or 409. The page does not say. */
export function startJudge(ledger: Ledger, firstKey: string, replay: 'same' | 'conflict'): Judge {
  let apiKey = firstKey
  // Only resolutions that took effect are remembered: a 401 or an early 404 must not stick to its key.
  const remembered = new Map<string, { readonly body: Buffer; readonly answer: Judgement }>()
  const authorized = (authorization: string | undefined) => authorization === `Bearer ${apiKey}`

  return {
    authorized,
    rotateKey(next) {
      apiKey = next
    },
    judge(posting) {
      const { id, idempotencyKey, body } = posting
      if (!authorized(posting.authorization)) return refusal(401, 'unauthorized', 'The API key is missing or wrong.')
      const media = posting.contentType?.split(';')[0]?.trim().toLowerCase()
      const verdict = media === 'application/json' ? parseVerdict(body) : null
      if (verdict === null) return refusal(400, 'invalid_request_error', 'The body is not a resolution.')

      const key = idempotencyKey === undefined ? undefined : JSON.stringify([id, idempotencyKey])
      const first = key === undefined ? undefined : remembered.get(key)
      if (first !== undefined && replay === 'same') {
        if (first.body.equals(body)) return { ...first.answer, applied: false }
        return refusal(409, 'idempotency_key_reused', 'This Idempotency-Key came with another body before.')
      }
      switch (ledger.resolve(id, verdict)) {
        case 'unknown':
          return refusal(404, 'interaction_not_found', `There is no interaction ${id}.`)
        case 'not_parked':
          return refusal(404, 'interaction_not_waiting', 'The run is not parked yet.')
        case 'not_waiting':
          return refusal(409, 'interaction_already_resolved', 'The interaction waits for nobody any more.')
        case 'done': {
          const answer = {
            status: 200,
            body: JSON.stringify({ id, object: 'interaction', decision: verdict.decision }),
            applied: true,
          }
          if (key !== undefined) remembered.set(key, { body, answer })
          return answer
        }
      }
    },
  }
}

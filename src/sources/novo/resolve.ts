/** Tells the platform what was decided (novo-hook section 4), and reads its answer by one table. */
import { Agent, request } from 'undici'
import type { Approval, Decision, Resolution } from '../../approval/approval.ts'
import { CANCELLED_REASON } from '../../approval/open.ts'
import { Failure, type Source } from '../../approval/ports.ts'
import { isPinned, type Pins } from './resolve-url.ts'
import { resolutionBody } from './wire.ts'

export interface Platform extends Pins {
  readonly name: string
  readonly key: string
  readonly resolution: { readonly approve: unknown; readonly deny: unknown }
}

/** The platform parks a run only once it has our answer: a click this soon after may find it not waiting yet. Milliseconds. */
const PARKING_MS = 10_000

/** From the first byte sent to the last byte read, unless said otherwise. Milliseconds. */
const ANSWER_MS = 10_000

/** What is read of an answer. Its text is not ours to show, so hardly any of it. Bytes. */
const MOST_ANSWER_BYTES = 64 * 1024

export function novoSource(platform: Platform, now: () => Date, answerMs = ANSWER_MS): Source & { close(): Promise<void> } {
  // A connection a POST: one that the platform closed meanwhile would make a delivery uncertain for nothing.
  const agent = new Agent({ pipelining: 0, connect: { timeout: 5000 }, headersTimeout: answerMs, bodyTimeout: answerMs })
  return {
    name: platform.name,
    close: () => agent.close(),
    async resolve(approval, earlierMayHaveLanded) {
      if (!isPinned(approval.resolveUrl, approval.id, platform))
        throw new Failure({ kind: 'lasting', code: 'resolve_url_refused' }, 'no')
      const { status, retryAfterMs } = await post(agent, platform, approval, now, answerMs)
      return read(status, retryAfterMs, approval, earlierMayHaveLanded, now())
    },
  }
}

async function post(
  agent: Agent,
  platform: Platform,
  { decision, resolveUrl, id, hash }: Approval & { status: 'decided' },
  now: () => Date,
  answerMs: number,
): Promise<{ readonly status: number; readonly retryAfterMs: number | undefined }> {
  const template = decision.verdict === 'approve' ? platform.resolution.approve : platform.resolution.deny
  try {
    const answer = await request(resolveUrl, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        authorization: `Bearer ${platform.key}`,
        'content-type': 'application/json',
        'idempotency-key': headerText(`${id}:${hash}`),
      },
      body: JSON.stringify(resolutionBody(template, { note: decision.note ?? wordsWithoutNote(decision) })),
      signal: AbortSignal.timeout(answerMs),
    })
    // The status is the answer; the rest is read away within its bound so that the connection ends well.
    await answer.body.dump({ limit: MOST_ANSWER_BYTES }).catch(() => undefined)
    return { status: answer.statusCode, retryAfterMs: retryAfter(answer.headers['retry-after'], now()) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const neverSent = [
      'ECONNREFUSED',
      'ENOTFOUND',
      'EAI_AGAIN',
      'UND_ERR_CONNECT_TIMEOUT',
      'EHOSTUNREACH',
      'ENETUNREACH',
    ].includes(code)
    throw new Failure({ kind: 'passing', code: neverSent ? 'unreachable' : 'no_answer' }, neverSent ? 'no' : 'maybe')
  }
}

function read(
  status: number,
  retryAfterMs: number | undefined,
  approval: Approval,
  earlierMayHaveLanded: boolean,
  now: Date,
): Resolution {
  const refused = (why: 'unknown_approval' | 'resolved_elsewhere' | 'expired' | 'refused'): Resolution => ({
    resolution: 'refused',
    why,
    status,
    ownAttemptMayHaveLanded: why === 'resolved_elsewhere' && earlierMayHaveLanded,
  })
  if (status >= 200 && status < 300) return { resolution: 'done' }
  if (
    (status === 404 || status === 409) &&
    now.getTime() - approval.openedAt.getTime() < PARKING_MS &&
    !(status === 409 && earlierMayHaveLanded)
  ) {
    throw new Failure({ kind: 'passing', code: 'not_parked_yet' }, 'no', 1000)
  }
  switch (status) {
    case 404:
      return refused('unknown_approval')
    case 409:
      return refused('resolved_elsewhere')
    case 410:
      return refused('expired')
    case 401:
    case 403:
      throw new Failure({ kind: 'lasting', code: 'bad_key' }, 'no')
    case 408:
      throw new Failure({ kind: 'passing', code: 'http_408' }, 'maybe', retryAfterMs)
    case 425:
    case 429:
      throw new Failure({ kind: 'passing', code: `http_${status}` }, 'no', retryAfterMs)
  }
  if (status >= 500) throw new Failure({ kind: 'passing', code: `http_${status}` }, 'maybe', retryAfterMs)
  if (status >= 400) return refused('refused')
  // A redirect is never followed: it would take a decision, and the key, where no setting sent them.
  throw new Failure({ kind: 'lasting', code: `http_${status}` }, 'maybe')
}

/** What the model reads where nobody wrote a note: a deny that no press made says what it is. */
function wordsWithoutNote({ outcome }: Decision): string | null {
  return outcome === 'cancelled' ? CANCELLED_REASON : null
}

/** Seconds or a date (RFC 9110 section 10.2.3), never more than an hour. */
function retryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== 'string') return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 3_600_000) : undefined
}

/** Ids are opaque and may hold what a header cannot; those characters go percent-encoded, the same way each time. */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x7E]|%/gu, (char) => encodeURIComponent(char))
}

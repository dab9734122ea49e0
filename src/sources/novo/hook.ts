/**
 * `POST /hooks/{name}`: a signed call becomes a stored ruling, and then an answer (novo-hook section 3). The order is the
 * promise: nothing is parsed before it is verified, and nothing is answered before it is on disk.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Asked, RowId, Ruling } from '../../approval/approval.ts'
import { readJson } from '../../approval/json.ts'
import type { Opened } from '../../approval/open.ts'
import { readBody } from '../../http/body.ts'
import { isPinned, type Pins } from './resolve-url.ts'
import { type Unverified, unverified } from './signature.ts'
import { answerOf, asked, readReview } from './wire.ts'

export interface Hook extends Pins {
  readonly name: string
  readonly secrets: readonly Uint8Array[]
  readonly windowSeconds: number
  readonly maxBodyBytes: number
}

export interface HookPorts {
  readonly now: () => Date
  readonly newRowId: () => RowId
  readonly rule: (tool: string) => Ruling
  readonly open: (asked: Asked) => Promise<Opened>
  /** Told after the answer is settled. Ids and codes only. */
  readonly observe: (event: HookEvent) => void
}

export type HookEvent =
  | {
      readonly event: 'hook.refused'
      readonly hook: string
      readonly status: number
      readonly code: string
      readonly why?: Unverified
    }
  | {
      readonly event: 'hook.ruled'
      readonly hook: string
      readonly approval: string
      readonly row: string
      readonly ruling: Ruling['ruling']
      readonly repeated: boolean
    }

export interface HookAnswer {
  readonly status: number
  readonly body: unknown
  /** The body was not read to its end. */
  readonly close: boolean
}

/** Seconds for a body to arrive whole. */
const BODY_DEADLINE_MS = 10_000

/** @throws what the store throws: the caller answers 500, and the hook's owner chose what that means. */
export async function answerHook(
  hook: Hook,
  ports: HookPorts,
  headers: IncomingHttpHeaders,
  stream: Readable,
): Promise<HookAnswer> {
  const refuse = (status: number, code: string, error: string, why?: Unverified, close = false): HookAnswer => {
    ports.observe({ event: 'hook.refused', hook: hook.name, status, code, ...(why === undefined ? {} : { why }) })
    return { status, body: { code, error }, close }
  }
  const body = await readBody(stream, headers['content-length'], { maxBytes: hook.maxBodyBytes, deadlineMs: BODY_DEADLINE_MS })
  if (!body.ok) {
    switch (body.because) {
      case 'too_large':
        return refuse(413, 'body_too_large', `The body is over ${hook.maxBodyBytes} bytes.`, undefined, true)
      case 'too_slow':
        return refuse(408, 'body_too_slow', 'The body did not arrive within 10 seconds.', undefined, true)
      case 'cut_off':
        return refuse(400, 'body_cut_off', 'The body ended before its time.', undefined, true)
    }
  }
  const signature = headers['novo-signature']
  const why = unverified(
    typeof signature === 'string' ? signature : undefined,
    body.bytes,
    hook.secrets,
    ports.now(),
    hook.windowSeconds,
  )
  if (why !== undefined) return refuse(401, 'unauthorized', 'The signature does not hold.', why)
  if (!/^application\/json[ \t]*(;|$)/i.test(headers['content-type']?.trim() ?? '')) {
    return refuse(415, 'unsupported_media_type', 'The body must be application/json.')
  }
  const json = readJson(body.bytes)
  if (!json.ok) {
    const { refusal } = json
    if (refusal.code === 'not_json') return refuse(400, 'not_json', `The body is not JSON, at character ${refusal.at}.`)
    return refuse(400, 'ambiguous_json', `The body can be read in more than one way, at character ${refusal.at}: ${refusal.why}.`)
  }
  const read = readReview(json.value)
  if (!read.ok) return refuse(400, read.code, read.error)
  const { review } = read
  if (!isPinned(review.resolveUrl, review.id, hook)) {
    return refuse(400, 'resolve_url_refused', 'The field resolveUrl is not the address that this hook resolves at.')
  }
  const opened = await ports.open(asked(review, hook.name, ports.newRowId(), ports.rule(review.toolName), ports.now()))
  if (opened.opened === 'conflict') return refuse(409, 'approval_changed', 'This id was asked about before with other content.')
  const { approval } = opened
  ports.observe({
    event: 'hook.ruled',
    hook: hook.name,
    approval: approval.id,
    row: approval.rowId,
    ruling: approval.ruling.ruling,
    repeated: opened.opened === 'repeated',
  })
  return { status: 200, body: answerOf(approval.ruling), close: false }
}

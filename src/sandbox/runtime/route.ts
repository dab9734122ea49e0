// What a verified request gets. Knows nothing of sockets.
import { parseDecision } from './body.ts'
import type { Deciding, Refusal } from './decide.ts'
import { cancel, decide, gone, NOT_FOUND } from './decide.ts'
import type { Row } from './row.ts'
import { show, showInList, shownJson, shownText } from './show.ts'
import { quoted } from './write.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Told to the observer once the answer is out. */
  readonly observed?: { readonly run: string; readonly payload: Readonly<Record<string, string | number>> }
}

export interface Asked {
  readonly method: string
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  /** The first value of the header. */
  readonly accept: string
  readonly body: Uint8Array
  /** Address and port. */
  readonly remote: string
}

export type Action = 'list' | 'show' | 'approve' | 'reject' | 'cancel'

export interface Place {
  readonly action: Action
  readonly run: string
  /** Empty for a whole run. */
  readonly approval: string
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' }

export function answer(status: number, json: string): Answer {
  return { status, headers: JSON_HEADERS, body: `${json}\n` }
}

export function refuse({ status, code, text }: Refusal): Answer {
  return answer(status, `{"code":${quoted(code)},"error":${quoted(text)}}`)
}

const BAD = (text: string): Answer => refuse({ status: 400, code: 'bad_request', text })

/** Where a request goes; undefined for every other path and method. */
export function placeOf(method: string, segments: readonly string[]): Place | undefined {
  const [runs, run = '', noun, approval = '', verb] = segments
  if (runs !== 'runs' || run === '') return undefined
  const reads = method === 'GET' || method === 'HEAD'
  if (segments.length === 3 && noun === 'approvals') return reads ? { action: 'list', run, approval: '' } : undefined
  if (segments.length === 3 && noun === 'cancel') return method === 'POST' ? { action: 'cancel', run, approval: '' } : undefined
  if (noun !== 'approvals' || approval === '') return undefined
  if (segments.length === 4) return reads ? { action: 'show', run, approval } : undefined
  if (segments.length !== 5 || method !== 'POST') return undefined
  return verb === 'approve' || verb === 'reject' ? { action: verb, run, approval } : undefined
}

export function route(deciding: Deciding, limit: number, asked: Asked): Answer {
  const place = placeOf(asked.method, asked.segments)
  if (place === undefined) return refuse({ status: 404, code: 'not_found', text: 'no such route' })
  switch (place.action) {
    case 'list':
      return list(deciding, limit, place.run)
    case 'show':
      return showOne(deciding, place, asked)
    case 'approve':
    case 'reject':
      return decideOne(deciding, place, place.action, asked)
    case 'cancel':
      return cancelRun(deciding, place.run, asked)
  }
}

function list({ runs, now }: Deciding, limit: number, id: string): Answer {
  const run = runs.run(id)
  if (run === undefined) return refuse(NOT_FOUND)
  const waiting = run.status === 'WAITING_FOR_APPROVAL' ? run.approvals : []
  const rows = waiting.map(runs.row).filter((row): row is Row => row?.state.status === 'pending')
  const shown = rows.slice(0, limit).map((row) => shownJson(showInList(row, now())))
  if (shown.includes(undefined)) return INTERNAL
  return answer(200, `{"pending":[${shown.join(',')}],"run_id":${quoted(id)}}`)
}

const INTERNAL: Answer = refuse({ status: 500, code: 'internal', text: 'internal error' })

function showOne({ runs, now }: Deciding, place: Place, { query, accept }: Asked): Answer {
  const row = runs.row(place.approval)
  if (row === undefined || row.run !== place.run) return refuse(NOT_FOUND)
  const refusal = gone(row, now())
  if (refusal !== undefined) return refuse(refusal)
  const shown = show(row, now())
  if (query.get('format') === 'text' || accept.startsWith('text/plain')) {
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: shownText(shown) }
  }
  const json = shownJson(shown)
  return json === undefined ? INTERNAL : answer(200, json)
}

function decideOne(deciding: Deciding, place: Place, verb: 'approve' | 'reject', asked: Asked): Answer {
  const fields = parseDecision(asked.body)
  if (fields === undefined) return BAD('body is not a JSON decision')
  const { run_id, approval_id, hash, by, note } = fields
  if (run_id !== place.run || approval_id !== place.approval) return BAD('body must name the run and approval of the path')
  if (hash === '' || by === '') return BAD('hash and by are required')
  const refusal = decide(deciding, verb, { run: run_id, approval: approval_id, hash, by, note })
  const [status, word] = verb === 'approve' ? [202, 'approved'] : [200, 'rejected']
  const done = `{"approval_id":${quoted(approval_id)},"by":${quoted(by)},"hash":${quoted(hash)},"run_id":${quoted(run_id)},"status":"${word}"}`
  return observed(refusal, answer(status, done), place, by, asked)
}

function cancelRun(deciding: Deciding, run: string, asked: Asked): Answer {
  const fields = parseDecision(asked.body)
  if (fields === undefined) return BAD('body is not a JSON decision')
  const { run_id, by, note } = fields
  if (run_id !== run || by === '') return BAD('body must name the run of the path and an identity')
  const refusal = cancel(deciding, run, by, note)
  const done = answer(200, `{"by":${quoted(by)},"run_id":${quoted(run)},"status":"cancelled"}`)
  return observed(refusal, done, { action: 'cancel', run, approval: '' }, by, asked)
}

function observed(refusal: Refusal | undefined, done: Answer, place: Place, by: string, { remote }: Asked): Answer {
  const given = refusal === undefined ? done : refuse(refusal)
  const error = refusal === undefined ? {} : { error: refusal.text }
  const payload = { action: place.action, approval_id: place.approval, by, ...error, remote, status: given.status }
  return { ...given, observed: { run: place.run, payload } }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { no } from './answer.ts'
import { sendShell } from './asset.ts'
import type { Calls } from './calls.ts'
import type { SlackStandIn } from './contract.ts'
import { controlGet, controlPost } from './control.ts'
import type { Faults } from './faults.ts'
import { foreignOrigin, turnedAway } from './guard.ts'
import { isObject, parseJson } from './json.ts'
import type { Page } from './page.ts'
import { readBody, sendJson, sendText } from './reply.ts'
import { respond } from './respond.ts'
import { failOr, type WebApi } from './web-api.ts'
import type { Workspace } from './workspace.ts'

/** Bytes of a request body; Slack's own bound is not stated, and nothing honest comes near this one. */
const MAX_BODY = 2_000_000

/** What the routes need. */
export interface Parts {
  readonly workspace: Workspace
  readonly webApi: WebApi
  readonly page: Page
  readonly faults: Faults
  readonly calls: Calls
  readonly slack: SlackStandIn
}

/** The listener for every request. It cannot reject: what goes wrong becomes a 500 with its text, since only developers see it. */
export function routes(parts: Parts): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    route(parts, req, res).catch((error: unknown) => {
      sendJson(res, 500, { ok: false, error: 'stand_in_failed', why: error instanceof Error ? error.message : String(error) })
    })
  }
}

async function route(parts: Parts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { port } = parts.slack
  const url = new URL(req.url ?? '/', `http://127.0.0.1:${port}`)
  const [, area = '', ...rest] = url.pathname.split('/')
  const path = rest.join('/')
  const posting = req.method === 'POST'
  if (posting && foreignOrigin(req, port)) return sendJson(res, 403, no('foreign_origin'))
  if (area === 'page' || area === 'control' || area === 'cards' || area === '') {
    const turned = turnedAway(req, port, area === 'page')
    if (turned !== undefined) return sendJson(res, 403, no(turned))
  }
  const body = await readBody(req, MAX_BODY)
  if (body === undefined) return sendJson(res, 413, no('request_too_large'), { connection: 'close' })
  switch (area) {
    case 'api':
      return parts.webApi.serve(req, res, path, url.searchParams, body)
    case 'respond':
      return posting ? answerLink(parts, res, path, body.toString()) : notFound(res)
    case 'page':
      return posting ? parts.page.post(res, path, body.toString()) : parts.page.get(res, path, url.searchParams)
    case 'control':
      return posting ? controlPost(parts.slack, res, path, body.toString()) : controlGet(parts.slack, res, path, url.searchParams)
    case 'archives':
      return sendText(res, 302, '', 'text/plain', { location: '/' })
    case 'cards':
      return sendShell(res, 'cards')
    case '':
      return sendShell(res, 'main')
    default:
      return notFound(res)
  }
}

/** A use of a response_url counts as a call, and faults can be asked for it by the name `response_url`. */
async function answerLink({ workspace, faults, calls }: Parts, res: ServerResponse, id: string, body: string): Promise<void> {
  const given = parseJson(body)
  const call = calls.begin('response_url', isObject(given) ? given : {})
  let status = 200
  const run = () => {
    const responded = respond(workspace, id, body)
    status = responded.status
    return responded.answer
  }
  await failOr(faults.take('response_url', {}), faults, res, run, (failed, answer, headers) => {
    const sent = failed === 200 ? status : failed
    calls.end(call, sent, answer)
    sendJson(res, sent, answer, headers)
  })
}

function notFound(res: ServerResponse): void {
  sendText(res, 404, 'There is nothing here.\n', 'text/plain; charset=utf-8')
}

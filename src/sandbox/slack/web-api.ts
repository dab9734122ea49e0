import type { IncomingMessage, ServerResponse } from 'node:http'
import { no } from './answer.ts'
import { readArguments } from './arguments.ts'
import type { Calls } from './calls.ts'
import type { Fault, Faults } from './faults.ts'
import type { JsonObject } from './json.ts'
import { METHODS } from './methods.ts'
import { missingScope } from './reach.ts'
import { sendJson } from './reply.ts'
import type { Workspace } from './workspace.ts'

/** What the Web API needs to know of the tokens that it accepts. */
export interface Installation {
  readonly botToken: string
  /** For Socket Mode; undefined when the app has none. */
  readonly appToken: string | undefined
  readonly scopes: ReadonlySet<string>
}

/**
 * `POST /api/<method>`: arguments, token, scopes, faults, the method, the answer.
 * A business error is HTTP 200 with ok:false, and so is an unknown method: the SDK takes any other status for a broken network.
 */
export class WebApi {
  readonly #workspace: Workspace
  readonly #installation: Installation
  readonly #faults: Faults
  readonly #calls: Calls

  constructor(workspace: Workspace, installation: Installation, faults: Faults, calls: Calls) {
    this.#workspace = workspace
    this.#installation = installation
    this.#faults = faults
    this.#calls = calls
  }

  async serve(req: IncomingMessage, res: ServerResponse, name: string, query: URLSearchParams, body: Buffer): Promise<void> {
    const contentType = req.headers['content-type'] ?? ''
    const { token, args } = readArguments(query, contentType, body.toString(), req.headers.authorization)
    const call = this.#calls.begin(name, args)
    const run = (): JsonObject => this.#answer(name, args, token)
    await failOr(this.#faults.take(name, args), this.#faults, res, run, (status, answer, headers = {}) => {
      this.#calls.end(call, status, answer)
      // Node would tell the machine's clock, not this Slack's.
      const date = this.#workspace.clock.now().toUTCString()
      sendJson(res, status, answer, { date, ...this.#scopeHeaders(name, token), ...headers })
    })
  }

  #answer(name: string, args: JsonObject, token: string | undefined): JsonObject {
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
    if (method === undefined) return no('unknown_method', { req_method: name })
    const { botToken, appToken, scopes } = this.#installation
    const needed = method.token ?? 'bot'
    if (needed !== 'none') {
      if (token === undefined) return no('not_authed')
      if (token.startsWith('xapp-') !== (needed === 'app')) return no('not_allowed_token_type')
      if (token !== (needed === 'app' ? appToken : botToken)) return no('invalid_auth')
      if (method.scopes.length > 0 && !method.scopes.some((scope) => scopes.has(scope))) {
        return missingScope(method.scopes.join(','), scopes)
      }
    }
    return method.run(this.#workspace, args, scopes)
  }

  #scopeHeaders(name: string, token: string | undefined): Record<string, string> {
    if (token !== this.#installation.botToken) return {}
    const accepted = Object.hasOwn(METHODS, name) ? (METHODS[name]?.scopes ?? []) : []
    return { 'x-oauth-scopes': [...this.#installation.scopes].join(','), 'x-accepted-oauth-scopes': accepted.join(',') }
  }
}

type Send = (status: number, answer: JsonObject, headers?: Record<string, string>) => void

/** Runs the call, or lets the fault have its way with it. */
export async function failOr(
  fault: Fault | undefined,
  faults: Faults,
  res: ServerResponse,
  run: () => JsonObject,
  send: Send,
): Promise<void> {
  if (fault === undefined) return send(200, run())
  switch (fault.kind) {
    case 'ratelimited':
      return send(429, no('ratelimited'), { 'retry-after': String(fault.retryAfter) })
    case 'error':
      return send(200, no(fault.error))
    case 'status':
      if (fault.after === true) run()
      return send(fault.status, no('internal_error'))
    case 'reset':
      if (fault.after === true) run()
      res.socket?.resetAndDestroy()
      return
    case 'hang': {
      const answer = fault.after === true ? run() : undefined
      const gone = new AbortController()
      res.on('close', () => gone.abort())
      if (res.destroyed) gone.abort()
      if (await faults.hold(gone.signal)) send(200, answer ?? run())
      return
    }
  }
}

/** Speaks the signed protocol on a socket, by code of its own. */
import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:http'
import { request as requestTls } from 'node:https'
import { expect } from 'vitest'
import type { ChannelUnderTest, Paused } from './conformance-channel.ts'

export interface Call {
  readonly method?: string
  /** From `/runs` on, escaped, without a query. */
  readonly path: string
  /** With its question mark. */
  readonly query?: string
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** Seconds. A text is sent as it is and signed as the number that `signed` says. */
  readonly timestamp?: number | string
  readonly nonce?: string
  readonly secret?: string
  /** What the signature says in place of what is sent. */
  readonly signed?: {
    readonly timestamp?: number | string
    readonly nonce?: string
    readonly method?: string
    readonly path?: string
    readonly body?: string
  }
  /** The whole header in place of the computed one. */
  readonly signature?: string
  /** Sent without these. */
  readonly without?: readonly ('timestamp' | 'nonce' | 'signature')[]
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A request that can be sent more than once. */
export interface Ready {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The bytes that an escaped path stands for. */
function decoded(path: string): Buffer {
  const bytes: number[] = []
  for (let at = 0; at < path.length; at += 1) {
    const escaped = path[at] === '%'
    bytes.push(escaped ? Number.parseInt(path.slice(at + 1, at + 3), 16) : path.charCodeAt(at))
    if (escaped) at += 2
  }
  return Buffer.from(bytes)
}

/** The value of the signature header. `path` is in bytes, or in text without escapes. */
export function signature(
  secret: string,
  timestamp: number | string,
  nonce: string,
  method: string,
  path: string | Uint8Array,
  body: string | Uint8Array,
): string {
  const head = Buffer.from(`${timestamp}\n${nonce}\n${method}\n`)
  const input = Buffer.concat([head, Buffer.from(path), Buffer.from('\n'), Buffer.from(body)])
  return `v1=${createHmac('sha256', Buffer.from(secret)).update(input).digest('hex')}`
}

export function secondsOf(channel: ChannelUnderTest): number {
  return Math.floor((channel.now?.() ?? new Date()).getTime() / 1000)
}

export function prepare(channel: ChannelUnderTest, call: Call): Ready {
  const { method = 'GET', path, query = '', body = '', signed = {} } = call
  const timestamp = call.timestamp ?? secondsOf(channel)
  const nonce = call.nonce ?? randomBytes(16).toString('hex')
  const signedPath = signed.path ?? Buffer.concat([Buffer.from(channel.signedPath ?? ''), decoded(path)])
  const value =
    call.signature ??
    signature(
      call.secret ?? channel.secret,
      signed.timestamp ?? timestamp,
      signed.nonce ?? nonce,
      signed.method ?? method,
      signedPath,
      signed.body ?? body,
    )
  const three = {
    'x-approval-timestamp': String(timestamp),
    // A header takes one character for each byte.
    'x-approval-nonce': Buffer.from(nonce).toString('latin1'),
    'x-approval-signature': value,
  }
  const left = Object.entries(three).filter(([name]) => !call.without?.some((one) => name === `x-approval-${one}`))
  const bytes = Buffer.from(body)
  const length: Record<string, string> =
    bytes.length === 0 && method !== 'POST' ? {} : { 'content-length': String(bytes.length), 'content-type': 'application/json' }
  return {
    method,
    url: `${channel.url}${path}${query}`,
    headers: { ...length, ...Object.fromEntries(left), ...call.headers },
    body: bytes,
  }
}

export function send({ method, url, headers, body }: Ready): Promise<Reply> {
  const { protocol, hostname, port } = new URL(url)
  // Taken from the text: the URL class would tidy the path up.
  const path = url.replace(/^\w+:\/\/[^/]+/, '')
  return new Promise((resolve, reject) => {
    const req = (protocol === 'https:' ? requestTls : request)({ hostname, port, path, method, headers, agent: false })
    req.on('error', reject)
    req.on('response', (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    req.end(body)
  })
}

export function speak(channel: ChannelUnderTest, call: Call): Promise<Reply> {
  return send(prepare(channel, call))
}

export function listPath(run: string): string {
  return `/runs/${encodeURIComponent(run)}/approvals`
}

export function showPath({ run, approval }: Pick<Paused, 'run' | 'approval'>): string {
  return `${listPath(run)}/${encodeURIComponent(approval)}`
}

export function list(channel: ChannelUnderTest, run: string): Promise<Reply> {
  return speak(channel, { path: listPath(run) })
}

export function show(channel: ChannelUnderTest, paused: Pick<Paused, 'run' | 'approval'>): Promise<Reply> {
  return speak(channel, { path: showPath(paused) })
}

export function showText(channel: ChannelUnderTest, paused: Pick<Paused, 'run' | 'approval'>): Promise<Reply> {
  return speak(channel, { path: showPath(paused), query: '?format=text' })
}

export const BY = 'slack:U024BE7LH'

/** A decision's body with some members in place of the proper ones; undefined leaves one out. */
export function decision(paused: Paused, change: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ run_id: paused.run, approval_id: paused.approval, hash: paused.hash, by: BY, ...change })
}

export function deciding(verb: 'approve' | 'reject', paused: Paused, body = decision(paused)): Call {
  return { method: 'POST', path: `${showPath(paused)}/${verb}`, body }
}

export function approve(channel: ChannelUnderTest, paused: Paused, change?: Readonly<Record<string, unknown>>): Promise<Reply> {
  return speak(channel, deciding('approve', paused, decision(paused, change)))
}

export function reject(channel: ChannelUnderTest, paused: Paused, change?: Readonly<Record<string, unknown>>): Promise<Reply> {
  return speak(channel, deciding('reject', paused, decision(paused, change)))
}

export function cancelling(run: string, body: unknown = { run_id: run, by: BY, note: 'stop' }): Call {
  return { method: 'POST', path: `/runs/${encodeURIComponent(run)}/cancel`, body: JSON.stringify(body) }
}

export function cancel(channel: ChannelUnderTest, run: string): Promise<Reply> {
  return speak(channel, cancelling(run))
}

export function json(reply: Reply): unknown {
  return JSON.parse(reply.text)
}

/** A refusal with this code, in the protocol's form. */
export function expectRefusal(reply: Reply, status: number, code: string, error: unknown = expect.any(String)): void {
  expect([reply.status, JSON.parse(reply.text)]).toEqual([status, { code, error }])
  expect(reply.text).toMatch(/^\{"code":"\w+","error":".*"\}\n$/s)
  expect(reply.headers['content-type']).toBe('application/json')
  expect(reply.headers['cache-control']).toBe('no-store')
}

/** Nobody has decided: listed, and shown as pending. */
export async function expectPending(channel: ChannelUnderTest, paused: Paused): Promise<void> {
  expect(json(await list(channel, paused.run))).toMatchObject({ pending: [{ id: paused.approval }] })
  expect(json(await show(channel, paused))).toMatchObject({ id: paused.approval, status: 'pending' })
}

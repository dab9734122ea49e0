/** The other end of the channel on loopback: it says what the test tells it to, and keeps what it was asked. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { z } from 'zod'
import { ApprovalHash, ApprovalId } from '../../src/approval/approval.ts'
import { Failure } from '../../src/approval/ports.ts'
import { type ChannelClient, type ChannelEnd, channelClient } from '../../src/approval-channel/client.ts'
import { channelSecret } from '../../src/approval-channel/signature.ts'
import { APPROVAL, EXAMPLE, HASH, RUN } from './example.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const NOW = new Date('2026-10-06T12:00:00.900Z')
export const ID = ApprovalId.parse(APPROVAL)
export const DECISION = { hash: ApprovalHash.parse(HASH), by: 'slack:U024BE7LH', note: 'ship it' }

export interface Seen {
  readonly method: string
  readonly target: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface ScriptedEnd {
  readonly url: string
  readonly seen: readonly Seen[]
  /** What it does with each request, once it has all of it. */
  answer: (res: ServerResponse) => void
  /** A client of it whose clock stands still and whose nonces are counted. */
  client(more?: Partial<ChannelEnd>): ChannelClient
  close(): Promise<void>
}

export async function scriptedEnd(): Promise<ScriptedEnd> {
  const seen: Seen[] = []
  const clients: ChannelClient[] = []
  let nonces = 0
  const server = createServer((req, res) => {
    let body = ''
    req.setEncoding('utf8')
    req.on('data', (chunk: string) => {
      body += chunk
    })
    req.on('end', () => {
      seen.push({ method: req.method ?? '', target: req.url ?? '', headers: req.headers, body })
      end.answer(res)
    })
  })
  const url = await listening(server)
  const end: ScriptedEnd = {
    url,
    seen,
    answer: (res) => void res.destroy(),
    client(more) {
      const one = channelClient({
        url,
        secret: channelSecret(KEY),
        now: () => NOW,
        newNonce: () => {
          nonces += 1
          return `n-${nonces}`
        },
        answerMs: 5000,
        ...more,
      })
      clients.push(one)
      return one
    },
    async close() {
      server.closeAllConnections()
      await Promise.all([...clients.map((one) => one.close()), closed(server)])
    },
  }
  return end
}

/** Starts on a free port; returns the address. */
export async function listening(one: Server): Promise<string> {
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${z.object({ port: z.number() }).parse(one.address()).port}`
}

export function closed(one: Server): Promise<void> {
  return new Promise((resolve) => one.close(() => resolve()))
}

export function says(status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  return (res: ServerResponse): void => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }
}

export function decided(status: string, more: object = {}): string {
  return JSON.stringify({ approval_id: APPROVAL, by: DECISION.by, hash: HASH, run_id: RUN, status, ...more })
}

/** The Failure that a call ends in. */
export async function failure(work: Promise<unknown>): Promise<{ code: string; kind: string; landed: string }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failure)) throw new Error(`no failure but ${String(error)}`)
  return { code: error.trouble.code, kind: error.trouble.kind, landed: error.landed }
}

/** By the words of the protocol, not by what is tested. */
export function signatureOf({ method, headers, body }: Seen, path: string): string {
  const text = `${headers['x-approval-timestamp']}\n${headers['x-approval-nonce']}\n${method}\n${path}\n${body}`
  return `v1=${createHmac('sha256', KEY).update(text, 'utf8').digest('hex')}`
}

/** Each of the five calls, and what it takes for a yes. */
export const calls: readonly (readonly [
  name: string,
  call: (one: ChannelClient) => Promise<unknown>,
  status: number,
  body: string,
])[] = [
  ['list', (one) => one.list(RUN), 200, `{"pending":[${EXAMPLE}],"run_id":"${RUN}"}`],
  ['show', (one) => one.show(RUN, ID), 200, EXAMPLE],
  ['approve', (one) => one.approve(RUN, ID, DECISION), 202, decided('approved')],
  ['reject', (one) => one.reject(RUN, ID, DECISION), 200, decided('rejected')],
  ['cancel', (one) => one.cancel(RUN, DECISION), 200, `{"by":"x","run_id":"${RUN}","status":"cancelled"}`],
]

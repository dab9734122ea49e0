// The channel's address: rate, body, signature and route in their order, and then the answer, unless told to answer otherwise.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Bucket } from './bucket.ts'
import type { Deciding, Refusal } from './decide.ts'
import type { Fault, Faults } from './fault.ts'
import type { Target } from './path.ts'
import { parseTarget } from './path.ts'
import type { Answer } from './route.ts'
import { answer, placeOf, refuse, route } from './route.ts'
import type { Verifier } from './verify.ts'

/** One request, as it came in and as it was answered. */
export interface Request {
  readonly method: string
  /** The target as it was sent, prefix and query included. */
  readonly path: string
  readonly at: Date
  /** Null before the answer. */
  readonly status: number | 'hung' | 'reset' | null
  /** The client went away while its request hung. */
  readonly abandoned: boolean
}

export interface Server {
  readonly port: number
  requests(): readonly Request[]
  /** Answers everything that hangs. */
  release(): void
  /** Nothing listens any more, and every connection is cut. */
  goDown(): Promise<void>
  /** On the port of before. */
  comeBack(): Promise<void>
  /** Lets running answers go out; what hangs is cut. */
  close(): Promise<void>
}

interface Parts {
  readonly port: number
  readonly prefix: string
  readonly bucket: Bucket
  readonly maxBody: number
  readonly verifier: Verifier
  readonly deciding: Deciding
  readonly limit: number
  readonly faults: Faults
  readonly changed: () => void
}

type Entry = { -readonly [K in keyof Request]: Request[K] }

const RATE_LIMITED: Refusal = { status: 429, code: 'rate_limited', text: 'too many requests' }
const INTERNAL: Refusal = { status: 500, code: 'internal', text: 'internal error' }

export async function startServer(parts: Parts): Promise<Server> {
  const { prefix, bucket, maxBody, deciding, faults, changed } = parts
  const seen: Entry[] = []
  const hanging = new Map<() => void, ServerResponse>()

  const refusedAs = (req: IncomingMessage, target: Target, { status, text }: Refusal, reason = text) => {
    const path = Buffer.from(target.path).toString('utf8')
    const payload = { method: req.method ?? '', path, reason, remote: remoteOf(req), status }
    deciding.events.observe('webhook.refused', '', payload)
  }

  /** Verified, and only then routed. */
  const work = (req: IncomingMessage, target: Target, body: Buffer): Answer => {
    const { method = '' } = req
    const first = (name: string) => req.headersDistinct[name]?.[0]
    const why = parts.verifier.refuse({
      timestamp: first('x-approval-timestamp'),
      nonce: first('x-approval-nonce'),
      signature: first('x-approval-signature'),
      method,
      path: target.path,
      body,
    })
    if (why !== undefined) {
      const refusal: Refusal = { status: 401, code: 'unauthorized', text: why }
      refusedAs(req, target, refusal)
      return refuse(refusal)
    }
    const { segments, query } = target
    const asked = { method, segments, query, accept: first('accept') ?? '', body, remote: remoteOf(req) }
    return route(deciding, parts.limit, asked)
  }

  const reply = (entry: Entry, res: ServerResponse, { status, headers, body, observed }: Answer) => {
    entry.status = status
    // Node would tell the machine's clock, not this runtime's.
    const date = deciding.now().toUTCString()
    res.writeHead(status, { date, 'content-length': Buffer.byteLength(body), ...headers }).end(body)
    if (observed !== undefined) deciding.events.observe('webhook.decision', observed.run, observed.payload)
    changed()
  }

  const spoil = (fault: Fault, entry: Entry, res: ServerResponse, judge: () => Answer) => {
    const done = fault.after === true ? judge() : undefined
    if ('reset' in fault) {
      entry.status = 'reset'
      res.socket?.resetAndDestroy()
    } else if ('hang' in fault) {
      entry.status = 'hung'
      const go = () => {
        hanging.delete(go)
        reply(entry, res, done ?? judge())
      }
      hanging.set(go, res)
      res.on('close', () => {
        entry.abandoned = hanging.delete(go)
        changed()
      })
    } else {
      const { body } = refuse(fault.status === 429 ? RATE_LIMITED : { ...INTERNAL, status: fault.status })
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...fault.headers }
      reply(entry, res, { status: fault.status, headers, body: fault.body ?? body })
    }
    changed()
  }

  const take = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = req
    const entry: Entry = { method, path: url, at: deciding.now(), status: null, abandoned: false }
    seen.push(entry)
    if (method === 'OPTIONS' && url === '*') return reply(entry, res, plain(200, ''))
    const target = parseTarget(url, prefix)
    if (target === 'malformed') return reply(entry, res, plain(400, '400 Bad Request'))
    if (target === 'elsewhere') return reply(entry, res, plain(404, '404 page not found\n'))
    if (!bucket.take()) {
      refusedAs(req, target, RATE_LIMITED, 'rate limit exceeded')
      return reply(entry, res, refuse(RATE_LIMITED))
    }
    const body = await readBody(req, maxBody)
    if (body === null) {
      const refusal: Refusal = { status: 413, code: 'body_too_large', text: `body over ${maxBody} bytes` }
      refusedAs(req, target, refusal, 'body too large')
      const { status, headers, body: text } = refuse(refusal)
      return reply(entry, res, { status, headers: { ...headers, connection: 'close' }, body: text })
    }
    const judge = () => work(req, target, body)
    const fault = faults.take(placeOf(method, target.segments))
    if (fault === undefined) reply(entry, res, judge())
    else spoil(fault, entry, res, judge)
  }

  const server = createServer((req, res) => {
    // The client went away in the middle of its body: there is nobody to answer.
    take(req, res).catch(() => res.destroy())
  })
  const listen = (port: number) =>
    new Promise<void>((done, fail) => {
      server.once('error', fail)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', fail)
        done()
      })
    })
  const stop = () => new Promise<void>((done) => (server.listening ? server.close(() => done()) : done()))

  await listen(parts.port)
  const port = portOf(server.address())
  return {
    port,
    requests: () => seen.map((one) => ({ ...one })),
    release() {
      for (const go of [...hanging.keys()]) go()
    },
    async goDown() {
      const stopped = stop()
      server.closeAllConnections()
      hanging.clear()
      await stopped
    },
    comeBack: () => (server.listening ? Promise.resolve() : listen(port)),
    async close() {
      const stopped = stop()
      for (const res of hanging.values()) res.destroy()
      // A client that stays silent in the middle of its request must not hold up the end.
      const impatient = setTimeout(() => server.closeAllConnections(), 500)
      await stopped
      clearTimeout(impatient)
    },
  }
}

function plain(status: number, body: string): Answer {
  return { ...answer(status, ''), headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
}

function remoteOf({ socket }: IncomingMessage): string {
  return `${socket.remoteAddress}:${socket.remotePort}`
}

/** Null as soon as there is one byte too many. */
async function readBody(req: IncomingMessage, maxBody: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  // Left early, the request stays whole, so that it can still be answered.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk)
    size += bytes.byteLength
    if (size > maxBody) return null
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the runtime listens on no port')
  return address.port
}

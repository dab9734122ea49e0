// The platform's address: reads a POST, lets it be judged, and answers it, unless told to answer otherwise.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault, Faults } from './fault.ts'
import type { Judge, Judgement, Posting } from './resolve.ts'
import { parseVerdict, refusal } from './resolve.ts'

/** One POST to a resolve address, as it came in and as it was answered. */
export interface Resolution {
  readonly id: string
  readonly at: Date
  /** Without Authorization, which is not kept: see `authorized`. */
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly authorized: boolean
  readonly idempotencyKey: string | null
  readonly body: string
  /** Null when the body was no resolution. */
  readonly decision: 'allow' | 'deny' | null
  readonly reason: string | null
  /** Whether this POST resolved the interaction. */
  readonly applied: boolean
  readonly status: number | 'hung' | 'reset'
  /** The client went away while its post hung. */
  readonly abandoned: boolean
}

export interface Server {
  readonly port: number
  resolutions(id?: string): readonly Resolution[]
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
  /** The path of the resolve address with `{id}` in it. */
  readonly resolvePath: string
  readonly judge: Judge
  readonly faults: Faults
  readonly now: () => Date
  readonly changed: () => void
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const MAX_BODY_BYTES = 1024 * 1024

export async function startServer(parts: Parts): Promise<Server> {
  const { judge, faults, now, changed } = parts
  const [before = '', after = ''] = parts.resolvePath.split('{id}')
  const seen: Mutable<Resolution>[] = []
  const hanging = new Map<() => void, ServerResponse>()

  const answer = (res: ServerResponse, status: number, body: string, headers: Readonly<Record<string, string>> = {}) => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }

  const spoil = (fault: Fault, entry: Mutable<Resolution>, res: ServerResponse, work: () => Judgement) => {
    const done = fault.after === true ? work() : undefined
    if ('reset' in fault) {
      entry.status = 'reset'
      res.socket?.resetAndDestroy()
    } else if ('hang' in fault) {
      entry.status = 'hung'
      const go = () => {
        hanging.delete(go)
        const { status, body } = done ?? work()
        entry.status = status
        answer(res, status, body)
        changed()
      }
      hanging.set(go, res)
      res.on('close', () => {
        entry.abandoned = hanging.delete(go)
        changed()
      })
    } else {
      entry.status = fault.status
      const retry = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
      const { body } = refusal(fault.status, 'on_demand', 'The stand-in was told to answer so.')
      answer(res, fault.status, fault.body ?? body, { ...retry, ...fault.headers })
    }
  }

  const resolve = async (id: string, req: IncomingMessage, res: ServerResponse) => {
    const body = await readBody(req)
    if (body === null) return answer(res, 413, refusal(413, 'too_large', 'The body is too large.').body, { connection: 'close' })
    const { authorization, ...headers } = req.headers
    const idempotencyKey = req.headers['idempotency-key']?.toString()
    const posting: Posting = { id, authorization, contentType: headers['content-type'], idempotencyKey, body }
    const verdict = parseVerdict(body)
    const entry: Mutable<Resolution> = {
      id,
      at: now(),
      headers,
      authorized: judge.authorized(authorization),
      idempotencyKey: idempotencyKey ?? null,
      body: body.toString('utf8'),
      decision: verdict?.decision ?? null,
      reason: verdict?.reason ?? null,
      applied: false,
      status: 0,
      abandoned: false,
    }
    seen.push(entry)
    const work = () => {
      const judged = judge.judge(posting)
      entry.applied = judged.applied
      return judged
    }
    const fault = faults.take(id)
    if (fault === undefined) {
      const judged = work()
      entry.status = judged.status
      answer(res, judged.status, judged.body)
    } else {
      spoil(fault, entry, res, work)
    }
    changed()
  }

  const route = async (req: IncomingMessage, res: ServerResponse) => {
    const id = idIn(req.url ?? '', before, after)
    if (id === null) answer(res, 404, refusal(404, 'not_found', 'There is nothing at this path.').body)
    else if (req.method !== 'POST') answer(res, 405, refusal(405, 'method_not_allowed', 'POST only.').body, { allow: 'POST' })
    else await resolve(id, req, res)
  }

  const server = createServer((req, res) => {
    // The client went away in the middle of its body: there is nobody to answer.
    route(req, res).catch(() => res.destroy())
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
    resolutions: (id) => seen.filter((one) => id === undefined || one.id === id).map((one) => ({ ...one })),
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
      // A client that stays silent in the middle of its post must not hold up the end.
      const impatient = setTimeout(() => server.closeAllConnections(), 500)
      await stopped
      clearTimeout(impatient)
    },
  }
}

/** The id in a request's path, or null when it is not exactly the resolve path. A query makes it another path. */
function idIn(path: string, before: string, after: string): string | null {
  if (!path.startsWith(before) || !path.endsWith(after)) return null
  const id = path.slice(before.length, path.length - after.length)
  if (id === '' || /[/?#]/.test(id)) return null
  try {
    return decodeURIComponent(id)
  } catch {
    return null
  }
}

async function readBody(req: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    const bytes = Buffer.from(chunk)
    size += bytes.byteLength
    if (size > MAX_BODY_BYTES) return null
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the platform listens on no port')
  return address.port
}

// One HTTP request on a connection of its own. No retry, no redirect, no header that the caller did not ask for but the length.
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:http'

/** Sent as it stands: the bytes are not read, so they may be anything. */
export interface RawRequest {
  readonly url: string
  readonly method?: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** From the first byte sent to the last byte received. Absent: no bound. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** What came back, whatever the status. */
export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The body as UTF-8, for people and tests. */
  readonly text: string
}

/** Thrown by `send` when the time was over; every other trouble is the socket's own error. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

/** Plain http only: the stand-in never leaves loopback. Rejects when no whole response came. */
export function send(raw: RawRequest): Promise<RawResponse> {
  const body = typeof raw.body === 'string' ? Buffer.from(raw.body) : raw.body
  return new Promise((resolve, reject) => {
    const signal = raw.signal === undefined ? {} : { signal: raw.signal }
    const headers = { 'content-length': String(body.byteLength), ...raw.headers }
    // A shared connection could be one that the other end is just closing, and that failure would not be the hook's.
    const req = request(raw.url, { method: raw.method ?? 'POST', headers, agent: false, ...signal })
    const settle = (act: () => void) => {
      clearTimeout(timer)
      act()
    }
    const giveUp = () => {
      // Rejected before the connection is cut, or the cut would be the reason that the caller reads.
      settle(() => reject(new TimedOut(`no whole answer in ${raw.timeoutMs} ms`)))
      req.destroy()
    }
    const timer = raw.timeoutMs === undefined ? undefined : setTimeout(giveUp, raw.timeoutMs)
    req.on('error', (error) => settle(() => reject(error)))
    req.on('response', (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', (error) => settle(() => reject(error)))
      res.on('end', () => {
        const whole = Buffer.concat(chunks)
        settle(() => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: whole, text: whole.toString('utf8') }))
      })
    })
    req.end(body)
  })
}

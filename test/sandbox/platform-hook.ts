// A hook on loopback that answers as a test tells it, and keeps what it got.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Hook } from '../../src/sandbox/platform/platform.ts'

export const SECRET = 'tah_secret_0123456789abcdef0123456789'

export interface Got {
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

export interface StandingHook {
  readonly hook: Hook
  /** Every call, in the order of arrival. */
  readonly got: readonly Got[]
  /** Resolves at the first call. */
  readonly called: Promise<void>
  close(): Promise<void>
}

export async function hookThat(respond: (res: ServerResponse, got: Got) => void): Promise<StandingHook> {
  const got: Got[] = []
  let arrived: () => void = () => undefined
  const called = new Promise<void>((done) => {
    arrived = done
  })
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const one = { body: Buffer.concat(chunks).toString(), headers: req.headers }
      got.push(one)
      arrived()
      respond(res, one)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the hook listens on no port')
  return {
    hook: { url: `http://127.0.0.1:${address.port}/hooks/novo`, secret: SECRET },
    got,
    called,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

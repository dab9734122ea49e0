/** Mounts what is signed on the one server: the request's own bytes go in, the answer goes out, and observers are told once it has left. */
import type { FastifyInstance } from 'fastify'
import type { RawAnswer } from './approval-channel/answer.ts'
import type { RawRequest } from './approval-channel/gate.ts'
import { readBody } from './http/body.ts'
import { mountRaw } from './http/server.ts'
import type { Logger } from './log.ts'

/** For a request's body to arrive whole. Milliseconds. */
const BODY_MS = 10_000

/** @param unsigned what stands before the signed path in each address */
export function mountSigned(
  server: FastifyInstance,
  { url, unsigned }: { readonly url: string; readonly unsigned: string },
  serve: (request: RawRequest) => Promise<RawAnswer<{ readonly event: string }>>,
  log: Logger,
): void {
  mountRaw(
    server,
    url,
    async (request, reply) => {
      const { raw } = request
      const answer = await serve({
        method: request.method,
        target: (raw.url ?? '').slice(unsigned.length),
        headers: raw.headersDistinct,
        remote: `${raw.socket.remoteAddress ?? ''}:${raw.socket.remotePort ?? ''}`,
        read: (maxBytes) => readBody(raw, raw.headers['content-length'], { maxBytes, deadlineMs: BODY_MS }),
      })
      if (answer.close) void reply.header('connection', 'close')
      if (answer.noStore) void reply.header('cache-control', 'no-store')
      await reply.code(answer.status).header('content-type', answer.contentType).send(Buffer.from(answer.body, 'utf8'))
      if (answer.event !== undefined) observe(log, answer.event)
    },
    // All of them, since a wrong one is told so only after it verified.
    ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  )
}

function observe(log: Logger, { event, ...fields }: { readonly event: string }): void {
  if (event.endsWith('.refused')) log.warn(fields, event)
  else log.info(fields, event)
}

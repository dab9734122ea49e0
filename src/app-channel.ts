/** Joins our own signed channel to the core, and mounts it on the one server. */
import type { FastifyInstance } from 'fastify'
import type { Approver } from './approval/approver.ts'
import type { Clock, SignatureBook } from './approval/ports.ts'
import { channelSecret } from './approval-channel/signature.ts'
import { BOUNDS, type ChannelEvent, channelServer } from './channels/webhook/server.ts'
import type { ServedConfig } from './config/config.ts'
import { readBody } from './http/body.ts'
import { mountRaw } from './http/server.ts'
import type { Logger } from './log.ts'

const CHANNEL = '/channel'
/** Seconds for a channel request's body to arrive whole. */
const CHANNEL_BODY_MS = 10_000

export function mountChannel(
  server: FastifyInstance,
  channels: readonly ServedConfig[],
  approving: Approver,
  signatures: SignatureBook,
  { log, clock }: { readonly log: Logger; readonly clock: Clock },
): void {
  const serve = channelServer({
    approver: approving,
    channels: channels.map(({ name, secret }) => ({ name, secret: channelSecret(secret) })),
    signatures,
    now: clock.now,
    bounds: BOUNDS,
  })
  mountRaw(
    server,
    `${CHANNEL}/*`,
    async (request, reply) => {
      const { raw } = request
      const answer = await serve({
        method: request.method,
        target: (raw.url ?? '').slice(CHANNEL.length),
        headers: raw.headersDistinct,
        remote: `${raw.socket.remoteAddress ?? ''}:${raw.socket.remotePort ?? ''}`,
        read: (maxBytes) => readBody(raw, raw.headers['content-length'], { maxBytes, deadlineMs: CHANNEL_BODY_MS }),
      })
      if (answer.close) void reply.header('connection', 'close')
      if (answer.noStore) void reply.header('cache-control', 'no-store')
      await reply.code(answer.status).header('content-type', answer.contentType).send(Buffer.from(answer.body, 'utf8'))
      if (answer.event !== undefined) observeChannel(log, answer.event)
    },
    ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  )
}

function observeChannel(log: Logger, { event, ...fields }: ChannelEvent): void {
  if (event === 'webhook.refused') log.warn(fields, event)
  else log.info(fields, event)
}

/** Joins our own signed channel to the core, and mounts it on the one server. */
import type { FastifyInstance } from 'fastify'
import { mountSigned } from './app-mount.ts'
import type { Approver } from './approval/approver.ts'
import type { Clock, SignatureBook } from './approval/ports.ts'
import { channelSecret } from './approval-channel/signature.ts'
import { BOUNDS, channelServer } from './channels/webhook/server.ts'
import type { ServedConfig } from './config/config.ts'
import type { Logger } from './log.ts'

const CHANNEL = '/channel'

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
  mountSigned(server, { url: `${CHANNEL}/*`, unsigned: CHANNEL }, serve, log)
}

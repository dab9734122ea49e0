/** Joins the agents' nudges to whatever watches their runs, and mounts them on the one server. */
import type { FastifyInstance } from 'fastify'
import { mountSigned } from './app-mount.ts'
import type { Clock, SignatureBook } from './approval/ports.ts'
import { channelSecret } from './approval-channel/signature.ts'
import type { Logger } from './log.ts'
import { nudgeServer, type Watch } from './sources/agentrt/nudge.ts'

/** @throws RangeError for a secret under 32 bytes. */
export function mountNudges(
  server: FastifyInstance,
  sources: readonly { readonly name: string; readonly secret: string }[],
  watch: Watch,
  signatures: SignatureBook,
  { log, clock }: { readonly log: Logger; readonly clock: Pick<Clock, 'now'> },
): void {
  const serve = nudgeServer({
    sources: sources.map(({ name, secret }) => ({ name, secret: channelSecret(secret) })),
    watch,
    signatures,
    now: clock.now,
  })
  mountSigned(server, { url: '/sources/*', unsigned: '' }, serve, log)
}

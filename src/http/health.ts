/**
 * Alive, ready, and why not quite. Ready means that a hook call could be stored; Slack or a source being away is told on the
 * admin port only, because taking the hook out of service for it would turn a late card into a lost call.
 */
import type { FastifyInstance } from 'fastify'

export interface Health {
  /** A hook call could not be stored. */
  storeFailed(): void
  /** Sets or clears a reason that does not stop the hook: `slack: not_in_channel`. One a subject. */
  degrade(subject: string, reason: string | undefined): void
  /** @returns whether a hook call could be stored now; after a failure it is tried. */
  ready(): Promise<boolean>
  degraded(): Promise<readonly string[]>
}

/** `probe` writes and undoes; `more` names reasons that are counted when asked. */
export function health(probe: () => Promise<void>, more: () => Promise<readonly string[]>): Health {
  const reasons = new Map<string, string>()
  let failed = false
  async function ready(): Promise<boolean> {
    if (!failed) return true
    try {
      await probe()
      failed = false
    } catch {
      return false
    }
    return true
  }
  return {
    storeFailed() {
      failed = true
    },
    degrade(subject, reason) {
      if (reason === undefined) reasons.delete(subject)
      else reasons.set(subject, reason)
    },
    ready,
    async degraded() {
      const stored = (await ready()) ? [] : ['store: hook calls cannot be stored']
      const counted = await more().catch(() => ['store: cannot be read'])
      return [...stored, ...[...reasons].map(([subject, reason]) => `${subject}: ${reason}`), ...counted]
    },
  }
}

/** On the public port: bare states. */
export function mountHealth(server: FastifyInstance, state: Health): void {
  server.get('/healthz', () => ({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) =>
    (await state.ready()) ? { status: 'ready' } : reply.code(503).send({ status: 'not ready' }),
  )
}

/** On the admin port: the reasons too. */
export function mountReasons(server: FastifyInstance, state: Health): void {
  server.get('/readyz', async (_request, reply) => {
    const degraded = await state.degraded()
    const ready = await state.ready()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', degraded })
  })
}

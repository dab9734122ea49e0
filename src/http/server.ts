/** The one HTTP server. Everything else is mounted on it; it owns the port, the deadlines and the way to stop. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify'
import type { Logger } from 'pino'

/** Makes the server, without a port yet. No body is parsed: each route reads its own bytes. */
export function httpServer(log: Logger): FastifyInstance {
  const server = Fastify({
    // A sender that dawdles over its headers or goes silent is dropped; a body has its own deadline of 10 s.
    connectionTimeout: 0,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { maxParamLength: 1024 },
  })
  server.server.headersTimeout = 10_000
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  server.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ code: 'not_found', error: 'There is nothing at this address.' }),
  )
  server.setErrorHandler((error, request, reply) => {
    const status =
      error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
    if (status < 500) return reply.code(status).send({ code: 'bad_request', error: 'The request could not be read.' })
    log.error({ err: error, route: request.routeOptions.url }, 'route failed')
    return reply.code(500).send({ code: 'internal', error: 'The request failed here.' })
  })
  return server
}

/**
 * A route that reads its own bytes. It answers before Fastify looks at the body or its media type, because nothing of a
 * request may be judged before its signature.
 */
export function mountRaw(
  server: FastifyInstance,
  url: string,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  methods: HTTPMethods[] = ['POST'],
): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await answer(request, reply)
    return reply
  }
  server.route({ method: methods, url, exposeHeadRoute: false, onRequest, handler: (_request, reply) => reply })
}

/** Listens, with the mistake that people make told in words. @throws Error */
export async function listen(server: FastifyInstance, host: string, port: number, setting: string): Promise<number> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new Error(`port ${port} is taken by another program; stop that one or set ${setting} to another port`)
    if (code === 'EACCES') throw new Error(`port ${port} may not be used by this user; set ${setting} to a port over 1023`)
    if (code === 'EADDRNOTAVAIL') throw new Error(`${host} is not an address of this machine`)
    throw error
  }
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

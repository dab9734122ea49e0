import type { IncomingMessage } from 'node:http'

/** Why a request is turned away, or undefined. */
export type Turned = 'foreign_host' | 'foreign_origin' | 'not_json' | undefined

/**
 * A click here is an approval, so no other web site may make the browser click: the Host must be this server
 * (a name that was rebound to 127.0.0.1 is not), a POST's Origin must be this server's page, and its type must be JSON,
 * which a form of another site cannot send.
 */
export function turnedAway(req: IncomingMessage, port: number, originNeeded: boolean): Turned {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!hosts.includes(req.headers.host ?? '')) return 'foreign_host'
  if (req.method !== 'POST') return undefined
  if (foreignOrigin(req, port) || (originNeeded && req.headers.origin === undefined)) return 'foreign_origin'
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  return type === 'application/json' ? undefined : 'not_json'
}

/** True for a request that a page of another site made. */
export function foreignOrigin(req: IncomingMessage, port: number): boolean {
  const { origin } = req.headers
  return origin !== undefined && origin !== `http://127.0.0.1:${port}` && origin !== `http://localhost:${port}`
}

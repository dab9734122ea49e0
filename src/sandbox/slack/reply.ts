import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Json } from './json.ts'

export function sendJson(res: ServerResponse, status: number, body: Json, headers: Record<string, string> = {}): void {
  sendText(res, status, JSON.stringify(body), 'application/json; charset=utf-8', headers)
}

export function sendText(
  res: ServerResponse,
  status: number,
  body: string,
  type: string,
  headers: Record<string, string> = {},
): void {
  if (res.headersSent || res.destroyed) return
  res.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff', ...headers })
  res.end(body)
}

/** The raw body, or undefined as soon as it is larger than `max` bytes; the rest is then read and forgotten. */
export function readBody(req: IncomingMessage, max: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    req.on('data', (part: Buffer) => {
      size += part.length
      if (size <= max) parts.push(part)
      else resolve(undefined)
    })
    req.on('end', () => resolve(Buffer.concat(parts)))
    req.on('error', reject)
  })
}

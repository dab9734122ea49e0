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

/** The raw body, or undefined when it is larger than `max` bytes. */
export async function readBody(req: IncomingMessage, max: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of req) {
    const chunk = Buffer.from(part)
    size += chunk.length
    if (size > max) return undefined
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

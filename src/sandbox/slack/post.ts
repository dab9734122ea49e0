import { request } from 'node:http'

/** What came back from the bot. */
export interface Posted {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** Why nothing came back. */
export type NotPosted = 'operation_timeout' | 'no_connection'

/** One POST on a connection of its own: a bot that was killed and started again must not meet an old socket. */
export function post(url: string, headers: Record<string, string>, body: string, timeoutMs: number): Promise<Posted | NotPosted> {
  if (!URL.canParse(url)) return Promise.resolve('no_connection')
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve('operation_timeout')
      req.destroy()
    }, timeoutMs)
    const fail = (): void => {
      clearTimeout(timer)
      resolve('no_connection')
    }
    const bytes = Buffer.from(body)
    const options = { method: 'POST', agent: false, headers: { ...headers, 'content-length': String(bytes.length) } }
    const req = request(url, options, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', fail)
      res.on('close', fail)
      res.on('end', () => {
        clearTimeout(timer)
        const contentType = res.headers['content-type'] ?? ''
        resolve({ status: res.statusCode ?? 0, contentType, body: Buffer.concat(parts).toString() })
      })
    })
    req.on('error', fail)
    req.end(bytes)
  })
}

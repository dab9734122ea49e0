/** Calls to the hook that no platform would send: signed or not, and of any bytes. Every value in them is marked, to be looked for. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { reviewText } from '../../src/sandbox/platform/review.ts'
import type { RawResponse } from '../../src/sandbox/platform/send.ts'
import { sign } from '../../src/sandbox/platform/signature.ts'
import type { Scene } from '../scene.ts'

/** Stands in every value that a call may choose, and must stand in no answer and no log line. */
export const PLANTED = 'PLANTED'

let count = 0
/** An id that was not used before. */
export function newId(): string {
  count += 1
  return `tar_${PLANTED}_${count}`
}

/** A whole review as text. A member of `more` replaces the one of its name; undefined leaves it out. */
export function review(s: Scene, more: Readonly<Record<string, unknown>> = {}, inputText = `{"command":"${PLANTED}"}`): string {
  const id = typeof more.id === 'string' ? more.id : newId()
  return reviewText(
    {
      id,
      runId: `run_${PLANTED}`,
      rootRunId: `run_${PLANTED}`,
      threadId: `thread_${PLANTED}`,
      agentId: `agent_${PLANTED}`,
      stepNumber: 0,
      toolName: `bash_${PLANTED}`,
      toolCallId: `tc_${PLANTED}`,
      inputText,
      preview: { summary: PLANTED },
      resolveUrl: `${s.platform.url}/v1/interactions/${encodeURIComponent(id)}/resolve`,
    },
    { id, ...more },
  )
}

export const unixNow = (): number => Math.floor(Date.now() / 1000)

export interface Sent {
  readonly secret?: string
  /** Seconds from now to the moment that is signed. */
  readonly age?: number
  /** Instead of a true signature; undefined leaves the header out. */
  readonly signature?: string | string[] | undefined
  /** Undefined leaves the header out. */
  readonly type?: string | undefined
  readonly url?: string
  readonly method?: string
}

/** Sends bytes, truly signed where nothing else is said. */
export function post(s: Scene, body: string | Uint8Array, sent: Sent = {}): Promise<RawResponse> {
  const signature = 'signature' in sent ? sent.signature : sign(sent.secret ?? s.hook.secret, body, unixNow() - (sent.age ?? 0))
  const type = 'type' in sent ? sent.type : 'application/json'
  return s.platform.send({
    url: sent.url ?? s.hook.url,
    method: sent.method ?? 'POST',
    body,
    headers: {
      ...(signature === undefined ? {} : { 'novo-signature': signature }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
  })
}

/** A connection with a signed call on it, of which only the head was sent. */
export async function begun(s: Scene, body: string, head: string): Promise<Socket> {
  const { hostname, port, pathname } = new URL(s.hook.url)
  const socket = connect(Number(port), hostname)
  // The other end may drop it; what arrived before says how.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n` +
      `novo-signature: ${sign(s.hook.secret, body, unixNow())}\r\n${head}\r\n\r\n`,
  )
  return socket
}

/** All that arrives until the other end closes. */
export async function rest(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  if (!socket.closed) await once(socket, 'close')
  return Buffer.concat(chunks).toString('utf8')
}

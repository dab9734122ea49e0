/** The load: connections that are kept alive, each with one call under way at a time. An answer that is not `pause` ends the bench. */
import { connect, type Socket } from 'node:net'

export interface Measured {
  readonly calls: number
  /** From the first call to the last answer. */
  readonly seconds: number
  /** One a call, in the order of the answers. Milliseconds. */
  readonly latencies: readonly number[]
}

/** A server that is silent for so long has failed, however slow the disk. Milliseconds. */
const SILENT_MS = 15_000

export interface Load {
  /** Sends the requests in their order until there is none left or `limitMs` have passed; what is under way then is waited for. */
  drive(requests: readonly Buffer[], limitMs: number): Promise<Measured>
  close(): void
}

/**
 * Connections that are used again for each drive. A first one, not counted, must warm them as well: a busy server takes new
 * connections one by one, and the calls on them wait until then.
 */
export async function openLoad(port: number, connections: number): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(port)))
  return {
    async drive(requests, limitMs) {
      const latencies: number[] = []
      const began = performance.now()
      let sent = 0
      const next = (): Buffer | undefined => {
        if (performance.now() - began > limitMs) return undefined
        sent += 1
        return requests[sent - 1]
      }
      await Promise.all(sockets.map((socket) => callInTurn(socket, next, (ms) => latencies.push(ms))))
      return { calls: latencies.length, seconds: (performance.now() - began) / 1000, latencies }
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('error', reject).once('connect', () => resolve(socket.off('error', reject)))
  })
}

function callInTurn(socket: Socket, next: () => Buffer | undefined, answered: (ms: number) => void): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let began = 0
    let received = ''
    const send = (): void => {
      const request = next()
      if (request === undefined) {
        resolve()
        return
      }
      received = ''
      began = performance.now()
      socket.write(request)
    }
    socket
      .setTimeout(SILENT_MS)
      .on('timeout', () => reject(new Error(`a call was not answered within ${SILENT_MS} ms`)))
      .on('error', reject)
      .on('close', () => reject(new Error('the server closed a connection')))
      .on('data', (chunk) => {
        received += chunk.toString('latin1')
        if (!isWhole(received)) return
        answered(performance.now() - began)
        if (received.startsWith('HTTP/1.1 200 ') && received.includes('"decision":"pause"')) send()
        else reject(new Error(`a call was not answered with pause:\n${received}`))
      })
    send()
  }).finally(() => socket.setTimeout(0).removeAllListeners())
}

/** Both servers tell the length of what they answer. */
function isWhole(received: string): boolean {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1]
  if (length === undefined) throw new Error(`an answer without a length:\n${received}`)
  return received.length >= head + 4 + Number(length)
}

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** The listening socket, on loopback only. It can go down with all connections and come back on the same port. */
export class Door {
  readonly port: number
  readonly #server: Server
  /** Connections that speak HTTP no more; the server has forgotten them, and would wait for them all the same. */
  readonly #upgraded = new Set<Duplex>()
  #down = false

  private constructor(server: Server, port: number) {
    this.#server = server
    this.port = port
  }

  /** Port 0 takes any free one. */
  static async open(port: number): Promise<Door> {
    const server = createServer({ keepAliveTimeout: 5_000 })
    await listening(server, port)
    const address = server.address()
    return new Door(server, typeof address === 'object' && address !== null ? address.port : port)
  }

  serve(listener: RequestListener, upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void): void {
    this.#server.on('request', listener)
    this.#server.on('upgrade', (req, socket, head) => {
      this.#upgraded.add(socket)
      socket.on('close', () => this.#upgraded.delete(socket))
      // A client that goes while it is being turned away.
      socket.on('error', () => undefined)
      upgrade(req, socket, head)
    })
  }

  /** Refuses connections and breaks those there are, as when Slack cannot be reached. */
  async goDown(): Promise<void> {
    if (this.#down) return
    this.#down = true
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
      for (const socket of this.#upgraded) socket.destroy()
    })
  }

  async comeBack(): Promise<void> {
    if (!this.#down) return
    await listening(this.#server, this.port)
    this.#down = false
  }
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

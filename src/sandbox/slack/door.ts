import { createServer, type RequestListener, type Server } from 'node:http'

/** The listening socket, on loopback only. It can go down with all connections and come back on the same port. */
export class Door {
  readonly port: number
  readonly #server: Server
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

  serve(listener: RequestListener): void {
    this.#server.on('request', listener)
  }

  /** Refuses connections and breaks those there are, as when Slack cannot be reached. */
  async goDown(): Promise<void> {
    if (this.#down) return
    this.#down = true
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
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

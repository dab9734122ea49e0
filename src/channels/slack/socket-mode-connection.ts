/**
 * One WebSocket connection that knows whether the other end lives. On `ws` and not on undici, which is also at hand: undici tells
 * pings and pongs of all sockets of the process on one diagnostics channel (field report A83), and cannot end a socket that
 * does not answer.
 */
import { WebSocket } from 'ws'
import type { Clock } from '../../approval/ports.ts'

/**
 * Milliseconds between two pings of ours, and how many may go by without any sign of life. Slack pings too. The sum is between
 * `@slack/socket-mode`'s 5 s, which its users found too short (field report A78), and the minutes that clicks were lost (A85).
 */
const BEAT_MS = 6000
const BEATS = 3

/** Slack was seen not to end the connection after the goodbyes. Milliseconds. */
const CLOSE_MS = 2000

/** Bytes of one frame. A press brings the whole message along: 250 kB were seen (field report A29). */
const MAX_FRAME = 4_000_000

export class Connection {
  /** Resolves when it is over, however it came about. */
  readonly ended: Promise<void>
  readonly #ws: WebSocket
  readonly #clock: Clock
  #quiet = 0
  #stopBeat: () => void = () => undefined

  /** @throws SyntaxError when the address is none. */
  constructor(url: string, clock: Clock, hear: (text: string) => void) {
    this.#clock = clock
    const ws = new WebSocket(url, { perMessageDeflate: false, maxPayload: MAX_FRAME })
    this.#ws = ws
    const lives = (): void => {
      this.#quiet = 0
    }
    ws.on('ping', lives)
    ws.on('pong', lives)
    ws.on('message', (data, isBinary) => {
      lives()
      if (!isBinary) hear(String(data))
    })
    // Every error is followed by the end, and the end is what counts.
    ws.on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      ws.on('close', () => {
        this.#stopBeat()
        resolve()
      })
    })
    this.#beat()
  }

  /** False when nothing can leave any more. */
  send(text: string): boolean {
    if (this.#ws.readyState !== WebSocket.OPEN) return false
    this.#ws.send(text)
    return true
  }

  /** Says goodbye, and waits a bounded time for the other end's. */
  async close(): Promise<void> {
    const cancel = this.#clock.after(CLOSE_MS, () => this.cut())
    this.#ws.close(1000)
    await this.ended
    cancel()
  }

  /** Ends it at once. */
  cut(): void {
    this.#ws.terminate()
  }

  #beat(): void {
    this.#stopBeat = this.#clock.after(BEAT_MS, () => {
      this.#quiet += 1
      if (this.#quiet > BEATS) return void this.cut()
      if (this.#ws.readyState === WebSocket.OPEN) this.#ws.ping()
      this.#beat()
    })
  }
}

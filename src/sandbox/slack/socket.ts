import type { RawData, WebSocket } from 'ws'
import { isObject, type JsonObject, parseJson, textAt } from './json.ts'
import type { NotPosted, Posted } from './post.ts'

/** One connection of Socket Mode, as Slack sees it. */
export interface SocketView {
  /** Counts from 1 in the order of arrival. */
  readonly n: number
  /** `leaving` was told to reconnect and is still there. */
  readonly state: 'open' | 'leaving' | 'closed'
  /** The ids of the envelopes that were put on it, copies included. */
  readonly envelopes: readonly string[]
  /** The ids of the acknowledgements that came on it. */
  readonly acks: readonly string[]
  /** The code with which it ended; null while it is there. 1006 is an end without goodbye. */
  readonly closeCode: number | null
}

/** What a socket asks of the whole. */
export interface SocketOwner {
  changed(): void
  /** True when the acknowledgement that just came is to be lost. */
  losesAck(): boolean
}

/** Milliseconds between two pings of ours. */
const PING_MS = 10_000

/** The server's end of one connection. */
export class Socket {
  readonly n: number
  leaving = false
  #greeted = false
  #silent = false
  #closeCode: number | null = null
  readonly #ws: WebSocket
  readonly #owner: SocketOwner
  readonly #envelopes: string[] = []
  readonly #acks: string[] = []
  readonly #awaited = new Map<string, (answer: Posted | NotPosted) => void>()
  readonly #timers: NodeJS.Timeout[] = []

  constructor(n: number, ws: WebSocket, owner: SocketOwner) {
    this.n = n
    this.#ws = ws
    this.#owner = owner
    ws.on('message', (data) => this.#hear(data))
    ws.on('close', (code) => this.#silent || this.#ended(code))
    // What is wrong with a socket ends it, and the end is what counts.
    ws.on('error', () => undefined)
    const pinging = setInterval(() => this.#silent || ws.ping(), PING_MS)
    pinging.unref()
    this.#timers.push(pinging)
  }

  get isOpen(): boolean {
    return this.#closeCode === null
  }

  /** Whether envelopes may be put on it: it was greeted, and it is there as far as anybody knows. */
  get takes(): boolean {
    return this.isOpen && this.#greeted
  }

  view(): SocketView {
    const state = this.isOpen ? (this.leaving ? 'leaving' : 'open') : 'closed'
    return { n: this.n, state, envelopes: [...this.#envelopes], acks: [...this.#acks], closeCode: this.#closeCode }
  }

  greet(hello: JsonObject): void {
    this.#greeted = true
    this.send(hello)
  }

  send(frame: JsonObject): void {
    if (!this.#silent && this.isOpen) this.#ws.send(JSON.stringify(frame))
  }

  /** Puts an envelope on it without waiting for anything. */
  put(id: string, envelope: JsonObject): void {
    this.#envelopes.push(id)
    this.send(envelope)
    this.#owner.changed()
  }

  /** The answer is the acknowledgement's payload, as if it had come over HTTP. */
  deliver(id: string, envelope: JsonObject, timeoutMs: number): Promise<Posted | NotPosted> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => end('operation_timeout'), timeoutMs)
      const end = (answer: Posted | NotPosted): void => {
        clearTimeout(timer)
        this.#awaited.delete(id)
        resolve(answer)
      }
      this.#awaited.set(id, end)
      this.put(id, envelope)
    })
  }

  /** Nothing goes out, is read or is noticed any more, the app's end of it too: it stays registered until it is cut. */
  silence(): void {
    this.#silent = true
    this.#ws.pause()
  }

  /** Ends without goodbye. */
  cut(): void {
    this.#ws.terminate()
    if (this.#silent && this.isOpen) this.#ended(1006)
  }

  closeIn(ms: number): void {
    const timer = setTimeout(() => this.#silent || this.#ws.close(1000), ms)
    timer.unref()
    this.#timers.push(timer)
  }

  #hear(data: RawData): void {
    const ack = parseJson(String(data))
    const id = isObject(ack) ? textAt(ack, 'envelope_id') : undefined
    if (!isObject(ack) || id === undefined || this.#owner.losesAck()) return
    this.#acks.push(id)
    const body = ack.payload === undefined || ack.payload === null ? '' : JSON.stringify(ack.payload)
    this.#awaited.get(id)?.({ status: 200, contentType: 'application/json', body })
    this.#owner.changed()
  }

  #ended(code: number): void {
    this.#closeCode = code
    for (const timer of this.#timers) clearTimeout(timer)
    for (const end of [...this.#awaited.values()]) end('no_connection')
    this.#owner.changed()
  }
}

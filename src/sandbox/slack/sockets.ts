import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Changes } from './changes.ts'
import type { Parcel, Transport } from './deliveries.ts'
import { foreignOrigin } from './guard.ts'
import type { JsonObject } from './json.ts'
import { LIMITS } from './limits.ts'
import type { NotPosted, Posted } from './post.ts'
import { Socket, type SocketView } from './socket.ts'
import { type DisconnectReason, type SocketFault, SocketFaults } from './socket-fault.ts'

/** What Slack calls each kind of delivery on a socket. Commands travel as a flat object, all else as over HTTP. */
const TYPES = {
  block_actions: 'interactive',
  view_submission: 'interactive',
  view_closed: 'interactive',
  command: 'slash_commands',
  event: 'events_api',
} as const satisfies Record<Parcel['kind'], string>

/** Those whose acknowledgement may say something. */
const ANSWERED: readonly Parcel['kind'][] = ['view_submission', 'command']

/** Those that come once more when nobody acknowledged them. */
const REPEATED: readonly Parcel['kind'][] = ['command', 'event']

/** Milliseconds between the word that a connection must leave and its end. */
const GRACE_MS = 10_000

/**
 * Socket Mode: tickets, connections, envelopes and their acknowledgements. Each envelope goes to one connection, in turns.
 * Source: slack-stand-in.md, 3.3; docs.slack.dev/apis/events-api/using-socket-mode.
 */
export class Sockets {
  readonly #origin: string
  readonly #appId: string
  readonly #changes: Changes
  readonly #answerMs: number
  // No compression: nobody here gains by it. A longer frame from the app ends its connection with 1009 (field report A21).
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: LIMITS.socketFrame, perMessageDeflate: false })
  readonly #tickets = new Set<string>()
  readonly #sockets: Socket[] = []
  readonly #faults = new SocketFaults()
  #turn = 0

  constructor(origin: string, appId: string, changes: Changes, answerMs: number) {
    this.#origin = origin
    this.#appId = appId
    this.#changes = changes
    this.#answerMs = answerMs
  }

  /** The address for one connection. It is good once, and nobody can guess it. */
  ticket(): string {
    const ticket = randomUUID()
    this.#tickets.add(ticket)
    return `${this.#origin.replace('http:', 'ws:')}/link?ticket=${ticket}&app_id=${this.#appId}`
  }

  /** Takes a connection that comes with an unused ticket, and turns every other one away. */
  admit(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(req.url ?? '/', this.#origin)
    const known = url.pathname === '/link' && this.#tickets.delete(url.searchParams.get('ticket') ?? '')
    if (!known || foreignOrigin(req, Number(new URL(this.#origin).port))) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    this.#server.handleUpgrade(req, socket, head, (ws) => {
      const opened = new Socket(this.#sockets.length + 1, ws, {
        changed: () => this.#changes.touch(),
        losesAck: () => this.#faults.take('drop_ack'),
      })
      this.#sockets.push(opened)
      this.#welcome(opened)
      this.#changes.touch()
    })
  }

  get connected(): boolean {
    return this.#sockets.some((socket) => socket.takes)
  }

  views(): readonly SocketView[] {
    return this.#sockets.map((socket) => socket.view())
  }

  /**
   * A command or an event that nobody acknowledged comes once more on another connection; an interaction does not (field
   * reports A01, A02).
   */
  async deliver(parcel: Parcel): Promise<Posted | NotPosted> {
    const first = this.#next()
    if (first === undefined) return 'no_connection'
    const answer = await this.#send(first, parcel, {})
    if (typeof answer !== 'string' || !REPEATED.includes(parcel.kind)) return answer
    const other = this.#next(first)
    return other === undefined ? answer : this.#send(other, parcel, { retry_attempt: 1, retry_reason: 'timeout' })
  }

  fault(fault: SocketFault): void {
    switch (fault.kind) {
      case 'silent':
        this.#each(fault.socket, (socket) => socket.silence())
        break
      case 'cut':
        this.#each(fault.socket, (socket) => socket.cut())
        break
      case 'disconnect':
        this.#each(fault.socket, (socket) => this.#sendAway(socket, fault.reason))
        break
      case 'drop_ack':
      case 'twice':
      case 'no_hello':
      case 'num_connections':
        this.#faults.add(fault)
    }
  }

  /** Nothing is left of any connection, as when Slack cannot be reached. */
  cutAll(): void {
    for (const socket of this.#sockets) if (socket.isOpen) socket.cut()
  }

  clearFaults(): void {
    this.#faults.clear()
  }

  #welcome(opened: Socket): void {
    const there = this.#sockets.filter((socket) => socket.isOpen).length
    if (there > LIMITS.sockets) return void this.#sendAway(opened, 'too_many_websockets')
    if (this.#faults.take('no_hello')) return
    opened.greet({
      type: 'hello',
      num_connections: this.#faults.takeCount() ?? there,
      debug_info: { host: 'stand-in', build_number: 1, approximate_connection_time: 18_060 },
      connection_info: { app_id: this.#appId },
    })
  }

  #sendAway(socket: Socket, reason: DisconnectReason): void {
    socket.leaving = true
    socket.send({ type: 'disconnect', reason, debug_info: { host: 'stand-in' } })
    socket.closeIn(reason === 'warning' || reason === 'refresh_requested' ? GRACE_MS : 0)
    this.#changes.touch()
  }

  #send(to: Socket, { kind, payload }: Parcel, retry: JsonObject): Promise<Posted | NotPosted> {
    const id = randomUUID()
    const envelope = {
      envelope_id: id,
      type: TYPES[kind],
      accepts_response_payload: ANSWERED.includes(kind),
      payload,
      ...retry,
    }
    const answer = to.deliver(id, envelope, this.#answerMs)
    if (this.#faults.take('twice')) (this.#next(to) ?? to).put(id, envelope)
    return answer
  }

  /** The connection whose turn it is; one that was told to leave only when there is no other. */
  #next(except?: Socket): Socket | undefined {
    const there = this.#sockets.filter((socket) => socket.takes && socket !== except)
    const staying = there.filter((socket) => !socket.leaving)
    const among = staying.length > 0 ? staying : there
    this.#turn += 1
    return among[this.#turn % Math.max(1, among.length)]
  }

  #each(n: number | undefined, act: (socket: Socket) => void): void {
    const hit = this.#sockets.filter((socket) => socket.isOpen && (n === undefined || socket.n === n))
    if (hit.length === 0) throw new Error(n === undefined ? 'no socket is open' : `socket ${n} is not open`)
    for (const socket of hit) act(socket)
  }
}

/** Over a socket when one is connected, else as before. */
export function overSocketsOr(sockets: Sockets, http: Transport): Transport {
  return (parcel) => (sockets.connected ? sockets.deliver(parcel) : http(parcel))
}

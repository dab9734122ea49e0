import type { Call } from './calls.ts'
import type { Delivery } from './deliveries.ts'
import type { Fault } from './faults.ts'
import type { Click, Command, Reaction, Submission, ViewPress } from './interact.ts'
import type { JsonObject } from './json.ts'
import type { Message } from './messages.ts'
import type { Exhibit } from './page-exhibits.ts'
import type { SocketView } from './socket.ts'
import type { SocketFault } from './socket-fault.ts'
import type { World, WorldBook } from './world.ts'

/** How to set up a stand-in. */
export interface SlackOptions {
  /** 0, which is usual, takes any free port. */
  readonly port?: number
  /** Must begin with `xoxb-sandbox-`, so that a real token never goes in. */
  readonly botToken: string
  readonly signingSecret: string
  /** For Socket Mode; must begin with `xapp-sandbox-`. While a socket is connected, everything is delivered on it. */
  readonly appToken?: string
  /** The bot's `/slack/events`. May be told later by `deliverTo`. */
  readonly deliverTo?: string
  readonly now?: () => Date
  /** What the token may do; all that the methods need when left out. */
  readonly scopes?: readonly string[]
  /** Extends Acme; an entry with a known id takes the place of Acme's. */
  readonly world?: Partial<World>
  /** Slash commands that the app has registered. */
  readonly commands?: readonly string[]
  /** What the page at `/cards` shows, in this order. */
  readonly exhibits?: readonly Exhibit[]
  /** Real milliseconds that the bot has for an answer; Slack's three seconds when left out. */
  readonly answerWithinMs?: number
}

/** What somebody else than the app writes into a conversation. */
interface Saying {
  readonly user: string
  readonly conversation: string
  readonly text: string
  readonly blocks?: readonly JsonObject[]
  readonly metadata?: JsonObject
  readonly thread_ts?: string
}

/** A request that is sent as it is, signed or not. */
export interface RawDelivery {
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A running stand-in for Slack. */
export interface SlackStandIn {
  readonly port: number
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** For `SLACK_API_URL`; ends with a slash. */
  readonly apiUrl: string
  deliverTo(url: string): void
  /** What everybody in the conversation sees, oldest first, as copies. */
  messages(conversation: string): readonly Message[]
  calls(method?: string): readonly Call[]
  /** The open modals of a person as Slack's view objects; the last one is on top. */
  views(user: string): readonly JsonObject[]
  /** The home tab that was published for a person. */
  home(user: string): JsonObject | undefined
  /** What only this person sees, oldest first: ephemeral messages and private answers. */
  privately(user: string): readonly Message[]
  /** These resolve when the bot has answered the delivery, whatever it does later; they reject for what nobody could do. */
  click(click: Click): Promise<Reaction>
  clickInView(press: ViewPress): Promise<Reaction>
  submit(submission: Submission): Promise<Reaction>
  closeView(closing: { readonly user: string; readonly view: string }): Promise<Reaction>
  command(command: Command): Promise<Reaction>
  /** Somebody opens the app's home tab. */
  openHome(user: string): Promise<Reaction>
  /** Asks whether the app's address answers as Slack wants it to; `url_not_verified` is the trouble when not. Only over HTTP. */
  verifyUrl(): Promise<Reaction>
  /** Puts a message of a person or of another bot into a conversation. The app is not told of it. */
  say(saying: Saying): Message
  /** For forged requests; `sign` makes the headers of an honest one. */
  deliverRaw(raw: RawDelivery): Promise<Reaction>
  sign(body: string, at?: Date): Record<string, string>
  fault(fault: Fault): void
  /** Every connection of Socket Mode that there was, oldest first. */
  sockets(): readonly SocketView[]
  socketFault(fault: SocketFault): void
  /** Lets every hung request go on. */
  release(): void
  clearFaults(): void
  /** How many requests hang now. */
  hanging(): number
  readonly world: WorldBook
  deliveries(): readonly Delivery[]
  /** Asks `probe` again after each change until it gives something true; rejects after so many real milliseconds. */
  until<T>(description: string, probe: () => T, timeoutMs?: number): Promise<NonNullable<T>>
  /** Closes the listening socket and all connections, until `comeBack` listens on the same port. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

/**
 * Socket Mode: Slack's presses and commands on a connection that we open, so that no public address is needed.
 *
 * On a connection of our own and not on Bolt's `SocketModeReceiver`, because `@slack/socket-mode` 3.1 leaves at least 5 s without
 * a connection at each of Slack's refreshes, and a press in that gap is lost (A78, A01); its start can stay pending for ever
 * (A80); one HTTP 500 while it reconnects can end the process or the reconnecting (A79); its stop does not wait (A84).
 * (A…: field reports.)
 */
import type { App, Receiver } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import type { Trouble } from '../../approval/approval.ts'
import { type Clock, Failure } from '../../approval/ports.ts'
import { failureOf, SILENT } from './client.ts'
import { Answers } from './socket-mode-answers.ts'
import { Connection } from './socket-mode-connection.ts'
import { ackOf, type Envelope, frameOf } from './socket-mode-frame.ts'

export interface SocketOptions {
  /** `xapp-…`, with connections:write. */
  readonly appToken: string
  readonly apiUrl: string
  readonly clock: Clock
  /** Uniform in [0, 1): the jitter of retries. */
  readonly random: () => number
  /** Why nothing of Slack's can reach us; undefined when it can. A lasting one needs a person. */
  readonly health: (trouble: Trouble | undefined) => void
  /** Slack counts more connections of this app than we hold: another process, or dead ones. Each gets a share of the presses (A01). */
  readonly crowded: (counted: number, held: number) => void
  /** A piece of work that failed. */
  readonly report: (what: string, error: unknown) => void
}

/** Milliseconds, but for the last. */
const PACE = {
  /** How long one attempt may take: the address, the connection and Slack's greeting. */
  open: 10_000,
  /** The first wait between attempts, doubled each time, and the longest. */
  first: 1000,
  longest: 30_000,
  /** Between attempts while a person has to mend something. The method that opens connections is scarce (slack-facts.md, B2). */
  slow: 300_000,
  /** A connection that ended sooner counts as a failed attempt. */
  steady: 60_000,
  /** How long one that Slack asked us to leave is listened to after the next one is there; Slack ends it by itself meanwhile. */
  linger: 10_000,
  /** Envelopes that are remembered: a day of presses, or minutes of the most that a workspace sends. */
  remembered: 10_000,
} as const

interface Link {
  readonly connection: Connection
  /** When Slack greeted us on it; undefined before. Milliseconds. */
  greetedAt: number | undefined
  /** Why Slack asked us to leave it. */
  leaving: string | undefined
  readonly greeted: () => void
  /** What came on it and is not acknowledged and handed over yet. */
  readonly working: Set<Promise<void>>
}

export class SocketModeReceiver implements Receiver {
  readonly #options: SocketOptions
  readonly #client: WebClient
  readonly #answers = new Answers(PACE.remembered)
  readonly #links = new Set<Link>()
  #app: App | undefined
  #stopped = false
  #trying = false
  #cancelWait: (() => void) | undefined
  /** Attempts in a row without a greeting, and connections in a row that ended soon. */
  #failures = 0
  #short = 0

  constructor(options: SocketOptions) {
    this.#options = options
    this.#client = new WebClient(options.appToken, {
      slackApiUrl: options.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      timeout: PACE.open,
      logger: SILENT,
    })
  }

  init(app: App): void {
    this.#app = app
  }

  /** Makes the first attempt, which is bounded in time. `trying`: it failed, and others follow. */
  async start(): Promise<'connected' | 'trying'> {
    await this.#try()
    return this.#staying() ? 'connected' : 'trying'
  }

  /** Makes no more connections, acknowledges what came, and leaves. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelWait?.()
    await Promise.all([...this.#links].map((link) => (link.greetedAt === undefined ? link.connection.cut() : part(link))))
  }

  #staying(): boolean {
    return [...this.#links].some((link) => link.greetedAt !== undefined && link.leaving === undefined)
  }

  /** Sees to it that there is a connection to stay on: tries after a wait, unless one is there or under way. */
  #ensure(waitMs: number): void {
    if (this.#stopped || this.#trying || this.#cancelWait !== undefined || this.#staying()) return
    if (waitMs === 0) return void this.#try()
    this.#cancelWait = this.#options.clock.after(waitMs, () => {
      this.#cancelWait = undefined
      void this.#try()
    })
  }

  async #try(): Promise<void> {
    if (this.#stopped || this.#trying) return
    this.#trying = true
    const failure = await this.#attempt().then(
      () => undefined,
      (error: unknown) => this.#known(error),
    )
    this.#trying = false
    if (this.#stopped) return
    if (failure === undefined) {
      this.#failures = 0
      this.#ensure(this.#backoff())
      return
    }
    this.#failures += 1
    const isLasting = failure.trouble.kind === 'lasting'
    const isHeard = [...this.#links].some((link) => link.greetedAt !== undefined)
    if (isLasting || !isHeard) this.#options.health(failure.trouble)
    this.#ensure(isLasting ? this.#slow() : Math.max(this.#backoff(), failure.retryAfterMs ?? 0))
  }

  /** @throws when there is no greeted connection in time. */
  async #attempt(): Promise<void> {
    let cancel: () => void = () => undefined
    const late = new Promise<never>((_, reject) => {
      cancel = this.#options.clock.after(PACE.open, () => reject(passing('no_answer')))
    })
    try {
      const { url } = await Promise.race([this.#client.apps.connections.open({}), late])
      if (this.#stopped) return
      const { link, greeted } = this.#join(url ?? '')
      const ended = link.connection.ended.then(() => Promise.reject(endOf(link)))
      await Promise.race([greeted, ended, late]).catch((error: unknown) => {
        link.connection.cut()
        throw error
      })
    } finally {
      cancel()
    }
  }

  #join(url: string): { readonly link: Link; readonly greeted: Promise<void> } {
    let sayGreeted: () => void = () => undefined
    const greeted = new Promise<void>((resolve) => {
      sayGreeted = resolve
    })
    const connection = new Connection(url, this.#options.clock, (text) => this.#hear(link, text))
    const link: Link = { connection, greetedAt: undefined, leaving: undefined, greeted: sayGreeted, working: new Set() }
    this.#links.add(link)
    void connection.ended.then(() => {
      this.#links.delete(link)
      if (link.greetedAt !== undefined && link.leaving === undefined) this.#replace(link)
    })
    return { link, greeted }
  }

  #hear(link: Link, text: string): void {
    const frame = frameOf(text)
    switch (frame?.kind) {
      case 'hello':
        this.#greet(link, frame.connections)
        break
      case 'goodbye':
        this.#leave(link, frame.reason)
        break
      case 'envelope':
        this.#take(link, frame.envelope)
        break
      case undefined:
        break
    }
  }

  #greet(link: Link, counted: number | undefined): void {
    link.greetedAt = this.#options.clock.now().getTime()
    link.greeted()
    this.#options.health(undefined)
    const held = [...this.#links].filter((one) => one.greetedAt !== undefined)
    if (counted !== undefined && counted > held.length) this.#options.crowded(counted, held.length)
    for (const old of held.filter((one) => one.leaving !== undefined)) {
      this.#options.clock.after(PACE.linger, () => void part(old))
    }
  }

  /** Slack wants us to leave. The old connection is listened to until the new one is there, and a while longer. */
  #leave(link: Link, reason: string): void {
    const isAgain = link.leaving !== undefined
    link.leaving = reason
    if (link.greetedAt === undefined) return void link.connection.cut()
    const alarm = ALARMS.get(reason)
    if (alarm !== undefined) this.#options.health({ kind: alarm, code: reason })
    if (alarm === 'lasting') this.#ensure(this.#slow())
    else if (!isAgain) this.#replace(link)
  }

  #replace({ greetedAt = 0 }: Link): void {
    const lived = this.#options.clock.now().getTime() - greetedAt
    this.#short = lived >= PACE.steady ? 0 : this.#short + 1
    this.#ensure(this.#backoff())
  }

  #take(link: Link, envelope: Envelope): void {
    const before = this.#answers.of(envelope.envelope_id)
    if (before !== undefined) return void before.then((ack) => link.connection.send(ack))
    const answered = this.#answers.await(envelope.envelope_id)
    // Work may go on when the connection has ended before the acknowledgement: the person sees a warning in Slack, and then the
    // card, which is the truth (A81).
    const ack = (said?: unknown): Promise<void> => {
      const text = ackOf(envelope, said)
      if (text === undefined) this.#options.report('ack', new Error('an acknowledgement is longer than Slack takes'))
      const sent = text ?? JSON.stringify({ envelope_id: envelope.envelope_id })
      answered(sent)
      link.connection.send(sent)
      return Promise.resolve()
    }
    const { retry_attempt, retry_reason } = envelope
    const retried = {
      ...(retry_attempt === undefined ? {} : { retryNum: retry_attempt }),
      ...(retry_reason === undefined ? {} : { retryReason: retry_reason }),
    }
    const work = Promise.resolve(this.#app?.processEvent({ body: envelope.payload, ack, ...retried }))
      .catch((error: unknown) => this.#options.report('bolt', error))
      .finally(() => link.working.delete(work))
    link.working.add(work)
  }

  /** Milliseconds to wait before the next attempt: none after a connection that was steady. */
  #backoff(): number {
    const steps = this.#failures + this.#short
    return steps === 0 ? 0 : Math.min(PACE.first * 2 ** (steps - 1), PACE.longest) * this.#jitter()
  }

  #slow(): number {
    return PACE.slow * this.#jitter()
  }

  #jitter(): number {
    return 0.5 + this.#options.random() / 2
  }

  #known(error: unknown): Failure {
    try {
      return failureOf(error)
    } catch (unknown) {
      this.#options.report('socket', unknown)
      return passing('failed')
    }
  }
}

/** Words with which Slack says that something is amiss: whether a person has to mend it. */
const ALARMS = new Map<string, Trouble['kind']>([
  ['link_disabled', 'lasting'],
  ['too_many_websockets', 'passing'],
])

function passing(code: string): Failure {
  return new Failure({ kind: 'passing', code }, 'no')
}

/** Why a connection ended before Slack greeted us on it. */
function endOf({ leaving }: Link): Failure {
  return leaving === undefined ? passing('closed') : new Failure({ kind: ALARMS.get(leaving) ?? 'passing', code: leaving }, 'no')
}

/** Leaves a connection once everything that came on it is acknowledged. What comes during the goodbyes is done all the same. */
async function part({ connection, working }: Link): Promise<void> {
  while (working.size > 0) await Promise.all(working)
  await connection.close()
  while (working.size > 0) await Promise.all(working)
}

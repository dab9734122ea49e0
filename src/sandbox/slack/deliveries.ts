import type { Changes } from './changes.ts'
import type { SlackClock } from './clock.ts'
import type { JsonObject } from './json.ts'
import { type NotPosted, type Posted, post } from './post.ts'
import { signed } from './signature.ts'

type DeliveryKind = 'block_actions' | 'view_submission' | 'view_closed' | 'command' | 'event'

/** Something that the app is told of: an interaction's payload, a command's flat fields, or an event. */
export interface Parcel {
  readonly kind: DeliveryKind
  /** For people: what it is and who did it. */
  readonly what: string
  readonly payload: JsonObject
}

/** One delivery and how it went. `status` and `ms` are null while the bot has not answered. */
export interface Delivery {
  readonly n: number
  readonly at: Date
  readonly kind: DeliveryKind
  readonly what: string
  readonly payload: JsonObject
  status: number | null
  ms: number | null
  trouble: string | null
}

/** How parcels reach the app: over HTTP, or on a socket. */
export type Transport = (parcel: Parcel) => Promise<Posted | NotPosted>

/** Everything that was sent to the app, oldest first. */
export class Deliveries {
  readonly log: Delivery[] = []
  readonly #transport: Transport
  readonly #clock: SlackClock
  readonly #changes: Changes

  constructor(transport: Transport, clock: SlackClock, changes: Changes) {
    this.#transport = transport
    this.#clock = clock
    this.#changes = changes
  }

  /** Sends it and waits for the answer. Anything but a 2xx within the time is a trouble, as people see it in Slack. */
  async send(parcel: Parcel): Promise<{ readonly delivery: Delivery; readonly answer: Posted | null }> {
    const began = performance.now()
    const delivery: Delivery = {
      ...parcel,
      n: this.log.length + 1,
      at: this.#clock.now(),
      status: null,
      ms: null,
      trouble: null,
    }
    this.log.push(delivery)
    this.#changes.touch()
    const posted = await this.#transport(parcel)
    delivery.ms = Math.round(performance.now() - began)
    const answer = typeof posted === 'string' ? null : posted
    if (answer !== null) delivery.status = answer.status
    if (posted === 'no_connection' && parcel.kind === 'command') delivery.trouble = 'dispatch_failed'
    else if (answer === null || answer.status < 200 || answer.status > 299) delivery.trouble = 'operation_timeout'
    this.#changes.touch()
    return { delivery, answer }
  }

  /** Notes that the answer was no good although it came in time. */
  blame(delivery: Delivery, trouble: string): void {
    delivery.trouble = trouble
    this.#changes.touch()
  }
}

/**
 * Signed HTTP to one address: a command as form fields, an event as JSON, everything else as one form field `payload`. An event
 * that was not taken comes once more at once; Slack's further tries, after one and five minutes, are left out.
 * Source: docs.slack.dev/interactivity/handling-user-interaction and apis/events-api.
 */
export function overHttp(target: () => string, secret: string, clock: SlackClock, timeoutMs: number): Transport {
  const send = (type: typeof FORM | typeof JSON_BODY, body: string, retry: Record<string, string> = {}) =>
    post(target(), { ...type, ...retry, ...signed(secret, clock.seconds(), body) }, body, timeoutMs)
  return async ({ kind, payload }) => {
    if (kind !== 'event') {
      const form = kind === 'command' ? flat(payload) : { payload: JSON.stringify(payload) }
      return send(FORM, new URLSearchParams(form).toString())
    }
    const body = JSON.stringify(payload)
    const answer = await send(JSON_BODY, body)
    const why = notTaken(answer)
    return why === undefined ? answer : send(JSON_BODY, body, { 'x-slack-retry-num': '1', 'x-slack-retry-reason': why })
  }
}

function notTaken(answer: Posted | NotPosted): string | undefined {
  if (answer === 'operation_timeout') return 'http_timeout'
  if (answer === 'no_connection') return 'connection_failed'
  return answer.status >= 200 && answer.status <= 299 ? undefined : 'http_error'
}

export const JSON_BODY = { 'content-type': 'application/json', 'user-agent': 'Slackbot 1.0 (sandbox)' } as const
export const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Slackbot 1.0 (sandbox)' } as const

function flat(payload: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value)]))
}

/**
 * Bolt, behind our own server or on our own socket. It takes apart what Slack sends (and over HTTP verifies it); each listener
 * acks before anything else, and the work afterwards is tracked, so that a stop can wait for it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { App, HTTPReceiver, type Receiver as Port } from '@slack/bolt'
import { NOTE } from './button.ts'
import { SILENT } from './client.ts'
import { SocketModeReceiver, type SocketOptions } from './socket-mode.ts'

/** Where what people do in Slack goes. */
export interface Listening {
  readonly press: (body: unknown) => Promise<void>
  /** What is wrong with a submission, for its acknowledgement. */
  readonly fault: (body: unknown) => Readonly<Record<string, string>> | undefined
  readonly submit: (body: unknown) => Promise<void>
  readonly command: (body: unknown) => Promise<void>
  /** Somebody opened their home tab. */
  readonly home?: (user: string) => Promise<void>
  /** A piece of work that failed. Its person was told. */
  readonly report: (what: string, error: unknown) => void
}

export interface Receiving extends Listening {
  readonly signingSecret: string
  readonly now: () => Date
}

export interface Receiver {
  /** Answers a request to `/slack/events`. Its body must not have been read. */
  readonly listen: (request: IncomingMessage, response: ServerResponse) => void
  /** Resolves when no work that an acked request began is under way. */
  readonly settled: () => Promise<void>
}

export interface SocketReceiver {
  /** Bounded in time, and never rejects: `trying` when there is no connection yet. */
  readonly start: () => Promise<'connected' | 'trying'>
  /** Resolves when no work that something acked began is under way. */
  readonly settled: () => Promise<void>
  /** Acks what came, leaves, and ends the work that is under way. Safe to call twice. */
  readonly stop: () => Promise<void>
}

/** Slack's own bound (docs, "Verifying requests from Slack"): Bolt refuses what is older, and we what is further ahead. Seconds. */
const WINDOW_S = 300

export function slackReceiver(deps: Receiving): Receiver {
  const receiver = new HTTPReceiver({ signingSecret: deps.signingSecret, logger: SILENT, bodyLimit: '2mb' })
  return {
    settled: listen(receiver, deps),
    listen(request, response) {
      const stamp = Number(request.headers['x-slack-request-timestamp'])
      if (stamp - deps.now().getTime() / 1000 > WINDOW_S) {
        response.writeHead(401).end()
        return
      }
      // A proxy may add a charset or change case; Bolt compares the whole header.
      const [type] = (request.headers['content-type'] ?? '').split(';')
      request.headers['content-type'] = type?.trim().toLowerCase()
      receiver.requestListener(request, response)
    },
  }
}

/** Nothing is signed on a socket: what comes there is Slack's because the app token opened it (slack-facts.md, B3). */
export function socketReceiver(deps: Listening, options: Omit<SocketOptions, 'report'>): SocketReceiver {
  const receiver = new SocketModeReceiver({ ...options, report: deps.report })
  const settled = listen(receiver, deps)
  return {
    start: () => receiver.start(),
    settled,
    async stop() {
      await receiver.stop()
      await settled()
    },
  }
}

/** Puts our listeners on a receiver. @returns what waits for the work that they began. */
function listen(receiver: Port, deps: Listening): () => Promise<void> {
  const app = new App({
    receiver,
    logger: SILENT,
    convoStore: false,
    // Slack is not asked who we are before a press can be acked: our own clients do the talking.
    authorize: () => Promise.resolve({}),
    ignoreSelf: false,
  })
  const working = new Set<Promise<void>>()

  function track(what: string, work: Promise<void>): void {
    const ended = work.catch((error: unknown) => deps.report(what, error)).finally(() => working.delete(ended))
    working.add(ended)
  }

  app.action(/[\s\S]*/, async ({ ack, body }) => {
    await ack()
    track('press', deps.press(body))
  })
  app.view(NOTE, async ({ ack, body }) => {
    const errors = deps.fault(body)
    if (errors !== undefined) return void (await ack({ response_action: 'errors', errors }))
    await ack()
    track('submit', deps.submit(body))
  })
  app.command('/approvals', async ({ ack, body }) => {
    await ack()
    track('command', deps.command(body))
  })
  // Bolt acks an event by itself, before any listener.
  app.event('app_home_opened', async ({ event }) => {
    // Slack says the same of the other tabs (field report A99).
    if (event.tab === 'home' && deps.home !== undefined) track('home', deps.home(event.user))
  })
  app.error((error) => Promise.resolve(deps.report('bolt', error)))
  return async () => {
    while (working.size > 0) await Promise.all(working)
  }
}

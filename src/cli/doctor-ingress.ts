/** Where presses arrive, opened as `serve` opens it, for the time of one check. */
import type { Clock } from '../approval/ports.ts'
import { type Listening, slackReceiver, socketReceiver } from '../channels/slack/bolt.ts'
import type { Config } from '../config/config.ts'
import { httpServer, listen, mountRaw } from '../http/server.ts'
import { makeLog } from '../log.ts'

/** What the process supplies. */
export interface Hearing {
  readonly clock: Clock
  /** Uniform in [0, 1): the jitter of retries. */
  readonly random: () => number
}

export interface Ingress {
  /** As a person says it. */
  readonly where: string
  /** Why nothing can arrive. */
  readonly trouble: string | undefined
  /** What to look at when nothing arrived, by what did arrive. */
  readonly mend: () => string
  readonly close: () => Promise<void>
}

/** @throws Error in words when the port cannot be had */
export function openIngress(config: Config, hearing: Hearing, listening: Listening): Promise<Ingress> {
  const { ingress } = config.slack
  return ingress.mode === 'http'
    ? overHttp(config, ingress.signingSecret, hearing, listening)
    : overSocket(config, ingress.appToken, hearing, listening)
}

/** Connections that Slack keeps open are cut after so long. Milliseconds. */
const CLOSE_MS = 1000

async function overHttp(
  { listen: { host, port } }: Config,
  signingSecret: string,
  { clock }: Pick<Hearing, 'clock'>,
  listening: Listening,
): Promise<Ingress> {
  const receiver = slackReceiver({ ...listening, signingSecret, now: clock.now })
  const server = httpServer(makeLog('silent'))
  let came = 0
  let refused = 0
  mountRaw(server, '/slack/events', async (request, reply) => {
    came += 1
    reply.raw.once('finish', () => {
      if (reply.raw.statusCode === 401) refused += 1
    })
    reply.hijack()
    receiver.listen(request.raw, reply.raw)
  })
  const where = `${host}:${await listen(server, host, port, 'PORT')}`
  return {
    where,
    trouble: undefined,
    mend: () =>
      refused > 0
        ? `Something came to /slack/events whose signature is not Slack’s: check that SLACK_SIGNING_SECRET is this app’s, that the clock is right, and that no proxy changes the body.`
        : came > 0
          ? 'Something of Slack’s came to /slack/events, and no press did: check that somebody pressed this button, and “Interactivity” in the app’s settings.'
          : `Nothing came to ${where}/slack/events: check in the app’s settings that “Interactivity” is on and that its Request URL is https://YOUR.HOST/slack/events, and that DNS, firewall and TLS proxy lead from there to ${where}.`,
    async close() {
      await receiver.settled()
      const cut = setTimeout(() => server.server.closeAllConnections(), CLOSE_MS)
      await server.close()
      clearTimeout(cut)
    },
  }
}

async function overSocket(
  { slack: { apiUrl } }: Config,
  appToken: string,
  { clock, random }: Hearing,
  listening: Listening,
): Promise<Ingress> {
  let trouble: string | undefined
  let crowd = 0
  const receiver = socketReceiver(listening, {
    appToken,
    apiUrl,
    clock,
    random,
    health: (now) => {
      trouble = now?.code
    },
    crowded: (counted) => {
      crowd = counted
    },
  })
  const state = await receiver.start()
  return {
    where: 'a connection to Slack',
    trouble: state === 'connected' ? undefined : (trouble ?? 'no_answer'),
    mend: () =>
      crowd > 1
        ? `Slack counts ${crowd} connections of this app, and gives each press to one of them: stop the other processes that hold one.`
        : 'Check in the app’s settings that “Interactivity” and “Socket Mode” are on, and that SLACK_APP_TOKEN and SLACK_BOT_TOKEN are of one and the same app.',
    close: () => receiver.stop(),
  }
}

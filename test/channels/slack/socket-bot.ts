/** A bot that listens on a socket, its Slack, and a clock that stands until it is moved. */
import type { Trouble } from '../../../src/approval/approval.ts'
import type { Clock } from '../../../src/approval/ports.ts'
import { type Listening, socketReceiver } from '../../../src/channels/slack/bolt.ts'
import type { SocketView } from '../../../src/sandbox/slack/socket.ts'
import { startSlack } from '../../../src/sandbox/slack/stand-in.ts'
import { card, SECRET, TOKEN } from '../../sandbox/slack-bot.ts'

const APP_TOKEN = 'xapp-sandbox-test'
export const CONVERSATION = 'C0APPROVALS'

/** Timers run when the clock is moved past them, in their order. */
export class HandClock implements Clock {
  #ms = Date.UTC(2026, 0, 5, 12)
  #timers: { readonly ms: number; readonly due: number; readonly call: () => void }[] = []
  #asking: (() => void)[] = []
  readonly now = (): Date => new Date(this.#ms)

  after(ms: number, call: () => void): () => void {
    const timer = { ms, due: this.#ms + ms, call }
    this.#timers.push(timer)
    for (const go of this.#asking.splice(0)) go()
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  /** Moves on by so much, once somebody waits exactly so long. */
  async forwardWhenAsked(ms: number): Promise<void> {
    while (!this.#timers.some((timer) => timer.ms === ms)) await new Promise<void>((resolve) => this.#asking.push(resolve))
    this.forward(ms)
  }

  forward(ms: number): void {
    const end = this.#ms + ms
    for (;;) {
      const [next] = this.#timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
      if (next === undefined) break
      this.#timers = this.#timers.filter((one) => one !== next)
      this.#ms = Math.max(this.#ms, next.due)
      next.call()
    }
    this.#ms = end
  }
}

/** Work that ends when it is told to. */
export function openWork(): { readonly done: Promise<void>; readonly end: () => void } {
  let end: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  return { done, end }
}

/** Keeps what is told, and lets a test wait for the n-th of it. */
class Told<T> {
  readonly all: T[] = []
  #waiting: (() => void)[] = []

  add(value: T): void {
    this.all.push(value)
    for (const go of this.#waiting.splice(0)) go()
  }

  async nth(n: number): Promise<T> {
    for (;;) {
      const value = this.all[n - 1]
      if (value !== undefined) return value
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}

interface SocketBotOptions {
  readonly appToken?: string
  readonly listening?: Partial<Listening>
  /** Real milliseconds after which the stand-in gives an acknowledgement up. */
  readonly answerWithinMs?: number
}

export async function socketBot({ appToken = APP_TOKEN, listening = {}, answerWithinMs = 3000 }: SocketBotOptions = {}) {
  const slack = await startSlack({ botToken: TOKEN, signingSecret: SECRET, appToken: APP_TOKEN, answerWithinMs })
  const clock = new HandClock()
  const presses = new Told<unknown>()
  const health = new Told<Trouble | { readonly kind: 'none' }>()
  const crowded: (readonly [number, number])[] = []
  const reports: unknown[] = []
  const receiver = socketReceiver(
    {
      press: (body) => Promise.resolve(presses.add(body)),
      fault: () => undefined,
      submit: () => Promise.resolve(),
      command: () => Promise.resolve(),
      report: (what, error) => void reports.push([what, error]),
      ...listening,
    },
    {
      appToken,
      apiUrl: slack.apiUrl,
      clock,
      random: () => 0,
      health: (trouble) => health.add(trouble ?? { kind: 'none' }),
      crowded: (counted, held) => void crowded.push([counted, held]),
    },
  )
  return {
    slack,
    clock,
    receiver,
    presses,
    health,
    crowded,
    reports,
    press() {
      const { ts } = slack.say({ user: 'U0BOB', conversation: CONVERSATION, text: 't', blocks: card('approve') })
      return slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts, action_id: 'approve' })
    },
    /** Waits until the n-th connection is in a state. */
    socket: (n: number, state: SocketView['state']) =>
      slack.until(`socket ${n} is ${state}`, () => slack.sockets().find((one) => one.n === n && one.state === state)),
    opened: () => slack.calls('apps.connections.open').length,
    async [Symbol.asyncDispose]() {
      const stopping = receiver.stop()
      // A goodbye that a broken connection never answers.
      clock.forward(5000)
      await stopping
      await slack.close()
    },
  }
}

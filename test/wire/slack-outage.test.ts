/** Slack away for a minute, in the middle of fifty open approvals and twenty decisions. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ChannelClient, channelClient } from '../../src/approval-channel/client.ts'
import { channelSecret } from '../../src/approval-channel/signature.ts'
import { CONVERSATION, type Scene, scene, standardSettings } from '../scene.ts'

const LONG_MS = 120_000

let s: Scene
let client: ChannelClient
beforeEach(async () => {
  s = await scene({
    settings: (url) =>
      `${standardSettings(url)}serve:\n  - { name: console, secret: "env:CHANNEL_SECRET", decides: [everyone] }\n`,
  })
})
afterEach(async () => {
  await client.close()
  await s.close()
})

/** Over the served channel: a decision that needs no Slack. Its clock is the bot's, which the test moves on. */
function connect(offsetMs: number): ChannelClient {
  return channelClient({
    url: `http://127.0.0.1:${s.app().port}/channel`,
    secret: channelSecret(s.channelSecret),
    now: () => new Date(Date.now() + offsetMs),
    newNonce: () => randomBytes(16).toString('hex'),
  })
}

async function approve(run: string): Promise<void> {
  for (;;) {
    const listed = await client.list(run)
    if (!listed.ok && listed.code === 'rate_limited') {
      s.advance(1000)
      await client.close()
      offset += 1000
      client = connect(offset)
      continue
    }
    const [one] = listed.ok ? listed.value : []
    if (one === undefined) throw new Error('nothing waits')
    const decided = await client.approve(run, one.id, { hash: one.hash, by: 'console', note: null })
    if (decided.ok) return
    if (decided.code !== 'rate_limited') throw new Error(decided.code)
  }
}

let offset: number

test(
  'afterwards every card is there once and tells the truth, and every decision was delivered once',
  async () => {
    offset = 0
    client = connect(offset)
    const call = (n: number) => s.call('bash', { command: `step ${n}` })
    const before = await Promise.all(Array.from({ length: 30 }, (_, n) => call(n)))
    for (const { id } of before) await s.card(id)
    for (const { run } of before.slice(0, 5)) await approve(run)
    await s.slack.goDown()
    const during = await Promise.all(Array.from({ length: 20 }, (_, n) => call(30 + n)))
    expect(during.every(({ state }) => state === 'waiting')).toBe(true)
    for (const { run } of [...before.slice(5, 15), ...during.slice(0, 5)]) await approve(run)
    s.advance(60_000)
    await s.slack.comeBack()
    const decided = [...before.slice(0, 15), ...during.slice(0, 5)]
    await s.platform.until('every decision is delivered', () => decided.every(({ id }) => s.platform.effects(id) === 1), 60_000)
    for (const { id } of decided.slice(0, 15)) await s.card(id, 'The agent platform has it')
    for (const { id } of [...before.slice(15), ...during.slice(5)]) {
      const card = await s.card(id, 'approval.approve')
      expect(JSON.stringify(card.blocks)).not.toContain('The agent platform has it')
    }
    // What was decided before it ever had a card needs none.
    for (const { id } of during.slice(0, 5)) expect(s.cards(id).length).toBeLessThanOrEqual(1)
    expect(decided.map(({ id }) => s.platform.effects(id))).toEqual(decided.map(() => 1))
    expect(s.slack.messages(CONVERSATION).filter(({ thread_ts }) => thread_ts === null)).toHaveLength(
      new Set([...before, ...during].flatMap(({ id }) => s.cards(id).map(({ ts }) => ts))).size,
    )
  },
  LONG_MS,
)

/** That nothing counts twice: the replay set of section 4 of the protocol. */
import { expect } from 'vitest'
import type { Case } from './conformance-channel.ts'
import type { Call } from './conformance-wire.ts'
import {
  approve,
  deciding,
  decision,
  expectPending,
  expectRefusal,
  json,
  list,
  listPath,
  prepare,
  secondsOf,
  send,
  show,
  speak,
} from './conformance-wire.ts'

export const replayCases: readonly Case[] = [
  {
    name: 'a decision four minutes old counts once; its replay and the replay of a read are already used, and all is observed',
    async run({ channel, need }) {
      const events = need('events')
      const paused = await channel.pause()
      const before = (await events()).filter(({ type }) => type === 'webhook.refused').length
      const grant = prepare(channel, { ...deciding('approve', paused), timestamp: secondsOf(channel) - 240 })
      expect((await send(grant)).status).toBe(202)
      expectRefusal(await send(grant), 401, 'unauthorized', expect.stringContaining('already used'))
      const read = prepare(channel, { path: listPath(paused.run) })
      expect((await send(read)).status).toBe(200)
      expectRefusal(await send(read), 401, 'unauthorized', expect.stringContaining('already used'))
      const refused = (await events()).filter(({ type }) => type === 'webhook.refused').slice(before)
      expect(refused.map(({ payload }) => [payload.method, payload.status])).toEqual([
        ['POST', 401],
        ['GET', 401],
      ])
    },
  },
  {
    name: 'a signature is remembered for as long as its timestamp could be accepted',
    wish: { at: new Date(1790000000_000) },
    async run({ channel, bounds, need }) {
      const advance = need('advance')
      const { run } = await channel.pause()
      const ahead = prepare(channel, { path: listPath(run), timestamp: secondsOf(channel) + bounds.skewSeconds })
      expect((await send(ahead)).status).toBe(200)
      advance(2 * bounds.skewSeconds * 1000)
      expect((await list(channel, run)).status).toBe(200)
      expectRefusal(await send(ahead), 401, 'unauthorized', expect.stringContaining('already used'))
      advance(1000)
      expectRefusal(await send(ahead), 401, 'unauthorized', expect.stringMatching(/window/))
    },
  },
  {
    name: 'a signature is used up whatever comes of its request',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const calls: readonly (readonly [Call, number])[] = [
        [{ path: '/nowhere' }, 404],
        [deciding('approve', paused, 'no JSON'), 400],
        [deciding('reject', paused, decision(paused, { hash: '0'.repeat(64) })), 409],
      ]
      for (const [call, status] of calls) {
        const ready = prepare(channel, call)
        expect((await send(ready)).status).toBe(status)
        expectRefusal(await send(ready), 401, 'unauthorized', expect.stringContaining('already used'))
      }
      await expectPending(channel, paused)
    },
  },
  {
    name: 'the same nonce with another body is judged on its own',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const nonce = `twice-${secondsOf(channel)}`
      for (const by of ['one', 'two']) {
        const body = decision(paused, { by, hash: '0'.repeat(64) })
        expectRefusal(await speak(channel, { ...deciding('approve', paused, body), nonce }), 409, 'approval_changed')
      }
    },
  },
  {
    name: 'of fifty identical requests at once exactly one passes',
    untouched: true,
    async run({ channel }) {
      const { run } = await channel.pause()
      const ready = prepare(channel, { path: listPath(run) })
      const statuses = (await Promise.all(Array.from({ length: 50 }, () => send(ready)))).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status !== 200 && status !== 401 && status !== 429)).toEqual([])
    },
  },
  {
    name: 'of fifty identical grants at once exactly one decides',
    async run({ channel }) {
      const paused = await channel.pause()
      const ready = prepare(channel, deciding('approve', paused))
      const statuses = (await Promise.all(Array.from({ length: 50 }, () => send(ready)))).map(({ status }) => status)
      expect(statuses.filter((status) => status === 202)).toHaveLength(1)
      expect(statuses.filter((status) => status !== 202 && status !== 401 && status !== 429)).toEqual([])
      expect(json(await show(channel, paused))).toMatchObject({ status: 'approved' })
    },
  },
  {
    name: 'of two people who decide at once one is told that it is decided',
    async run({ channel }) {
      const paused = await channel.pause()
      const replies = await Promise.all(['slack:U1', 'slack:U2'].map((by) => approve(channel, paused, { by })))
      const won = replies.findIndex(({ status }) => status === 202)
      expect(replies.map(({ status }) => status).sort()).toEqual([202, 409])
      expect(json(await show(channel, paused))).toMatchObject({
        status: 'approved',
        decided_by: won === 0 ? 'slack:U1' : 'slack:U2',
      })
    },
  },
]

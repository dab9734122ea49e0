/** The order of work, and the bounds on rate and body: section 4 of the protocol. */
import { expect } from 'vitest'
import type { Case } from './conformance-channel.ts'
import type { Call } from './conformance-wire.ts'
import {
  deciding,
  decision,
  expectPending,
  expectRefusal,
  list,
  listPath,
  prepare,
  secondsOf,
  send,
  speak,
} from './conformance-wire.ts'

const UNSIGNED = ['timestamp', 'nonce', 'signature'] as const

export const boundCases: readonly Case[] = [
  {
    name: 'a body of exactly the bound passes, and one byte more is 413, on any method, before anything is verified',
    untouched: true,
    async run({ channel, bounds }) {
      const paused = await channel.pause()
      const sized = (bytes: number) => {
        const bare = decision(paused, { hash: '0'.repeat(64), note: '' })
        return bare.replace('"note":""', `"note":"${'n'.repeat(bytes - Buffer.byteLength(bare))}"`)
      }
      const exact = await speak(channel, deciding('approve', paused, sized(bounds.maxBody)))
      expectRefusal(exact, 409, 'approval_changed')
      const over = await speak(channel, deciding('approve', paused, sized(bounds.maxBody + 1)))
      expectRefusal(over, 413, 'body_too_large', expect.stringContaining(String(bounds.maxBody)))
      const body = 'x'.repeat(bounds.maxBody + 1)
      expectRefusal(await speak(channel, { path: listPath(paused.run), body }), 413, 'body_too_large')
      expectRefusal(await speak(channel, { method: 'POST', path: '/nowhere', body, without: UNSIGNED }), 413, 'body_too_large')
      await expectPending(channel, paused)
    },
  },
  {
    name: 'a body is counted in bytes, and a declared length is not believed before it is read',
    wish: { maxBody: 256 },
    async run({ channel, bounds }) {
      const { run } = await channel.pause()
      const body = 'é'.repeat(Math.floor(bounds.maxBody / 2) + 1)
      expectRefusal(await speak(channel, { path: listPath(run), body }), 413, 'body_too_large')
      const headers = { 'transfer-encoding': 'chunked' }
      const chunked = prepare(channel, { path: listPath(run), body, headers })
      const { 'content-length': _, ...rest } = chunked.headers
      expectRefusal(await send({ ...chunked, headers: rest }), 413, 'body_too_large')
    },
  },
  {
    name: 'BodyAndRateBounds: every request costs one of the burst, and then comes 429, signed or not, for everybody',
    wish: { at: new Date(1790000000_000), maxBody: 256, rate: 1, burst: 5 },
    async run({ channel, bounds, need }) {
      need('now')
      const { run } = await channel.pause()
      const tooBig: Call = { method: 'POST', path: listPath(run), body: 'x'.repeat(10_000) }
      expectRefusal(await speak(channel, tooBig), 413, 'body_too_large')
      for (let left = bounds.burst - 1; left > 0; left -= 1) expect((await list(channel, run)).status).toBe(200)
      const limited = await list(channel, run)
      expectRefusal(limited, 429, 'rate_limited')
      expect(limited.headers['retry-after']).toBeUndefined()
      expectRefusal(await speak(channel, { ...tooBig, without: UNSIGNED }), 429, 'rate_limited')
    },
  },
  {
    name: 'the bucket fills at the rate, no further than the burst, and a request that was not let in is not used up',
    wish: { at: new Date(1790000000_000), rate: 2, burst: 3 },
    async run({ channel, bounds, need }) {
      const advance = need('advance')
      const { run } = await channel.pause()
      const drain = async () => {
        let passed = 0
        while (passed <= bounds.burst && (await list(channel, run)).status === 200) passed += 1
        return passed
      }
      expect(await drain()).toBe(bounds.burst)
      const waiting = prepare(channel, { path: listPath(run) })
      expect((await send(waiting)).status).toBe(429)
      advance(Math.ceil(1000 / bounds.rate))
      expect((await send(waiting)).status).toBe(200)
      expect((await list(channel, run)).status).toBe(429)
      advance(60_000)
      expect(await drain()).toBe(bounds.burst)
    },
  },
  {
    name: 'a crowd that comes at once gets the burst and what the rate adds, and 429 for the rest',
    wish: { rate: 2, burst: 6 },
    async run({ channel, bounds }) {
      const { run } = await channel.pause()
      const began = Date.now()
      const crowd = Array.from({ length: bounds.burst * 3 }, () => list(channel, run))
      const statuses = (await Promise.all(crowd)).map(({ status }) => status)
      const passed = statuses.filter((status) => status === 200).length
      expect(passed).toBeGreaterThanOrEqual(bounds.burst)
      expect(passed).toBeLessThanOrEqual(bounds.burst + 1 + ((Date.now() - began) / 1000) * bounds.rate)
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
    },
  },
  {
    name: 'what is wrong with a signature is found in order: timestamp, window, nonce, match',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const all: Call = { ...deciding('approve', paused), timestamp: 'soon', nonce: '', signature: 'none' }
      expectRefusal(await speak(channel, all), 401, 'unauthorized', 'missing or malformed X-Approval-Timestamp')
      const late: Call = { ...all, timestamp: secondsOf(channel) - 3600 }
      expectRefusal(await speak(channel, late), 401, 'unauthorized', 'timestamp outside the accepted window')
      const timely: Call = { ...all, timestamp: secondsOf(channel) }
      expectRefusal(await speak(channel, timely), 401, 'unauthorized', 'missing or oversized X-Approval-Nonce')
      expectRefusal(await speak(channel, { ...timely, nonce: 'n' }), 401, 'unauthorized', 'signature does not match')
      const unsigned: Call = { ...deciding('approve', paused), without: ['signature'] }
      expectRefusal(await speak(channel, unsigned), 401, 'unauthorized', 'signature does not match')
      await expectPending(channel, paused)
    },
  },
  {
    name: 'verified comes before routed, and routed before read as a decision',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const bad = deciding('approve', { ...paused, run: 'no-such-run' }, 'no JSON')
      expectRefusal(await speak(channel, { ...bad, secret: 'x'.repeat(32) }), 401, 'unauthorized')
      expectRefusal(await speak(channel, bad), 400, 'bad_request')
      expectRefusal(await speak(channel, { ...bad, method: 'PUT' }), 404, 'not_found')
    },
  },
  {
    name: 'a refused request is observed with its path and its reason, and no run',
    wish: { at: new Date(1790000000_000), maxBody: 256, rate: 1, burst: 3 },
    async run({ channel, bounds, need }) {
      const events = need('events')
      need('now')
      const { run } = await channel.pause()
      const path = '/runs/team%20%C3%A9/approvals'
      await speak(channel, { path, secret: 'x'.repeat(32) })
      await speak(channel, { path, body: 'x'.repeat(bounds.maxBody + 1) })
      for (let left = bounds.burst - 2; left > 0; left -= 1) expect((await list(channel, run)).status).toBe(200)
      await speak(channel, { path })
      const refused = (await events()).filter(({ type }) => type === 'webhook.refused')
      expect(refused.map((event) => [event.run, event.payload.status, event.payload.reason])).toEqual([
        ['', 401, 'signature does not match'],
        ['', 413, 'body too large'],
        ['', 429, 'rate limit exceeded'],
      ])
      for (const { payload } of refused) expect(payload).toMatchObject({ method: 'GET', path: '/runs/team é/approvals' })
    },
  },
  {
    name: 'a cancel is observed with who sent it and without its note',
    async run({ channel, need }) {
      const events = need('events')
      const { run } = await channel.pause()
      const body = JSON.stringify({ run_id: run, by: 'slack:U1', note: 'between us' })
      expect((await speak(channel, { method: 'POST', path: `/runs/${encodeURIComponent(run)}/cancel`, body })).status).toBe(200)
      const [event, ...more] = (await events()).filter(({ type }) => type === 'webhook.decision')
      expect(more).toEqual([])
      expect(event).toMatchObject({ run, payload: { action: 'cancel', approval_id: '', by: 'slack:U1', status: 200 } })
      expect(JSON.stringify(event?.payload)).not.toContain('between us')
    },
  },
]

/** Who is let in: section 3 of the protocol. */
import { expect } from 'vitest'
import type { Case } from './conformance-channel.ts'
import type { Call } from './conformance-wire.ts'
import {
  cancelling,
  deciding,
  decision,
  expectPending,
  expectRefusal,
  list,
  listPath,
  prepare,
  secondsOf,
  send,
  showPath,
  speak,
} from './conformance-wire.ts'

export const signatureCases: readonly Case[] = [
  {
    name: 'a request that does not verify is refused and decides nothing: no headers, another secret, garbage, six minutes off either way, signed for another path, body, method or nonce, a nonce missing or of 65 bytes',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const grant = deciding('approve', paused)
      const base = { ...grant, timestamp: secondsOf(channel) }
      const long = 'n'.repeat(65)
      const wrong: Readonly<Record<string, Call>> = {
        'no headers': { ...grant, without: ['timestamp', 'nonce', 'signature'] },
        'another secret': { ...grant, secret: 'x'.repeat(40) },
        garbage: { ...grant, signature: `v1=${'0'.repeat(64)}` },
        'six minutes old': { ...grant, timestamp: base.timestamp - 360 },
        'six minutes ahead': { ...grant, timestamp: base.timestamp + 360 },
        'another path': { ...grant, signed: { path: `${channel.signedPath ?? ''}${showPath(paused)}/reject` } },
        'another body': { ...grant, signed: { body: decision(paused, { by: 'somebody else' }) } },
        'another method': { ...grant, signed: { method: 'PUT' } },
        'another nonce': { ...grant, signed: { nonce: 'other' } },
        'no nonce': { ...grant, signed: { nonce: '' }, without: ['nonce'] },
        'a nonce of 65 bytes': { ...grant, nonce: long },
      }
      for (const [why, call] of Object.entries(wrong)) {
        const reply = await speak(channel, call)
        expect([why, reply.status]).toEqual([why, 401])
        expectRefusal(reply, 401, 'unauthorized')
      }
      await expectPending(channel, paused)
    },
  },
  {
    name: 'a clock exactly at the skew is let in, and one second more is not, either way',
    wish: { at: new Date(1790000000_000) },
    async run({ channel, bounds, need }) {
      need('now')
      const { run } = await channel.pause()
      const now = secondsOf(channel)
      for (const [off, status] of [-bounds.skewSeconds, -bounds.skewSeconds - 1, bounds.skewSeconds, bounds.skewSeconds + 1].map(
        (one) => [one, Math.abs(one) > bounds.skewSeconds ? 401 : 200] as const,
      ))
        expect([off, (await speak(channel, { path: listPath(run), timestamp: now + off })).status]).toEqual([off, status])
    },
  },
  {
    name: 'the number of a timestamp is signed and not its text; what is no number is refused',
    untouched: true,
    async run({ channel }) {
      const { run } = await channel.pause()
      const now = secondsOf(channel)
      const path = listPath(run)
      for (const text of [`+${now}`, `000${now}`])
        expect((await speak(channel, { path, timestamp: text, signed: { timestamp: now } })).status).toBe(200)
      expect((await speak(channel, { path, timestamp: `+${now}` })).status).toBe(401)
      const wrong = ['', `${now}.0`, `${now}e0`, `0x${now.toString(16)}`, '1_790_000_000', '9223372036854775808', `${now} ${now}`]
      for (const text of wrong) {
        const reply = await speak(channel, { path, timestamp: text, signed: { timestamp: now } })
        expectRefusal(reply, 401, 'unauthorized', expect.stringMatching(/timestamp/i))
      }
    },
  },
  {
    name: 'a timestamp centuries ahead is refused',
    async run({ channel, strict }) {
      const { run } = await channel.pause()
      const reply = await speak(channel, { path: listPath(run), timestamp: 17179869184 })
      // agentrt lets it in.
      if (strict || reply.status !== 200) expectRefusal(reply, 401, 'unauthorized', expect.stringMatching(/window/))
    },
  },
  {
    name: 'a nonce has one to 64 bytes, and bytes are what is counted',
    untouched: true,
    async run({ channel }) {
      const { run } = await channel.pause()
      const path = listPath(run)
      const statuses: number[] = []
      const timestamp = secondsOf(channel)
      for (const nonce of ['n', 'n'.repeat(64), 'é'.repeat(32), 'é'.repeat(33), ''])
        statuses.push((await speak(channel, { path, nonce, timestamp })).status)
      // A one-byte nonce may have been used by somebody before; then it is refused for that alone.
      expect(statuses.slice(1)).toEqual([200, 200, 401, 401])
    },
  },
  {
    name: 'a signature is compared whole: upper case, no version, blanks inside and another version are refused',
    untouched: true,
    async run({ channel }) {
      const { run } = await channel.pause()
      const path = listPath(run)
      const good = prepare(channel, { path })
      const value = good.headers['x-approval-signature'] ?? ''
      for (const wrong of [value.toUpperCase(), value.slice(3), value.replace('=', '= '), `v2${value.slice(2)}`, `${value}0`])
        expect((await send({ ...good, headers: { ...good.headers, 'x-approval-signature': wrong } })).status).toBe(401)
      // None of these has used it up.
      expect((await send(good)).status).toBe(200)
    },
  },
  {
    name: 'the query and other headers are not signed, and header names go in any case',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const good = prepare(channel, { path: showPath(paused) })
      const headers = Object.fromEntries(Object.entries(good.headers).map(([name, value]) => [name.toUpperCase(), `  ${value} `]))
      const reply = await send({ ...good, url: `${good.url}?format=text&x=1`, headers })
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    },
  },
  {
    name: 'a read with a body is signed with it',
    untouched: true,
    async run({ channel }) {
      const { run } = await channel.pause()
      expect((await speak(channel, { path: listPath(run), body: '{"x":1}' })).status).toBe(200)
      expect((await speak(channel, { path: listPath(run), body: '{"x":1}', signed: { body: '' } })).status).toBe(401)
    },
  },
  {
    name: 'behind a prefix the path is signed without it',
    wish: { prefix: '/hooks' },
    async run({ channel, skip }) {
      const prefix = new URL(channel.url).pathname
      if (prefix === '/' || (channel.signedPath ?? '') !== '') return skip('a prefix that is not signed')
      const { run } = await channel.pause()
      expect((await list(channel, run)).status).toBe(200)
      const signed = { path: `${prefix}${listPath(run)}` }
      expectRefusal(await speak(channel, { path: listPath(run), signed }), 401, 'unauthorized')
      expect((await speak(channel, cancelling(run))).status).toBe(200)
    },
  },
]

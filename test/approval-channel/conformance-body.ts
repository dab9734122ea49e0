/** What a decision is: section 5 of the protocol. */
import { expect } from 'vitest'
import type { Case } from './conformance-channel.ts'
import {
  approve,
  BY,
  cancelling,
  deciding,
  decision,
  expectPending,
  expectRefusal,
  json,
  listPath,
  show,
  speak,
} from './conformance-wire.ts'

const ZEROS = '0'.repeat(64)

export const bodyCases: readonly Case[] = [
  {
    name: 'what is no decision is 400, and nothing is decided',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const good = decision(paused)
      const bad: readonly string[] = [
        '',
        ' \n',
        'null',
        '[]',
        '"approve"',
        '1',
        'true',
        good.slice(0, -1),
        `${good}x`,
        `\ufeff${good}`,
        good.replace('}', ',}'),
        good.replace(BY, `${BY}\n`),
        decision(paused, { note: 5 }),
        decision(paused, { by: ['x'] }),
      ]
      for (const body of bad) {
        const reply = await speak(channel, deciding('approve', paused, body))
        expect([body, reply.status]).toEqual([body, 400])
        expectRefusal(reply, 400, 'bad_request')
      }
      await expectPending(channel, paused)
    },
  },
  {
    name: 'a decision has to name its run, its approval, its hash and who decides',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const changes: readonly Readonly<Record<string, unknown>>[] = [
        { run_id: 'another' },
        { run_id: undefined },
        { approval_id: 'another' },
        { approval_id: null },
        { hash: undefined },
        { hash: null },
        { by: '' },
        { by: undefined },
        // The ids are looked at before the rest, and all of it before the hash is compared.
        { run_id: 'another', hash: ZEROS },
        { by: '', hash: ZEROS },
      ]
      for (const change of changes) expectRefusal(await approve(channel, paused, change), 400, 'bad_request')
      await expectPending(channel, paused)
    },
  },
  {
    name: 'a cancel has to name its run and who cancels, and its other members may be absent but not of another kind',
    untouched: true,
    async run({ channel }) {
      const { run } = await channel.pause()
      const bad: readonly unknown[] = [{ by: BY }, { run_id: run }, { run_id: run, by: '' }, { run_id: 'another', by: BY }]
      const odd: readonly unknown[] = [{ run_id: run, by: BY, note: 5 }, { run_id: run, by: BY, hash: 5 }, [], 'stop', null]
      for (const body of [...bad, ...odd]) expectRefusal(await speak(channel, cancelling(run, body)), 400, 'bad_request')
      expect((await speak(channel, { path: listPath(run) })).text).toContain('"pending":[{')
    },
  },
  {
    name: 'unknown members and blanks around a decision are passed over',
    async run({ channel }) {
      const paused = await channel.pause()
      const body = ` ${decision(paused, { more: { by: 5 }, note: null })}\r\n\t `
      expect((await speak(channel, deciding('approve', paused, body))).status).toBe(202)
    },
  },
  {
    name: 'a repeated member, or one in other letters, is refused or read as Go reads it',
    async run({ channel, strict }) {
      const first = await channel.pause()
      const twice = decision(first).replace('"by"', '"by":"first","by"')
      const repeated = await speak(channel, deciding('approve', first, twice))
      if (strict || repeated.status === 400) {
        expectRefusal(repeated, 400, 'bad_request')
        await expectPending(channel, first)
      } else expect(json(repeated)).toMatchObject({ status: 'approved', by: BY })
      const second = await channel.pause()
      const loud = decision(second).replace('"by"', '"by":"quiet","BY"')
      const other = await speak(channel, deciding('approve', second, loud))
      if (strict || other.status === 400) {
        expectRefusal(other, 400, 'bad_request')
        await expectPending(channel, second)
      } else expect(json(other)).toMatchObject({ status: 'approved', by: BY })
    },
  },
  {
    name: 'who decided and why is kept and given back as it was sent',
    async run({ channel }) {
      const paused = await channel.pause()
      const [by, note] = ['slack:Žofie <&>', 'не сейчас 🙂\n\u202e']
      expect(json(await approve(channel, paused, { by, note }))).toMatchObject({ by })
      const shown = await show(channel, paused)
      expect(json(shown)).toMatchObject({ decided_by: by, note })
      expect(shown.text).toContain('"decided_by":"slack:Žofie \\u003c\\u0026\\u003e"')
    },
  },
]

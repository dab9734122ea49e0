/** Decisions, what they leave behind and why they are refused: section 9 of the protocol. */
import { expect } from 'vitest'
import type { Case } from './conformance-channel.ts'
import {
  approve,
  BY,
  cancel,
  expectPending,
  expectRefusal,
  json,
  list,
  reject,
  show,
  showPath,
  speak,
} from './conformance-wire.ts'

const ZEROS = '0'.repeat(64)
const ANOTHER_PRESENTATION = '{"title":"Something else entirely"}'

export const decideCases: readonly Case[] = [
  {
    name: 'GrantThenResumeBindsTheHash: a grant runs nothing, the resumed run uses its tool once, and then nothing waits',
    async run({ channel, need }) {
      const [resume, effects, events] = [need('resume'), need('effects'), need('events')]
      const paused = await channel.pause()
      const { hash } = JSON.parse((await show(channel, paused)).text)
      const granted = await approve(channel, { ...paused, hash }, { note: 'ship it' })
      expect([granted.status, json(granted)]).toMatchObject([202, { status: 'approved', by: BY }])
      expect(await effects(paused.approval)).toBe(0)
      expect(json(await show(channel, paused))).toMatchObject({ status: 'approved', decided_by: BY, note: 'ship it' })
      await resume(paused.run)
      expect(await effects(paused.approval)).toBe(1)
      expectRefusal(await approve(channel, paused), 409, 'run_not_waiting')
      const decisions = (await events()).filter(({ type }) => type === 'webhook.decision')
      expect(decisions.map(({ run, payload }) => [run, payload.action, payload.status])).toEqual([
        [paused.run, 'approve', 202],
        [paused.run, 'approve', 409],
      ])
    },
  },
  {
    name: 'StaleHash: a hash that is not the stored one changes nothing, whatever it looks like',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      for (const hash of [ZEROS, 'x', paused.hash.toUpperCase()]) {
        expectRefusal(await approve(channel, paused, { hash }), 409, 'approval_changed')
        expectRefusal(await reject(channel, paused, { hash }), 409, 'approval_changed')
      }
      await expectPending(channel, paused)
    },
  },
  {
    name: 'MissingHash: a decision without a hash is no decision, and nothing is observed',
    async run({ channel, need }) {
      const events = need('events')
      const paused = await channel.pause()
      expectRefusal(await approve(channel, paused, { hash: '' }), 400, 'bad_request')
      expect((await events()).filter(({ type }) => type === 'webhook.decision')).toEqual([])
      await expectPending(channel, paused)
    },
  },
  {
    name: 'HashBindsAgainstAConcurrentChange: after an edit of the approval the old hash decides nothing, and the new one does',
    async run({ channel, need }) {
      const represent = need('represent')
      const paused = await channel.pause()
      const hash = await represent(paused.approval, ANOTHER_PRESENTATION)
      expect(hash).not.toBe(paused.hash)
      expectRefusal(await approve(channel, paused), 409, 'approval_changed')
      expectRefusal(await reject(channel, paused), 409, 'approval_changed')
      await expectPending(channel, paused)
      expect(json(await show(channel, paused))).toMatchObject({ hash, presentation: { title: 'Something else entirely' } })
      expect((await approve(channel, { ...paused, hash })).status).toBe(202)
    },
  },
  {
    name: 'Expiry: a late approval is listed as expired and shown as gone, and the first decision on it ends the run',
    wish: { approvalTtlMs: 3_600_000 },
    async run({ channel, need }) {
      const [expire, effects] = [need('expire'), need('effects')]
      const paused = await channel.pause()
      await expire(paused.approval)
      expectRefusal(await show(channel, paused), 410, 'expired')
      expect(json(await list(channel, paused.run))).toMatchObject({
        pending: [{ id: paused.approval, status: 'pending', expired: true }],
      })
      expectRefusal(await approve(channel, paused, { hash: ZEROS }), 409, 'approval_changed')
      expect(json(await list(channel, paused.run))).toMatchObject({ pending: [{ id: paused.approval }] })
      expectRefusal(await approve(channel, paused), 410, 'expired')
      expectRefusal(await show(channel, paused), 410, 'expired')
      expect(json(await list(channel, paused.run))).toEqual({ pending: [], run_id: paused.run })
      expectRefusal(await approve(channel, paused), 409, 'run_not_waiting')
      expectRefusal(await cancel(channel, paused.run), 409, 'run_finished')
      expect(await effects(paused.approval)).toBe(0)
    },
  },
  {
    name: 'an approval that was granted in time is shown as gone once its expiry has passed',
    wish: { approvalTtlMs: 3_600_000 },
    async run({ channel, need }) {
      const expire = need('expire')
      const paused = await channel.pause()
      expect((await approve(channel, paused)).status).toBe(202)
      await expire(paused.approval)
      expectRefusal(await show(channel, paused), 410, 'expired')
    },
  },
  {
    name: 'RejectCancelsRun: the run ends, so that nothing on it can be decided or cancelled any more',
    async run({ channel }) {
      const paused = await channel.pause()
      expect((await reject(channel, paused, { note: 'not now' })).status).toBe(200)
      expect(json(await show(channel, paused))).toMatchObject({ status: 'rejected', decided_by: BY, note: 'not now' })
      expect(json(await list(channel, paused.run))).toEqual({ pending: [], run_id: paused.run })
      expectRefusal(await reject(channel, paused), 409, 'run_not_waiting')
      expectRefusal(await approve(channel, paused), 409, 'run_not_waiting')
      expectRefusal(await cancel(channel, paused.run), 409, 'run_finished')
    },
  },
  {
    name: 'CancelEndsAWaitingRun: nothing is listed, the approval itself stays pending, and a decision comes too late',
    async run({ channel }) {
      const paused = await channel.pause()
      expect((await cancel(channel, paused.run)).status).toBe(200)
      expect(json(await list(channel, paused.run))).toEqual({ pending: [], run_id: paused.run })
      expect(json(await show(channel, paused))).toMatchObject({ status: 'pending' })
      expectRefusal(await approve(channel, paused), 409, 'run_not_waiting')
      expectRefusal(await cancel(channel, paused.run), 409, 'run_finished')
    },
  },
  {
    name: 'NotPendingAfterAGrant: a second decision is refused whatever its hash, and only a cancel takes the grant back',
    async run({ channel, need }) {
      const effects = need('effects')
      const paused = await channel.pause()
      expect((await approve(channel, paused)).status).toBe(202)
      expectRefusal(await approve(channel, paused), 409, 'not_pending')
      expectRefusal(await reject(channel, paused), 409, 'not_pending')
      expectRefusal(await approve(channel, paused, { hash: ZEROS }), 409, 'not_pending')
      expect(json(await show(channel, paused))).toMatchObject({
        status: 'approved',
        decided_by: BY,
        decided_at: expect.any(String),
      })
      expect(json(await list(channel, paused.run))).toEqual({ pending: [], run_id: paused.run })
      expect((await cancel(channel, paused.run)).status).toBe(200)
      expectRefusal(await approve(channel, paused), 409, 'run_not_waiting')
      expect(await effects(paused.approval)).toBe(0)
    },
  },
  {
    name: 'NotFoundAndNoCrossRunAccess: an unknown run or approval is not found',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const nowhere = { ...paused, run: 'no-such-run' }
      expectRefusal(await list(channel, nowhere.run), 404, 'not_found')
      expectRefusal(await show(channel, nowhere), 404, 'not_found')
      expectRefusal(await approve(channel, nowhere), 404, 'not_found')
      expectRefusal(await cancel(channel, nowhere.run), 404, 'not_found')
      const nothing = { ...paused, approval: 'no-such-approval' }
      expectRefusal(await show(channel, nothing), 404, 'not_found')
      expectRefusal(await reject(channel, nothing), 404, 'not_found')
      await expectPending(channel, paused)
    },
  },
  {
    name: 'NotFoundAndNoCrossRunAccess: under one run another run’s approval is not found, and stays as it is',
    async run({ channel }) {
      const [ours, theirs] = [await channel.pause(), await channel.pause()]
      const crossed = { ...theirs, run: ours.run }
      expectRefusal(await show(channel, crossed), 404, 'not_found')
      expectRefusal(await approve(channel, crossed), 404, 'not_found')
      expectRefusal(await reject(channel, crossed), 404, 'not_found')
      await expectPending(channel, ours)
      await expectPending(channel, theirs)
    },
  },
  {
    name: 'CorruptRowIsRefused: an approval that no longer matches its hash cannot be decided',
    async run({ channel, need }) {
      const corrupt = need('corrupt')
      const paused = await channel.pause()
      await corrupt(paused.approval, ANOTHER_PRESENTATION)
      expectRefusal(await approve(channel, paused), 409, 'approval_hash')
      expectRefusal(await reject(channel, paused), 409, 'approval_hash')
      await expectPending(channel, paused)
    },
  },
  {
    name: 'ListIsBoundedToTheRun: with a limit of one there is one, and only of the run that was asked for',
    wish: { limit: 1 },
    async run({ channel }) {
      const paused = await channel.pause()
      await channel.pause()
      const { pending, run_id } = JSON.parse((await list(channel, paused.run)).text)
      expect([pending.length, pending[0].id, pending[0].hash, run_id]).toEqual([1, paused.approval, paused.hash, paused.run])
    },
  },
  {
    name: 'ShowAndListCarryThePolicyReason, and the text has it as a line',
    async run({ channel }) {
      const paused = await channel.pause({ reason: 'deploying to prod needs a person' })
      const reason = { reason: 'deploying to prod needs a person' }
      expect(json(await show(channel, paused))).toMatchObject(reason)
      expect(json(await list(channel, paused.run))).toMatchObject({ pending: [reason] })
      const { text } = await speak(channel, { path: showPath(paused), query: '?format=text' })
      expect(text.split('\n')).toContain('reason  deploying to prod needs a person')
    },
  },
]

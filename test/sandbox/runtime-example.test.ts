import { expect, test } from 'vitest'
import { PROPOSAL, runExample } from '../../src/sandbox/runtime/example.ts'
import { approve, cancel, expectRefusal, list, reject, showText } from '../approval-channel/conformance-wire.ts'
import { scene } from './runtime-scene.ts'

const ASKED = [
  'run_demo  The agent asks to use publish_proposal: {"proposal_id":"p-7","head_ref":"agent/refresh-lockfile"}',
  'run_demo  Waiting for a person: every publication is looked at by a person',
]

async function example() {
  const { runtime, channel } = await scene()
  const lines: string[] = []
  const ended = runExample({ runtime, say: (line) => lines.push(line), run: 'run_demo' })
  const { pending } = JSON.parse((await list(channel, 'run_demo')).text)
  const [{ id, hash }] = pending
  return { runtime, channel, lines, ended, paused: { run: 'run_demo', approval: id, hash } }
}

test('granted, the run resumes and publishes once', async () => {
  const { runtime, channel, lines, ended, paused } = await example()
  expect((await approve(channel, paused, { by: 'slack:U1', note: 'ship\u001b[2J it' })).status).toBe(202)
  expect(await ended).toMatchObject({ id: 'run_demo', status: 'COMPLETED' })
  expect(runtime.effects(paused.approval)).toBe(1)
  expect(lines).toEqual([
    ...ASKED,
    'run_demo  Granted by slack:U1: "ship\\x1b[2J it". Its owner resumes the run.',
    'run_demo  Proposal p-7 is published (the agent only plays: nothing left this machine). Run completed.',
    'run_demo  publish_proposal ran 1 time(s).',
  ])
})

test('rejected, the run is cancelled and publishes nothing', async () => {
  const { runtime, channel, lines, ended, paused } = await example()
  expect((await reject(channel, paused, { by: 'slack:U1' })).status).toBe(200)
  expect(await ended).toMatchObject({ status: 'CANCELLED', reason: 'approval_rejected' })
  expect(runtime.effects(paused.approval)).toBe(0)
  expect(lines.slice(2)).toEqual([
    'run_demo  Rejected by slack:U1.',
    'run_demo  The run is cancelled (approval_rejected). The agent stops here.',
    'run_demo  publish_proposal ran 0 time(s).',
  ])
})

test('a cancelled run and one whose approval expired end without a decision', async () => {
  const cancelled = await example()
  expect((await cancel(cancelled.channel, 'run_demo')).status).toBe(200)
  expect(await cancelled.ended).toMatchObject({ status: 'CANCELLED', reason: 'operator_cancelled' })
  const expired = await example()
  expired.runtime.corrupt(expired.paused.approval, { expiresAt: '2020-01-01T00:00:00Z' })
  expectRefusal(await approve(expired.channel, expired.paused), 410, 'expired')
  expect(await expired.ended).toMatchObject({ status: 'CANCELLED', reason: 'approval_expired' })
  expect(expired.lines.slice(2)).toEqual([
    'run_demo  The run is cancelled (approval_expired). The agent stops here.',
    'run_demo  publish_proposal ran 0 time(s).',
  ])
})

test('presented anew while it waits, the example waits on', async () => {
  const { runtime, channel, ended, paused } = await example()
  const anew = runtime.represent(paused.approval, { presentation: '{"title":"Another title"}' })
  expectRefusal(await approve(channel, paused), 409, 'approval_changed')
  expect((await approve(channel, anew)).status).toBe(202)
  expect((await ended).status).toBe('COMPLETED')
})

test('the example waits as long as it takes, and is told when the runtime closes', async () => {
  const { runtime, ended } = await example()
  const told = expect(ended).rejects.toThrow('closed')
  await runtime.close()
  await told
})

test('what a person reads names the proposal, its branches and its files', async () => {
  const { channel, paused, ended, runtime } = await example()
  const { text } = await showText(channel, paused)
  for (const part of ['kind    publication', `tool    ${PROPOSAL.tool}`, '"p-7"', '"main"', '"package-lock.json"'])
    expect(text).toContain(part)
  const told = expect(ended).rejects.toThrow('closed')
  await runtime.close()
  await told
})

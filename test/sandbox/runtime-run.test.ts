import { expect, test } from 'vitest'
import { startRuntime } from '../../src/sandbox/runtime/runtime.ts'
import { approve, BY, cancel, expectRefusal, json, list, reject, show } from '../approval-channel/conformance-wire.ts'
import { scene } from './runtime-scene.ts'

const types = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type)

test('a secret under 32 bytes is refused, and bytes are counted', async () => {
  await expect(startRuntime({ secret: 's'.repeat(31) })).rejects.toThrow('32 bytes')
  const runtime = await startRuntime({ secret: 'é'.repeat(16) })
  await runtime.close()
})

test('a grant runs nothing; its owner’s resume runs exactly the recorded arguments, once', async () => {
  const { runtime, channel } = await scene()
  const ran: string[] = []
  const paused = runtime.start({
    tool: 'push',
    args: '{"n":1.0,"a":9007199254740993}',
    effect: (args) => `pushed ${ran.push(args)}`,
  })
  expect(runtime.run(paused.run)).toMatchObject({ status: 'WAITING_FOR_APPROVAL', steps: 1, approvals: [paused.approval] })
  expect(() => runtime.resume(paused.run)).toThrow('nothing to resume')
  expect((await approve(channel, paused, { note: 'go' })).status).toBe(202)
  expect(runtime.approval(paused.approval)?.state).toMatchObject({ status: 'approved', by: BY, note: 'go' })
  expect([runtime.run(paused.run)?.status, ran]).toEqual(['WAITING_FOR_APPROVAL', []])
  expect(runtime.resume(paused.run)).toMatchObject({ status: 'COMPLETED', reason: 'completed', detail: 'pushed 1' })
  expect(ran).toEqual(['{"a":9007199254740993,"n":1.0}'])
  expect(() => runtime.resume(paused.run)).toThrow('nothing to resume')
  expect(runtime.effects(paused.approval)).toBe(1)
})

test('rejecting, cancelling and expiring each end the run with a reason of their own, and the tool does not run', async () => {
  let now = new Date('2026-10-06T12:00:00Z')
  const { runtime, channel } = await scene({ now: () => now, approvalTtlMs: 60_000 })
  const [rejected, cancelled, expired] = [
    runtime.start({ tool: 'a' }),
    runtime.start({ tool: 'b' }),
    runtime.start({ tool: 'c' }),
  ]
  expect((await reject(channel, rejected, { note: 'no' })).status).toBe(200)
  expect((await cancel(channel, cancelled.run)).status).toBe(200)
  now = new Date(now.getTime() + 60_000)
  // At the very instant it can still be decided.
  expect((await show(channel, expired)).status).toBe(200)
  now = new Date(now.getTime() + 1)
  expectRefusal(await approve(channel, expired), 410, 'expired')
  expect([rejected, cancelled, expired].map(({ run }) => runtime.run(run))).toMatchObject([
    { status: 'CANCELLED', reason: 'approval_rejected', detail: 'no' },
    { status: 'CANCELLED', reason: 'operator_cancelled', detail: 'stop' },
    { status: 'CANCELLED', reason: 'approval_expired', detail: `approval ${expired.approval} expired` },
  ])
  const states = [rejected, cancelled, expired].map(({ approval }) => runtime.approval(approval)?.state.status)
  expect(states).toEqual(['rejected', 'pending', 'expired'])
  for (const { run, approval } of [rejected, cancelled, expired]) {
    expect(() => runtime.resume(run)).toThrow('CANCELLED')
    expect(runtime.effects(approval)).toBe(0)
  }
})

test('what happens is told in its order: the runtime’s own events before the answer, the channel’s after it', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push', kind: 'publication', reason: 'why' })
  await approve(channel, paused, { hash: 'x' })
  await reject(channel, paused, { note: 'no' })
  expect(runtime.events()).toMatchObject([
    {
      type: 'approval.requested',
      seq: 1,
      payload: { approval_id: paused.approval, hash: paused.hash, kind: 'publication', reason: 'why' },
    },
    {
      type: 'webhook.decision',
      seq: 0,
      payload: { action: 'approve', status: 409, error: expect.stringContaining('was shown') },
    },
    { type: 'approval.decided', seq: 2, payload: { approval_id: paused.approval, by: BY, note: 'no', status: 'rejected' } },
    { type: 'run.finished', seq: 3, payload: { detail: 'no', reason: 'approval_rejected', status: 'CANCELLED', steps: 1 } },
    {
      type: 'webhook.decision',
      seq: 0,
      run: paused.run,
      payload: { action: 'reject', by: BY, status: 200, remote: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
    },
  ])
})

test('a body that is no decision and a read that verifies are not told', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push' })
  expectRefusal(await approve(channel, paused, { by: '' }), 400, 'bad_request')
  await show(channel, paused)
  expectRefusal(await list(channel, 'nobody'), 404, 'not_found')
  expect(types(runtime.events())).toEqual(['approval.requested'])
})

test('a run that goes on is running, and waits again for its next call', async () => {
  const { runtime, channel } = await scene()
  const first = runtime.start({ tool: 'a' })
  expect(() => runtime.start({ tool: 'b', run: first.run })).toThrow('WAITING_FOR_APPROVAL')
  await approve(channel, first)
  expect(runtime.resume(first.run, 'goes on').status).toBe('RUNNING')
  expect(json(await list(channel, first.run))).toMatchObject({ pending: [] })
  expectRefusal(await approve(channel, first), 409, 'run_not_waiting')
  const second = runtime.start({ tool: 'b', run: first.run })
  expect(json(await list(channel, first.run))).toMatchObject({ pending: [{ id: second.approval }] })
  expect((await cancel(channel, first.run)).status).toBe(200)
})

test('a policy that changed since the grant asks anew: another id and hash, and nothing has run', async () => {
  const { runtime, channel } = await scene()
  const first = runtime.start({ tool: 'push' })
  await approve(channel, first)
  expect(runtime.resume(first.run, 'asks again', { kind: 'publication' }).status).toBe('WAITING_FOR_APPROVAL')
  const { pending } = JSON.parse((await list(channel, first.run)).text)
  expect(pending).toMatchObject([{ kind: 'publication', status: 'pending' }])
  expect([pending[0].id === first.approval, pending[0].hash === first.hash]).toEqual([false, false])
  expect(runtime.effects(first.approval)).toBe(0)
  expect(json(await show(channel, first))).toMatchObject({ status: 'approved' })
})

test('an interrupted call asks once more under a kind of its own, and a run that is interrupted can be cancelled', async () => {
  const { runtime, channel } = await scene()
  const first = runtime.start({ tool: 'push', args: '{"n":1}', kind: 'publication' })
  await approve(channel, first)
  expect(runtime.resume(first.run, 'is interrupted').status).toBe('INTERRUPTED')
  expectRefusal(await approve(channel, first), 409, 'run_not_waiting')
  const again = runtime.interrupt({ run: first.run, tool: 'push', args: '{"n":1}', kind: 'publication' })
  expect(json(await show(channel, again))).toMatchObject({
    kind: 'interrupted_side_effect',
    presentation: { args: { n: 1 }, notice: expect.any(String), side_effect: 'remote_mutation', tool: 'push' },
    reason: 'interrupted while executing; outcome unknown',
  })
  await approve(channel, again)
  expect(runtime.resume(first.run).status).toBe('COMPLETED')
  const other = runtime.start({ tool: 'push' })
  await approve(channel, other)
  runtime.resume(other.run, 'is interrupted')
  expect((await cancel(channel, other.run)).status).toBe(200)
})

test('a tool that fails ends its run as failed, and so does a run that is said to fail', async () => {
  const { runtime, channel } = await scene()
  const thrown = runtime.start({
    tool: 'push',
    effect: () => {
      throw new Error('no remote')
    },
  })
  await approve(channel, thrown)
  expect(runtime.resume(thrown.run)).toMatchObject({ status: 'FAILED', detail: 'no remote' })
  expectRefusal(await cancel(channel, thrown.run), 409, 'run_finished')
  const said = runtime.start({ tool: 'push' })
  await approve(channel, said)
  expect(runtime.resume(said.run, 'fails').status).toBe('FAILED')
})

test('a row that was edited after its grant is not run', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push' })
  await approve(channel, paused)
  runtime.corrupt(paused.approval, { capability: '{"tool":"other"}' })
  expect(() => runtime.resume(paused.run)).toThrow('does not match its hash')
  expect(runtime.effects(paused.approval)).toBe(0)
})

test('an approval that is presented anew keeps its id and what was not changed', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push', args: '{"n":1}', presentation: '{"title":"one"}' })
  const anew = runtime.represent(paused.approval, { presentation: '{"title":"two"}', reason: 'another look' })
  expect([anew.approval, anew.hash === paused.hash]).toEqual([paused.approval, false])
  const changed = { presentation: { title: 'two' }, reason: 'another look', request: { args: { n: 1 } } }
  expect(json(await show(channel, anew))).toMatchObject(changed)
})

test('JSON that the runtime would not let in does not pause a run', async () => {
  const { runtime } = await scene()
  for (const column of ['args', 'presentation', 'capability', 'inputSchema'])
    expect(() => runtime.start({ tool: 'push', run: 'r1', [column]: '{"a":1,"a":2}' })).toThrow(column)
  expect(runtime.run('r1')).toBeUndefined()
})

test('ids come from the given source, and the bounds of nought are the defaults', async () => {
  const ids = ['id-1', 'id-2', 'id-3'].values()
  const { runtime, channel } = await scene({
    newId: () => ids.next().value ?? 'no more',
    rate: 0,
    burst: -1,
    maxBody: 0,
    limit: 0,
    skewSeconds: 0,
  })
  expect(runtime.start({ tool: 'push' })).toMatchObject({ run: 'id-1', approval: 'id-2' })
  expect((await list({ ...channel, now: () => new Date(Date.now() - 290_000) }, 'id-1')).status).toBe(200)
})

import { randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApprovalHash, type ApprovalId } from '../../src/approval/approval.ts'
import { type ChannelClient, channelClient } from '../../src/approval-channel/client.ts'
import { channelSecret, sign } from '../../src/approval-channel/signature.ts'
import { type Scene, scene, standardSettings } from '../scene.ts'

let s: Scene
let client: ChannelClient
const serving = (decides: string) => (url: string) =>
  `${standardSettings(url)}serve:\n  - { name: console, secret: "env:CHANNEL_SECRET", decides: ${decides} }\n`

async function opened(decides: string): Promise<void> {
  s = await scene({ settings: serving(decides) })
  client = channelClient({
    url: `http://127.0.0.1:${s.app().port}/channel`,
    secret: channelSecret(s.channelSecret),
    now: () => new Date(),
    newNonce: () => randomBytes(16).toString('hex'),
  })
}
beforeEach(() => opened('[everyone]'))
afterEach(async () => {
  await client.close()
  await s.close()
})

const by = 'slack:T0ACME/U0ANA'
async function waiting(run: string): Promise<{ readonly id: ApprovalId; readonly hash: ApprovalHash }> {
  const listed = await client.list(run)
  const [one] = listed.ok ? listed.value : []
  if (one === undefined) throw new Error('nothing waits')
  return { id: one.id, hash: one.hash }
}

test('a hook’s approval is listed under its run and its root, shown whole with every digit, and carries where it came from', async () => {
  const root = await s.platform.call({ hook: s.hook, tool: 'bash', inputText: '{"chat":9007199254740993,"command":"ls"}' })
  const worker = await s.call('bash', { command: 'x'.repeat(5000) }, { rootRun: root.run, workerRef: 'wkr_9' })
  const listed = await client.list(root.run)
  expect(listed.ok && listed.value.map(({ run_id, kind }) => [run_id, kind])).toEqual([
    [root.run, 'tool_execution_review'],
    [root.run, 'tool_execution_review'],
  ])
  const { id } = await waiting(root.run)
  expect(id).toBe(s.row(root.id)?.row_id)
  const shown = await client.show(root.run, id)
  expect(shown.ok && shown.value.raw).toContain('"chat":9007199254740993')
  expect(shown.ok && Object.fromEntries(shown.value.approval.capability as Map<string, unknown>)).toMatchObject({
    tool: 'bash',
    source: 'novo',
    source_id: root.id,
    issuing_run: root.run,
  })
  const other = await client.show(worker.run, (await waiting(worker.run)).id)
  expect(other.ok && other.value.raw).toContain('x'.repeat(5000))
  expect(await client.show(worker.run, id)).toMatchObject({ ok: false, code: 'not_found' })
  expect(await client.list('run_none')).toMatchObject({ ok: false, code: 'not_found' })
})

test('approve over the channel lets the call run; the record and the card say over which channel, and show no Slack person', async () => {
  const { id: call, run } = await s.call('bash', { command: 'ls' })
  const { id, hash } = await waiting(run)
  expect(await client.approve(run, id, { hash: ApprovalHash.parse('0'.repeat(64)), by, note: null })).toMatchObject({
    code: 'approval_changed',
  })
  expect(s.row(call)).toMatchObject({ status: 'pending' })
  expect(await client.approve(run, id, { hash, by, note: 'ship it' })).toEqual({ ok: true, value: 'approved' })
  const card = await s.card(call, 'The agent platform has it')
  expect(s.row(call)).toMatchObject({ decided_by: by, via: 'channel/console', note: 'ship it' })
  expect(JSON.stringify(card.blocks)).not.toContain('"user_id":"U0ANA"')
  expect(JSON.stringify(card.blocks)).toContain('someone outside Slack')
  expect(await client.approve(run, id, { hash, by, note: null })).toMatchObject({ code: 'run_not_waiting' })
  expect(s.platform.effects(call)).toBe(1)
})

test('reject denies that one call of a hook’s run and cancels nothing', async () => {
  const first = await s.call('bash', { command: 'one' })
  const second = await s.call('bash', { command: 'two' }, { run: first.run })
  const { id, hash } = await waiting(first.run)
  expect(await client.reject(first.run, id, { hash, by, note: 'no' })).toEqual({ ok: true, value: 'rejected' })
  await s.platform.until('the model is told', () => s.platform.interaction(first.id)?.state === 'denied')
  expect(s.platform.interaction(first.id)).toMatchObject({ reason: 'no' })
  expect(s.row(second.id)).toMatchObject({ status: 'pending' })
  expect((await s.call('bash', { command: 'three' }, { run: first.run })).state).toBe('waiting')
})

test('cancel denies what waits in a hook’s run and each later call of it, in words that name no person', async () => {
  const { id, run } = await s.call('bash', { command: 'one' })
  expect(await client.cancel(run, { by, note: null })).toEqual({ ok: true, value: 'cancelled' })
  await s.platform.until('the model is told', () => s.platform.interaction(id)?.state === 'denied')
  expect(s.platform.interaction(id)).toMatchObject({ reason: 'An operator cancelled this run. None of its calls may run.' })
  expect(s.row(id)).toMatchObject({ outcome: 'cancelled', verdict: 'deny' })
  await s.card(id, 'Cancelled with its run')
  const later = await s.call('read_file', { path: 'x' }, { run })
  expect(later).toMatchObject({ state: 'denied', reason: 'An operator cancelled this run. None of its calls may run.' })
  expect(s.row(later.id)).toMatchObject({ closed_because: 'cancelled' })
  const worker = await s.call('bash', { command: 'x' }, { rootRun: run, workerRef: 'wkr_1' })
  expect(worker.state).toBe('denied')
  expect(await client.cancel(run, { by, note: null })).toMatchObject({ code: 'run_finished' })
})

test('a channel that may not decide for a set shows, and is refused to decide', async () => {
  await client.close()
  await s.close()
  await opened('none')
  const { id: call, run } = await s.call('bash', { command: 'ls' })
  const { id, hash } = await waiting(run)
  expect(await client.approve(run, id, { hash, by, note: null })).toMatchObject({ code: 'not_an_approver', status: 403 })
  expect(await client.reject(run, id, { hash, by, note: null })).toMatchObject({ code: 'not_an_approver' })
  expect(s.row(call)).toMatchObject({ status: 'pending' })
})

test('of fifty identical requests at once one passes, and none of them after a restart', async () => {
  const { run } = await s.call('bash', { command: 'ls' })
  const path = `/runs/${run}/approvals`
  const timestamp = Math.floor(Date.now() / 1000)
  const nonce = 'the-same-nonce'
  const signature = sign({ secret: channelSecret(s.channelSecret), timestamp, nonce, method: 'GET', path, body: '' })
  const send = async (): Promise<number> => {
    const headers = { 'X-Approval-Timestamp': String(timestamp), 'X-Approval-Nonce': nonce, 'X-Approval-Signature': signature }
    // A connection each: the restart closes those that are kept.
    const dispatcher = new Agent({ pipelining: 0 })
    const { statusCode, body } = await request(`http://127.0.0.1:${s.app().port}/channel${path}`, { headers, dispatcher })
    await body.dump()
    await dispatcher.close()
    return statusCode
  }
  const statuses = await Promise.all(Array.from({ length: 50 }, send))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  // Those that pass the rate were used before.
  expect(new Set(statuses)).toEqual(new Set([200, 401, 429]))
  await s.restart()
  expect(await send()).toBe(401)
})

test('of sixty requests at once no more pass than the rate allows, and the others change nothing', async () => {
  const { id: call, run } = await s.call('bash', { command: 'ls' })
  const begun = Date.now()
  const answers = await Promise.all(Array.from({ length: 60 }, () => client.list(run)))
  const passed = answers.filter(({ ok }) => ok).length
  const refills = Math.ceil(((Date.now() - begun) / 1000) * 10)
  expect(passed).toBeGreaterThanOrEqual(20)
  expect(passed).toBeLessThanOrEqual(20 + refills)
  expect(new Set(answers.map((answer) => (answer.ok ? 'ok' : answer.code)))).toEqual(new Set(['ok', 'rate_limited']))
  expect(s.row(call)).toMatchObject({ status: 'pending' })
})

test('a channel that may decide nothing may end no run either', async () => {
  await client.close()
  await s.close()
  await opened('none')
  const { id: call, run } = await s.call('bash', { command: 'ls' })
  expect(await client.cancel(run, { by, note: null })).toMatchObject({ code: 'not_an_approver', status: 403 })
  expect(s.row(call)).toMatchObject({ status: 'pending' })
  expect(await client.cancel('run_none', { by, note: null })).toMatchObject({ code: 'not_found' })
})

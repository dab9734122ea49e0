import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { HOOK_FAILED } from '../../src/sandbox/platform/ledger.ts'
import type { Platform } from '../../src/sandbox/platform/platform.ts'
import { startPlatform } from '../../src/sandbox/platform/platform.ts'
import type { StandingHook } from './platform-hook.ts'
import { SECRET, hookThat as standHook } from './platform-hook.ts'

const cleanup: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo()
})

async function hookThat(respond: (res: ServerResponse) => void): Promise<StandingHook> {
  const standing = await standHook(respond)
  cleanup.push(standing.close)
  return standing
}

const answering = (answer: unknown) => hookThat((res) => res.end(JSON.stringify(answer)))

async function platform(): Promise<Platform> {
  const one = await startPlatform({ apiKey: 'key', now: () => new Date(1790000000_900) })
  cleanup.push(() => one.close())
  return one
}

test('a hook gets the review once, signed over its bytes at the whole second', async () => {
  const p = await platform()
  const { hook, got } = await answering({ decision: 'allow' })
  const preview = { summary: 'Will delete the workspace.' }
  await p.call({ hook, tool: 'bash', input: { command: 'rm -rf /' }, preview })
  expect(got).toHaveLength(1)
  const { body = '', headers = {} } = got[0] ?? {}
  expect(JSON.parse(body)).toEqual({
    ...{
      type: 'tool_execution_review',
      id: 'tar_1',
      runId: 'run_1',
      rootRunId: 'run_1',
      threadId: 'thread_1',
      agentId: 'agent_1',
    },
    ...{ stepNumber: 0, toolName: 'bash', toolCallId: 'tc_1', input: { command: 'rm -rf /' }, preview },
    resolveUrl: `${p.url}/v1/interactions/tar_1/resolve`,
  })
  const mac = createHmac('sha256', SECRET).update(`1790000000.${body}`).digest('hex')
  expect(headers['novo-signature']).toBe(`t=1790000000,v1=${mac}`)
  expect(headers['content-type']).toBe('application/json')
})

test('arguments given as text arrive digit for digit', async () => {
  const p = await platform()
  const { hook, got } = await answering({ decision: 'allow' })
  await p.call({ hook, tool: 'pay', inputText: '{"to":9007199254740993,"amount":1.10}' })
  expect(got[0]?.body).toContain('"input":{"to":9007199254740993,"amount":1.10},')
})

test('ids are counted, steps are counted within a run, and ids that were given are passed over', async () => {
  const p = await platform()
  const { hook, got } = await answering({ decision: 'allow' })
  await p.call({ hook, tool: 'a', input: {}, id: 'tar_2', run: 'run_2' })
  await p.call({ hook, tool: 'b', input: {} })
  await p.call({ hook, tool: 'c', input: {}, run: 'run_2' })
  await p.call({ hook, tool: 'd', input: {} })
  const seen = got.map(({ body }) => JSON.parse(body))
  expect(seen.map(({ id, runId, stepNumber, toolCallId }) => [id, runId, stepNumber, toolCallId])).toEqual([
    ['tar_2', 'run_2', 0, 'tc_1'],
    ['tar_1', 'run_1', 0, 'tc_2'],
    ['tar_3', 'run_2', 1, 'tc_3'],
    ['tar_4', 'run_3', 0, 'tc_4'],
  ])
})

test('a worker call names its worker and its root', async () => {
  const p = await platform()
  const { hook, got } = await answering({ decision: 'allow' })
  await p.call({ hook, tool: 'a', input: {}, run: 'run_w', rootRun: 'run_1', workerRef: 'wkr_9' })
  expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ runId: 'run_w', rootRunId: 'run_1', workerRef: 'wkr_9' })
})

test('more members are added, known ones replaced, and undefined ones left out', async () => {
  const p = await platform()
  const { hook, got } = await answering({ decision: 'allow' })
  await p.call({ hook, tool: 'a', input: {}, extra: { region: 'eu', stepNumber: 'x', toolCallId: undefined } })
  const body = JSON.parse(got[0]?.body ?? '')
  expect(body).toMatchObject({ region: 'eu', stepNumber: 'x' })
  expect(body).not.toHaveProperty('toolCallId')
})

test('on allow the tool runs once, and the run goes on', async () => {
  const p = await platform()
  const { hook } = await answering({ decision: 'allow' })
  let ran = 0
  const effect = () => `ran ${++ran}`
  const answer = { decision: 'allow' }
  expect(await p.call({ hook, tool: 'a', input: {}, effect })).toMatchObject({
    status: 200,
    answer,
    state: 'allowed',
    result: 'ran 1',
  })
  expect([ran, p.effects('tar_1'), p.run('run_1')?.state]).toEqual([1, 1, 'running'])
  expect(p.complete('run_1').state).toBe('completed')
  expect(p.run('run_1')?.state).toBe('completed')
})

test('on deny the tool does not run, and the model reads the reason verbatim', async () => {
  const p = await platform()
  const reason = ' destructive\ncommand <!channel> \u001b[31m "é🙂" '
  const { hook } = await answering({ decision: 'deny', reason })
  const call = await p.call({ hook, tool: 'a', input: {}, effect: () => expect.unreachable() })
  expect(call).toMatchObject({ state: 'denied', reason, trouble: null })
  expect([p.effects('tar_1'), p.run('run_1')?.state]).toEqual([1, 'running'])
})

test('on pause nothing happens and the run is parked', async () => {
  const p = await platform()
  const { hook } = await answering({ decision: 'pause', reason: 'needs a person' })
  expect(await p.call({ hook, tool: 'a', input: {} })).toMatchObject({ state: 'waiting', reason: 'needs a person' })
  expect([p.effects('tar_1'), p.run('run_1')?.state]).toEqual([0, 'waiting_for_approval'])
  expect(() => p.complete('run_1')).toThrow('tar_1')
})

type Failing = [name: string, trouble: string, status: number | null, respond: (res: ServerResponse) => void, timeoutMs?: number]

const failures: Failing[] = [
  ['a 500', 'status', 500, (res) => res.writeHead(500).end('{"decision":"allow"}')],
  ['a redirect', 'status', 307, (res) => res.writeHead(307, { location: '/' }).end('{"decision":"allow"}')],
  ['a body that is no JSON', 'body', 200, (res) => res.end('allow')],
  ['an unknown decision', 'body', 200, (res) => res.end('{"decision":"approve"}')],
  ['a reason that is no text', 'body', 200, (res) => res.end('{"decision":"deny","reason":1}')],
  ['an array', 'body', 200, (res) => res.end('[{"decision":"allow"}]')],
  ['bytes that are no UTF-8', 'body', 200, (res) => res.end(Buffer.from('{"decision":"allow","x":"\xff"}', 'latin1'))],
  ['an empty 204', 'body', 204, (res) => res.writeHead(204).end()],
  ['no answer in time', 'timeout', null, () => undefined, 30],
  ['half an answer in time', 'timeout', null, (res) => res.writeHead(200, { 'content-length': 99 }).write('{"decision"'), 60],
  ['a cut connection', 'unreachable', null, (res) => res.destroy()],
]

const policies = [
  ['deny', 'denied', 'running', 1],
  ['pause', 'waiting', 'waiting_for_approval', 0],
  ['fail-run', 'failed', 'failed', 0],
] as const

for (const [onHookError, state, run, effects] of policies) {
  test.each(failures)(
    `with onHookError ${onHookError}, %s is asked once and ends as ${state}`,
    async (_name, trouble, status, respond, ms) => {
      const p = await platform()
      const { hook, got } = await hookThat(respond)
      const requestTimeoutMs = ms === undefined ? {} : { requestTimeoutMs: ms }
      const call = await p.call({ hook: { ...hook, onHookError, ...requestTimeoutMs }, tool: 'a', input: {} })
      expect(call).toMatchObject({ state, trouble, status, answer: null })
      expect(p.run('run_1')?.state).toBe(run)
      expect(p.effects('tar_1')).toBe(effects)
      expect(got).toHaveLength(1)
    },
  )

  test(`with onHookError ${onHookError}, a hook where nobody listens ends as ${state}`, async () => {
    const p = await platform()
    const gone = await platform()
    await gone.close()
    const call = await p.call({ hook: { url: `${gone.url}/hooks/novo`, secret: SECRET, onHookError }, tool: 'a', input: {} })
    expect(call).toMatchObject({ state, trouble: 'unreachable', status: null })
    expect([p.run('run_1')?.state, p.effects('tar_1')]).toEqual([run, effects])
  })
}

test('a hook that fails without a policy denies, and the model is told that no hook spoke', async () => {
  const p = await platform()
  const { hook } = await hookThat((res) => res.writeHead(503).end())
  expect(await p.call({ hook, tool: 'a', input: {} })).toMatchObject({ state: 'denied', reason: HOOK_FAILED })
})

test('a failed run takes its waiting and its asked calls with it, and calls no more tools', async () => {
  const p = await platform()
  const late: ServerResponse[] = []
  const pausing = await answering({ decision: 'pause' })
  const slow = await hookThat((res) => late.push(res))
  const failing = await hookThat((res) => res.writeHead(500).end())
  await p.call({ hook: pausing.hook, tool: 'a', input: {} })
  const asked = p.call({ hook: slow.hook, tool: 'b', input: {}, run: 'run_1' })
  await slow.called
  await p.call({ hook: { ...failing.hook, onHookError: 'fail-run' }, tool: 'c', input: {}, run: 'run_1' })
  expect(p.run('run_1')?.state).toBe('failed')
  late[0]?.end('{"decision":"allow"}')
  expect((await asked).state).toBe('failed')
  expect(p.interaction('tar_1')?.state).toBe('failed')
  expect(['tar_1', 'tar_2', 'tar_3'].map(p.effects)).toEqual([0, 0, 0])
  await expect(p.call({ hook: pausing.hook, tool: 'd', input: {}, run: 'run_1' })).rejects.toThrow('run_1 is failed')
  expect(() => p.complete('run_1')).toThrow('failed')
})

test('an id that was asked before is not asked again, but its bytes can be sent again', async () => {
  const p = await platform()
  const { hook, got } = await answering({ decision: 'pause' })
  const { id, request } = await p.call({ hook, tool: 'a', input: {} })
  await expect(p.call({ hook, tool: 'a', input: {}, id })).rejects.toThrow('tar_1')
  expect((await p.send(request)).text).toBe('{"decision":"pause"}')
  expect(got[1]).toMatchObject({ body: got[0]?.body, headers: { 'novo-signature': got[0]?.headers['novo-signature'] } })
})

test('bytes and headers are sent as they are, and whatever comes back is returned', async () => {
  const p = await platform()
  const { hook, got } = await hookThat((res) => res.writeHead(400, { 'x-why': 'bytes' }).end('no'))
  const answer = await p.send({ url: hook.url, body: Buffer.from([0x7b, 0xff]), headers: { 'Novo-Signature': 'nonsense' } })
  expect(answer).toMatchObject({ status: 400, text: 'no', headers: { 'x-why': 'bytes' } })
  expect(got[0]?.headers).toMatchObject({ 'novo-signature': 'nonsense', 'content-length': '2' })
})

test('a tool that throws still counts as one effect, and the model reads why', async () => {
  const p = await platform()
  const { hook } = await answering({ decision: 'allow' })
  const effect = () => {
    throw new Error('disk full')
  }
  expect(await p.call({ hook, tool: 'a', input: {}, effect })).toMatchObject({
    state: 'allowed',
    result: 'The tool failed: disk full',
  })
  expect(p.effects('tar_1')).toBe(1)
})

test('a closed platform ends the calls that have no answer yet', async () => {
  const p = await platform()
  const { hook, called } = await hookThat(() => undefined)
  const asked = p.call({ hook, tool: 'a', input: {} })
  await called
  await p.close()
  expect(await asked).toMatchObject({ trouble: 'unreachable', state: 'denied' })
})

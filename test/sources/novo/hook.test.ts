import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Asked, RowId } from '../../../src/approval/approval.ts'
import { fresh, type Opened } from '../../../src/approval/open.ts'
import { jsonText, reviewText } from '../../../src/sandbox/platform/review.ts'
import { sign } from '../../../src/sandbox/platform/signature.ts'
import { answerHook, type HookEvent } from '../../../src/sources/novo/hook.ts'

const NOW = 1_790_000_000
const SECRETS = ['tah_the_old_one_0123456789', 'tah_the_new_one_0123456789'] as const
const HOOK = {
  name: 'novo',
  secrets: SECRETS.map((secret) => Buffer.from(secret)),
  windowSeconds: 60,
  maxBodyBytes: 2000,
  origins: ['https://api.novoagents.ai'],
  resolvePath: '/v1/interactions/{id}/resolve',
}
const ROW = RowId.parse('0123456789abcdef0123456789abcdef')

const review = (input: unknown = { command: 'ls' }): string =>
  reviewText({
    id: 'tar_1',
    runId: 'run_1',
    rootRunId: 'run_1',
    threadId: 'thread_1',
    agentId: 'agent_1',
    stepNumber: 0,
    toolName: 'bash',
    toolCallId: 'tc_1',
    inputText: jsonText(input),
    resolveUrl: 'https://api.novoagents.ai/v1/interactions/tar_1/resolve',
  })

/** What the hook did: what it asked the store for, and what it told its observer. */
function hook(open: (asked: Asked) => Promise<Opened> = async (asked) => ({ opened: 'new', approval: fresh(asked) })) {
  const opened: Asked[] = []
  const events: HookEvent[] = []
  const ports = {
    now: () => new Date(NOW * 1000),
    newRowId: () => ROW,
    rule: (tool: string) => ({ ruling: 'ask', rule: null, reason: `ask about ${tool}`, approvers: 'everyone' }) as const,
    open: (asked: Asked) => {
      opened.push(asked)
      return open(asked)
    },
    observe: (event: HookEvent) => void events.push(event),
  }
  const call = (body: string, headers: Readonly<Record<string, string>> = {}) => {
    const stream = new PassThrough()
    stream.end(body)
    const signed = { 'novo-signature': sign(SECRETS[0], body, NOW), 'content-type': 'application/json' }
    return answerHook(HOOK, ports, { ...signed, ...headers }, stream)
  }
  return { opened, events, ports, call }
}

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  'application/json',
  'Application/JSON',
  ' application/json ',
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'application/json \t; x="a;b"',
])('a call with the media type %s is ruled, stored and answered', async (type) => {
  const { call, opened, events } = hook()
  const answer = await call(review(), { 'content-type': type })
  expect(answer).toEqual({ status: 200, body: { decision: 'pause', reason: 'ask about bash' }, close: false })
  expect(opened).toMatchObject([{ rowId: ROW, source: 'novo', id: 'tar_1', tool: 'bash', openedAt: new Date(NOW * 1000) }])
  expect(events).toEqual([{ event: 'hook.ruled', hook: 'novo', approval: 'tar_1', row: ROW, ruling: 'ask', repeated: false }])
})

test('the answer waits for the store', async () => {
  let stored = (): void => undefined
  const { call, opened } = hook(
    (asked) =>
      new Promise((resolve) => {
        stored = () => resolve({ opened: 'new', approval: fresh(asked) })
      }),
  )
  let answered = false
  const answer = call(review()).then((one) => {
    answered = true
    return one
  })
  await vi.waitFor(() => expect(opened).toHaveLength(1))
  await new Promise((turn) => setImmediate(turn))
  expect(answered).toBe(false)
  stored()
  expect((await answer).status).toBe(200)
})

test('a store that fails is not answered with a decision', async () => {
  const { call, events } = hook(() => Promise.reject(new Error('disk full')))
  await expect(call(review())).rejects.toThrow('disk full')
  expect(events).toEqual([])
})

test('a repeated call gets the answer of the ruling that stands, not of one made anew', async () => {
  const { call, events } = hook(async (asked) => ({
    opened: 'repeated',
    approval: {
      ...asked,
      ruling: { ruling: 'deny', rule: 'old', reason: 'as it was' },
      status: 'closed',
      because: 'denied_by_rule',
      closedAt: asked.openedAt,
      elsewhere: null,
    },
  }))
  expect(await call(review())).toMatchObject({ status: 200, body: { decision: 'deny', reason: 'as it was' } })
  expect(events).toMatchObject([{ event: 'hook.ruled', ruling: 'deny', repeated: true }])
})

describe('refused, and the store never hears of it', () => {
  const big = review('x'.repeat(2000))
  test.each<[string, number, string, string, Readonly<Record<string, string>>, string | undefined]>([
    ['a body over the bound of this hook', 413, 'body_too_large', big, {}, undefined],
    ['a length over it, unsigned', 413, 'body_too_large', '', { 'content-length': '2001', 'novo-signature': '' }, undefined],
    ['no signature', 401, 'unauthorized', review(), { 'novo-signature': '' }, 'header_missing'],
    ['another secret', 401, 'unauthorized', review(), { 'novo-signature': sign('tah_other', review(), NOW) }, 'mismatch'],
    [
      '61 seconds old',
      401,
      'unauthorized',
      review(),
      { 'novo-signature': sign(SECRETS[0], review(), NOW - 61) },
      'outside_window',
    ],
    [
      '61 seconds ahead',
      401,
      'unauthorized',
      review(),
      { 'novo-signature': sign(SECRETS[0], review(), NOW + 61) },
      'outside_window',
    ],
    ['unsigned text', 401, 'unauthorized', 'x', { 'novo-signature': 't', 'content-type': 'text/plain' }, 'header_malformed'],
    ['signed text', 415, 'unsupported_media_type', 'x', { 'content-type': 'text/plain' }, undefined],
    ['not JSON', 400, 'not_json', 'x', {}, undefined],
    ['JSON of two meanings', 400, 'ambiguous_json', '{"a":1,"a":1}', {}, undefined],
    ['no review', 400, 'not_a_review', '{}', {}, undefined],
    ['an address elsewhere', 400, 'resolve_url_refused', review().replace('api.', 'evil.'), {}, undefined],
  ])('%s', async (_name, status, code, body, headers, why) => {
    const { call, opened, events } = hook()
    const answer = await call(body, headers)
    expect(answer).toEqual({ status, body: { code, error: expect.any(String) }, close: status === 413 })
    expect(opened).toEqual([])
    expect(events).toEqual([{ event: 'hook.refused', hook: 'novo', status, code, ...(why === undefined ? {} : { why }) }])
  })

  test('other content under a known id', async () => {
    const { call, events } = hook(async (asked) => ({ opened: 'conflict', known: asked.hash }))
    expect(await call(review())).toMatchObject({ status: 409, body: { code: 'approval_changed' }, close: false })
    expect(events).toEqual([{ event: 'hook.refused', hook: 'novo', status: 409, code: 'approval_changed' }])
  })
})

test('either secret of the hook verifies, and so does a header with both', async () => {
  const both = SECRETS.map((secret) => sign(secret, review(), NOW))
  const rotated = `${both[0]},${both[1]?.replace(/^.*,/, '')}`
  for (const signature of [...both, rotated]) {
    expect((await hook().call(review(), { 'novo-signature': signature })).status).toBe(200)
  }
})

test('a body gets 10 seconds and not a millisecond more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { ports, opened } = hook()
  const stream = new PassThrough()
  stream.write(review().slice(0, -1))
  let status = 0
  const answer = answerHook(HOOK, ports, {}, stream).then((one) => {
    status = one.status
    return one
  })
  vi.advanceTimersByTime(9999)
  await new Promise((turn) => setImmediate(turn))
  expect(status).toBe(0)
  vi.advanceTimersByTime(1)
  expect(await answer).toMatchObject({ status: 408, body: { code: 'body_too_slow' }, close: true })
  expect(opened).toEqual([])
})

test('a body that is cut off is 400 and ends the connection', async () => {
  const { ports, opened, events } = hook()
  const stream = new PassThrough()
  stream.write(review())
  const answer = answerHook(HOOK, ports, {}, stream)
  stream.destroy()
  expect(await answer).toMatchObject({ status: 400, body: { code: 'body_cut_off' }, close: true })
  expect(opened).toEqual([])
  expect(events).toEqual([{ event: 'hook.refused', hook: 'novo', status: 400, code: 'body_cut_off' }])
})

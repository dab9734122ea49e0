import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Interaction } from '../../src/sandbox/platform/ledger.ts'
import type { Platform } from '../../src/sandbox/platform/platform.ts'
import { startPlatform } from '../../src/sandbox/platform/platform.ts'
import { hookThat } from './platform-hook.ts'

const cleanup: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo()
})

async function parked(calls = 1): Promise<{ p: Platform; asked: Interaction[] }> {
  const { hook, close } = await hookThat((res) => res.end('{"decision":"pause"}'))
  cleanup.push(close)
  const p = await startPlatform({ apiKey: 'key' })
  cleanup.push(() => p.close())
  const asked: Interaction[] = []
  for (let n = 0; n < calls; n++) asked.push(await p.call({ hook, tool: 'bash', input: {} }))
  return { p, asked }
}

function allow(url: string | undefined, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: 'Bearer key', 'content-type': 'application/json', 'idempotency-key': 'k' }
  return fetch(url ?? '', { method: 'POST', body: '{"decision":"allow"}', headers, redirect: 'manual', ...init })
}

const effects = (p: Platform) => [p.interaction('tar_1')?.state, p.effects('tar_1')]

test('an answer on demand is given once instead of the work', async () => {
  const { p, asked } = await parked()
  p.answerNext({ status: 429, retryAfter: 7, body: 'slow down', headers: { 'x-why': 'demand' } })
  const spoiled = await allow(asked[0]?.resolveUrl)
  expect([spoiled.status, spoiled.headers.get('retry-after'), spoiled.headers.get('x-why')]).toEqual([429, '7', 'demand'])
  expect(await spoiled.text()).toBe('slow down')
  expect(effects(p)).toEqual(['waiting', 0])
  expect((await allow(asked[0]?.resolveUrl)).status).toBe(200)
  expect(p.resolutions().map(({ status, applied }) => [status, applied])).toEqual([
    [429, false],
    [200, true],
  ])
})

test('with after, the resolution counts though its answer is spoiled', async () => {
  const { p, asked } = await parked()
  p.answerNext({ status: 503, after: true })
  expect((await allow(asked[0]?.resolveUrl)).status).toBe(503)
  expect(effects(p)).toEqual(['allowed', 1])
  expect((await allow(asked[0]?.resolveUrl)).status).toBe(200)
  expect(effects(p)).toEqual(['allowed', 1])
  expect(p.resolutions()).toMatchObject([
    { status: 503, applied: true },
    { status: 200, applied: false },
  ])
})

test('answers on demand are counted, queue up, and can be forgotten', async () => {
  const { p, asked } = await parked()
  p.answerNext({ status: 500, times: 2 })
  p.answerNext({ status: 502, times: Number.POSITIVE_INFINITY })
  const statuses: number[] = []
  for (let n = 0; n < 5; n++) statuses.push((await allow(asked[0]?.resolveUrl)).status)
  expect(statuses).toEqual([500, 500, 502, 502, 502])
  p.clearFaults()
  expect((await allow(asked[0]?.resolveUrl)).status).toBe(200)
})

test('an answer on demand for one interaction leaves the others alone', async () => {
  const { p, asked } = await parked(2)
  p.answerNext({ status: 500, id: 'tar_2' })
  expect((await allow(asked[0]?.resolveUrl)).status).toBe(200)
  expect((await allow(asked[1]?.resolveUrl)).status).toBe(500)
})

test.each([
  ['first', true],
  ['only on release', false],
])('a post that hangs is answered on release, and takes effect %s', async (_name, after) => {
  const { p, asked } = await parked()
  p.answerNext({ hang: true, after })
  const answer = allow(asked[0]?.resolveUrl)
  await p.until('the post hangs', () => p.resolutions()[0]?.status === 'hung')
  expect(effects(p)).toEqual(after ? ['allowed', 1] : ['waiting', 0])
  p.release()
  expect((await answer).status).toBe(200)
  expect(effects(p)).toEqual(['allowed', 1])
  expect(p.resolutions()[0]?.status).toBe(200)
})

test.each([
  ['takes effect all the same with after', true],
  ['never takes effect without after', false],
])('a post that hangs until its client gave up %s', async (_name, after) => {
  const { p, asked } = await parked()
  p.answerNext({ hang: true, after })
  const patience = new AbortController()
  const gone = expect(allow(asked[0]?.resolveUrl, { signal: patience.signal })).rejects.toThrow()
  await p.until('the post hangs', () => p.resolutions()[0]?.status === 'hung')
  patience.abort()
  await gone
  await p.until('the platform notices', () => p.resolutions()[0]?.abandoned === true)
  p.release()
  expect(effects(p)).toEqual(after ? ['allowed', 1] : ['waiting', 0])
  expect(p.resolutions()[0]?.status).toBe('hung')
})

test('going down cuts a post that hangs, and a release afterwards does not do its work', async () => {
  const { p, asked } = await parked()
  p.answerNext({ hang: true })
  const cut = expect(allow(asked[0]?.resolveUrl)).rejects.toThrow('fetch failed')
  await p.until('the post hangs', () => p.resolutions()[0]?.status === 'hung')
  await p.goDown()
  p.release()
  await cut
  expect(effects(p)).toEqual(['waiting', 0])
})

test.each([
  [true, ['allowed', 1]],
  [false, ['waiting', 0]],
])('a reset connection gives no answer, and with after %s it leaves %j', async (after, left) => {
  const { p, asked } = await parked()
  p.answerNext({ reset: true, after })
  await expect(allow(asked[0]?.resolveUrl)).rejects.toThrow('fetch failed')
  expect(effects(p)).toEqual(left)
  expect(p.resolutions()).toMatchObject([{ status: 'reset', applied: after }])
})

test('while it is down nobody reaches it, and it comes back on the same port with its state', async () => {
  const { p, asked } = await parked()
  const { port } = p
  await p.goDown()
  await expect(allow(asked[0]?.resolveUrl)).rejects.toThrow('fetch failed')
  expect(effects(p)).toEqual(['waiting', 0])
  await p.goDown()
  await p.comeBack()
  await p.comeBack()
  expect(p.port).toBe(port)
  expect((await allow(asked[0]?.resolveUrl)).status).toBe(200)
  expect(p.resolutions()).toHaveLength(1)
})

test('a wait that never comes true names itself and the state', async () => {
  const { p } = await parked()
  const waiting = p.until('pigs fly', () => false, 5)
  await expect(waiting).rejects.toThrow(
    'waited for "pigs fly", but 5 ms went by. State: tar_1 waiting, run_1 waiting_for_approval',
  )
})

test('a wait whose condition throws rejects with the cause', async () => {
  const { p } = await parked()
  const cause = new Error('no')
  const waiting = p.until('x', () => {
    throw cause
  })
  await expect(waiting).rejects.toMatchObject({ cause })
})

test('a closed platform ends every wait and every post that hangs', async () => {
  const { p, asked } = await parked()
  p.answerNext({ hang: true })
  const answer = expect(allow(asked[0]?.resolveUrl)).rejects.toThrow('fetch failed')
  await p.until('the post hangs', () => p.resolutions().length === 1)
  const waiting = expect(p.until('x', () => false, Number.POSITIVE_INFINITY)).rejects.toThrow('the platform was closed')
  await p.close()
  await Promise.all([answer, waiting])
  await expect(p.until('y', () => false)).rejects.toThrow('closed')
})

test('a client that stays silent in the middle of its post does not hold up the end', async () => {
  const { p, asked } = await parked()
  const socket = connect(p.port, '127.0.0.1').on('error', () => undefined)
  cleanup.push(() => void socket.destroy())
  const { pathname } = new URL(asked[0]?.resolveUrl ?? '')
  const head = ['authorization: Bearer key', 'content-type: application/json', 'content-length: 99', 'expect: 100-continue']
  socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\n${head.join('\r\n')}\r\n\r\n`)
  // The platform says 100 once it has the head.
  await new Promise((done) => socket.once('data', done))
  await p.close()
  expect([p.interaction('tar_1')?.state, p.resolutions()]).toEqual(['waiting', []])
})

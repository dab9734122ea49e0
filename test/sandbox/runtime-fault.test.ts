import { expect, test } from 'vitest'
import {
  approve,
  deciding,
  expectRefusal,
  json,
  list,
  listPath,
  prepare,
  reject,
  send,
  show,
  showPath,
} from '../approval-channel/conformance-wire.ts'
import { scene } from './runtime-scene.ts'

test('a spoiled answer leaves nothing behind, unless it is spoiled after the work', async () => {
  const { runtime, channel } = await scene()
  const [before, after] = [runtime.start({ tool: 'push' }), runtime.start({ tool: 'push' })]
  runtime.answerNext({ status: 503, action: 'approve' })
  expect((await show(channel, before)).status).toBe(200)
  expectRefusal(await approve(channel, before), 503, 'internal')
  expect(runtime.approval(before.approval)?.state.status).toBe('pending')
  runtime.answerNext({ status: 502, body: 'bad gateway', headers: { 'content-type': 'text/html' }, after: true })
  const reply = await approve(channel, after)
  expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([502, 'bad gateway', 'text/html'])
  expect(runtime.approval(after.approval)?.state.status).toBe('approved')
  expectRefusal(await approve(channel, after), 409, 'not_pending')
})

test('a fault waits for its run and its action, as often as it says', async () => {
  const { runtime, channel } = await scene()
  const [one, other] = [runtime.start({ tool: 'push' }), runtime.start({ tool: 'push' })]
  runtime.answerNext({ status: 429, run: one.run, action: 'list', times: 2 })
  expect((await list(channel, other.run)).status).toBe(200)
  expect((await show(channel, one)).status).toBe(200)
  expectRefusal(await list(channel, one.run), 429, 'rate_limited')
  expectRefusal(await list(channel, one.run), 429, 'rate_limited')
  expect((await list(channel, one.run)).status).toBe(200)
  runtime.answerNext({ status: 500, times: Number.POSITIVE_INFINITY })
  expect((await list(channel, one.run)).status).toBe(500)
  runtime.clearFaults()
  expect((await list(channel, one.run)).status).toBe(200)
})

test('a connection is reset with or without the work done', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push' })
  runtime.answerNext({ reset: true })
  await expect(approve(channel, paused)).rejects.toThrow()
  expect(runtime.approval(paused.approval)?.state.status).toBe('pending')
  runtime.answerNext({ reset: true, after: true })
  await expect(approve(channel, paused)).rejects.toThrow()
  expect(runtime.approval(paused.approval)?.state.status).toBe('approved')
  expect(runtime.requests().map(({ status }) => status)).toEqual(['reset', 'reset'])
})

test('what hangs is answered when it is released, and its work is done then', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push' })
  runtime.answerNext({ hang: true })
  const hung = approve(channel, paused)
  await runtime.until('it hangs', () => runtime.requests().at(-1)?.status === 'hung')
  expect(runtime.approval(paused.approval)?.state.status).toBe('pending')
  runtime.release()
  expect((await hung).status).toBe(202)
  runtime.answerNext({ hang: true, after: true })
  const other = runtime.start({ tool: 'push' })
  const late = reject(channel, other)
  await runtime.until('it is rejected', () => runtime.run(other.run)?.status === 'CANCELLED')
  runtime.release()
  expect((await late).status).toBe(200)
})

test('every request can be read: its method, its target as it was sent, when it came and how it was answered', async () => {
  const at = new Date('2026-10-06T12:00:00Z')
  const { runtime, channel } = await scene({ now: () => at, prefix: '/hooks' })
  const paused = runtime.start({ tool: 'push' })
  await list(channel, paused.run)
  await send(prepare(channel, { path: showPath(paused), query: '?format=text' }))
  await send(prepare(channel, { ...deciding('approve', paused), secret: 'x'.repeat(32) }))
  expect(runtime.requests()).toEqual([
    { method: 'GET', path: `/hooks${listPath(paused.run)}`, at, status: 200, abandoned: false },
    { method: 'GET', path: `/hooks${showPath(paused)}?format=text`, at, status: 200, abandoned: false },
    { method: 'POST', path: `/hooks${showPath(paused)}/approve`, at, status: 401, abandoned: false },
  ])
})

test('outside the prefix and with a broken escape the answer is plain text, and nobody asks for a signature', async () => {
  const { runtime, channel } = await scene({ prefix: '/hooks' })
  const url = `http://127.0.0.1:${runtime.port}`
  const bare = { method: 'GET', headers: {}, body: Buffer.alloc(0) }
  const outside = await send({ ...bare, url: `${url}/runs/x/approvals` })
  expect([outside.status, outside.text]).toEqual([404, '404 page not found\n'])
  const broken = await send({ ...bare, url: `${url}/hooks/runs/%zz/approvals` })
  expect([broken.status, broken.headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8'])
  const inside = await send({ ...bare, url: `${url}/hooks/runs/x/approvals` })
  expect(inside.status).toBe(401)
  expect(channel.url).toBe(`${url}/hooks`)
})

test('gone down, nothing answers and runs stay; come back, it is on the same port and still knows what was used', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push' })
  const read = prepare(channel, { path: listPath(paused.run) })
  expect((await send(read)).status).toBe(200)
  await runtime.goDown()
  await expect(list(channel, paused.run)).rejects.toThrow('ECONNREFUSED')
  await runtime.comeBack()
  await runtime.comeBack()
  expect(json(await list(channel, paused.run))).toMatchObject({ pending: [{ id: paused.approval }] })
  expect((await send(read)).status).toBe(401)
})

test('a wait ends when it holds, when its time is over, when its condition throws and when the runtime closes', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push' })
  const decided = runtime.until('it is decided', () => runtime.approval(paused.approval)?.state.status === 'approved')
  await approve(channel, paused)
  await decided
  await expect(runtime.until('never', () => false, 1)).rejects.toThrow('waited for "never", but 1 ms went by')
  const broken = () => {
    throw new Error('oh')
  }
  await expect(runtime.until('nonsense', broken)).rejects.toThrow('its condition threw')
  const closing = expect(runtime.until('never', () => false)).rejects.toThrow('was closed')
  await runtime.close()
  await closing
  await expect(runtime.until('late', () => false)).rejects.toThrow('is closed')
})

test('a client that leaves while its request hangs is noticed, and closing does not wait for it', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push' })
  runtime.answerNext({ hang: true })
  const leaving = new AbortController()
  const { url, headers } = prepare(channel, { path: listPath(paused.run) })
  const left = expect(fetch(url, { headers, signal: leaving.signal })).rejects.toThrow()
  await runtime.until('it hangs', () => runtime.requests().at(-1)?.status === 'hung')
  leaving.abort()
  await left
  await runtime.until('it has left', () => runtime.requests().at(-1)?.abandoned === true)
})

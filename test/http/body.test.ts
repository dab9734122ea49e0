import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Body, readBody } from '../../src/http/body.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const BOUNDS = { maxBytes: 10, deadlineMs: 1000 }
const turn = () => new Promise((next) => setImmediate(next))

/** A body that is being read, and what became of it so far. */
function reading(contentLength?: string) {
  const stream = new PassThrough()
  const seen: { body?: Body } = {}
  void readBody(stream, contentLength, BOUNDS).then((body) => {
    seen.body = body
  })
  return { stream, seen }
}

test.each([
  ['nothing', []],
  ['one piece', ['abc']],
  ['several pieces', ['a', 'bc', 'déf']],
  ['as many bytes as may be', ['12345', '67890']],
])('a body of %s is read whole', async (_name, pieces) => {
  const { stream, seen } = reading()
  for (const piece of pieces) {
    stream.write(piece)
    await turn()
    expect(seen.body).toBeUndefined()
  }
  stream.end()
  await turn()
  expect(seen.body).toEqual({ ok: true, bytes: Buffer.from(pieces.join(''), 'utf8') })
})

test('a length over the bound is refused before a byte is read', async () => {
  const { stream, seen } = reading('11')
  stream.write('x')
  await turn()
  expect(seen.body).toEqual({ ok: false, because: 'too_large' })
  expect(stream.readableLength).toBe(1)
})

test.each([undefined, '3', '10'])('more bytes than the bound are refused, when the length said %s', async (contentLength) => {
  const { stream, seen } = reading(contentLength)
  stream.write('1234567890')
  await turn()
  expect(seen.body).toBeUndefined()
  stream.write('1')
  await turn()
  expect(seen.body).toEqual({ ok: false, because: 'too_large' })
})

test('after a refusal no more is read, and a failing stream harms nobody', async () => {
  const { stream, seen } = reading()
  stream.write('12345678901')
  await turn()
  stream.write('more')
  await turn()
  expect(stream.readableLength).toBe(4)
  stream.destroy(new Error('reset'))
  await turn()
  expect(seen.body).toEqual({ ok: false, because: 'too_large' })
})

test('the deadline is for the last byte: bytes that still come do not move it', async () => {
  const { stream, seen } = reading()
  for (let n = 0; n < 9; n += 1) {
    stream.write('x')
    vi.advanceTimersByTime(111)
    await turn()
  }
  expect(seen.body).toBeUndefined()
  vi.advanceTimersByTime(1)
  await turn()
  expect(seen.body).toEqual({ ok: false, because: 'too_slow' })
})

test.each<[string, (stream: PassThrough) => unknown]>([
  ['an error', (stream) => stream.destroy(new Error('reset'))],
  ['a close', (stream) => stream.destroy()],
])('a stream that ends by %s was cut off', async (_name, cut) => {
  const { stream, seen } = reading('9')
  stream.write('1234')
  await turn()
  cut(stream)
  await turn()
  expect(seen.body).toEqual({ ok: false, because: 'cut_off' })
})

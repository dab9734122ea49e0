import { describe, expect, test } from 'vitest'
import type { Fault } from '../../src/sandbox/slack/faults.ts'
import { type Bench, bench, card } from './slack-bot.ts'

const C = 'C0APPROVALS'
const method = 'chat.postMessage'
const send = (b: Bench, channel = C, signal?: AbortSignal) =>
  fetch(b.slack.apiUrl + method, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer xoxb-sandbox-test', connection: 'close' },
    body: JSON.stringify({ channel, text: 'hello' }),
    ...(signal === undefined ? {} : { signal }),
  })
const stored = (b: Bench, channel = C) => b.slack.messages(channel).length

test('a rate limit is 429 with Retry-After, and nothing is posted', async () => {
  await using b = await bench()
  b.slack.fault({ method, kind: 'ratelimited', retryAfter: 7 })
  const response = await send(b)
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    429,
    '7',
    { ok: false, error: 'ratelimited' },
  ])
  expect(stored(b)).toBe(0)
  expect(b.slack.calls()).toMatchObject([{ ok: false, status: 429, error: 'ratelimited' }])
})

test('an error is 200 with ok false, and nothing is posted', async () => {
  await using b = await bench()
  b.slack.fault({ method, kind: 'error', error: 'token_revoked' })
  expect(await b.api(method, { channel: C, text: 'hello' })).toEqual({ ok: false, error: 'token_revoked' })
  expect(stored(b)).toBe(0)
})

describe('a failure', () => {
  const rows: [string, Fault, number][] = [
    ['with a status before the effect posts nothing', { method, kind: 'status', status: 503 }, 0],
    ['with a status after the effect has posted once', { method, kind: 'status', status: 500, after: true }, 1],
  ]
  test.each(rows)('%s', async (_name, fault, copies) => {
    await using b = await bench()
    b.slack.fault(fault)
    expect((await send(b)).status).toBe(fault.kind === 'status' ? fault.status : 0)
    expect(stored(b)).toBe(copies)
    expect(b.slack.calls()).toMatchObject([{ ok: false, status: fault.kind === 'status' ? fault.status : 0 }])
  })

  test.each([
    ['before the effect posts nothing', false, 0],
    ['after the effect has posted once', true, 1],
  ])('by a broken connection %s', async (_name, after, copies) => {
    await using b = await bench()
    b.slack.fault({ method, kind: 'reset', after })
    await expect(send(b)).rejects.toThrow('fetch failed')
    expect(stored(b)).toBe(copies)
    expect(b.slack.calls()).toMatchObject([{ ok: null, status: null, error: null }])
  })
})

describe('a hung request', () => {
  test.each([
    ['before the effect posts when it is released', false, 0],
    ['after the effect has posted already', true, 1],
  ])('%s, and is answered then', async (_name, after, before) => {
    await using b = await bench()
    b.slack.fault({ method, kind: 'hang', after })
    const response = send(b)
    await b.slack.until('the request hangs', () => b.slack.hanging() === 1)
    expect(stored(b)).toBe(before)
    b.slack.release()
    expect(await (await response).json()).toMatchObject({ ok: true, channel: C })
    expect([stored(b), b.slack.hanging()]).toEqual([1, 0])
  })

  test('whose client goes never takes effect', async () => {
    await using b = await bench()
    b.slack.fault({ method, kind: 'hang' })
    const client = new AbortController()
    const response = send(b, C, client.signal)
    await b.slack.until('the request hangs', () => b.slack.hanging() === 1)
    client.abort()
    await expect(response).rejects.toThrow('aborted')
    await b.slack.until('nothing hangs', () => b.slack.hanging() === 0)
    b.slack.release()
    expect(stored(b)).toBe(0)
  })

  test('ends when the stand-in is closed', async () => {
    await using b = await bench()
    b.slack.fault({ method, kind: 'hang' })
    const response = send(b)
    await b.slack.until('the request hangs', () => b.slack.hanging() === 1)
    await Promise.all([expect(response).rejects.toThrow('fetch failed'), b.slack.close()])
    expect(stored(b)).toBe(0)
  })
})

describe('a fault', () => {
  const error = { kind: 'error', error: 'internal_error' } as const
  const outcomes = async (b: Bench, count: number, channel = C) => {
    const all: unknown[] = []
    for (let n = 0; n < count; n += 1) all.push((await b.api(method, { channel, text: 'hello' })).ok)
    return all
  }

  test('happens once when no number is given, and as often as the number says', async () => {
    await using b = await bench()
    b.slack.fault({ method, ...error })
    expect(await outcomes(b, 2)).toEqual([false, true])
    b.slack.fault({ method, ...error, times: 2 })
    expect(await outcomes(b, 3)).toEqual([false, false, true])
  })

  test('that happens for ever ends when faults are cleared', async () => {
    await using b = await bench()
    b.slack.fault({ method, ...error, times: Number.POSITIVE_INFINITY })
    expect(await outcomes(b, 4)).toEqual([false, false, false, false])
    b.slack.clearFaults()
    expect(await outcomes(b, 1)).toEqual([true])
  })

  test('of one conversation leaves the others alone', async () => {
    await using b = await bench()
    b.slack.fault({ method, ...error, conversation: 'C0OPS' })
    expect(await outcomes(b, 1)).toEqual([true])
    expect(await outcomes(b, 1, 'C0OPS')).toEqual([false])
  })

  test('of one method leaves the others alone, and * means all', async () => {
    await using b = await bench()
    b.slack.fault({ method: 'users.info', ...error })
    expect(await outcomes(b, 1)).toEqual([true])
    b.slack.fault({ method: '*', ...error })
    expect(await outcomes(b, 1)).toEqual([false])
    expect(await b.api('users.info', { user: 'U0ANA' })).toMatchObject({ error: 'internal_error' })
  })

  test('of response_url has its own name, and * does not mean it', async () => {
    await using b = await bench()
    const { ts } = await b.api(method, { channel: C, text: 't', blocks: card('a') })
    await b.slack.click({ user: 'U0ANA', conversation: C, ts: String(ts), action_id: 'a' })
    const url = String(b.bot.received[0]?.payload.response_url)
    const respond = async () => (await fetch(url, { method: 'POST', body: JSON.stringify({ text: 'hi' }) })).status
    b.slack.fault({ method: '*', ...error })
    expect(await respond()).toBe(200)
    b.slack.fault({ method: 'response_url', kind: 'status', status: 500, after: true })
    expect(await respond()).toBe(500)
    expect(b.slack.privately('U0ANA')).toHaveLength(2)
    expect(b.slack.calls('response_url')).toMatchObject([
      { ok: true, status: 200 },
      { ok: false, status: 500 },
    ])
  })
})

test('a stand-in that is down refuses connections, and comes back on its port with everything it had', async () => {
  await using b = await bench()
  await send(b)
  await b.slack.goDown()
  await expect(send(b)).rejects.toThrow('fetch failed')
  await b.slack.comeBack()
  expect((await send(b)).status).toBe(200)
  expect([stored(b), b.slack.url]).toEqual([2, `http://127.0.0.1:${b.slack.port}`])
})

describe('until', () => {
  test('gives what the probe finds, after the change that made it true', async () => {
    await using b = await bench()
    const found = b.slack.until('a message', () => b.slack.messages(C)[0]?.text)
    await send(b)
    expect(await found).toBe('hello')
  })

  test('rejects at its end with the description and a short state', async () => {
    await using b = await bench()
    await send(b)
    const wait = b.slack.until('pigs fly', () => false, 20)
    await expect(wait).rejects.toThrow(/not within 20 ms: pigs fly\nmessages: approvals 1, .*\nlast calls: chat.postMessage ok/)
  })

  test('rejects when the probe throws, and when the stand-in is closed', async () => {
    await using b = await bench()
    const wrong = b.slack.until('a slip', () => {
      throw new Error('slip')
    })
    await expect(wrong).rejects.toThrow('slip')
    const wait = b.slack.until('for ever', () => false)
    await Promise.all([expect(wait).rejects.toThrow('closed before for ever'), b.slack.close()])
    await expect(b.slack.until('too late', () => true)).rejects.toThrow('closed before too late')
  })
})

import { randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mountNudges } from '../../../src/app-nudge.ts'
import type { RawRequest } from '../../../src/approval-channel/gate.ts'
import { type NudgeClient, nudgeClient } from '../../../src/approval-channel/nudge.ts'
import { channelSecret, sign } from '../../../src/approval-channel/signature.ts'
import { httpServer, listen } from '../../../src/http/server.ts'
import { makeLog } from '../../../src/log.ts'
import { nudgeServer } from '../../../src/sources/agentrt/nudge.ts'
import { Committer } from '../../../src/store/commit.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { signatureBook } from '../../../src/store/signatures.ts'

const STEWARD = 'the nudge secret of the steward, its own'
const CASEWORK = 'the nudge secret of casework, another one'
const START = new Date('2026-10-06T12:00:00.250Z')

/** A bot's nudge address on a real port, over a real book of signatures, under a clock that stands still. */
async function scene() {
  const db = await openDatabase(':memory:')
  const watched: [source: string, run: string][] = []
  const logged: Record<string, unknown>[] = []
  const log = makeLog('info', { write: (line) => void logged.push(JSON.parse(line)) })
  const state = { now: START, full: false }
  const server = httpServer(log)
  mountNudges(
    server,
    [
      { name: 'steward', secret: STEWARD },
      { name: 'casework', secret: CASEWORK },
      { name: 'casework-eu', secret: CASEWORK },
    ],
    async (source, run) => {
      if (state.full) return 'full'
      watched.push([source, run])
      return 'watching'
    },
    signatureBook(new Committer(db)),
    { log, clock: { now: () => state.now } },
  )
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0, 'PORT')}`
  const agent = new Agent({ pipelining: 0 })
  const clients: NudgeClient[] = []
  return {
    state,
    watched,
    /** What observers were told, without the moment and the other end's port. */
    events: () => logged.map(({ level: _level, time: _time, remote, ...rest }) => ({ ...rest, remote: typeof remote })),
    async send(headers: Record<string, string>, { target = PATH, method = 'POST', body = '' }: Sent = {}) {
      const answer = await request(url + target, { dispatcher: agent, method, headers, body: body === '' ? null : body })
      return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() }
    },
    client(secret: string): NudgeClient {
      const one = nudgeClient({ url, secret: channelSecret(secret), now: () => state.now, newNonce })
      clients.push(one)
      return one
    },
    async close() {
      await Promise.all([agent.close(), ...clients.map((one) => one.close())])
      await server.close()
      await db.destroy()
    },
  }
}

const PATH = '/sources/steward/runs/r1/watch'
const newNonce = (): string => randomBytes(16).toString('hex')

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
interface Sent {
  readonly target?: string
  readonly method?: Method
  readonly body?: string
}

function signed({
  secret = STEWARD,
  path = PATH,
  method = 'POST',
  body = '',
  at = START,
}: {
  readonly secret?: string
  readonly path?: string | Uint8Array
  readonly method?: string
  readonly body?: string
  readonly at?: Date
} = {}): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000)
  const nonce = newNonce()
  const signature = sign({ secret: channelSecret(secret), timestamp, nonce, method, path, body })
  return { 'X-Approval-Timestamp': String(timestamp), 'X-Approval-Nonce': nonce, 'X-Approval-Signature': signature }
}

const error = (code: string, words: string): string => `{"code":"${code}","error":"${words}"}\n`
const minutesOff = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000)

let s: Awaited<ReturnType<typeof scene>>
beforeEach(async () => {
  s = await scene()
})
afterEach(() => s.close())

describe('a signed nudge', () => {
  test('has its run watched, and is answered in the channel’s form', async () => {
    const answer = await s.send(signed())
    expect(answer).toMatchObject({
      status: 202,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: '{"run_id":"r1","status":"watching"}\n',
    })
    expect(s.watched).toEqual([['steward', 'r1']])
    expect(s.events()).toEqual([{ msg: 'nudge.taken', source: 'steward', run: 'r1', status: 202, remote: 'string' }])
  })

  test.each([
    ['a space, a letter beyond ASCII and a slash', 'team%20%C3%A9%2F1', 'team é/1'],
    ['markup, escaped on the way back', '%3C!channel%3E', '<!channel>'],
    ['256 letters beyond ASCII', '%C3%A9'.repeat(256), 'é'.repeat(256)],
  ])('may name a run with %s in its id', async (_name, escaped, run) => {
    const answer = await s.send(signed({ path: `/sources/steward/runs/${run}/watch` }), {
      target: `/sources/steward/runs/${escaped}/watch`,
    })
    expect(answer.status).toBe(202)
    expect(JSON.parse(answer.body)).toEqual({ run_id: run, status: 'watching' })
    expect(answer.body).not.toMatch(/[<>]/)
    expect(s.watched).toEqual([['steward', run]])
  })

  test('is the same with a query, which is not signed and not read', async () => {
    expect((await s.send(signed(), { target: `${PATH}?run=r2` })).status).toBe(202)
    expect(s.watched).toEqual([['steward', 'r1']])
  })

  test.each([-5, 5])('is taken with a clock that is off by %i minutes', async (minutes) => {
    const whole = new Date(Math.floor(START.getTime() / 1000) * 1000)
    s.state.now = whole
    expect((await s.send(signed({ at: new Date(whole.getTime() + minutes * 60_000) }))).status).toBe(202)
  })

  test('of either source is taken where two share a secret', async () => {
    for (const source of ['casework', 'casework-eu']) {
      const path = `/sources/${source}/runs/r1/watch`
      expect((await s.send(signed({ secret: CASEWORK, path }), { target: path })).status).toBe(202)
    }
    expect(s.watched).toEqual([
      ['casework', 'r1'],
      ['casework-eu', 'r1'],
    ])
  })
})

describe('nothing is watched', () => {
  const elsewhere = '/sources/nobody/runs/r1/watch'
  test.each<[name: string, words: string, headers: () => Record<string, string>, sent?: Sent]>([
    ['that is not signed', 'missing or malformed X-Approval-Timestamp', () => ({})],
    ['without a nonce', 'missing or oversized X-Approval-Nonce', () => ({ ...signed(), 'X-Approval-Nonce': '' })],
    ['6 minutes old', 'timestamp outside the accepted window', () => signed({ at: minutesOff(-6) })],
    ['6 minutes ahead', 'timestamp outside the accepted window', () => signed({ at: minutesOff(6) })],
    ['by a secret of nobody', 'signature does not match', () => signed({ secret: 'x'.repeat(32) })],
    ['by the secret of another source', 'signature does not match', () => signed({ secret: CASEWORK })],
    ['for another path', 'signature does not match', () => signed({ path: '/sources/steward/runs/r2/watch' })],
    ['for the path after /sources', 'signature does not match', () => signed({ path: '/steward/runs/r1/watch' })],
    ['for another method', 'signature does not match', () => signed({ method: 'PUT' })],
    ['for another body', 'signature does not match', () => signed({ body: 'x' })],
    ['for a source that there is not', 'signature does not match', () => signed({ path: elsewhere }), { target: elsewhere }],
    ['for no source, not signed', 'missing or malformed X-Approval-Timestamp', () => ({}), { target: elsewhere }],
    ['with a wrong method, not signed', 'missing or malformed X-Approval-Timestamp', () => ({}), { method: 'DELETE' }],
    ['for no route, not signed', 'missing or malformed X-Approval-Timestamp', () => ({}), { target: '/sources/steward' }],
  ])('by a nudge %s', async (_name, words, headers, sent) => {
    expect(await s.send(headers(), sent)).toMatchObject({
      status: 401,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: error('unauthorized', words),
    })
    expect(s.watched).toEqual([])
    const { method = 'POST', target: path = PATH } = sent ?? {}
    expect(s.events()).toEqual([{ msg: 'nudge.refused', method, path, reason: words, status: 401, remote: 'string' }])
  })

  test('a second time by the same nudge, for as long as its moment is accepted', async () => {
    const once = signed()
    expect((await s.send(once)).status).toBe(202)
    for (const at of [START, minutesOff(4)]) {
      s.state.now = at
      expect(await s.send(once)).toMatchObject({ status: 401, body: error('unauthorized', 'signature already used') })
    }
    expect(s.watched).toHaveLength(1)
    s.state.now = minutesOff(6)
    expect((await s.send(once)).body).toBe(error('unauthorized', 'timestamp outside the accepted window'))
    expect(s.watched).toHaveLength(1)
  })

  test.each<[method: Method, path: string]>([
    ['GET', PATH],
    ['HEAD', PATH],
    ['PUT', PATH],
    ['DELETE', PATH],
    ['POST', `${PATH}/`],
    ['POST', `${PATH}/x`],
    ['POST', '/sources/steward'],
    ['POST', '/sources/steward/'],
    ['POST', '/sources/steward/runs/r1'],
    ['POST', '/sources/steward/runs//watch'],
    ['POST', '/sources/steward/runs/r1/cancel'],
    ['POST', '/sources/steward/tasks/r1/watch'],
  ])('by %s %s, which is no route once it verified, and its signature is used up', async (method, path) => {
    const headers = signed({ method, path })
    const answer = await s.send(headers, { method, target: path })
    expect(answer).toMatchObject({ status: 404, body: method === 'HEAD' ? '' : error('not_found', 'no such route') })
    expect((await s.send(headers, { method, target: path })).status).toBe(401)
    expect(s.watched).toEqual([])
    expect(s.events()).toMatchObject([{ msg: 'nudge.refused', reason: 'signature already used' }])
  })

  test('by a nudge for a run whose id is over 256 characters', async () => {
    const path = `/sources/steward/runs/${'r'.repeat(257)}/watch`
    expect(await s.send(signed({ path }), { target: path })).toMatchObject({
      status: 404,
      body: error('not_found', 'no such route'),
    })
    expect(s.watched).toEqual([])
  })

  test('by a nudge whose escaped slash makes one name of two', async () => {
    const target = '/sources/steward/runs%2Fr1/watch'
    expect(await s.send(signed(), { target })).toMatchObject({ status: 404 })
    expect(s.watched).toEqual([])
  })

  // Without a socket: the HTTP server in front refuses such an address by itself.
  test('by a nudge for a run whose id is not UTF-8', async () => {
    const watched: string[] = []
    const serve = nudgeServer({
      sources: [{ name: 'steward', secret: channelSecret(STEWARD) }],
      watch: async (_source, run) => {
        watched.push(run)
        return 'watching'
      },
      signatures: { use: async () => 'new' },
      now: () => START,
    })
    const sent = (run: string, path: Uint8Array): RawRequest => ({
      method: 'POST',
      target: `/sources/steward/runs/${run}/watch`,
      headers: Object.fromEntries(Object.entries(signed({ path })).map(([name, value]) => [name, [value]])),
      remote: 'test',
      read: async () => ({ ok: true, bytes: new Uint8Array() }),
    })
    expect(await serve(sent('%FF', Buffer.from('/sources/steward/runs/\xff/watch', 'latin1')))).toMatchObject({
      status: 404,
      body: error('not_found', 'no such route'),
      event: undefined,
    })
    expect(watched).toEqual([])
    expect(await serve(sent('r1', Buffer.from(PATH)))).toMatchObject({ status: 202 })
    expect(watched).toEqual(['r1'])
  })

  test('by a nudge with a body', async () => {
    const body = '{"run_id":"r1"}'
    expect(await s.send(signed({ body }), { body })).toMatchObject({
      status: 400,
      body: error('bad_request', 'a nudge has no body'),
    })
    expect(s.watched).toEqual([])
    expect(s.events()).toEqual([])
  })

  test('by a nudge with a body over the bound, which is not read to its end', async () => {
    const body = 'x'.repeat(16_385)
    expect(await s.send(signed({ body }), { body })).toMatchObject({
      status: 413,
      headers: { connection: 'close' },
      body: error('body_too_large', 'body over 16384 bytes'),
    })
    expect(s.watched).toEqual([])
    expect(s.events()).toMatchObject([{ msg: 'nudge.refused', reason: 'body too large', status: 413 }])
  })

  test('by the 21st nudge at one moment, whoever sent the others; a tenth of a second lets in one more', async () => {
    for (let i = 0; i < 20; i += 1) await s.send(i % 2 === 0 ? {} : signed())
    expect(s.watched).toHaveLength(10)
    const headers = signed()
    expect(await s.send(headers)).toMatchObject({ status: 429, body: error('rate_limited', 'too many requests') })
    expect(s.watched).toHaveLength(10)
    expect(s.events().at(-1)).toMatchObject({ msg: 'nudge.refused', reason: 'rate limit exceeded', status: 429 })
    s.state.now = new Date(START.getTime() + 100)
    expect((await s.send(headers)).status).toBe(202)
    expect((await s.send(signed())).status).toBe(429)
    expect(s.watched).toHaveLength(11)
  })

  test('when too many runs are watched, and it says so', async () => {
    s.state.full = true
    const words = 'too many runs are watched'
    expect(await s.send(signed())).toMatchObject({ status: 429, body: error('rate_limited', words) })
    expect(s.watched).toEqual([])
    expect(s.events()).toEqual([
      { msg: 'nudge.refused', method: 'POST', path: PATH, reason: words, status: 429, remote: 'string' },
    ])
  })
})

describe('the calling end', () => {
  test.each(['r1', 'team é/1', '..', 'a?b#c%d'])('has a run of its source watched, again and again (%s)', async (run) => {
    const client = s.client(STEWARD)
    expect(await client.nudge('steward', run)).toEqual({ ok: true, value: 'watching' })
    expect(await client.nudge('steward', run)).toEqual({ ok: true, value: 'watching' })
    expect(s.watched).toEqual([
      ['steward', run],
      ['steward', run],
    ])
  })

  test('is told why not', async () => {
    expect(await s.client(CASEWORK).nudge('steward', 'r1')).toMatchObject({ ok: false, code: 'unauthorized', status: 401 })
    s.state.full = true
    expect(await s.client(STEWARD).nudge('steward', 'r1')).toMatchObject({
      ok: false,
      code: 'rate_limited',
      error: 'too many runs are watched',
    })
    await expect(s.client(STEWARD).nudge('steward', '')).rejects.toThrow(RangeError)
    expect(s.watched).toEqual([])
  })
})

import { once } from 'node:events'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sign } from '../../src/sandbox/platform/signature.ts'
import { type Scene, scene } from '../scene.ts'
import { begun, newId, PLANTED, post, rest, review, unixNow } from './hook-call.ts'

let s: Scene
beforeEach(async () => {
  s = await scene()
})
afterEach(async () => {
  for (const secret of s.secrets) expect(s.log.join('')).not.toContain(secret)
  await s.close()
})

const PAUSE = { decision: 'pause', reason: 'A person must approve this call.' }
const CHANGED = { code: 'approval_changed', error: 'This id was asked about before with other content.' }
const settled = () => vi.waitFor(() => expect(s.rows('tasks')).toEqual([]), { timeout: 5000 })
const stored = () => ({ approvals: s.rows('approvals'), messages: s.rows('messages'), tasks: s.rows('tasks') })
async function ask(body: string): Promise<readonly [number, unknown]> {
  const { status, text } = await post(s, body)
  return [status, JSON.parse(text)]
}

describe('the same call again', () => {
  test.each([
    ['allow', 'read_file', { decision: 'allow' }],
    ['deny', 'wipe_disk', { decision: 'deny', reason: 'destructive command' }],
    ['pause', 'bash', PAUSE],
  ])('gets the same answer: %s', async (_ruling, toolName, answer) => {
    const body = review(s, { toolName })
    expect(await ask(body)).toEqual([200, answer])
    await settled()
    const before = stored()
    expect(before.approvals).toHaveLength(1)
    expect(await ask(body)).toEqual([200, answer])
    expect(stored()).toEqual(before)
    expect(s.rows('conflicts')).toEqual([])
  })

  test.each([
    ['approved', 'approval.approve', 'allowed'],
    ['denied', 'approval.deny', 'denied'],
  ])('gets pause after a person %s it, and nothing runs twice', async (_verdict, action, state) => {
    const { id, request } = await s.call('bash', { command: 'make' })
    await s.press('U0ANA', id, action)
    await s.card(id, 'The agent platform has it')
    await settled()
    const before = stored()
    expect(await ask(String(request.body))).toEqual([200, PAUSE])
    expect(stored()).toEqual(before)
    expect(s.platform.interaction(id)?.state).toBe(state)
    expect(s.platform.resolutions(id)).toHaveLength(1)
    expect(s.cards(id)).toHaveLength(1)
  })

  test('with the very same bytes and header gets the same answer', async () => {
    const body = review(s)
    const signature = sign(s.hook.secret, body, unixNow())
    const answers = [await post(s, body, { signature }), await post(s, body, { signature })]
    expect(answers.map(({ status, text }) => [status, JSON.parse(text)])).toEqual([
      [200, PAUSE],
      [200, PAUSE],
    ])
    expect(s.rows('approvals')).toHaveLength(1)
  })

  test('written in another order and with other escapes is the same call', async () => {
    const id = newId()
    const body = review(s, { id }, '{"a":"<x>","n":1.50}')
    expect(await ask(body)).toEqual([200, PAUSE])
    expect(await ask(`{ "id" : "\\u0074${id.slice(1)}",${body.replace(`"id":"${id}",`, '').slice(1)}`)).toEqual([200, PAUSE])
    expect(await ask(review(s, { id }, '{"n":1.50, "a":"\\u003cx>"}'))).toEqual([200, PAUSE])
    expect(s.rows('approvals')).toHaveLength(1)
    expect(s.rows('conflicts')).toEqual([])
  })

  test('at the same moment opens one row with one card', async () => {
    const id = newId()
    const body = review(s, { id })
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(body)))
    expect(answers).toEqual(Array(8).fill([200, PAUSE]))
    await s.card(id)
    await settled()
    expect(s.rows('approvals')).toHaveLength(1)
    expect(s.rows('messages')).toHaveLength(1)
  })
})

describe('a known id with other content gets 409', () => {
  test.each<[string, Record<string, unknown>, string | undefined]>([
    ['another input', {}, `{"command":"${PLANTED} -rf"}`],
    ['a number written otherwise', {}, '{"n":1.0}'],
    ['one more member', { extra: PLANTED }, undefined],
    ['another tool, even one that is allowed', { toolName: 'read_file' }, undefined],
    ['another run', { runId: 'run_other' }, undefined],
  ])('%s: the row stays, and the attempt leaves a record without its content', async (_name, more, input) => {
    const id = newId()
    expect(await ask(review(s, { id }, '{"n":1}'))).toEqual([200, PAUSE])
    await s.card(id)
    await settled()
    const before = stored()
    const lines = s.log.length
    expect(await ask(review(s, { id, ...more }, input ?? '{"n":1}'))).toEqual([409, CHANGED])
    expect(stored()).toEqual(before)
    const known = s.row(id)?.hash
    expect(s.rows('conflicts')).toEqual([
      { source: 'novo', id, hash: expect.stringMatching(/^[0-9a-f]{64}$/), known, at: expect.any(Number) },
    ])
    expect(s.rows('conflicts')[0]?.hash).not.toBe(known)
    expect(s.log.slice(lines).join('')).not.toContain(PLANTED)
  })

  test('a decided call too, and its decision stands', async () => {
    const { id, request } = await s.call('bash', { command: 'make' })
    await s.press('U0ANA', id, 'approval.approve')
    await s.card(id, 'The agent platform has it')
    await settled()
    const before = stored()
    expect(await ask(String(request.body).replace('make', 'make install'))).toEqual([409, CHANGED])
    expect(stored()).toEqual(before)
  })

  test('the first content still gets its answer afterwards', async () => {
    const id = newId()
    const first = review(s, { id }, '{"n":1}')
    expect(await ask(first)).toEqual([200, PAUSE])
    expect(await ask(review(s, { id }, '{"n":2}'))).toEqual([409, CHANGED])
    expect(await ask(first)).toEqual([200, PAUSE])
    expect(s.rows('approvals')).toHaveLength(1)
  })

  test('of two contents at the same moment one wins and the other gets 409', async () => {
    const id = newId()
    const answers = await Promise.all([1, 2].map((n) => ask(review(s, { id }, `{"n":${n}}`))))
    expect(answers.map(([status]) => status).sort()).toEqual([200, 409])
    expect(s.rows('approvals')).toHaveLength(1)
    expect(s.rows('conflicts')).toHaveLength(1)
    const won = answers.findIndex(([status]) => status === 200) + 1
    expect(s.row(id)?.call).toContain(`"input":{"n":${won}}`)
  })
})

test('a number of 30 digits is stored and stands on the card as it was sent', async () => {
  const digits = '123456789012345678901234567890'
  const id = newId()
  expect(await ask(review(s, { id }, `{"amount":${digits},"rate":1.50}`))).toEqual([200, PAUSE])
  const card = JSON.stringify((await s.card(id)).blocks)
  expect(card).toContain(digits)
  expect(card).toContain('1.50')
  expect(s.row(id)?.call).toContain(`"input":{"amount":${digits},"rate":1.50}`)
})

describe('a body that does not come whole stores nothing', () => {
  const nothing = { approvals: [], messages: [], tasks: [] }

  test.each([
    ['cut off before its length', (body: string) => [`content-length: ${body.length}`, body.slice(0, 50)]],
    ['cut off between two chunks', (body: string) => ['transfer-encoding: chunked', `32\r\n${body.slice(0, 50)}\r\n`]],
    ['cut off before its first byte', (body: string) => [`content-length: ${body.length}`, '']],
    ['cut off before its last byte', (body: string) => [`content-length: ${body.length}`, body.slice(0, -1)]],
  ])('%s', async (_name, parts) => {
    const body = review(s)
    for (const leave of ['end', 'destroy'] as const) {
      const [head = '', start = ''] = parts(body)
      const socket = await begun(s, body, head)
      socket.write(start)
      if (leave === 'end') {
        socket.end()
        expect(await rest(socket)).not.toContain('"decision"')
      } else {
        await vi.waitFor(() => expect(socket.writableLength).toBe(0))
        socket.destroy()
        await once(socket, 'close')
      }
    }
    // The bot is as before, and what it did with the calls above is over once it has answered this one.
    expect(await ask('[]')).toMatchObject([400, { code: 'not_a_review' }])
    expect(stored()).toEqual(nothing)
    expect(s.log.join('')).not.toContain(PLANTED)
  })

  test('over 1 MiB in chunks, with no length given: 413 before the end', async () => {
    const socket = await begun(s, '', 'transfer-encoding: chunked')
    const answered = rest(socket)
    socket.write(`${(1024 * 1024 + 1).toString(16)}\r\n${PLANTED.repeat(150_000).slice(0, 1024 * 1024 + 1)}\r\n`)
    expect(await answered).toMatch(/^HTTP\/1\.1 413 .*"code":"body_too_large"/s)
    expect(stored()).toEqual(nothing)
  })

  test('late: 408 after 10 seconds, although bytes still come', async () => {
    const body = review(s)
    let answer = ''
    let waitedMs = 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const socket = await begun(s, body, `content-length: ${Buffer.byteLength(body)}`)
      const answered = rest(socket)
      socket.on('data', (bytes) => {
        answer += bytes
      })
      for (; answer === '' && waitedMs < 20_000; waitedMs += 100) {
        socket.write(body[waitedMs / 100] ?? '')
        vi.advanceTimersByTime(100)
        for (let turn = 0; turn < 10; turn += 1) await new Promise((next) => setImmediate(next))
      }
      expect(await answered).toMatch(/^HTTP\/1\.1 408 .*connection: close.*"code":"body_too_slow"/s)
    } finally {
      vi.useRealTimers()
    }
    // The bot is a few turns later to begin than the sender is.
    expect(waitedMs).toBeGreaterThanOrEqual(10_000)
    expect(waitedMs).toBeLessThan(12_000)
    expect(stored()).toEqual(nothing)
  })
})

describe('a call that cannot be stored', () => {
  test.each(['abort', 'rollback'])('gets 500 with a fixed body, no row, and readiness tells until it can (%s)', async (how) => {
    const body = review(s)
    const ready = async () =>
      (await s.platform.send({ url: new URL('/readyz', s.hook.url).href, method: 'GET', body: '' })).status
    const other = new Sqlite(s.databasePath)
    const refuse = (table: string): string =>
      `create trigger no_${table} before insert on ${table} begin select raise(${how}, '${PLANTED}: disk full'); end`
    other.exec(`${refuse('approvals')};${refuse('conflicts')}`)
    expect(await ready()).toBe(200)
    expect(await ask(body)).toEqual([500, { code: 'internal', error: 'The request failed here.' }])
    expect(stored()).toEqual({ approvals: [], messages: [], tasks: [] })
    expect(await ready()).toBe(503)
    expect(s.log.filter((line) => line.includes('route failed'))).toHaveLength(1)
    expect(s.log.join('')).not.toContain(PLANTED)
    other.exec('drop trigger no_approvals; drop trigger no_conflicts')
    other.close()
    expect(await ready()).toBe(200)
    expect(await ask(body)).toEqual([200, PAUSE])
    expect(s.rows('approvals')).toHaveLength(1)
  })
})

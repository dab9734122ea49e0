import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { Interaction } from '../../src/sandbox/platform/ledger.ts'
import type { Hook, Platform, PlatformOptions } from '../../src/sandbox/platform/platform.ts'
import { startPlatform } from '../../src/sandbox/platform/platform.ts'
import { hookThat } from './platform-hook.ts'

const cleanup: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo()
})

const NOW = new Date('2026-09-21T14:13:20Z')

async function platform(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const one = await startPlatform({ apiKey: 'key', now: () => NOW, ...options })
  cleanup.push(() => one.close())
  return one
}

async function pausing(): Promise<Hook> {
  const { hook, close } = await hookThat((res) => res.end('{"decision":"pause","reason":"needs a person"}'))
  cleanup.push(close)
  return hook
}

async function parked(options: Partial<PlatformOptions> = {}): Promise<{ p: Platform; asked: Interaction }> {
  const p = await platform(options)
  const hook = await pausing()
  return { p, asked: await p.call({ hook, tool: 'bash', input: {} }) }
}

const ALLOW = '{"decision":"allow"}'

function post(url: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  const all = { authorization: 'Bearer key', 'content-type': 'application/json', ...headers }
  return fetch(url, { method: 'POST', body, headers: all, redirect: 'manual' })
}

const untouched = (p: Platform) => {
  expect(p.interaction('tar_1')?.state).toBe('waiting')
  expect(p.run('run_1')?.state).toBe('waiting_for_approval')
  expect(p.effects('tar_1')).toBe(0)
}

test('allow runs the tool once and the run goes on', async () => {
  const { p, asked } = await parked()
  expect((await post(asked.resolveUrl, ALLOW)).status).toBe(200)
  expect(p.interaction('tar_1')).toMatchObject({ state: 'allowed', result: 'bash ran' })
  expect([p.run('run_1')?.state, p.effects('tar_1')]).toEqual(['running', 1])
})

test("a deny's reason reaches the model verbatim", async () => {
  const { p, asked } = await parked()
  const reason = ' no:\r\n\tnot on a Friday \u202e <@U1> \u0007 🙂 '
  expect((await post(asked.resolveUrl, JSON.stringify({ decision: 'deny', reason }))).status).toBe(200)
  expect(p.interaction('tar_1')).toMatchObject({ state: 'denied', reason })
  expect([p.run('run_1')?.state, p.effects('tar_1')]).toEqual(['running', 1])
})

test('a deny needs no reason', async () => {
  const { p, asked } = await parked()
  expect((await post(asked.resolveUrl, '{"decision":"deny"}')).status).toBe(200)
  expect(p.interaction('tar_1')).toMatchObject({ state: 'denied', reason: null })
})

test('a run stays parked until its last call is resolved', async () => {
  const p = await platform()
  const hook = await pausing()
  const one = await p.call({ hook, tool: 'a', input: {} })
  const two = await p.call({ hook, tool: 'b', input: {}, run: one.run })
  await post(one.resolveUrl, ALLOW)
  expect(p.run('run_1')?.state).toBe('waiting_for_approval')
  await post(two.resolveUrl, ALLOW)
  expect(p.run('run_1')?.state).toBe('running')
})

test.each([
  ['no key', {}, { authorization: '' }, ALLOW, 401],
  ['a wrong key', {}, { authorization: 'Bearer keys' }, ALLOW, 401],
  ['another media type', {}, { 'content-type': 'text/plain' }, ALLOW, 400],
  ['no JSON', {}, {}, 'allow', 400],
  ['an unknown decision', {}, {}, '{"decision":"approve"}', 400],
  ['pause', {}, {}, '{"decision":"pause"}', 400],
  ['a reason that is no text', {}, {}, '{"decision":"deny","reason":null}', 400],
  ['allow with a reason', {}, {}, '{"decision":"allow","reason":"ok"}', 400],
  ['a member nobody knows', {}, {}, '{"decision":"allow","force":true}', 400],
  ['a body over the bound', {}, {}, `{"decision":"deny","reason":"${'x'.repeat(1024 * 1024)}"}`, 413],
])('%s resolves nothing', async (_name, options, headers, body, status) => {
  const { p, asked } = await parked(options)
  expect((await post(asked.resolveUrl, body, headers)).status).toBe(status)
  untouched(p)
})

test.each([
  ['an unknown interaction', '/v1/interactions/tar_9/resolve', 404],
  ['a query', '/v1/interactions/tar_1/resolve?x=1', 404],
  ['a longer path', '/v1/interactions/tar_1/x/resolve', 404],
  ['a broken escape', '/v1/interactions/%zz/resolve', 404],
  ['another path', '/v1/interactions/tar_1', 404],
])('%s is no resolve address', async (_name, path, status) => {
  const { p } = await parked()
  expect((await post(p.url + path, ALLOW)).status).toBe(status)
  untouched(p)
})

test('only POST resolves', async () => {
  const { p, asked } = await parked()
  expect((await fetch(asked.resolveUrl, { headers: { authorization: 'Bearer key' } })).status).toBe(405)
  untouched(p)
})

test('another resolve path is served, and ids in it must be percent-encoded', async () => {
  const p = await platform({ resolvePath: '/x/{id}' })
  const hook = await pausing()
  const asked = await p.call({ hook, tool: 'a', input: {}, id: 'tar/ü?$&' })
  expect(asked.resolveUrl).toBe(`${p.url}/x/tar%2F%C3%BC%3F%24%26`)
  expect((await post(`${p.url}/x/tar/%C3%BC%3F%24%26`, ALLOW)).status).toBe(404)
  expect((await post(`${p.url}/x/tar%2F%C3%BC?$&`, ALLOW)).status).toBe(404)
  expect(p.interaction('tar/ü?$&')?.state).toBe('waiting')
  expect((await post(asked.resolveUrl, ALLOW)).status).toBe(200)
  expect(p.interaction('tar/ü?$&')?.state).toBe('allowed')
})

test('a resolution before the hook has answered is refused, and the same key may try again', async () => {
  const p = await platform()
  const late: ServerResponse[] = []
  const { hook, called, close } = await hookThat((res) => late.push(res))
  cleanup.push(close)
  let url = ''
  const calling = p.call({ hook, tool: 'a', input: {}, asked: ({ resolveUrl }) => (url = resolveUrl) })
  expect((await post(url, ALLOW, { 'idempotency-key': 'k' })).status).toBe(404)
  expect([p.interaction('tar_1')?.state, p.effects('tar_1')]).toEqual(['asked', 0])
  await called
  late[0]?.end('{"decision":"pause"}')
  await calling
  expect((await post(url, ALLOW, { 'idempotency-key': 'k' })).status).toBe(200)
})

test('a second resolution is refused, whatever it says, and changes nothing', async () => {
  const { p, asked } = await parked()
  await post(asked.resolveUrl, '{"decision":"deny","reason":"first"}', { 'idempotency-key': 'one' })
  expect((await post(asked.resolveUrl, ALLOW, { 'idempotency-key': 'two' })).status).toBe(409)
  expect((await post(asked.resolveUrl, '{"decision":"deny","reason":"first"}')).status).toBe(409)
  expect(p.interaction('tar_1')).toMatchObject({ state: 'denied', reason: 'first' })
  expect(p.effects('tar_1')).toBe(1)
})

test('of many resolutions at the same time exactly one takes effect', async () => {
  const { p, asked } = await parked()
  const all = Array.from({ length: 20 }, (_, n) => post(asked.resolveUrl, n % 2 === 0 ? ALLOW : '{"decision":"deny"}'))
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(19)
  expect(p.effects('tar_1')).toBe(1)
  expect(p.resolutions('tar_1').filter(({ applied }) => applied)).toHaveLength(1)
})

test('the same key with the same body gets the first answer again, and with another body 409', async () => {
  const { p, asked } = await parked()
  const first = await (await post(asked.resolveUrl, ALLOW, { 'idempotency-key': 'k' })).text()
  const again = await post(asked.resolveUrl, ALLOW, { 'idempotency-key': 'k' })
  expect([again.status, await again.text()]).toEqual([200, first])
  expect((await post(asked.resolveUrl, '{"decision":"deny"}', { 'idempotency-key': 'k' })).status).toBe(409)
  expect(p.effects('tar_1')).toBe(1)
  expect(p.resolutions().map(({ applied }) => applied)).toEqual([true, false, false])
})

test('a platform that is told so answers the same key with 409', async () => {
  const { p, asked } = await parked({ replay: 'conflict' })
  await post(asked.resolveUrl, ALLOW, { 'idempotency-key': 'k' })
  expect((await post(asked.resolveUrl, ALLOW, { 'idempotency-key': 'k' })).status).toBe(409)
  expect(p.effects('tar_1')).toBe(1)
})

test('a key counts for its own interaction only', async () => {
  const p = await platform()
  const hook = await pausing()
  const one = await p.call({ hook, tool: 'a', input: {} })
  const two = await p.call({ hook, tool: 'a', input: {} })
  await post(one.resolveUrl, ALLOW, { 'idempotency-key': 'k' })
  await post(two.resolveUrl, ALLOW, { 'idempotency-key': 'k' })
  expect([p.effects('tar_1'), p.effects('tar_2')]).toEqual([1, 1])
})

test('a rotated key replaces the old one, and a refusal does not stick to its idempotency key', async () => {
  const { p, asked } = await parked()
  p.rotateKey('new')
  expect((await post(asked.resolveUrl, ALLOW, { 'idempotency-key': 'k' })).status).toBe(401)
  untouched(p)
  const headers = { authorization: 'Bearer new', 'idempotency-key': 'k' }
  expect((await post(asked.resolveUrl, ALLOW, headers)).status).toBe(200)
})

test('every post is recorded with what it said and how it was answered, but without its key', async () => {
  const { p, asked } = await parked()
  await post(asked.resolveUrl, 'no', { authorization: 'Bearer wrong' })
  await post(asked.resolveUrl, '{"decision":"deny","reason":"r"}', { 'idempotency-key': 'k' })
  expect(p.resolutions('tar_1')).toMatchObject([
    { authorized: false, idempotencyKey: null, body: 'no', decision: null, reason: null, applied: false, status: 401, at: NOW },
    { authorized: true, idempotencyKey: 'k', decision: 'deny', reason: 'r', applied: true, status: 200, id: 'tar_1' },
  ])
  expect(p.resolutions()[1]?.headers).toMatchObject({ 'content-type': 'application/json' })
  expect(JSON.stringify(p.resolutions())).not.toContain('Bearer')
  expect(p.resolutions('tar_2')).toEqual([])
})

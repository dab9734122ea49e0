import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RawResponse } from '../../src/sandbox/platform/send.ts'
import { sign } from '../../src/sandbox/platform/signature.ts'
import { type Scene, scene } from '../scene.ts'
import { newId, PLANTED, post, review, type Sent, unixNow } from './hook-call.ts'

let s: Scene
beforeAll(async () => {
  s = await scene()
  // Rows that a bad call could spoil: one that waits and one that was decided.
  const waiting = await s.call('bash', { command: 'make' })
  await s.card(waiting.id)
  const decided = await s.call('bash', { command: 'make install' })
  await s.press('U0ANA', decided.id, 'approval.approve')
  await s.card(decided.id, 'The agent platform has it')
  await vi.waitFor(() => expect(s.rows('tasks')).toEqual([]), { timeout: 5000 })
})
afterAll(() => s.close())

const tables = ['approvals', 'messages', 'tasks', 'conflicts'] as const
const stored = () => tables.map((table) => s.rows(table))
let before: ReturnType<typeof stored>
beforeEach(() => {
  before = stored()
})
afterEach(() => {
  expect(stored()).toEqual(before)
  const log = s.log.join('')
  expect(log).not.toContain(PLANTED)
  for (const secret of s.secrets) expect(log).not.toContain(secret)
})

/** The answer has this status and code, a sentence, and nothing that the call brought. */
function expectRefusal(answer: RawResponse, status: number, code: string): void {
  expect([answer.status, JSON.parse(answer.text)]).toEqual([status, { code, error: expect.any(String) }])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(JSON.stringify(answer.headers) + answer.text).not.toContain(PLANTED)
}

describe('a call that is not proven to be the platform’s gets 401 with a fixed body', () => {
  const hex = (body: string, t = unixNow()): string => sign(s.hook.secret, body, t).replace(/^.*v1=/, '')
  test.each<[string, string, (body: string) => Sent]>([
    ['no signature', 'header_missing', () => ({ signature: undefined })],
    ['an empty signature', 'header_missing', () => ({ signature: '' })],
    ['a signature under another secret', 'mismatch', () => ({ secret: `tah_${PLANTED}_0123456789abcdef` })],
    ['a signature under the API key', 'mismatch', () => ({ secret: s.secrets[2] ?? '' })],
    ['a signature of another body', 'mismatch', (body) => ({ signature: sign(s.hook.secret, `${body} `, unixNow()) })],
    ['a signature of another moment', 'mismatch', (body) => ({ signature: `t=${unixNow()},v1=${hex(body, unixNow() - 9)}` })],
    ['a signature 310 seconds old', 'outside_window', () => ({ age: 310 })],
    ['a signature 310 seconds ahead', 'outside_window', () => ({ age: -310 })],
    ['a signature in upper case', 'header_malformed', (body) => ({ signature: `t=${unixNow()},v1=${hex(body).toUpperCase()}` })],
    ['a signature without a moment', 'header_malformed', (body) => ({ signature: `v1=${hex(body)}` })],
    ['a moment without a signature', 'header_malformed', () => ({ signature: `t=${unixNow()}` })],
    ['a signature that is a word', 'header_malformed', () => ({ signature: PLANTED })],
    ['the header twice', 'header_malformed', (body) => ({ signature: Array(2).fill(sign(s.hook.secret, body, unixNow())) })],
  ])('%s', async (_name, why, sent) => {
    const body = review(s)
    const lines = s.log.length
    const answer = await post(s, body, sent(body))
    expectRefusal(answer, 401, 'unauthorized')
    expect(answer.text).toBe('{"code":"unauthorized","error":"The signature does not hold."}')
    expect(s.log.slice(lines).map((line) => JSON.parse(line))).toMatchObject([{ msg: 'hook.refused', status: 401, why }])
  })
})

describe('a body that is not JSON, or not in one way, gets 400 with the place', () => {
  const input = (text: string) => () => review(s, {}, text)
  test.each<[string, string, string, () => string | Uint8Array]>([
    ['nothing', 'not_json', 'at character 0', () => ''],
    ['a form', 'not_json', 'at character 0', () => `payload=${PLANTED}`],
    ['a review without its end', 'not_json', 'at character', () => review(s).slice(0, -1)],
    ['a review and more', 'not_json', 'at character', () => `${review(s)}${PLANTED}`],
    ['a byte order mark', 'not_json', 'at character 0', () => `\ufeff${review(s)}`],
    ['NaN for a number', 'not_json', 'at character', input('{"n":NaN}')],
    ['a repeated key', 'ambiguous_json', 'repeated key', input(`{"${PLANTED}":1,"${PLANTED}":2}`)],
    ['a repeated key with an equal value', 'ambiguous_json', 'repeated key', input(`{"${PLANTED}":1,"${PLANTED}":1}`)],
    ['a repeated member of the review', 'ambiguous_json', 'repeated key', () => review(s).replace('{', `{"id":"${PLANTED}",`)],
    ['a lone surrogate', 'ambiguous_json', 'lone surrogate', input(`"${PLANTED}\\ud800"`)],
    ['a lone surrogate in a key', 'ambiguous_json', 'lone surrogate', input(`{"${PLANTED}\\udc00":1}`)],
    ['300 levels', 'ambiguous_json', 'too deep', input(`${'['.repeat(300)}${']'.repeat(300)}`)],
    ['100,000 levels', 'ambiguous_json', 'too deep', input('['.repeat(100_000))],
    ['a byte that is not UTF-8', 'ambiguous_json', 'not UTF-8', () => Buffer.from(review(s).replace(PLANTED, '\xff'), 'latin1')],
  ])('%s', async (_name, code, says, body) => {
    const answer = await post(s, body())
    expectRefusal(answer, 400, code)
    expect(answer.text).toContain(says)
  })
})

describe('a review of the wrong shape gets 400, naming the field', () => {
  test.each(['[]', 'null', `"${PLANTED}"`, '7'])('the body %s', async (body) => {
    expectRefusal(await post(s, body), 400, 'not_a_review')
  })

  const wrong: readonly (readonly [string, readonly unknown[]])[] = [
    ['type', [undefined, null, 1, PLANTED]],
    ['id', [undefined, null, 1, '', PLANTED.repeat(40)]],
    ['runId', [undefined, null, 1, [PLANTED]]],
    ['rootRunId', [undefined, null, { PLANTED }]],
    ['workerRef', [null, 1, '']],
    ['threadId', [undefined, null, true]],
    ['agentId', [undefined, null, 1]],
    ['stepNumber', [undefined, null, '0', -1, 0.5, PLANTED]],
    ['toolName', [undefined, null, 1, '', [PLANTED]]],
    ['toolCallId', [undefined, null, 1]],
    ['input', [undefined]],
    ['preview', [null, PLANTED, [PLANTED], {}, { summary: 1 }]],
    ['resolveUrl', [undefined, null, 1, '', [PLANTED]]],
  ]
  test.each(
    wrong.flatMap(([field, values]) => values.map((value) => [field, JSON.stringify(value)?.slice(0, 20), value] as const)),
  )('%s: %s', async (field, _short, value) => {
    const answer = await post(s, review(s, { [field]: value }))
    expectRefusal(answer, 400, 'not_a_review')
    expect(answer.text).toContain(`The field ${field} is `)
  })
})

describe('a resolveUrl that is not this hook’s address for this id gets 400', () => {
  const path = (id: string, inside = ''): string => `/v1/interactions/${inside}${id}/resolve`
  test.each<[string, (id: string, origin: string) => string]>([
    ['another origin', (id) => `https://${PLANTED.toLowerCase()}.example${path(id)}`],
    ['another port of the same host', (id) => `http://127.0.0.1:1${path(id)}`],
    ['the same host by another name', (id, origin) => origin.replace('127.0.0.1', 'localhost') + path(id)],
    ['plain http to the true platform', (id) => `http://api.novoagents.ai${path(id)}`],
    ['credentials', (id, origin) => origin.replace('//', `//${PLANTED}:x@`) + path(id)],
    ['a query', (id, origin) => `${origin}${path(id)}?next=${PLANTED}`],
    ['a fragment', (id, origin) => `${origin}${path(id)}#${PLANTED}`],
    ['a dot segment', (id, origin) => origin + path(id, 'x/../')],
    ['an encoded dot segment', (id, origin) => origin + path(id, 'x/%2e%2e/')],
    ['another interaction’s id', (_id, origin) => origin + path(newId())],
    ['a trailing slash', (id, origin) => `${origin}${path(id)}/`],
    ['the id in lower case', (id, origin) => origin + path(id.toLowerCase())],
    ['the id encoded where it need not be', (id, origin) => origin + path(id.replace('t', '%74'))],
    ['no URL', () => PLANTED],
  ])('%s', async (_name, url) => {
    const id = newId()
    expectRefusal(await post(s, review(s, { id, resolveUrl: url(id, s.platform.url) })), 400, 'resolve_url_refused')
  })

  test.each(['..', '.'])('an id %s, which no path can carry', async (id) => {
    const resolveUrl = `${s.platform.url}/v1/interactions/${id}/resolve`
    expectRefusal(await post(s, review(s, { id, resolveUrl })), 400, 'resolve_url_refused')
  })
})

describe('the checks come in their order', () => {
  const big = PLANTED.repeat(Math.ceil((2 * 1024 * 1024) / PLANTED.length))
  test('a body of 2 MiB is 413, whoever sent it', async () => {
    expectRefusal(await post(s, review(s, {}, `"${big}"`)), 413, 'body_too_large')
    expectRefusal(await post(s, big, { signature: undefined, type: undefined }), 413, 'body_too_large')
  })

  test('a byte over 1 MiB is 413, and 1 MiB is read', async () => {
    const mib = 1024 * 1024
    expectRefusal(await post(s, ' '.repeat(mib + 1)), 413, 'body_too_large')
    expectRefusal(await post(s, ' '.repeat(mib)), 400, 'not_json')
  })

  test('a bad signature is 401, whatever the media type, the text and the shape are', async () => {
    for (const body of [review(s), '[]', PLANTED, '{"a":1,"a":1}', ''])
      for (const type of ['text/plain', 'application/jsonp', undefined])
        expectRefusal(await post(s, body, { signature: `t=${unixNow()},v1=${'0'.repeat(64)}`, type }), 401, 'unauthorized')
  })

  test.each([
    undefined,
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json-seq',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    `text/${PLANTED}`,
  ])('a true signature with the media type %s is 415, whatever the text is', async (type) => {
    expectRefusal(await post(s, review(s), { type }), 415, 'unsupported_media_type')
    expectRefusal(await post(s, PLANTED, { type }), 415, 'unsupported_media_type')
  })

  test.each(['', ';', 'nonsense', 'application/json, text/plain'])(
    'the media type %s, which is none, is 415 after a true signature only',
    async (type) => {
      expectRefusal(await post(s, review(s), { type, signature: undefined }), 401, 'unauthorized')
      expectRefusal(await post(s, review(s), { type }), 415, 'unsupported_media_type')
    },
  )

  test('not JSON comes before the shape, the shape before the address', async () => {
    expectRefusal(await post(s, `{"type":"x","type":"x"}`), 400, 'ambiguous_json')
    expectRefusal(await post(s, review(s, { runId: 1, resolveUrl: 'https://evil.example/' })), 400, 'not_a_review')
  })
})

describe('at other addresses there is nothing', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s on a hook is 404', async (method) => {
    expectRefusal(await post(s, review(s), { method }), 404, 'not_found')
  })

  test.each(['', PLANTED, 'NOVO', 'novo2', '__proto__', 'constructor', '%6eovo2', 'no%2Fvo', '%00', '🙂', 'n'.repeat(100)])(
    'a hook of the name %s is 404 before anything else',
    async (name) => {
      const url = s.hook.url.replace(/novo$/, encodeURI(name).replaceAll('%25', '%'))
      expectRefusal(await post(s, review(s), { url }), 404, 'unknown_hook')
      expectRefusal(await post(s, PLANTED, { url, signature: undefined, type: undefined }), 404, 'unknown_hook')
    },
  )

  test.each(['/hooks', '/hooks/novo/', '/hooks/novo/x', '/Hooks/novo', '//hooks/novo', '/', `/${PLANTED}`])(
    'a call to %s is 404',
    async (path) => {
      const { origin } = new URL(s.hook.url)
      expectRefusal(await post(s, review(s), { url: origin + path }), 404, 'not_found')
    },
  )
})

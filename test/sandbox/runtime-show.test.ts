import { expect, test } from 'vitest'
import { boundText } from '../../src/sandbox/runtime/bound.ts'
import { sanitise } from '../../src/sandbox/runtime/sanitise.ts'
import { timeText } from '../../src/sandbox/runtime/time.ts'
import { approve, expectRefusal, json, list, show, showText } from '../approval-channel/conformance-wire.ts'
import { scene } from './runtime-scene.ts'

const NOON = new Date('2026-10-06T12:00:01Z')
const DEPLOY = {
  run: '9f1c2b3a4d5e6f708192a3b4c5d6e7f8',
  approval: '5a6b7c8d9e0f1a2b3c4d5e6f70819203',
  step: '00112233445566778899aabbccddeeff',
  createdAt: '2026-10-06T12:00:00.123456789Z',
  expiresAt: '2026-10-06T13:00:00.123456789Z',
  tool: 'deploy',
  description: 'Roll out a build & tag it',
  inputSchema:
    '{"type": "object", "properties": {"env":{"type":"string"},"replicas":{"type":"integer"},"note":{"type":"string"}},"required":["env"],"additionalProperties":false}',
  args: '{"env":"prod","replicas":3,"note":"a <b> & c"}',
  kind: 'deployment',
  capability: '{"tool":"deploy","env":"prod"}',
  presentation: '{"title":"Deploy build 42 to prod","files":["a.yaml","b.yaml"],"risk":0.5}',
  reason: 'deploying to prod needs a person',
}

test('the whole example of the protocol is served byte for byte, with the hash of exactly these values', async () => {
  const { runtime, channel } = await scene({ now: () => NOON })
  const paused = runtime.start(DEPLOY)
  expect((await show(channel, paused)).text).toBe(
    '{"id":"5a6b7c8d9e0f1a2b3c4d5e6f70819203","run_id":"9f1c2b3a4d5e6f708192a3b4c5d6e7f8","step_id":"00112233445566778899aabbccddeeff","kind":"deployment","capability":{"env":"prod","tool":"deploy"},"presentation":{"files":["a.yaml","b.yaml"],"risk":0.5,"title":"Deploy build 42 to prod"},"request":{"run_id":"9f1c2b3a4d5e6f708192a3b4c5d6e7f8","step_id":"00112233445566778899aabbccddeeff","spec":{"name":"deploy","description":"Roll out a build \\u0026 tag it","input_schema":{"type":"object","properties":{"env":{"type":"string"},"replicas":{"type":"integer"},"note":{"type":"string"}},"required":["env"],"additionalProperties":false},"side_effect":"remote_mutation","timeout":30000000000},"args":{"env":"prod","note":"a \\u003cb\\u003e \\u0026 c","replicas":3}},"hash":"66f7c9f41c0927a26563fecbe493ed61c960c07ae3715fae55980d6c55ff3040","status":"pending","created_at":"2026-10-06T12:00:00.123456789Z","expires_at":"2026-10-06T13:00:00.123456789Z","reason":"deploying to prod needs a person"}\n',
  )
  expect((await showText(channel, paused)).text).toContain('\nexpires 2026-10-06T13:00:00Z\narguments (')
})

test('without a word of its own the policy says what the default policy says', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push', args: '{"n":1.0}', terminal: true })
  const said = { args: { n: 1 }, tool: 'push' }
  expect(json(await show(channel, paused))).toMatchObject({
    kind: 'remote_mutation',
    capability: said,
    presentation: said,
    reason: 'side effect remote_mutation is require_approval by policy',
    request: { spec: { terminal: true } },
  })
})

test('numbers are served as floats and names sorted, so that the hash is not that of what is served', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push', args: '{"z":1.0,"a":9007199254740993,"y":1e2}' })
  expect((await show(channel, paused)).text).toContain('"args":{"a":9007199254740992,"y":100,"z":1}')
})

test('long strings are shortened in list and show, and the stored hash stays', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push', args: JSON.stringify({ long: 'x'.repeat(5000) }), reason: 'r'.repeat(8000) })
  const bounded = {
    hash: paused.hash,
    request: { args: { long: expect.stringMatching(/^x{200}…\[4600 bytes omitted\]…x{200}$/) } },
    reason: expect.stringMatching(/^r{200}…\[7600 bytes omitted\]…r{200}$/),
  }
  expect(json(await show(channel, paused))).toMatchObject(bounded)
  expect(json(await list(channel, paused.run))).toMatchObject({ pending: [bounded] })
})

test('a list cuts what is longer than a page and says so; show has it whole, and it can be decided', async () => {
  const { runtime, channel } = await scene()
  const long = JSON.stringify(Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`k${n}`, 'v'.repeat(100)])))
  const paused = runtime.start({ tool: 'push', description: 'pushes', args: long, presentation: long })
  const { pending } = JSON.parse((await list(channel, paused.run)).text)
  const { presentation, request, decode_error } = pending[0]
  expect(presentation).toEqual({ head: expect.stringContaining('bytes omitted'), length: long.length, truncated: true })
  const stored = runtime.approval(paused.approval)?.request ?? ''
  expect(request.args).toEqual({ length: stored.length, truncated: true })
  expect(request.spec).toEqual({ name: 'push', description: '', input_schema: null, side_effect: '', timeout: 0 })
  expect(decode_error).toBe(`request: ${stored.length} characters, over MaxPageText; its arguments were not read`)
  const shown = JSON.parse((await show(channel, paused)).text)
  expect([shown.request.args, shown.presentation, shown.decode_error]).toEqual([JSON.parse(long), JSON.parse(long), undefined])
  expect((await approve(channel, paused)).status).toBe(202)
})

test('a request that cannot be read is shown as such, and cannot be decided', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push' })
  runtime.corrupt(paused.approval, { request: '{' })
  const damaged = { decode_error: 'request: not JSON', request: { args: null, spec: { name: '', input_schema: null } } }
  expect(json(await show(channel, paused))).toMatchObject(damaged)
  expect(json(await list(channel, paused.run))).toMatchObject({ pending: [damaged] })
  const { text } = await showText(channel, paused)
  expect(text).toContain('\nunread  request: not JSON\narguments (')
  expect(text).toContain('own size)\n  (none)\npresentation (')
  expectRefusal(await approve(channel, paused), 409, 'approval_hash', expect.stringContaining(': request: not JSON'))
  expect(runtime.approval(paused.approval)?.state).toEqual({ status: 'pending' })
})

test('a presentation that is no JSON is text in the text and an error in JSON, never half an answer', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push' })
  runtime.corrupt(paused.approval, { presentation: 'a\n\u001b[2Jb' })
  expect((await showText(channel, paused)).text).toContain('\n  value (7 bytes)\n    a \\x1b[2Jb\n-----')
  expectRefusal(await show(channel, paused), 500, 'internal')
  expectRefusal(await list(channel, paused.run), 500, 'internal')
  runtime.corrupt(paused.approval, { presentation: '' })
  expect((await showText(channel, paused)).text).toContain('model-chosen text)\n  (none)\n-----')
})

test('JSON that is no object is one field', async () => {
  const { runtime, channel } = await scene()
  const paused = runtime.start({ tool: 'push', args: '[1,"a"]', presentation: 'null' })
  const { text } = await showText(channel, paused)
  expect(text).toContain('own size)\n  value (7 bytes)\n    [\n      1,\n      "a"\n    ]\n')
  expect(text).toContain('model-chosen text)\n  value (4 bytes)\n    null\n')
})

test.each([
  ['\u001b[2J', '\\x1b[2J'],
  ['a\r\nb', 'a  b'],
  ['a\tb', 'a\\x09b'],
  ['\u0085', '\\x85'],
  ['\u202e', '\\u{202e}'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\u00ad', '\\u{00ad}'],
  ['👨\u200d👩', '👨\\u{200d}👩'],
  ['❤\ufe0f', '❤\ufe0f'],
  [`e${'\u0301'.repeat(6)}`, `e${'\u0301'.repeat(4)}[+2 combining marks dropped]`],
  ['\ud800\ud800x', '\ufffdx'],
  ['\\x1b', '\\x1b'],
])('%j is made inert', (text, inert) => {
  expect(sanitise(text)).toBe(inert)
})

test('a long string keeps two hundred bytes at either end, whole characters only', () => {
  expect(boundText('x'.repeat(2000))).toBe('x'.repeat(2000))
  expect(boundText('x'.repeat(5000))).toBe(`${'x'.repeat(200)}…[4600 bytes omitted]…${'x'.repeat(200)}`)
  expect(boundText(`a${'é'.repeat(1500)}`)).toBe(`a${'é'.repeat(99)}…[2602 bytes omitted]…${'é'.repeat(100)}`)
})

test('a time has no zeros at the end of its fraction', () => {
  expect(timeText(new Date('2026-10-06T12:00:00.120Z'))).toBe('2026-10-06T12:00:00.12Z')
  expect(timeText(new Date('2026-10-06T12:00:10.000Z'))).toBe('2026-10-06T12:00:10Z')
})

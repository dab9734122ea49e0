import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical } from '../../src/approval/canonical.ts'
import { isObject, type Json, parseJson } from '../../src/approval/json.ts'
import { ChannelCode, STATUS_OF } from '../../src/approval-channel/code.ts'
import { ChannelTime, channelTime, wholeSeconds } from '../../src/approval-channel/time.ts'
import {
  CancelAnswer,
  ChannelApproval,
  DecisionAnswer,
  ErrorAnswer,
  ListAnswer,
  writeAnswer,
  writeApproval,
  writeList,
} from '../../src/approval-channel/wire.ts'
import { APPROVAL, EXAMPLE, HASH, RUN } from './example.ts'
import { anyApproval } from './generated.ts'

const example = ChannelApproval.parse(parseJson(EXAMPLE))
/** The example with members of its outermost object set, or left out where undefined. */
function changed(members: Readonly<Record<string, Json | undefined>>): Json {
  const json = parseJson(EXAMPLE)
  const all = new Map<string, Json>(isObject(json) ? json : [])
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) all.delete(key)
    else all.set(key, value)
  }
  return all
}

describe('an approval', () => {
  test('is written as the protocol writes its example, to the byte and with one line break', () => {
    expect(writeApproval(example)).toBe(`${EXAMPLE}\n`)
  })

  test('has every field in its place, and what is empty is left out', () => {
    const whole = ChannelApproval.parse({
      ...example,
      status: 'approved',
      decided_at: '2026-10-06T12:30:00.5Z',
      decided_by: 'slack:U1',
      note: 'yes',
      decode_error: 'request: cut',
      expired: true,
      request: { ...example.request, spec: { ...example.request.spec, terminal: true } },
    })
    const text = writeApproval(whole)
    expect(text).toContain('"timeout":30000000000,"terminal":true},"args":')
    expect(text).toContain(
      '"expires_at":"2026-10-06T13:00:00.123456789Z","decided_at":"2026-10-06T12:30:00.5Z","decided_by":"slack:U1","note":"yes","decode_error":"request: cut","reason":"deploying to prod needs a person","expired":true}\n',
    )
    const { expires_at: _gone, ...bare } = { ...example, reason: '' }
    expect(writeApproval(bare)).toMatch(/"created_at":"2026-10-06T12:00:00.123456789Z"}\n$/)
  })

  test('keeps the literal of every number, the order of a schema, and sorts what a model or a policy made', () => {
    const served = ChannelApproval.parse({
      ...example,
      capability: parseJson('{"b":1.0,"a":[1e2,-0.0,9007199254740993]}'),
      request: {
        ...example.request,
        spec: { ...example.request.spec, input_schema: parseJson('{"z": {"y": 1.50, "x": []}, "a": "<"}') },
      },
    })
    const text = writeApproval(served)
    expect(text).toContain('"capability":{"a":[1e2,-0.0,9007199254740993],"b":1.0}')
    expect(text).toContain(String.raw`"input_schema":{"z":{"y":1.50,"x":[]},"a":"\u003c"}`)
  })

  test('escapes what HTML or a line of JavaScript would read, in every string and key', () => {
    const text = writeApproval({ ...example, kind: '<&>\u2028\u2029\u001b\b', presentation: new Map([['<', null]]) })
    expect(text).toContain(String.raw`"kind":"\u003c\u0026\u003e\u2028\u2029\u001b\b"`)
    expect(text).toContain(String.raw`"presentation":{"\u003c":null}`)
  })

  test('reads back as it was written', () => {
    fc.assert(
      fc.property(anyApproval, (approval) => {
        const text = writeApproval(approval)
        const again = ChannelApproval.parse(parseJson(text))
        expect(again).toEqual(approval)
        expect(writeApproval(again)).toBe(text)
        expect(text.indexOf('\n')).toBe(text.length - 1)
        expect(() => JSON.parse(text)).not.toThrow()
      }),
      { numRuns: 300 },
    )
  })

  test('is read although it holds fields that nobody knows, and null for arguments that did not decode', () => {
    expect(ChannelApproval.parse(changed({ later: true }))).toEqual(example)
    const cut = parseJson(
      '{"run_id":"r","step_id":"s","spec":{"name":"deploy","description":"","input_schema":null,"side_effect":"","timeout":0},"args":null}',
    )
    expect(ChannelApproval.parse(changed({ request: cut })).request.args).toBeNull()
  })

  test.each([
    ['no id', { id: undefined }],
    ['an empty hash', { hash: '' }],
    ['a hash that is no text', { hash: true }],
    ['a status that nobody knows', { status: 'maybe' }],
    ['no capability', { capability: undefined }],
    ['no request', { request: undefined }],
    [
      'a request without arguments',
      {
        request: parseJson(
          '{"run_id":"r","step_id":"s","spec":{"name":"","description":"","input_schema":{},"side_effect":"","timeout":0}}',
        ),
      },
    ],
    [
      'a timeout with a fraction',
      {
        request: parseJson(
          '{"run_id":"r","step_id":"s","spec":{"name":"","description":"","input_schema":{},"side_effect":"","timeout":1.5},"args":{}}',
        ),
      },
    ],
    ['a time that is none', { expires_at: 'soon' }],
    ['an expired that is text', { expired: 'false' }],
  ])('with %s is not read', (_name, members) => {
    expect(ChannelApproval.safeParse(changed({})).success).toBe(true)
    expect(ChannelApproval.safeParse(changed(members)).success).toBe(false)
  })
})

describe('a list', () => {
  test('is written with its keys sorted, and an empty one is not null', () => {
    expect(writeList(RUN, [])).toBe(`{"pending":[],"run_id":"${RUN}"}\n`)
    expect(writeList(RUN, [example])).toBe(`{"pending":[${EXAMPLE}],"run_id":"${RUN}"}\n`)
  })

  test('shortens long strings where show does not, and leaves the schema whole', () => {
    const long = 'x'.repeat(5000)
    const short = `${'x'.repeat(200)}…[4600 bytes omitted]…${'x'.repeat(200)}`
    const one = {
      ...example,
      capability: [long],
      presentation: new Map([['t', long]]),
      request: { ...example.request, args: long, spec: { ...example.request.spec, input_schema: long } },
      reason: long,
    }
    const list = writeList(RUN, [one])
    expect(list.split(short)).toHaveLength(5)
    expect(list.split(long)).toHaveLength(2)
    expect(writeApproval(one).split(long)).toHaveLength(6)
  })

  test('is read, and null reads as empty; anything else in its place does not', () => {
    expect(ListAnswer.parse(parseJson(`{"pending":[${EXAMPLE}],"run_id":"r"}`)).pending).toEqual([example])
    expect(ListAnswer.parse(parseJson('{"pending":null,"run_id":"r"}')).pending).toEqual([])
    expect(ListAnswer.safeParse(parseJson('{"run_id":"r"}')).success).toBe(false)
    expect(ListAnswer.safeParse(parseJson('{"pending":{},"run_id":"r"}')).success).toBe(false)
  })
})

describe('an answer', () => {
  test('to a decision is the one of the protocol', () => {
    const answer = { status: 'approved', run_id: RUN, hash: HASH, by: 'slack:U024BE7LH', approval_id: APPROVAL } as const
    const text = `{"approval_id":"${APPROVAL}","by":"slack:U024BE7LH","hash":"${HASH}","run_id":"${RUN}","status":"approved"}\n`
    expect(writeAnswer(answer)).toBe(text)
    expect(DecisionAnswer.parse(parseJson(text))).toEqual(answer)
  })

  test('to a cancel, and an error, too', () => {
    const cancelled = `{"by":"slack:U024BE7LH","run_id":"${RUN}","status":"cancelled"}\n`
    expect(writeAnswer({ run_id: RUN, status: 'cancelled', by: 'slack:U024BE7LH' })).toBe(cancelled)
    expect(CancelAnswer.safeParse(parseJson(cancelled)).success).toBe(true)
    const refused = '{"code":"not_found","error":"no such route"}\n'
    expect(writeAnswer({ error: 'no such route', code: 'not_found' })).toBe(refused)
    expect(ErrorAnswer.parse(parseJson(refused))).toEqual({ code: 'not_found', error: 'no such route' })
    expect(ErrorAnswer.safeParse(parseJson('{"code":"gone_fishing","error":""}')).success).toBe(false)
  })

  test('each code has the status of the protocol', () => {
    expect(canonical(new Map(ChannelCode.options.map((code) => [code, String(STATUS_OF[code])])))).toBe(
      '{"approval_changed":"409","approval_hash":"409","bad_request":"400","body_too_large":"413","expired":"410","internal":"500","not_an_approver":"403","not_found":"404","not_pending":"409","rate_limited":"429","run_finished":"409","run_not_waiting":"409","unauthorized":"401"}',
    )
  })
})

describe('a time', () => {
  test.each([
    ['2026-10-06T12:00:00.123Z', '2026-10-06T12:00:00.123Z'],
    ['2026-10-06T12:00:00.120Z', '2026-10-06T12:00:00.12Z'],
    ['2026-10-06T12:00:00.100Z', '2026-10-06T12:00:00.1Z'],
    ['2026-10-06T12:00:00.001Z', '2026-10-06T12:00:00.001Z'],
    ['2026-10-06T12:00:00.000Z', '2026-10-06T12:00:00Z'],
    ['2026-10-06T10:20:30.000Z', '2026-10-06T10:20:30Z'],
  ])('%s is written %s', (moment, text) => {
    expect(channelTime(new Date(moment))).toBe(text)
  })

  test('beyond the year 9999, or none at all, is not written', () => {
    expect(() => channelTime(new Date(Date.UTC(10_000, 0)))).toThrow()
    expect(() => channelTime(new Date(Number.NaN))).toThrow()
  })

  test.each([
    '2026-10-06',
    '2026-10-06 12:00:00Z',
    '2026-13-06T12:00:00Z',
    '2026-10-06T12:00:00',
    '2026-10-06T12:00:00.1234567890Z',
    '',
  ])('%s is not read', (text) => {
    expect(ChannelTime.safeParse(text).success).toBe(false)
  })

  test.each([
    ['2026-10-06T12:00:00.999999999Z', '2026-10-06T12:00:00Z'],
    ['2026-10-06T12:00:00Z', '2026-10-06T12:00:00Z'],
    ['2026-10-06T01:30:00.999999999+02:00', '2026-10-05T23:30:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ])('%s is shown as %s', (text, shown) => {
    expect(wholeSeconds(ChannelTime.parse(text))).toBe(shown)
  })
})

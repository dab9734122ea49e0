import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { unverified } from '../../../src/sources/novo/signature.ts'

const SECRET = 'tah_secret_0123456789abcdef0123456789'
const OTHER = 'tah_secret_another_one_0123456789'
const T = 1_790_000_000
const REVIEW =
  '{"type":"tool_execution_review","id":"tar_1","runId":"run_1","rootRunId":"run_1","threadId":"thread_1","agentId":"agent_1","stepNumber":0,"toolName":"bash","toolCallId":"tc_1","input":{"command":"rm -rf /"},"preview":{"summary":"Will delete the workspace."},"resolveUrl":"https://api.novoagents.ai/v1/interactions/tar_1/resolve"}'
const WORKER =
  '{"type":"tool_execution_review","id":"tar_2","runId":"run_w","rootRunId":"run_1","workerRef":"wkr_9","threadId":"thread_1","agentId":"agent_1","stepNumber":3,"toolName":"send_email","toolCallId":"tc_2","input":{"to":"ana@example.com","body":"naïve 🙂","chat":9007199254740993},"resolveUrl":"https://api.novoagents.ai/v1/interactions/tar_2/resolve"}'

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8')
const at = (seconds: number): Date => new Date(seconds * 1000)
/** The signature of the review, made here and not by what is tested. */
const v1 = (secret = SECRET, t: number | string = T, body = REVIEW): string =>
  createHmac('sha256', secret).update(`${t}.${body}`, 'utf8').digest('hex')

const why = (
  header: string | undefined,
  more: { body?: string; secrets?: readonly string[]; now?: Date; window?: number } = {},
) => unverified(header, bytes(more.body ?? REVIEW), (more.secrets ?? [SECRET]).map(bytes), more.now ?? at(T), more.window ?? 300)

describe('the known vectors', () => {
  test.each([
    ['a review', REVIEW, 329, T, 'c5b85749a3b7884d32c65ee7f42095279ae15c1066465e8ca8e6d7ad6a64d927'],
    ['a review with text beyond ASCII', WORKER, 351, T + 1, '06339481cf454b52e5fbde90a7e1bfe32bb98d66dc33b014f9bb0d55df021a16'],
    ['an empty body', '', 0, T + 2, 'cb3d9d7b3a1634e0eabba2a23102435a359d6f89508580eb54bcb573e12b5908'],
  ])('%s verifies, and not with a byte more or less', (_name, body, length, t, hex) => {
    expect(bytes(body)).toHaveLength(length)
    const header = `t=${t},v1=${hex}`
    expect(why(header, { body, now: at(t) })).toBeUndefined()
    expect(why(header, { body: `${body} `, now: at(t) })).toBe('mismatch')
    expect(why(header, { body: body.slice(1) || '{}', now: at(t) })).toBe('mismatch')
    expect(why(header, { body, now: at(t), secrets: [SECRET.slice('tah_'.length)] })).toBe('mismatch')
    expect(why(`t=${t + 1},v1=${hex}`, { body, now: at(t) })).toBe('mismatch')
  })
})

describe('the header', () => {
  test.each([
    ['the two entries', `t=${T},v1=${v1()}`],
    ['the two entries the other way round', `v1=${v1()},t=${T}`],
    ['blanks around the entries', ` t=${T} , v1=${v1()} `],
    ['an unknown entry', `t=${T},v1=${v1()},v2=AbC/+==`],
    ['an unknown entry without a value', `t=${T},v0=,v1=${v1()}`],
    ['unknown entries with one name', `t=${T},x=1,x=2,v1=${v1()}`],
    ['the right one after a wrong one', `t=${T},v1=${'0'.repeat(64)},v1=${v1()}`],
    ['the right one before a wrong one', `t=${T},v1=${v1()},v1=${'0'.repeat(64)}`],
    ['eight signatures', `t=${T},${`v1=${'0'.repeat(64)},`.repeat(7)}v1=${v1()}`],
    ['a moment with zeros in front, signed as written', `t=00${T},v1=${v1(SECRET, `00${T}`)}`],
  ])('verifies with %s', (_name, header) => expect(why(header)).toBeUndefined())

  test('that is missing or empty is called missing', () => {
    expect(why(undefined)).toBe('header_missing')
    expect(why('')).toBe('header_missing')
  })

  test.each([
    ['blanks only', '   '],
    ['no signature', `t=${T}`],
    ['no moment', `v1=${v1()}`],
    ['two moments', `t=${T},t=${T},v1=${v1()}`],
    ['another header joined to it', `t=${T},v1=${v1()}, t=${T},v1=${v1()}`],
    ['an unknown version only', `t=${T},v2=${v1()}`],
    ['the signature in upper case', `t=${T},v1=${v1().toUpperCase()}`],
    ['one upper-case digit', `t=${T},v1=${v1().replace(/[a-f]/, (digit) => digit.toUpperCase())}`],
    ['the names in upper case', `T=${T},V1=${v1()}`],
    ['63 digits', `t=${T},v1=${v1().slice(1)}`],
    ['65 digits', `t=${T},v1=${v1()}0`],
    ['a digit that is none', `t=${T},v1=g${v1().slice(1)}`],
    ['an empty signature', `t=${T},v1=`],
    ['a right signature beside a malformed one', `t=${T},v1=${v1()},v1=abc`],
    ['base64', `t=${T},v1=${Buffer.from(v1(), 'hex').toString('base64')}`],
    ['a prefix on the signature', `t=${T},v1=sha256=${v1()}`],
    ['nine signatures', `t=${T},${`v1=${v1()},`.repeat(8)}v1=${v1()}`],
    ['an empty moment', `t=,v1=${v1()}`],
    ['a moment with a sign', `t=+${T},v1=${v1()}`],
    ['a moment before 1970', `t=-${T},v1=${v1()}`],
    ['a moment with a fraction', `t=${T}.0,v1=${v1()}`],
    ['a moment in hexadecimal', `t=0x6ab1,v1=${v1()}`],
    ['a moment with an exponent', `t=1e9,v1=${v1()}`],
    ['a moment of 13 digits', `t=${T}000,v1=${v1()}`],
    ['digits of another script', `t=١٧٩,v1=${v1()}`],
    ['a moment that is a word', `t=now,v1=${v1()}`],
    ['a blank inside an entry', `t=${T},v1= ${v1()}`],
    ['a comma at the end', `t=${T},v1=${v1()},`],
    ['semicolons', `t=${T};v1=${v1()}`],
    ['an entry without a sign of equality', `t=${T},v1=${v1()},v2`],
    ['an entry without a name', `t=${T},v1=${v1()},=x`],
    ['the signature alone', v1()],
  ])('with %s is malformed', (_name, header) => expect(why(header)).toBe('header_malformed'))

  test.each([
    ['blanks', ' '.repeat(60_000)],
    ['commas', ','.repeat(60_000)],
    ['signatures', `v1=${'0'.repeat(64)},`.repeat(1000)],
    ['a name without an end', 'a'.repeat(60_000)],
  ])('of very many %s is judged at once', (_name, many) => {
    const before = performance.now()
    expect(why(`t=${T},v1=${v1()},${many}`)).toBe('header_malformed')
    expect(performance.now() - before).toBeLessThan(500)
  })
})

describe('the window', () => {
  test.each([
    ['now', 0, undefined],
    ['300 seconds old', 300, undefined],
    ['301 seconds old', 301, 'outside_window'],
    ['a day old', 86_400, 'outside_window'],
    ['300 seconds ahead', -300, undefined],
    ['301 seconds ahead', -301, 'outside_window'],
    ['a day ahead', -86_400, 'outside_window'],
    ['a hair over 300 seconds old', 300.001, 'outside_window'],
    ['a hair over 300 seconds ahead', -300.001, 'outside_window'],
  ])('a signature that is %s', (_name, age, expected) => {
    expect(why(`t=${T},v1=${v1()}`, { now: at(T + age) })).toBe(expected)
  })

  test('has the width of the setting', () => {
    const header = `t=${T},v1=${v1()}`
    expect(why(header, { now: at(T + 11), window: 10 })).toBe('outside_window')
    expect(why(header, { now: at(T - 11), window: 10 })).toBe('outside_window')
    expect(why(header, { now: at(T + 3000), window: 3600 })).toBeUndefined()
  })

  test('is looked at before the signature, and never instead of it', () => {
    expect(why(`t=${T},v1=${'0'.repeat(64)}`, { now: at(T + 301) })).toBe('outside_window')
    expect(why(`t=${T},v1=${'0'.repeat(64)}`)).toBe('mismatch')
  })

  test('is not escaped by the farthest moment that a header can name', () => {
    const t = '999999999999'
    expect(why(`t=${t},v1=${v1(SECRET, t)}`)).toBe('outside_window')
    expect(why(`t=0,v1=${v1(SECRET, 0)}`)).toBe('outside_window')
  })
})

describe('the secrets', () => {
  test.each([
    ['the first of two', [SECRET, OTHER], SECRET],
    ['the second of two', [OTHER, SECRET], SECRET],
    ['the last of three', [OTHER, `${OTHER}x`, SECRET], SECRET],
    ['one that holds text beyond ASCII', ['tah_géheim_🙂_0123'], 'tah_géheim_🙂_0123'],
  ])('one match is enough: %s', (_name, secrets, used) => {
    expect(why(`t=${T},v1=${v1(used)}`, { secrets })).toBeUndefined()
  })

  test('a header signed with two secrets verifies under either', () => {
    const header = `t=${T},v1=${v1(OTHER)},v1=${v1(SECRET)}`
    expect(why(header, { secrets: [SECRET] })).toBeUndefined()
    expect(why(header, { secrets: [OTHER] })).toBeUndefined()
  })

  test.each([
    ['another secret', [OTHER]],
    ['the secret without its prefix', [SECRET.slice(4)]],
    ['the secret with a line break', [`${SECRET}\n`]],
    ['an empty secret', ['']],
    ['no secret at all', []],
  ])('%s verifies nothing', (_name, secrets) => {
    expect(why(`t=${T},v1=${v1()}`, { secrets })).toBe('mismatch')
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Approval, ApprovalHash } from '../../../src/approval/approval.ts'
import { canonical } from '../../../src/approval/canonical.ts'
import { isList, isObject, type Json, JsonNumber, parseJson } from '../../../src/approval/json.ts'
import { card } from '../../../src/channels/slack/card.ts'
import { pagesOf } from '../../../src/channels/slack/reading.ts'
import { json, pending, SETTINGS } from './hostile.ts'
import { look } from './look.ts'
import { anyText, change } from './near.ts'

/** The same for all, so that what differs is the call as it is shown. */
const HASH = ApprovalHash.parse('0'.repeat(64))

function call(input: Json, more: Readonly<Record<string, Json>> = {}): Approval {
  return { ...pending(input, more), hash: HASH }
}

/** Every text on the card, as Unicode composes it; with the pages where the card cannot be approved. */
function shown(approval: Approval): string {
  const { read, actions } = look(card(approval, SETTINGS).blocks)
  const pages = actions.includes('approval.approve') ? [] : pagesOf(approval)
  return JSON.stringify([read, pages]).normalize('NFC')
}

function differ(one: Approval, other: Approval): void {
  expect(shown(one)).not.toBe(shown(other))
}

const text = fc
  .oneof(anyText, fc.constantFrom('null', 'true', '1', '[]', '{}', '"x"', ''))
  .filter((value) => !/\p{Cs}/u.test(value))
const literal = fc.constantFrom('0', '-0', '0.0', '1', '1.0', '1e0', '1E0', '10e-1', '9007199254740993', '9007199254740992')
const leaf: fc.Arbitrary<Json> = fc.oneof(
  text,
  literal.map((digits) => new JsonNumber(digits)),
  fc.constantFrom(null, true, false),
)
const { value: small } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 3 }).map((members) => new Map(members)),
  ),
}))

type Change = (text: string) => string

/** Changes one place of a value a little: a text, a key, a number's literal, a kind. */
function changed(value: Json, change: Change, steps: readonly number[]): Json {
  const [step = 0, ...rest] = steps
  if (isList(value)) {
    if (value.length === 0 || step % 5 === 0) return step % 2 === 0 ? [...value, null] : [value]
    const at = step % value.length
    return step % 5 === 1 ? value.toSpliced(at, 1) : value.with(at, changed(value[at] ?? null, change, rest))
  }
  if (isObject(value)) {
    const members = [...value]
    if (members.length === 0 || step % 5 === 0) return new Map([...members, ['', '']])
    const at = step % members.length
    const [key, member] = members[at] ?? ['', null]
    const without = members.toSpliced(at, 1)
    if (step % 5 === 1) return new Map(without)
    return new Map<string, Json>([...without, step % 5 === 2 ? [change(key), member] : [key, changed(member, change, rest)]])
  }
  if (typeof value === 'string') return step % 7 === 0 ? [value] : change(value)
  return step % 2 === 0 ? canonical(value) : new JsonNumber(['0', '1', '1.0'][step % 3] ?? '0')
}

const steps = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 4 })
const wellFormed = (value: Json): boolean => {
  try {
    return canonical(parseJson(canonical(value))) === canonical(value)
  } catch {
    return false
  }
}
const nearInputs = fc
  .tuple(fc.oneof({ weight: 4, arbitrary: small }, { weight: 1, arbitrary: json }), change, steps)
  .map(([value, how, where]) => [value, changed(value, how, where)] as const)
  .filter(([one, other]) => canonical(one) !== canonical(other) && wellFormed(other))

describe('two calls that differ are shown differently, on the card or on its pages:', () => {
  test('inputs that are nearly the same', () => {
    fc.assert(
      fc.property(nearInputs, ([one, other]) => differ(call(one), call(other))),
      { numRuns: 500 },
    )
  })

  test('inputs that have nothing in common', () => {
    fc.assert(
      fc.property(small, small, (one, other) => {
        fc.pre(canonical(one) !== canonical(other))
        differ(call(one), call(other))
      }),
      { numRuns: 250 },
    )
  })

  test.each(['toolName', 'agentId', 'runId', 'rootRunId', 'workerRef', 'unknown'])('the member %s', (member) => {
    const id = text.filter((value) => value !== '' && value.length <= 200)
    fc.assert(
      fc.property(id, change, (one, how) => {
        const other = how(one)
        fc.pre(one !== other && other !== '' && other.length <= 256 && !/\p{Cs}/u.test(other))
        differ(call(null, { [member]: one }), call(null, { [member]: other }))
      }),
      { numRuns: 100 },
    )
  })

  test('the preview', () => {
    const preview = (summary: string, more: Json): Json =>
      new Map<string, Json>([
        ['summary', summary],
        ['more', more],
      ])
    fc.assert(
      fc.property(text, nearInputs, change, (summary, [one, other], how) => {
        differ(call(null, { preview: preview(summary, one) }), call(null, { preview: preview(summary, other) }))
        const near = how(summary)
        fc.pre(near !== summary && !/\p{Cs}/u.test(near))
        differ(call(null, { preview: preview(summary, null) }), call(null, { preview: preview(near, null) }))
      }),
      { numRuns: 100 },
    )
  })

  const rows: readonly (readonly [string, string, string])[] = [
    ['a text and a number', '{"a":"1"}', '{"a":1}'],
    ['a number and its other literal', '{"a":1}', '{"a":1.0}'],
    ['no value and the word', '{"a":null}', '{"a":"null"}'],
    ['an empty list and its text', '{"a":[]}', '{"a":"[]"}'],
    ['an empty text and no argument', '{"a":""}', '{}'],
    ['a text and a number among short arguments', '{"a":"1","b":2}', '{"a":1,"b":2}'],
    ['short arguments that exchange their values', '{"a":"x","b":"y"}', '{"a":"y","b":"x"}'],
    ['two short arguments and one whose text looks like both', '{"a":"x","b":"y"}', '{"a":"x\\nb: y"}'],
    ['two short arguments and one whose name looks like both', '{"a":1,"b":2}', '{"a: 1\\nb":2}'],
    ['a list and its text among short arguments', '{"a":[1],"b":2}', '{"a":"[1]","b":2}'],
    ['a blank at the end of a short argument', '{"a":"ls","b":2}', '{"a":"ls ","b":2}'],
    ['a short argument that is quoted already', '{"a":"x","b":2}', '{"a":"\\"x\\"","b":2}'],
    ['an empty name and an empty value', '{"":"x"}', '{"x":""}'],
    ['names and values that change places', '{"a":"b"}', '{"b":"a"}'],
    ['one argument and two', '{"a":"b","c":"d"}', '{"a":"b c d"}'],
    ['text and an object that looks like it', '{"a":{"b":"c"}}', '{"a":"{\\n  \\"b\\": \\"c\\"\\n}"}'],
    ['a list in a list', '{"a":[[1],2]}', '{"a":[1,[2]]}'],
    ['a blank at the end', '{"a":"ls"}', '{"a":"ls "}'],
    ['a line break at the end', '{"a":"ls"}', '{"a":"ls\\n"}'],
    ['two line breaks and a carriage return', '{"a":"a\\n\\nb"}', '{"a":"a\\r\\nb"}'],
    ['forms of one letter', '{"a":"\\u00e9"}', '{"a":"e\\u0301"}'],
    ['a letter of another script', '{"a":"apple"}', '{"a":"\\u0430pple"}'],
    ['a hidden character and its escape', '{"a":"\\u202e"}', '{"a":"\\\\u{202E}"}'],
    ['five hidden characters and our mark of them', '{"a":"\\u200b\\u200b\\u200b\\u200b\\u200b"}', '{"a":"\\\\{5 times 200B}"}'],
    ['an input and a list of it', '"a"', '["a"]'],
    ['no arguments and an empty list', '{}', '[]'],
    ['no arguments and no input', '{}', 'null'],
    ['far down in what is deep', `${'['.repeat(250)}1${']'.repeat(250)}`, `${'['.repeat(250)}2${']'.repeat(250)}`],
    [
      'one character in the middle of 12 kB',
      JSON.stringify('a'.repeat(12_000)),
      JSON.stringify(`${'a'.repeat(6000)}b${'a'.repeat(5999)}`),
    ],
  ]
  test.each(rows)('%s', (_, one, other) => differ(call(parseJson(one)), call(parseJson(other))))
})

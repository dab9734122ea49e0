import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isList, isObject, type Json, JsonNumber, readJson } from '../../src/approval/json.ts'

const read = (text: string) => readJson(Buffer.from(text, 'utf8'))
const value = (text: string): Json => {
  const json = read(text)
  if (!json.ok) throw new Error(`${json.refusal.code} at ${json.refusal.at}`)
  return json.value
}

/** What JavaScript's own reader makes of the same text, for comparing: numbers rounded, the order of keys its own. */
function plain(json: Json): unknown {
  if (json instanceof JsonNumber) return Number(json.literal)
  if (isList(json)) return json.map(plain)
  if (isObject(json)) return Object.fromEntries([...json].map(([key, member]) => [key, plain(member)]))
  return json
}

const text = fc.string({ unit: 'binary', maxLength: 8 })
const blank = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n')
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.constantFrom('-0', '1.0', '1E5', '1e-7', '0.10'),
)
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    number,
    text.map((one) => JSON.stringify(one)),
    fc
      .array(fc.tuple(blank, tie('tree')), { maxLength: 4 })
      .map((items) => `[${items.map(([b, one]) => b + one + b).join(',')}]`),
    fc
      .uniqueArray(fc.tuple(text, blank, tie('tree')), { maxLength: 4, selector: ([key]) => key })
      .map((members) => `{${members.map(([key, b, one]) => `${b}${JSON.stringify(key)}${b}:${b}${one}`).join(',')}}`),
  ),
}))

test('JSON.parse reads the same values', () => {
  fc.assert(
    fc.property(tree, (json) => {
      expect(plain(value(json))).toEqual(JSON.parse(json))
    }),
    { numRuns: 500 },
  )
})

test('JSON.parse reads the same keys in the same order, where JavaScript keeps an order', () => {
  const key = fc.string({ unit: 'binary', maxLength: 6 }).filter((one) => !/^\d+$/.test(one) && one !== '__proto__')
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 12 }), (keys) => {
      const json = `{${keys.map((one, n) => `${JSON.stringify(one)}:${n}`).join(',')}}`
      const object = value(json)
      expect(isObject(object) && [...object.keys()]).toEqual(Object.keys(JSON.parse(json)))
    }),
  )
})

test('what JSON.parse refuses is refused, and nothing else is called not JSON', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '-',
      '+',
      '.',
      'e',
      '0',
      '1',
      'null',
      'true',
      '\\u',
      'd83d',
      ' ',
      '\n',
      '\0',
      '\v',
      '\ufeff',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  )
  const spoilt = fc
    .tuple(tree, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), piece), { minLength: 1, maxLength: 3 }))
    .map(([json, edits]) =>
      edits.reduce((now, [at, cut, put]) => {
        const points = Array.from(now)
        points.splice(at % (points.length + 1), cut, put)
        return points.join('')
      }, json),
    )
  let refused = 0
  fc.assert(
    fc.property(spoilt, (json) => {
      let theirs: { readonly value: unknown } | undefined
      try {
        theirs = { value: JSON.parse(json) }
      } catch {
        refused += 1
      }
      const ours = read(json)
      if (theirs === undefined) expect(ours.ok).toBe(false)
      else if (ours.ok) expect(plain(ours.value)).toEqual(theirs.value)
      else expect(ours.refusal.code).toBe('ambiguous_json')
    }),
    { numRuns: 2000 },
  )
  expect(refused).toBeGreaterThan(500)
})

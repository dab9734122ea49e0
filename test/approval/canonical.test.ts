import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical, hashOf, sorted } from '../../src/approval/canonical.ts'
import { isObject, type Json, JsonNumber, parseJson, readJson } from '../../src/approval/json.ts'

const canonicalOf = (text: string): string => canonical(parseJson(text))
const sha256 = (text: string): string => createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex')

describe('the known forms and hashes', () => {
  const publish =
    '{"kind":"remote_mutation","capability":{"tool":"push","args":{"n":7}},"presentation":{"title":"Publish <PR> & tag","lines":1.0},"request":{"run_id":"r1","step_id":"s1","spec":{"name":"push","description":"push <main> & tag","input_schema":{"type":"object"},"side_effect":"remote_mutation","timeout":30000000000},"args":{"n":7,"ref":"refs/heads/main"}}}'
  const published =
    '{"capability":{"args":{"n":7},"tool":"push"},"kind":"remote_mutation","presentation":{"lines":1.0,"title":"Publish \\u003cPR\\u003e \\u0026 tag"},"request":{"args":{"n":7,"ref":"refs/heads/main"},"run_id":"r1","spec":{"description":"push \\u003cmain\\u003e \\u0026 tag","input_schema":{"type":"object"},"name":"push","side_effect":"remote_mutation","timeout":30000000000},"step_id":"s1"}}'
  const deploy =
    '{"kind":"deployment","capability":{"env":"prod","tool":"deploy"},"presentation":{"files":["a.yaml","b.yaml"],"risk":0.5,"title":"Deploy build 42 to prod"},"request":{"run_id":"9f1c2b3a4d5e6f708192a3b4c5d6e7f8","step_id":"00112233445566778899aabbccddeeff","spec":{"name":"deploy","description":"Roll out a build \\u0026 tag it","input_schema":{"type":"object","properties":{"env":{"type":"string"},"replicas":{"type":"integer"},"note":{"type":"string"}},"required":["env"],"additionalProperties":false},"side_effect":"remote_mutation","timeout":30000000000},"args":{"env":"prod","note":"a \\u003cb\\u003e \\u0026 c","replicas":3}}}'

  test('a publication has the known canonical text', () => expect(canonicalOf(publish)).toBe(published))

  test.each([
    ['a publication', publish, '175bcfc7a7e3cdab6b98d7b50caf9f2a8e59d5208211b97de39a4b027c7fa0b2'],
    ['a deployment', deploy, '66f7c9f41c0927a26563fecbe493ed61c960c07ae3715fae55980d6c55ff3040'],
    ['an empty object', '{}', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
    ['null', 'null', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'],
    ['numbers', '{"n":1.50,"m":[1e5,2E-5,-0.0]}', '99a916ac72d6c6a45b638603e2b3385d14a8bd7df100584bb68aaf3485b33323'],
    ['keys', '{"B":1,"a":2,"_":3,"é":4,"e":5,"😀":6,"日":7}', '4dc6ac2731156b6b9a580eaa1105ee09f002b1a60c662c90bdad9b27cea5308f'],
  ])('%s has the known hash', (_name, text, hash) => {
    expect(hashOf(canonicalOf(text))).toBe(hash)
  })
})

describe('keys', () => {
  test('stand in the order of their UTF-8 bytes at every level', () => {
    expect(canonicalOf('{"b":[{"z":1,"a":2}],"a":{"d":1,"c":2},"":0,"aa":3,"B":4}')).toBe(
      '{"":0,"B":4,"a":{"c":2,"d":1},"aa":3,"b":[{"a":2,"z":1}]}',
    )
  })

  test('beyond the first plane stand after all of the first plane, unlike in UTF-16', () => {
    expect(['\uffee', '\u{1f600}'].sort()).toEqual(['\u{1f600}', '\uffee'])
    expect(canonicalOf('{"\u{1f600}":1,"\uffee":2,"\ue000":3,"\ud7ff":4}')).toBe(
      '{"\ud7ff":4,"\ue000":3,"\uffee":2,"\u{1f600}":1}',
    )
  })

  test('are put in the order that a comparison of their bytes gives', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('\u{10000}', '\u{10ffff}', '\ud7ff', '\ue000', '\uffff', 'a'),
    )
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit, maxLength: 4 }), { maxLength: 12 }), (keys) => {
        const ours = sorted(new Map(keys.map((key) => [key, null]))).map(([key]) => key)
        expect(ours).toEqual([...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
      }),
      { numRuns: 500 },
    )
  })

  test('are told apart before they are normalised', () => {
    expect(canonicalOf('{"\u00e9":1,"e\u0301":2}')).toBe('{"e\u0301":2,"\u00e9":1}')
  })
})

describe('numbers', () => {
  test.each([
    '0',
    '-0',
    '-0.0',
    '1',
    '1.0',
    '1e5',
    '1E5',
    '1e+5',
    '100000',
    '9007199254740993',
    '123456789012345678901234567890',
    '1e-400',
  ])('%s stays as it was written', (literal) => expect(canonicalOf(` [ ${literal} ] `)).toBe(`[${literal}]`))

  test('that are equal but written otherwise have other hashes', () => {
    const written = ['1', '1.0', '1e0', '10e-1', '1E0']
    expect(new Set(written.map((literal) => hashOf(canonicalOf(literal)))).size).toBe(written.length)
  })
})

describe('strings have one escaping', () => {
  test.each([
    ['a quote and a backslash', '\\u0022\\u005c', '\\"\\\\'],
    ['the short ones', '\\u0008\\u000c\\u000a\\u000d\\u0009', '\\b\\f\\n\\r\\t'],
    ['other controls in lower-case hex', '\\u0000\\u001F\\u000B\\u001b', '\\u0000\\u001f\\u000b\\u001b'],
    ['the marks of markup', '<>&', '\\u003c\\u003e\\u0026'],
    ['the line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['DEL and the slash raw', '\\u007f\\/', '\u007f/'],
    ['all else raw', '\\u00e9\\ud83d\\ude42\\u202e\\u200b\\ufeff', 'é🙂\u202e\u200b\ufeff'],
    ['text that is not normalised as it is', 'e\u0301\u00e9', 'e\u0301\u00e9'],
  ])('%s', (_name, written, escaped) => {
    expect(canonicalOf(`"${written}"`)).toBe(`"${escaped}"`)
    expect(canonicalOf(`{"${written}":1}`)).toBe(`{"${escaped}":1}`)
  })

  test('of every code unit once', () => {
    for (let code = 0; code < 0x3000; code += 1) {
      const char = String.fromCharCode(code)
      const text = canonical(char)
      expect(JSON.parse(text)).toBe(char)
      const escaped = code < 0x20 || '"\\<>&\u2028\u2029'.includes(char)
      expect(text === `"${char}"`).toBe(!escaped)
    }
  })
})

describe('the hash', () => {
  test('is over the UTF-8 bytes, in lower-case hex', () => {
    expect(hashOf('"naïve 🙂"')).toBe(sha256('"naïve 🙂"'))
    expect(hashOf('')).toMatch(/^[0-9a-f]{64}$/)
  })

  test('is not given to what is not JSON', () => {
    expect(() => canonical(JSON.parse('{"a":1}'))).toThrow('cannot be hashed')
    expect(() => canonical(JSON.parse('1'))).toThrow('cannot be hashed')
  })
})

/** One value, written in two ways: other blanks, another order of keys, other escapes. */
const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom('"', '\\', '<', '\u2028', '\n', '🙂'),
  ),
  maxLength: 6,
})
const literal = fc.constantFrom('0', '-0.0', '1.50', '1e5', '2E-5', '123456789012345678901234567890')
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    literal.map((one) => new JsonNumber(one)),
    text,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.uniqueArray(fc.tuple(text, tie('tree')), { maxLength: 5, selector: ([key]) => key }).map((members) => new Map(members)),
  ),
}))

/** Writes a value as some other honest writer would; `next` is uniform in [0, 1). */
function written(json: Json, next: () => number): string {
  const blank = (): string => ['', '', ' ', '\n\t'][Math.floor(next() * 4)] ?? ''
  const quoted = (one: string): string =>
    `"${[...one].map((char) => (next() < 0.5 || JSON.stringify(char) !== `"${char}"` ? escapes(char, next) : char)).join('')}"`
  if (json === null || typeof json === 'boolean') return String(json)
  if (typeof json === 'string') return quoted(json)
  if (json instanceof JsonNumber) return json.literal
  if (isObject(json)) {
    const members = [...json].map(([key, member]) => ({ at: next(), key, member })).sort((a, b) => a.at - b.at)
    return `{${blank()}${members.map(({ key, member }) => `${quoted(key)}${blank()}:${blank()}${written(member, next)}`).join(`${blank()},`)}${blank()}}`
  }
  return `[${blank()}${json.map((item) => written(item, next)).join(`${blank()},${blank()}`)}]`
}

function escapes(char: string, next: () => number): string {
  const hex = (code: number): string => code.toString(16).padStart(4, '0')
  return Array.from({ length: char.length }, (_, n) => hex(char.charCodeAt(n)))
    .map((digits) => `\\u${next() < 0.5 ? digits : digits.toUpperCase()}`)
    .join('')
}

/** A small generator of numbers from a seed, so that a failure can be seen again. */
function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('of any value', () => {
  test('the canonical text reads as JSON and is its own canonical text', () => {
    fc.assert(
      fc.property(tree, (json) => {
        const once = canonical(json)
        expect(() => JSON.parse(once)).not.toThrow()
        const again = readJson(Buffer.from(once, 'utf8'))
        expect(again.ok && canonical(again.value)).toBe(once)
      }),
      { numRuns: 500 },
    )
  })

  test('two writings in another key order, with other escapes and other blanks, have one hash', () => {
    let different = 0
    fc.assert(
      fc.property(tree, fc.integer(), fc.integer(), (json, one, other) => {
        const [a, b] = [written(json, dice(one)), written(json, dice(other))]
        if (a !== b) different += 1
        expect(hashOf(canonicalOf(a))).toBe(hashOf(canonicalOf(b)))
        expect(canonicalOf(a)).toBe(canonical(json))
      }),
      { numRuns: 500 },
    )
    expect(different).toBeGreaterThan(100)
  })

  test('two values have one canonical text only when they are one value', () => {
    const few = fc.constantFrom('a', '<', '\\u003c', '')
    const { small } = fc.letrec<{ small: Json }>((tie) => ({
      small: fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom(null, true),
        fc.constantFrom('1', '1.0').map((one) => new JsonNumber(one)),
        few,
        fc.array(tie('small'), { maxLength: 1 }),
        fc
          .uniqueArray(fc.tuple(few, tie('small')), { maxLength: 2, selector: ([key]) => key })
          .map((members) => new Map(members)),
      ),
    }))
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(canonical(a) === canonical(b)).toBe(isDeepStrictEqual(a, b))
      }),
      { numRuns: 1000 },
    )
  })
})

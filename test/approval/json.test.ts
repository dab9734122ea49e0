import { describe, expect, test } from 'vitest'
import { isObject, type Json, JsonNumber, MAX_DEPTH, parseJson, readJson } from '../../src/approval/json.ts'

const read = (text: string) => readJson(Buffer.from(text, 'utf8'))
const value = (text: string): Json => {
  const json = read(text)
  if (!json.ok) throw new Error(`${json.refusal.code} at ${json.refusal.at}`)
  return json.value
}

describe('what is JSON is read', () => {
  test.each<[string, string, Json]>([
    ['null', 'null', null],
    ['true', 'true', true],
    ['false', 'false', false],
    ['an empty string', '""', ''],
    ['an empty array', '[]', []],
    ['an empty array with blanks in it', '[ \n\r\t]', []],
    ['an empty object', '{}', new Map()],
    ['an empty object with blanks in it', '{ \n\r\t}', new Map()],
    ['all four blanks around a value', ' \t\r\n1 \t\r\n', new JsonNumber('1')],
    [
      'blanks around every mark',
      ' { "a" : [ 1 , 2 ] , "b" : { } } ',
      new Map<string, Json>([
        ['a', [new JsonNumber('1'), new JsonNumber('2')]],
        ['b', new Map()],
      ]),
    ],
    ['every short escape', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['an escape of four digits, in either case', '"\\u00e9\\u00E9"', 'éé'],
    ['an escaped NUL', '"a\\u0000b"', 'a\0b'],
    ['an escaped pair of surrogates', '"\\ud83d\\ude00\\uD83D\\uDE00"', '😀😀'],
    ['the last code point, escaped and raw', '"\\udbff\\udfff\u{10ffff}"', '\u{10ffff}\u{10ffff}'],
    ['raw text beyond ASCII', '"naïve 🙂 日本\u2028\u2029\u007f"', 'naïve 🙂 日本\u2028\u2029\u007f'],
    ['a byte order mark inside a string', '"\ufeff"', '\ufeff'],
    ['an empty key', '{"":1}', new Map([['', new JsonNumber('1')]])],
    [
      'keys that differ only in case',
      '{"a":1,"A":2}',
      new Map([
        ['a', new JsonNumber('1')],
        ['A', new JsonNumber('2')],
      ]),
    ],
    [
      'keys that are equal only once normalised',
      '{"\u00e9":1,"e\u0301":2}',
      new Map([
        ['\u00e9', new JsonNumber('1')],
        ['e\u0301', new JsonNumber('2')],
      ]),
    ],
    [
      'one key in two objects',
      '[{"a":1},{"a":1}]',
      [new Map([['a', new JsonNumber('1')]]), new Map([['a', new JsonNumber('1')]])],
    ],
    ['one key at two levels', '{"a":{"a":1}}', new Map([['a', new Map([['a', new JsonNumber('1')]])]])],
  ])('%s', (_name, text, expected) => {
    expect(read(text)).toEqual({ ok: true, value: expected })
    expect(parseJson(text)).toEqual(expected)
    expect(() => JSON.parse(text)).not.toThrow()
  })

  test.each([
    '0',
    '-0',
    '-0.0',
    '1.0',
    '1.50',
    '1e5',
    '2E-5',
    '1E+400',
    '9007199254740993',
    '123456789012345678901234567890',
    '0.1e-0',
  ])('the number %s keeps its literal', (literal) => {
    expect(value(literal)).toEqual(new JsonNumber(literal))
    expect(value(`[${literal},{"n":${literal}}]`)).toEqual([new JsonNumber(literal), new Map([['n', new JsonNumber(literal)]])])
  })

  test('a key named __proto__ is a key like any other', () => {
    const json = value('{"__proto__":{"polluted":true},"constructor":1,"toString":2}')
    expect(isObject(json) && [...json.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
    expect('polluted' in {}).toBe(false)
  })

  test('keys stay in the order of the sender, numbers among them too', () => {
    const json = value('{"z":1,"10":2,"a":3,"2":4}')
    expect(isObject(json) && [...json.keys()]).toEqual(['z', '10', 'a', '2'])
  })
})

describe('what is not JSON is refused, with the place where it stops being JSON', () => {
  test.each<[string, string, number]>([
    ['nothing', '', 0],
    ['blanks only', ' \n ', 3],
    ['a byte order mark', '\ufeff{}', 0],
    ['a second value', '{} {}', 3],
    ['text after the value', 'null,', 4],
    ['a comma after the last item', '[1,]', 3],
    ['a comma after the last member', '{"a":1,}', 7],
    ['a comma before the first item', '[,1]', 1],
    ['no comma between items', '[1 2]', 3],
    ['no colon', '{"a" 1}', 5],
    ['no value', '{"a":}', 5],
    ['a key without quotes', '{a:1}', 1],
    ['a key in single quotes', "{'a':1}", 1],
    ['a number as a key', '{1:1}', 1],
    ['an array without an end', '[1', 2],
    ['an object without an end', '{"a":1', 6],
    ['a string without an end', '"abc', 4],
    ['a bracket of the other kind', '[1}', 2],
    ['a closing bracket alone', ']', 0],
    ['a comment', '/* */1', 0],
    ['a comment after a value', '1// one', 1],
    ['a word in capitals', 'True', 0],
    ['a word cut short', '[nul]', 1],
    ['a word with more to it', 'nullx', 4],
    ['undefined', 'undefined', 0],
    ['NaN', 'NaN', 0],
    ['Infinity', '-Infinity', 0],
    ['a plus sign', '+1', 0],
    ['a minus alone', '-', 0],
    ['a leading zero', '01', 1],
    ['a leading zero after a minus', '-01', 2],
    ['no digit before the point', '.5', 0],
    ['no digit after the point', '1.', 1],
    ['no digit in the exponent', '1e', 1],
    ['no digit after the sign of the exponent', '1e+', 1],
    ['a hexadecimal number', '0x10', 1],
    ['a number with underscores', '1_000', 1],
    ['digits of another script', '١', 0],
    ['a raw line break in a string', '"a\nb"', 2],
    ['a raw tab in a string', '"\t"', 1],
    ['a raw NUL in a string', '"\0"', 1],
    ['a NUL after the value', '1\0', 1],
    ['an unknown escape', '"ab\\x41"', 3],
    ['an escape of a quote of the other kind', '"\\\'"', 1],
    ['an escape of three digits', '"\\u00e"', 1],
    ['an escape with a sign in it', '"\\u+123"', 1],
    ['an escape in braces', '"\\u{e9}"', 1],
    ['a capital U in an escape', '"\\U00e9"', 1],
    ['a backslash at the end', '"\\', 1],
    ['a no-break space as a blank', '\u00a01', 0],
    ['a vertical tab as a blank', '[\v1]', 1],
    ['a line separator as a blank', '[1\u2028]', 2],
  ])('%s', (_name, text, at) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(read(text)).toEqual({ ok: false, refusal: { code: 'not_json', at } })
    expect(() => parseJson(text)).toThrow('not_json')
  })

  test('the place is counted in the characters of JavaScript, not in bytes', () => {
    expect(read('["é😀" x]')).toEqual({ ok: false, refusal: { code: 'not_json', at: 7 } })
  })
})

describe('what two readers could read differently is refused, with its reason', () => {
  test.each<[string, string | readonly number[], string, number]>([
    ['a repeated key', '{"a":1,"a":2}', 'repeated key', 7],
    ['a repeated key with an equal value', '{"a":1,"a":1}', 'repeated key', 7],
    ['a repeated key written by an escape', '{"a":1,"\\u0061":2}', 'repeated key', 7],
    ['a repeated empty key', '{"":1,"":1}', 'repeated key', 6],
    ['a repeated __proto__', '{"__proto__":1,"__proto__":1}', 'repeated key', 15],
    ['a repeated key deep inside', '[{"b":{"a":1,"c":2,"a":3}}]', 'repeated key', 19],
    ['a repeated pair of surrogates, raw and escaped', '{"😀":1,"\\ud83d\\ude00":1}', 'repeated key', 8],
    ['a high surrogate alone', '"\\ud83d"', 'lone surrogate', 1],
    ['a high surrogate before other text', '"a\\ud83dx"', 'lone surrogate', 2],
    ['a high surrogate before another escape', '"\\ud83d\\n"', 'lone surrogate', 1],
    ['a high surrogate before an ordinary character', '"\\ud83d\\u0041"', 'lone surrogate', 1],
    ['two high surrogates', '"\\ud83d\\ud83d"', 'lone surrogate', 1],
    ['a low surrogate alone', '"\\ude00"', 'lone surrogate', 1],
    ['a pair the wrong way round', '"\\ude00\\ud83d"', 'lone surrogate', 1],
    ['a lone surrogate in a key', '{"\\udfff":1}', 'lone surrogate', 2],
    ['a byte that no UTF-8 holds', [0x22, 0xff, 0x22], 'not UTF-8', 0],
    ['a sequence cut short', [0x22, 0xe2, 0x82, 0x22], 'not UTF-8', 0],
    ['a sequence cut short by the end', [0x22, 0xc3], 'not UTF-8', 0],
    ['an overlong quote', [0x22, 0xc0, 0xa2, 0x22], 'not UTF-8', 0],
    ['a surrogate in three bytes', [0x22, 0xed, 0xa0, 0xbd, 0x22], 'not UTF-8', 0],
    ['a code point past the last', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 'not UTF-8', 0],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], 'not UTF-8', 0],
    ['300 arrays in one another', `${'['.repeat(300)}${']'.repeat(300)}`, 'too deep', 256],
    ['300 objects in one another', `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, 'too deep', 256 * 5],
  ])('%s', (_name, given, why, at) => {
    const bytes = typeof given === 'string' ? Buffer.from(given, 'utf8') : Buffer.from(given)
    expect(readJson(bytes)).toEqual({ ok: false, refusal: { code: 'ambiguous_json', at, why } })
  })

  test('text that we stored ourselves is refused when it holds half a pair', () => {
    expect(() => parseJson('"\ud83d"')).toThrow('ambiguous_json')
    expect(() => parseJson('{"a":1,"a":1}')).toThrow('ambiguous_json')
  })

  test('a refusal never quotes the text', () => {
    for (const text of ['{"PLANTED":1,"PLANTED":1}', '"PLANTED\\ud800"', 'PLANTED', '["PLANTED" PLANTED]'])
      expect(JSON.stringify(read(text))).not.toContain('PLANTED')
  })
})

describe('the depth is bounded', () => {
  const arrays = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const mixed = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`

  test('the bound is 256 levels', () => expect(MAX_DEPTH).toBe(256))

  test.each([
    ['arrays', arrays(256), `[${arrays(256)}]`, 256],
    ['objects', objects(256), `{"b":${objects(256)}}`, 256 * 5],
    ['arrays and objects by turns', mixed(256), `[${mixed(256)}]`, 1 + 127 * 6 + 1],
  ])('256 levels of %s pass and 257 do not', (_name, deepest, tooDeep, at) => {
    expect(read(deepest).ok).toBe(true)
    expect(read(tooDeep)).toEqual({ ok: false, refusal: { code: 'ambiguous_json', at, why: 'too deep' } })
  })

  test('many levels side by side are not deep', () => {
    expect(read(`[${Array.from({ length: 1000 }, () => arrays(255)).join(',')}]`).ok).toBe(true)
  })

  test.each([
    ['100,000 arrays', arrays(100_000), 256],
    ['100,000 arrays that never end', '['.repeat(100_000), 256],
    ['100,000 objects', objects(100_000), 256 * 5],
  ])('%s in one another are refused without an overflow', (_name, text, at) => {
    expect(read(text)).toEqual({ ok: false, refusal: { code: 'ambiguous_json', at, why: 'too deep' } })
  })
})

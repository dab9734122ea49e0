import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bytesBehind,
  cuts,
  fromSettings,
  idOrSeeBelow,
  inert,
  ours,
  plainId,
  split,
} from '../../../src/channels/slack/safe-text.ts'
import { decoded } from './decoded.ts'
import { anyText, nearPair } from './near.ts'

const LAYOUTS = ['lines', 'one line', 'quoted'] as const
const layout = fc.constantFrom(...LAYOUTS)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

describe('a character that cannot be seen, or that moves what is seen, is shown by its code point', () => {
  const points = [
    ...[0x0000, 0x0007, 0x001b, 0x007f, 0x0085, 0x00a0, 0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x1680, 0x17b4, 0x17b5, 0x180e],
    ...range(0x2000, 0x200f),
    ...range(0x2028, 0x202f),
    ...range(0x205f, 0x206f),
    ...[0x2800, 0x3000, 0x3164, 0xe000, 0xfeff, 0xffa0, 0xfffc, 0xfffe, 0x16fe4, 0x1bca0, 0x1d159, 0x1d173, 0x10ffff],
    ...range(0xfe00, 0xfe0f),
    ...range(0xfff9, 0xfffb),
    ...[0xe0001, ...range(0xe0020, 0xe007f), 0xe0100, 0xe01ef],
    ...[0xd800, 0xdbff, 0xdc00, 0xdfff],
  ]
  test.each(points.map((point) => [point.toString(16).toUpperCase(), String.fromCodePoint(point)]))('U+%s', (hex, char) => {
    for (const how of LAYOUTS) {
      expect(inert(`a${char}b`, how)).toBe(`a\\u{${hex}}b`)
      expect(inert(char, how)).toBe(`\\u{${hex}}`)
      expect(inert(char.repeat(4), how)).toBe(`\\u{${hex}}`.repeat(4))
      expect(inert(char.repeat(5), how)).toBe(`\\{5 times ${hex}}`)
    }
  })

  test('of the planes 0, 1 and 14 no code point comes out raw that cannot be seen', () => {
    for (const from of [...range(0, 0x1f).map((n) => n * 0x1000), 0xe0000]) {
      const some = range(from, from + 0xfff)
        .map((point) => String.fromCodePoint(point))
        .join('|')
      const shown = inert(some)
      expect(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u.exec(shown.replaceAll('\n', ''))).toBeNull()
      expect(decoded(shown) === some).toBe(true)
    }
  })
})

describe('text as a person reads it', () => {
  const nine = ' '.repeat(9)
  const rows: readonly (readonly [name: string, text: string, lines: string, oneLine?: string])[] = [
    ['plain text is itself', 'ls -la /tmp && echo "done" | tee <out>', 'ls -la /tmp && echo "done" | tee <out>'],
    ['marks of Slack are themselves', '<!channel> `x` *b* _i_ ~s~ > :tada:', '<!channel> `x` *b* _i_ ~s~ > :tada:'],
    [
      'other languages are themselves',
      'naïve Grüße 漢字かな кириллица עברית ไทย 🙂',
      'naïve Grüße 漢字かな кириллица עברית ไทย 🙂',
    ],
    ['a terminal sequence', '\u001B[2J', '\\u{1B}[2J'],
    ['a tab and a carriage return', 'a\tb\r\nc', 'a\\tb\\r\nc', 'a\\tb\\r\\nc'],
    ['a backslash is doubled', 'a\\b', 'a\\\\b'],
    ['an escape that the sender spelled out', '\\u{202E}', '\\\\u{202E}'],
    ['a mark of ours that the sender spelled out', '\\{9 spaces}', '\\\\{9 spaces}'],
    ['eight spaces', `a${' '.repeat(8)}b`, `a${' '.repeat(8)}b`],
    ['nine spaces', `a${nine}b`, 'a\\{9 spaces}b'],
    ['spaces at the end', `a${nine}`, 'a\\{9 spaces}'],
    ['an indentation of 24', `a\n${' '.repeat(24)}b`, `a\n${' '.repeat(24)}b`, 'a\\n\\{24 spaces}b'],
    ['an indentation of 25', `a\n${' '.repeat(25)}b`, 'a\n\\{25 spaces}b', 'a\\n\\{25 spaces}b'],
    ['an indentation at the very start', `${nine}b`, `${nine}b`, '\\{9 spaces}b'],
    ['four line breaks', 'a\n\n\n\nb', 'a\n\n\n\nb', 'a\\n\\n\\n\\nb'],
    ['five line breaks', 'a\n\n\n\n\nb', 'a\\{5 line breaks}\nb', 'a\\{5 line breaks}b'],
    ['300 line breaks at the end', `a${'\n'.repeat(300)}`, 'a\\{300 line breaks}\n', 'a\\{300 line breaks}'],
    ['400 ideographic spaces before the end', `${'\u3000'.repeat(400)}; rm -rf /`, '\\{400 times 3000}; rm -rf /'],
    ['spaces of two kinds in turn', '\u3000\u2003\u3000', '\\u{3000}\\u{2003}\\u{3000}'],
    ['runs of two hidden characters', `${'\u200B'.repeat(6)}${'\u{E0041}'.repeat(2)}`, '\\{6 times 200B}\\u{E0041}\\u{E0041}'],
    ['a word of two scripts', 'аpple.com', '\\u{430}pple.com'],
    ['a word of two scripts among others', 'visit pаypаl now', 'visit p\\u{430}yp\\u{430}l now'],
    ['scripts that are written together', 'Tシャツ漢字 データ 人々', 'Tシャツ漢字 データ 人々'],
    ['text that is not composed', 'e\u0301', 'e\\u{301}'],
    ['the same text composed', 'é', 'é'],
    ['a mark on a sign', '=\u0338', '=\\u{338}'],
    ['a mark at the start', '\u0301a', '\\u{301}a'],
    ['five marks on one letter', `a${'\u0324'.repeat(5)}`, `a${'\\u{324}'.repeat(5)}`],
    ['letters in disguise', 'ｒｍ ﬁle 𝐬𝐮𝐝𝐨', '\\u{FF52}\\u{FF4D} \\u{FB01}le \\u{1D42C}\\u{1D42E}\\u{1D41D}\\u{1D428}'],
    ['a sign that Unicode composes to another', '\u2126 \u212B \u2329 \u1FEF', '\\u{2126} \\u{212B} \\u{2329} \\u{1FEF}'],
    ['half of a surrogate pair', 'a\uD83Db', 'a\\u{D83D}b'],
    ['two halves in the wrong order', '\uDE42\uD83D', '\\u{DE42}\\u{D83D}'],
    ['an emoji of several parts', '✌\uFE0F 👩\u200D🚀', '✌\\u{FE0F} 👩\\u{200D}🚀'],
    ['nothing', '', ''],
  ]
  test.each(rows.map(([name, text, lines, oneLine = lines]) => ({ name, text, lines, oneLine })))(
    '$name',
    ({ text, lines, oneLine }) => {
      expect(inert(text)).toBe(lines)
      expect(inert(text, 'one line')).toBe(oneLine)
      expect(inert(text, 'quoted')).toBe(oneLine.replaceAll('"', '\\"'))
    },
  )
})

describe('making text inert', () => {
  test('loses nothing: the text can be read back', () => {
    fc.assert(
      fc.property(anyText, layout, (text, how) => {
        expect(decoded(inert(text, how))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  test('keeps texts apart that are nearly the same, also where Unicode composes what is shown', () => {
    fc.assert(
      fc.property(nearPair, layout, ([one, other], how) => {
        expect(inert(one, how).normalize('NFC')).not.toBe(inert(other, how).normalize('NFC'))
      }),
      { numRuns: 2000 },
    )
  })

  test('gives text in composed form, in one line where that is asked', () => {
    fc.assert(
      fc.property(anyText, layout, (text, how) => {
        const shown = inert(text, how)
        expect(shown.normalize('NFC')).toBe(shown)
        if (how !== 'lines') expect(shown).not.toContain('\n')
        if (how === 'quoted') expect(shown.replaceAll(/\\./g, '')).not.toContain('"')
      }),
      { numRuns: 2000 },
    )
  })

  test('tells how many bytes it was made from', () => {
    fc.assert(
      fc.property(anyText, layout, (text, how) => {
        expect(bytesBehind(inert(text, how))).toBe(Buffer.byteLength(text))
      }),
    )
  })
})

describe('cutting inert text', () => {
  const text = fc.tuple(fc.array(anyText, { maxLength: 8 }), layout).map(([parts, how]) => inert(parts.join(''), how))

  test('the parts make the whole, none is longer than asked, and none begins or ends inside an escape or a surrogate pair', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 40, max: 90 }), (whole, most) => {
        const parts = split(whole, most)
        expect(parts.join('')).toBe(whole)
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(most)
          expect(part).not.toBe('')
          expect(part).not.toMatch(/[\uD800-\uDFFF]/u)
        }
        expect(parts.map(decoded).join('')).toBe(decoded(whole))
      }),
      { numRuns: 800 },
    )
  })

  test('the places around a place are inside no escape and no surrogate pair, and are the nearest', () => {
    fc.assert(
      fc.property(text, fc.nat(), (whole, n) => {
        const at = n % (whole.length + 1)
        const { before, after } = cuts(whole, 0, at)
        expect(before).toBeLessThanOrEqual(at)
        expect(after).toBeGreaterThanOrEqual(at)
        expect(decoded(whole.slice(0, before)) + decoded(whole.slice(before, after)) + decoded(whole.slice(after))).toBe(
          decoded(whole),
        )
        if (before < after) expect([...decoded(whole.slice(before, after)).replaceAll(/(.)\1*/gsu, '$1')]).toHaveLength(1)
      }),
      { numRuns: 800 },
    )
  })

  test('no place among many backslashes is between the two of one', () => {
    const whole = inert(`a${'\\'.repeat(60)}`)
    for (let at = 1; at <= whole.length; at += 1) {
      const odd = (at - 1) % 2
      expect(cuts(whole, 0, at)).toEqual({ before: at - odd, after: at + odd })
    }
  })

  test('a part shorter than an escape is made longer, not cut', () => {
    expect(split(inert('\u200Bab'), 3)).toEqual(['\\u{200B}', 'ab'])
    expect(split(inert('🙂🙂'), 1)).toEqual(['🙂', '🙂'])
  })

  test('a part ends at a line break where that wastes less than half', () => {
    expect(split(inert('aaaaaa\nbbbbbb'), 10)).toEqual(['aaaaaa\n', 'bbbbbb'])
    expect(split(inert('aa\nbbbbbbbbbb'), 10)).toEqual(['aa\nbbbbbbb', 'bbb'])
  })
})

describe('an id', () => {
  test.each(['bash', 'a', 'x'.repeat(128), 'mcp:files.read_v2-1'])('%j can stand among our words', (id) => {
    expect(plainId(id)).toBe(id)
    expect(idOrSeeBelow(id)).toBe(id)
  })
  const strange = [
    '',
    'x'.repeat(129),
    'a b',
    'a\n',
    'bash\u200B',
    'bаsh',
    '<@U1>',
    '`a`',
    '*a*',
    'a/b',
    'a&b',
    'é',
    '🙂',
    '\uD800',
  ]
  test.each(strange)('%j cannot', (id) => {
    expect(plainId(id)).toBeUndefined()
    expect(idOrSeeBelow(id)).toBe('see below')
  })
})

test('words of the settings have nothing hidden in them', () => {
  expect(fromSettings('two\nlines\u202E')).toBe('two\\nlines\\u{202E}')
  expect(ours`${3} of ${ours`many`}`).toBe('3 of many')
})

/** Texts that are hard to tell apart, and pairs that are nearly the same. */
import fc from 'fast-check'
import { inert } from '../../../src/channels/slack/safe-text.ts'

const atom = fc.constantFrom(
  ...[
    'a',
    'e\u0301',
    'é',
    'ё',
    '\u0338',
    '=',
    '≠',
    'rm',
    'аpple',
    'apple',
    'раураl',
    'ﬁ',
    'Ω',
    '\u2126',
    '한',
    '\u1112\u1161\u11AB',
  ],
  ...[
    ' ',
    '        ',
    '         ',
    `\n${' '.repeat(24)}`,
    `\n${' '.repeat(25)}`,
    '\n',
    '\n\n\n\n',
    '\n\n\n\n\n',
    '\r\n',
    '\t',
    '\r',
  ],
  ...['\\', '"', '\\n', '\\{', '\\{9 spaces}', '\\{5 line breaks}', '\\{5 times 200B}', '\\u{200B}', '\\u{', '}', '"\\"', '200B'],
  ...[
    '\u200B',
    '\u200B'.repeat(5),
    '\u200C',
    '\u3000',
    '\u3000'.repeat(6),
    '\u{E0041}',
    '\u{E0100}',
    '\u0000',
    '\u007F',
    '\u2800',
    '\uFFFC',
  ],
  ...['🙂', '👩\u200D🚀', '✌\uFE0F', '\uD83D', '\uDE42', '漢', '\u0E33', 'ｒｍ', '⁄', '→', '\u{1D15E}', '\u2ADC', '\u2329'],
)

export const anyText = fc.oneof(
  fc.array(atom, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)

const CHANGES: readonly ((text: string, at: number, by: string) => string)[] = [
  (text, at, by) => text.slice(0, at) + by + text.slice(at + 1),
  (text, at, by) => text.slice(0, at) + by + text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.slice(at, at + 1) + text.slice(at),
  (text) => text.normalize('NFC'),
  (text) => text.normalize('NFD'),
  (text) => text.normalize('NFKC'),
  (text) => inert(text),
  (text) => inert(text, 'one line'),
  (text) => inert(text, 'quoted'),
  (text) => text.trim(),
  (text, at) =>
    text.slice(0, at) +
    text.slice(at).replace(/[^\x00-\x7F]/u, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`),
  (text) => [...text].reverse().join(''),
]

/** Changes a text a little: one character, a normal form, escapes spelled out. */
export const change: fc.Arbitrary<(text: string) => string> = fc.tuple(fc.nat(), fc.nat(), atom).map(
  ([which, at, by]) =>
    (text) =>
      (CHANGES[which % CHANGES.length] ?? ((same) => same))(text, at % (text.length + 1), by),
)

export const nearPair: fc.Arbitrary<readonly [string, string]> = fc
  .tuple(anyText, change)
  .map(([text, changed]) => [text, changed(text)] as const)
  .filter(([one, other]) => one !== other)

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Json, JsonNumber, parseJson } from '../../src/approval/json.ts'
import { boundedJson, boundedText } from '../../src/approval-channel/bound.ts'
import { approvalText, sanitised } from '../../src/approval-channel/text.ts'
import { ChannelApproval } from '../../src/approval-channel/wire.ts'
import { APPROVAL, EXAMPLE } from './example.ts'
import { anyApproval, anyText } from './generated.ts'

const example = ChannelApproval.parse(parseJson(EXAMPLE))
const WORKED = String.raw`APPROVAL PENDING  5a6b7c8d9e0f1a2b3c4d5e6f70819203
run     9f1c2b3a4d5e6f708192a3b4c5d6e7f8
kind    deployment
tool    deploy
reason  deploying to prod needs a person
hash    66f7c9f41c0927a26563fecbe493ed61c960c07ae3715fae55980d6c55ff3040
expires 2026-10-06T13:00:00Z
arguments (the tool call the model made; one field per line, byte count is the field's own size)
  env (6 bytes)
    "prod"
  note (26 bytes)
    "a \u003cb\u003e \u0026 c"
  replicas (1 bytes)
    3
presentation (supplied by the consumer's policy; it may contain model-chosen text)
  files (19 bytes)
    [
      "a.yaml",
      "b.yaml"
    ]
  risk (3 bytes)
    0.5
  title (25 bytes)
    "Deploy build 42 to prod"
----- end of approval 5a6b7c8d9e0f1a2b3c4d5e6f70819203 for tool deploy -----
`
/** The lines of the fields of some arguments. */
function shown(args: Json): readonly string[] {
  const lines = approvalText({ ...example, request: { ...example.request, args } }).split('\n')
  return lines.slice(
    8,
    lines.findIndex((line) => line.startsWith('presentation')),
  )
}

describe('the text', () => {
  test('of the worked example is the one of the protocol, to the byte', () => {
    expect(approvalText(example)).toBe(WORKED)
  })

  test('has a line for each thing that is there, in order, and none for what is not', () => {
    const decided = ChannelApproval.parse({
      ...example,
      status: 'approved',
      reason: '',
      decided_at: '2026-10-06T12:30:00.987654321Z',
      decided_by: 'slack:U1',
      decode_error: 'request: cut',
      expired: true,
    })
    expect(approvalText(decided).split('\n').slice(0, 8)).toEqual([
      `APPROVAL APPROVED  ${APPROVAL}`,
      'run     9f1c2b3a4d5e6f708192a3b4c5d6e7f8',
      'kind    deployment',
      'tool    deploy',
      'hash    66f7c9f41c0927a26563fecbe493ed61c960c07ae3715fae55980d6c55ff3040',
      'expires 2026-10-06T13:00:00Z (expired)',
      'decided 2026-10-06T12:30:00Z by slack:U1',
      'unread  request: cut',
    ])
    const { expires_at: _gone, ...bare } = { ...example, status: '' as const, reason: '', decided_by: 'x' }
    expect(approvalText(bare).split('\n').slice(0, 6)).toEqual([
      `APPROVAL UNKNOWN  ${APPROVAL}`,
      'run     9f1c2b3a4d5e6f708192a3b4c5d6e7f8',
      'kind    deployment',
      'tool    deploy',
      'hash    66f7c9f41c0927a26563fecbe493ed61c960c07ae3715fae55980d6c55ff3040',
      'decided 0001-01-01T00:00:00Z by x',
    ])
  })

  test('says none where a row did not decode, and no fields where there are none', () => {
    const unread = {
      ...example,
      decode_error: 'request: x',
      request: { ...example.request, args: null },
      presentation: new Map(),
    }
    expect(approvalText(unread).split('\n').slice(9)).toEqual([
      '  (none)',
      "presentation (supplied by the consumer's policy; it may contain model-chosen text)",
      '  (no fields)',
      `----- end of approval ${APPROVAL} for tool deploy -----`,
      '',
    ])
  })

  test.each<[string, string, readonly string[]]>([
    ['text', '"x"', ['  value (3 bytes)', '    "x"']],
    ['null', 'null', ['  value (4 bytes)', '    null']],
    ['a list', '[1]', ['  value (3 bytes)', '    [', '      1', '    ]']],
    ['an empty list', '{"a":[],"b":{}}', ['  a (2 bytes)', '    []', '  b (2 bytes)', '    {}']],
    [
      'a nest',
      '{"a":{"c":[{"x":1},{}],"b":true}}',
      [
        '  a (27 bytes)',
        '    {',
        '      "b": true,',
        '      "c": [',
        '        {',
        '          "x": 1',
        '        },',
        '        {}',
        '      ]',
        '    }',
      ],
    ],
    [
      'numbers as written',
      '{"n":[1.0,9007199254740993,-0.0]}',
      ['  n (27 bytes)', '    [', '      1.0,', '      9007199254740993,', '      -0.0', '    ]'],
    ],
    [
      'keys in the order of their bytes',
      '{"\uff5e":1,"😀":2,"é":3,"Z":4,"a":5}',
      [
        '  Z (1 bytes)',
        '    4',
        '  a (1 bytes)',
        '    5',
        '  é (1 bytes)',
        '    3',
        '  \uff5e (1 bytes)',
        '    1',
        '  😀 (1 bytes)',
        '    2',
      ],
    ],
    ['a key that would begin a line', String.raw`{"a\nhash    0":1}`, ['  a hash    0 (1 bytes)', '    1']],
    [
      'escapes in values',
      String.raw`{"a":"\u001b[2J\u202e<\n\u0085\u007f"}`,
      ['  a (25 bytes)', String.raw`    "\u001b[2J\u{202e}\u003c\n\x85\x7f"`],
    ],
    ['characters counted in bytes', '{"a":"é😀"}', ['  a (8 bytes)', '    "é😀"']],
  ])('shows %s', (_name, args, lines) => {
    expect(shown(parseJson(args))).toEqual(lines)
  })

  test('shortens a long string, and counts what is left', () => {
    expect(shown(new Map([['a', 'x'.repeat(5000)]]))).toEqual([
      '  a (428 bytes)',
      `    "${'x'.repeat(200)}…[4600 bytes omitted]…${'x'.repeat(200)}"`,
    ])
    expect(approvalText({ ...example, reason: 'x'.repeat(8000) })).toContain(`reason  ${'x'.repeat(200)}…[7600 bytes omitted]…`)
  })

  test('lets no value begin a line, however it is made', () => {
    const forged = `x\nhash    ${'0'.repeat(64)}\r\n----- end of approval x for tool x -----\u2028reason  fine`
    const text = approvalText({
      ...example,
      kind: forged,
      reason: forged,
      decided_by: forged,
      decode_error: forged,
      presentation: new Map([[forged, forged]]),
    })
    expect(text.split(/[\n\r\u2028]/).filter((line) => line.startsWith('hash '))).toHaveLength(1)
    expect(text.split(/[\n\r\u2028]/).filter((line) => line.startsWith('-----'))).toHaveLength(1)
    expect(text.trimEnd().split('\n').at(-1)).toBe(`----- end of approval ${APPROVAL} for tool deploy -----`)
  })

  test('holds no control, format or bidirectional character but its own line breaks, whatever it shows', () => {
    fc.assert(
      fc.property(anyApproval, (approval) => {
        const text = approvalText(approval)
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{e0000}-\u{e007f}]/u)
        expect(text.replaceAll('\n', '')).not.toMatch(/\p{M}{5}/u)
        expect(text.split('\n').at(-2)).toMatch(/^----- end of approval .* -----$/)
        for (const line of text.split('\n').slice(0, -2)) {
          expect(line).toMatch(
            /^(?:APPROVAL |run |kind |tool |reason |hash |expires |decided |unread |arguments \(|presentation \(| {2})/,
          )
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('sanitised', () => {
  test.each([
    ['an escape sequence', '\u001b[2J', String.raw`\x1b[2J`],
    ['a line break of two', 'a\r\nb', 'a  b'],
    ['a next line', '\u0085', String.raw`\x85`],
    ['a tab', '\t', String.raw`\x09`],
    ['a delete', '\u007f', String.raw`\x7f`],
    ['an override', '\u202e', String.raw`\u{202e}`],
    ['a tag', '\u{e0041}', String.raw`\u{e0041}`],
    ['the first of the tags, which is no character', '\u{e0000}', String.raw`\u{e0000}`],
    ['a soft hyphen', '\u00ad', String.raw`\u{00ad}`],
    ['a joined family', '👨\u200d👩', String.raw`👨\u{200d}👩`],
    ['a line separator', '\u2028\u2029', String.raw`\u{2028}\u{2029}`],
    ['isolates and a byte order mark', '\u2066\u2069\ufeff', String.raw`\u{2066}\u{2069}\u{feff}`],
    ['format characters that the list passes', '\u206a\ufff9\u{1d173}', String.raw`\u{206a}\u{fff9}\u{1d173}`],
    ['a heart in colour', '❤\ufe0f', '❤\ufe0f'],
    ['four marks', `e${'\u0301'.repeat(4)}`, `e${'\u0301'.repeat(4)}`],
    ['six marks', `e${'\u0301'.repeat(6)}`, `e${'\u0301'.repeat(4)}[+2 combining marks dropped]`],
    ['marks beyond the first plane', `e${'\u{1d165}'.repeat(6)}f`, `e${'\u{1d165}'.repeat(4)}[+2 combining marks dropped]f`],
    ['halves of characters', 'a\ud800\ud800b\udc00', 'a\ufffdb\ufffd'],
    ['what is plain', String.raw`é 日本 \x1b "<&>" 🙂`, String.raw`é 日本 \x1b "<&>" 🙂`],
  ])('%s', (_name, text, expected) => {
    expect(sanitised(text)).toBe(expected)
  })

  test('twice is once', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sanitised(sanitised(text))).toBe(sanitised(text))
      }),
    )
  })

  test('a megabyte of marks is done at once', () => {
    const before = performance.now()
    expect(sanitised('\u0301'.repeat(1_000_000))).toBe(`${'\u0301'.repeat(4)}[+999996 combining marks dropped]`)
    expect(performance.now() - before).toBeLessThan(2000)
  })
})

describe('bounded', () => {
  test.each([
    ['2000 bytes', 'x'.repeat(2000), 'x'.repeat(2000)],
    ['2000 bytes of 1000 characters', 'é'.repeat(1000), 'é'.repeat(1000)],
    ['2001 bytes', 'x'.repeat(2001), `${'x'.repeat(200)}…[1601 bytes omitted]…${'x'.repeat(200)}`],
    ['5000 bytes', 'x'.repeat(5000), `${'x'.repeat(200)}…[4600 bytes omitted]…${'x'.repeat(200)}`],
    ['characters across both cuts', `a${'é'.repeat(1500)}`, `a${'é'.repeat(99)}…[2602 bytes omitted]…${'é'.repeat(100)}`],
    ['wide characters', `ab${'😀'.repeat(600)}`, `ab${'😀'.repeat(49)}…[2004 bytes omitted]…${'😀'.repeat(50)}`],
  ])('%s', (_name, text, expected) => {
    expect(boundedText(text)).toBe(expected)
  })

  test('every string, however deep, and no key, number or list', () => {
    const long = 'x'.repeat(5000)
    const short = boundedText(long)
    const number = new JsonNumber('1'.repeat(5000))
    const many = Array.from({ length: 3000 }, () => true)
    const json: Json = new Map<string, Json>([
      ['a', [long, new Map([[long, long]])]],
      ['n', number],
      ['m', many],
      ['z', null],
    ])
    expect(boundedJson(json)).toEqual(
      new Map<string, Json>([
        ['a', [short, new Map([[long, short]])]],
        ['n', number],
        ['m', many],
        ['z', null],
      ]),
    )
  })

  test('never cuts a character in two, and says how much is missing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 600, maxLength: 3000 }), (text) => {
        const kept = boundedText(text)
        const size = Buffer.byteLength(text)
        if (size <= 2000) return void expect(kept).toBe(text)
        const [, head = '', missing, tail = ''] = /^(.*)…\[(\d+) bytes omitted\]…(.*)$/su.exec(kept) ?? []
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
        expect(Buffer.byteLength(head) + Number(missing) + Buffer.byteLength(tail)).toBe(size)
        expect(Math.min(Buffer.byteLength(head), Buffer.byteLength(tail))).toBeGreaterThan(196)
      }),
    )
  })
})

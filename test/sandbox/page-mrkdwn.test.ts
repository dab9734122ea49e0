import { expect, test } from 'vitest'
import { dateWords } from '../../src/sandbox/page/date.ts'
import { decode, type Piece, parse } from '../../src/sandbox/page/mrkdwn.ts'
import { readState } from '../../src/sandbox/page/state.ts'

const text = (words: string): Piece => ({ is: 'text', text: words })

const TEXTS: readonly { name: string; source: string; pieces: readonly Piece[] }[] = [
  { name: 'arithmetic is not bold', source: '2*3*4', pieces: [text('2*3*4')] },
  { name: 'a mark that begins inside a word is literal', source: 'a*b*', pieces: [text('a*b*')] },
  { name: 'a mark that ends inside a word is literal', source: '*b*c', pieces: [text('*b*c')] },
  { name: 'text before a piece is decoded', source: '&lt;b&gt; `c`', pieces: [text('<b> '), { is: 'code', text: 'c' }] },
  {
    name: 'a bare link is its own label',
    source: '<https://a.test/>',
    pieces: [{ is: 'link', url: 'https://a.test/', label: 'https://a.test/' }],
  },
  { name: 'a name with underscores is not italic', source: 'a_b_c', pieces: [text('a_b_c')] },
  {
    name: 'bold holds other styles',
    source: '*a _b_*',
    pieces: [{ is: 'bold', of: [text('a '), { is: 'italic', of: [text('b')] }] }],
  },
  { name: 'code keeps its marks', source: '`*a*`', pieces: [{ is: 'code', text: '*a*' }] },
  { name: 'a fence keeps its blanks', source: '```a\n  *b*```', pieces: [{ is: 'fence', text: 'a\n  *b*' }] },
  { name: 'an unclosed fence is literal', source: '```a', pieces: [text('```a')] },
  { name: 'a quote ends with its lines', source: '&gt; a\n&gt; b\nc', pieces: [{ is: 'quote', of: [text('a\nb')] }, text('c')] },
  {
    name: 'a link has its label',
    source: '<https://a.test/?b&amp;c|d>',
    pieces: [{ is: 'link', url: 'https://a.test/?b&c', label: 'd' }],
  },
  { name: 'a script address stays text', source: '<javascript:a|b>', pieces: [text('<javascript:a|b>')] },
  {
    name: 'a mark inside a link does not end bold',
    source: '*<https://a.test/*|b> c*',
    pieces: [{ is: 'bold', of: [{ is: 'link', url: 'https://a.test/*', label: 'b' }, text(' c')] }],
  },
  { name: 'a person is named by id', source: '<@U0ANA>', pieces: [{ is: 'person', id: 'U0ANA' }] },
  { name: 'a conversation is named by id', source: '<#C0OPS|ops>', pieces: [{ is: 'conversation', id: 'C0OPS' }] },
  { name: 'an escaped mention is text', source: '&lt;@U0ANA&gt; &lt;!here&gt;', pieces: [text('<@U0ANA> <!here>')] },
  { name: 'a broadcast is a mention', source: '<!here>', pieces: [{ is: 'mention', label: '@here' }] },
  {
    name: 'a date has format and fallback',
    source: '<!date^60^{time}|then>',
    pieces: [{ is: 'date', epoch: 60, format: '{time}', fallback: 'then' }],
  },
  { name: 'an emoji is named', source: ':tada:', pieces: [{ is: 'emoji', name: 'tada' }] },
]

test.each(TEXTS)('in mrkdwn $name', ({ source, pieces }) => {
  expect(parse(source)).toEqual(pieces)
})

test('an entity is decoded once', () => {
  expect(decode('&amp;lt;b&gt;')).toBe('&lt;b>')
})

test('a text of many marks and brackets is read within a second', { timeout: 1000 }, () => {
  for (const marks of ['*<_`~&gt;', '*a', '<a', '*a `', '&gt;\n']) {
    expect(parse(`*${marks.repeat(1000)}`).length).toBeGreaterThan(0)
  }
})

test('a date with a token that nobody knows is its fallback', () => {
  expect(dateWords(60, '{date_short} {moon}', 'then', new Date(0))).toBe('then')
})

test('a date near today is named by its nearness', () => {
  const now = new Date(2026, 8, 14, 12)
  expect(dateWords(now.getTime() / 1000 - 86_400, '{date_pretty}', 'then', now)).toBe('yesterday')
})

test('a state of the wrong shape is an empty one', () => {
  for (const answer of [null, [], 'x', { users: 4, conversations: [null], messages: { C: 1 }, views: [{}], deliveries: {} }]) {
    const state = readState(answer)
    expect([state.people, state.views, state.deliveries]).toEqual([[], [], []])
    expect([...state.messages.values()].flat()).toEqual([])
  }
})

import { describe, expect, test } from 'vitest'
import { validateMessage, validateView } from '../../src/sandbox/slack/validate.ts'
import { button, modal, text } from './slack-bot.ts'

const x = (length: number) => 'x'.repeat(length)
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
const divider = { type: 'divider' }
const section = (words: unknown) => ({ type: 'section', text: words })
const actions = (...elements: unknown[]) => ({ type: 'actions', elements })
const one = (block: unknown) => validateMessage({ text: 't', blocks: [block] })
const rich = (...elements: unknown[]) => ({ type: 'rich_text', elements })
const line = (...elements: unknown[]) => rich({ type: 'rich_text_section', elements })
const pre = (...elements: unknown[]) => rich({ type: 'rich_text_preformatted', elements })
const plain = (words: string) => ({ type: 'text', text: words })
const select = (options: unknown[]) => ({ type: 'static_select', action_id: 's', options })
const input = (element: object, more: object = {}) => ({ type: 'input', label: text('l'), element, ...more })
const area = (more: object = {}) => ({ type: 'plain_text_input', action_id: 'a', ...more })

describe('Slack refuses', () => {
  const rows: [name: string, found: { pointer: string; message: string }[], pointer: string, words: string][] = [
    [
      'a property that it does not know',
      one(actions({ ...button('b'), disabled: true })),
      '/blocks/0/elements/0',
      'invalid additional property: disabled',
    ],
    ['an unknown property of a block', one({ ...divider, colour: 'red' }), '/blocks/0', 'invalid additional property: colour'],
    [
      'emoji on mrkdwn',
      one(section({ type: 'mrkdwn', text: 'a', emoji: true })),
      '/blocks/0/text',
      'invalid additional property: emoji',
    ],
    [
      'verbatim on plain text',
      one(section({ ...text('a'), verbatim: true })),
      '/blocks/0/text',
      'invalid additional property: verbatim',
    ],
    ['an empty text', one(section(text(''))), '/blocks/0/text/text', 'must be more than 0 characters'],
    [
      'an empty text inside rich text',
      one(line(plain(''))),
      '/blocks/0/elements/0/elements/0/text',
      'must be more than 0 characters',
    ],
    ['a number as text', one(section({ type: 'plain_text', text: 7 })), '/blocks/0/text/text', 'must provide a string'],
    ['a text where an object belongs', one(section('words')), '/blocks/0/text', 'must provide an object'],
    ['a text as boolean', one(section({ ...text('a'), emoji: 'true' })), '/blocks/0/text/emoji', 'must provide a boolean'],
    ['a fraction as length', one(input(area({ max_length: 1.5 }))), '/blocks/0/element/max_length', 'must provide an integer'],
    ['blocks that are no list', validateMessage({ text: 't', blocks: {} }), '/blocks', 'must provide an array'],
    ['a block that is no object', one('divider'), '/blocks/0', 'must provide an object'],
    ['a block without a type', one({}), '/blocks/0', 'missing required field: type'],
    ['an unknown block', one({ type: 'sektion' }), '/blocks/0/type', 'unsupported type: sektion'],
    ['a section without text and fields', one({ type: 'section' }), '/blocks/0', 'missing required field: text'],
    [
      'a header in mrkdwn',
      one({ type: 'header', text: { type: 'mrkdwn', text: 'a' } }),
      '/blocks/0/text/type',
      'must be a valid enum value: plain_text',
    ],
    ['an input inside actions', one(actions(area())), '/blocks/0/elements/0/type', 'unsupported type: plain_text_input'],
    ['a button as input', one(input(button('b'))), '/blocks/0/element/type', 'unsupported type: button'],
    ['no elements in actions', one(actions()), '/blocks/0/elements', 'no fewer than 1 items allowed'],
    [
      'a style that is neither primary nor danger',
      one(actions({ ...button('b'), style: 'default' })),
      '/blocks/0/elements/0/style',
      'must be a valid enum value: primary, danger',
    ],
    [
      'a link that is none',
      one(actions({ ...button('b'), url: 'javascript:alert(1)' })),
      '/blocks/0/elements/0/url',
      'must be a valid URL',
    ],
    [
      'one action_id twice in an actions block',
      one(actions(button('b'), button('b'))),
      '/blocks/0/elements/1/action_id',
      '`action_id` already exists: b',
    ],
    [
      'one block_id twice in a message',
      validateMessage({
        text: 't',
        blocks: [
          { ...divider, block_id: 'b' },
          { ...divider, block_id: 'b' },
        ],
      }),
      '/blocks/1/block_id',
      '`block_id` already exists: b',
    ],
    [
      'one block_id twice in a view',
      validateView(
        modal({
          blocks: [
            { ...divider, block_id: 'b' },
            { ...divider, block_id: 'b' },
          ],
        }),
      ),
      '/blocks/1/block_id',
      '`block_id` already exists: b',
    ],
    [
      'a mention inside preformatted',
      one(pre({ type: 'user', user_id: 'U0ANA' })),
      '/blocks/0/elements/0/elements/0/type',
      'unsupported type: user',
    ],
    ['text straight inside rich_text', one(rich(plain('a'))), '/blocks/0/elements/0/type', 'unsupported type: text'],
    [
      'a quote inside a list',
      one(rich({ type: 'rich_text_list', style: 'bullet', elements: [{ type: 'rich_text_quote', elements: [plain('a')] }] })),
      '/blocks/0/elements/0/elements/0/type',
      'unsupported type: rich_text_quote',
    ],
    [
      'a list without a style',
      one(rich({ type: 'rich_text_list', elements: [{ type: 'rich_text_section', elements: [plain('a')] }] })),
      '/blocks/0/elements/0',
      'missing required field: style',
    ],
    [
      'a broadcast to nobody known',
      one(line({ type: 'broadcast', range: 'all' })),
      '/blocks/0/elements/0/elements/0/range',
      'must be a valid enum value: here, channel, everyone',
    ],
    [
      'an unknown style of text',
      one(line({ ...plain('a'), style: { blink: true } })),
      '/blocks/0/elements/0/elements/0/style',
      'invalid additional property: blink',
    ],
    [
      'a date without a format',
      one(line({ type: 'date', timestamp: 1 })),
      '/blocks/0/elements/0/elements/0',
      'missing required field: format',
    ],
    [
      'a select with neither options nor groups',
      one(actions({ type: 'static_select', action_id: 's' })),
      '/blocks/0/elements/0',
      'must have exactly one of options, option_groups',
    ],
    [
      'an option without a value',
      one(actions(select([{ text: text('o') }]))),
      '/blocks/0/elements/0/options/0',
      'missing required field: value',
    ],
    [
      'a confirm without a text',
      one(actions({ ...button('b'), confirm: { title: text('t') } })),
      '/blocks/0/elements/0/confirm',
      'missing required field: text',
    ],
    ['a message with nothing in it', validateMessage({ blocks: [] }), '', 'no_text: neither text nor blocks'],
    [
      'metadata without a payload',
      validateMessage({ text: 't', metadata: { event_type: 'e' } }),
      '/metadata',
      'missing required field: event_payload',
    ],
    [
      'a view of an unknown type',
      validateView({ ...modal(), type: 'sheet' }),
      '/type',
      'must be a valid enum value: modal, home',
    ],
    ['a modal without a title', validateView(modal({ title: undefined })), '', 'missing required field: title'],
    ['a modal without blocks', validateView(modal({ blocks: undefined })), '', 'missing required field: blocks'],
    [
      'inputs without a submit',
      validateView(modal({ submit: undefined })),
      '',
      'must define `submit` to use an `input` block in modals',
    ],
    [
      'a title on a home tab',
      validateView({ type: 'home', title: text('t'), blocks: [] }),
      '',
      'invalid additional property: title',
    ],
    ['a property of a stored view', validateView(modal({ hash: '1' })), '', 'invalid additional property: hash'],
  ]

  test.each(rows)('%s', (_name, found, pointer, message) => {
    expect(found).toEqual([{ pointer, message }])
  })

  test('a view of more than 250 kB', () => {
    const blocks = times(100, () => pre(plain(x(2_400))))
    const bytes = Buffer.byteLength(JSON.stringify(modal({ blocks })))
    const padded = [...blocks.slice(1), pre(plain(x(2_400 + 250_000 - bytes)))]
    expect(validateView(modal({ blocks: padded }))).toEqual([])
    const over = [...blocks.slice(1), pre(plain(x(2_401 + 250_000 - bytes)))]
    expect(validateView(modal({ blocks: over }))).toEqual([{ pointer: '', message: 'view_too_large: more than 250000 bytes' }])
  })
})

describe('Slack takes', () => {
  test('every kind of rich text element with every key it may have', () => {
    const style = { bold: true, italic: true, strike: true, code: true }
    const elements = [
      { ...plain('a'), style },
      { type: 'link', url: 'https://a.example/', text: 'a', unsafe: true, style },
      { type: 'user', user_id: 'U0ANA', style: { bold: true } },
      { type: 'channel', channel_id: 'C0OPS', style: { bold: true } },
      { type: 'usergroup', usergroup_id: 'S0ONCALL' },
      { type: 'emoji', name: 'wave', unicode: '1f44b' },
      { type: 'broadcast', range: 'here' },
      { type: 'date', timestamp: 1_767_614_400, format: '{date_short}', url: 'https://a.example/', fallback: 'then' },
      { type: 'color', value: '#112233' },
    ]
    const parts = [
      { type: 'rich_text_section', elements },
      { type: 'rich_text_quote', elements, border: 1 },
      {
        type: 'rich_text_list',
        style: 'ordered',
        indent: 1,
        offset: 2,
        border: 0,
        elements: [{ type: 'rich_text_section', elements }],
      },
      {
        type: 'rich_text_preformatted',
        border: 0,
        language: 'bash',
        elements: [plain('a'), { type: 'link', url: 'https://a.example/' }],
      },
    ]
    expect(one(rich(...parts))).toEqual([])
  })

  test('one action_id in two different blocks', () => {
    expect(validateMessage({ text: 't', blocks: [actions(button('b')), actions(button('b'))] })).toEqual([])
  })

  test('an astral character as the two UTF-16 units that it is', () => {
    expect(one(section(text('😀'.repeat(1_500))))).toEqual([])
    expect(one(section(text(`${'😀'.repeat(1_500)}x`)))).toHaveLength(1)
  })

  test('an escaped ampersand as five characters', () => {
    expect(one({ type: 'header', text: text('&amp;'.repeat(30)) })).toEqual([])
    expect(one({ type: 'header', text: text('&amp;'.repeat(31)) })).toHaveLength(1)
  })

  test('a home tab without a title, and a modal of every optional field', () => {
    expect(validateView({ type: 'home', callback_id: 'home', blocks: [divider] })).toEqual([])
    const more = { close: text('Close'), clear_on_close: true, notify_on_close: true, private_metadata: '', external_id: 'e' }
    expect(validateView(modal(more))).toEqual([])
  })
})

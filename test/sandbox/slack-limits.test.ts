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
const pre = (...elements: unknown[]) => rich({ type: 'rich_text_preformatted', elements })
const plain = (words: string) => ({ type: 'text', text: words })
const confirmation = (more: object) => ({ title: text('t'), text: text('t'), confirm: text('c'), deny: text('d'), ...more })
const option = (more: object = {}) => ({ text: text('o'), value: 'o', ...more })
const select = (options: unknown[]) => ({ type: 'static_select', action_id: 's', options })
const input = (element: object, more: object = {}) => ({ type: 'input', label: text('l'), element, ...more })
const area = (more: object = {}) => ({ type: 'plain_text_input', action_id: 'a', ...more })

describe('a limit holds exactly: the bound is taken, one more is refused', () => {
  const rows: [name: string, bound: number, make: (size: number) => unknown, pointer: string][] = [
    ['blocks of a message', 50, (n) => validateMessage({ text: 't', blocks: times(n, () => divider) }), '/blocks'],
    ['blocks of a view', 100, (n) => validateView(modal({ blocks: times(n, () => divider) })), '/blocks'],
    ['section text', 3000, (n) => one(section(text(x(n)))), '/blocks/0/text/text'],
    ['section fields', 10, (n) => one({ type: 'section', fields: times(n, () => text('f')) }), '/blocks/0/fields'],
    ['section field text', 2000, (n) => one({ type: 'section', fields: [text(x(n))] }), '/blocks/0/fields/0/text'],
    ['header', 150, (n) => one({ type: 'header', text: text(x(n)) }), '/blocks/0/text/text'],
    ['context elements', 10, (n) => one({ type: 'context', elements: times(n, () => text('c')) }), '/blocks/0/elements'],
    ['actions elements', 25, (n) => one(actions(...times(n, (at) => button(`b${at}`)))), '/blocks/0/elements'],
    ['button text', 75, (n) => one(actions({ ...button('b'), text: text(x(n)) })), '/blocks/0/elements/0/text/text'],
    ['button value', 2000, (n) => one(actions(button('b', x(n)))), '/blocks/0/elements/0/value'],
    [
      'button url',
      3000,
      (n) => one(actions({ ...button('b'), url: `https://a.example/${x(n - 18)}` })),
      '/blocks/0/elements/0/url',
    ],
    [
      'accessibility label',
      75,
      (n) => one(actions({ ...button('b'), accessibility_label: x(n) })),
      '/blocks/0/elements/0/accessibility_label',
    ],
    ['action_id', 255, (n) => one(actions({ ...button('b'), action_id: x(n) })), '/blocks/0/elements/0/action_id'],
    ['block_id', 255, (n) => one({ ...divider, block_id: x(n) }), '/blocks/0/block_id'],
    [
      'confirm title',
      100,
      (n) => one(actions({ ...button('b'), confirm: confirmation({ title: text(x(n)) }) })),
      '/blocks/0/elements/0/confirm/title/text',
    ],
    [
      'confirm text',
      300,
      (n) => one(actions({ ...button('b'), confirm: confirmation({ text: text(x(n)) }) })),
      '/blocks/0/elements/0/confirm/text/text',
    ],
    [
      'confirm yes',
      30,
      (n) => one(actions({ ...button('b'), confirm: confirmation({ confirm: text(x(n)) }) })),
      '/blocks/0/elements/0/confirm/confirm/text',
    ],
    [
      'confirm no',
      30,
      (n) => one(actions({ ...button('b'), confirm: confirmation({ deny: text(x(n)) }) })),
      '/blocks/0/elements/0/confirm/deny/text',
    ],
    ['select options', 100, (n) => one(actions(select(times(n, () => option())))), '/blocks/0/elements/0/options'],
    ['option text', 75, (n) => one(actions(select([option({ text: text(x(n)) })]))), '/blocks/0/elements/0/options/0/text/text'],
    ['option value', 150, (n) => one(actions(select([option({ value: x(n) })]))), '/blocks/0/elements/0/options/0/value'],
    [
      'overflow options',
      5,
      (n) => one(actions({ type: 'overflow', action_id: 'o', options: times(n, () => option()) })),
      '/blocks/0/elements/0/options',
    ],
    [
      'checkbox options',
      10,
      (n) => one(actions({ type: 'checkboxes', action_id: 'c', options: times(n, () => option()) })),
      '/blocks/0/elements/0/options',
    ],
    ['image text', 2000, (n) => one({ type: 'image', image_url: 'https://a.example/i', alt_text: x(n) }), '/blocks/0/alt_text'],
    ['input label', 2000, (n) => one(input(area(), { label: text(x(n)) })), '/blocks/0/label/text'],
    ['input hint', 2000, (n) => one(input(area(), { hint: text(x(n)) })), '/blocks/0/hint/text'],
    ['placeholder', 150, (n) => one(input(area({ placeholder: text(x(n)) }))), '/blocks/0/element/placeholder/text'],
    ['max_length', 3000, (n) => one(input(area({ max_length: n }))), '/blocks/0/element/max_length'],
    ['text of a message', 40_000, (n) => validateMessage({ text: x(n) }), '/text'],
    [
      'text of all blocks',
      11_000,
      (n) => validateMessage({ text: 't', blocks: [pre(plain(x(5_000))), section(text(x(3_000))), pre(plain(x(n - 8_000)))] }),
      '/blocks',
    ],
    ['view title', 24, (n) => validateView(modal({ title: text(x(n)) })), '/title/text'],
    ['view submit', 24, (n) => validateView(modal({ submit: text(x(n)) })), '/submit/text'],
    ['view close', 24, (n) => validateView(modal({ close: text(x(n)) })), '/close/text'],
    ['private_metadata', 3000, (n) => validateView(modal({ private_metadata: x(n) })), '/private_metadata'],
    ['callback_id', 255, (n) => validateView(modal({ callback_id: x(n) })), '/callback_id'],
    ['external_id', 255, (n) => validateView(modal({ external_id: x(n) })), '/external_id'],
  ]

  test.each(rows)('%s: %i', (_name, bound, make, pointer) => {
    expect(make(bound)).toEqual([])
    expect(make(bound + 1)).toEqual([{ pointer, message: expect.any(String) }])
  })
})

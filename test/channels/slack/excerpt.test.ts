import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/approval/json.ts'
import { card } from '../../../src/channels/slack/card.ts'
import { inert } from '../../../src/channels/slack/safe-text.ts'
import { decoded } from './decoded.ts'
import { json, pending, SETTINGS } from './hostile.ts'
import { look } from './look.ts'

function onCard(input: Json): ReturnType<typeof look> {
  return look(card(pending(input), SETTINGS).blocks)
}

/** The number before `bytes left out` or `characters left out`. */
function leftOut(read: readonly string[], unit: string): readonly number[] {
  return read.flatMap((text) => {
    const count = new RegExp(`^… ([0-9,]+) ${unit}s? left out here …$`).exec(text)?.[1]
    return count === undefined ? [] : [Number(count.replaceAll(',', ''))]
  })
}

const unit = fc.constantFrom(
  'a',
  'echo ok; ',
  '\u007F',
  '\\',
  '🙂',
  '漢',
  '\n',
  '\u200B'.repeat(6),
  ' '.repeat(9),
  '\n'.repeat(7),
  'аp ',
  'e\u0301',
)
const longText = fc
  .tuple(fc.array(unit, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 300 }))
  .map(([units, times]) => units.join('').repeat(times))

describe('a text that is too long for a card', () => {
  test('is shown by its head and its tail, and the bytes between them are counted', () => {
    fc.assert(
      fc.property(longText, (text) => {
        const { inside, read, actions } = onCard(text)
        fc.pre(!actions.includes('approval.approve'))
        const [head = '', tail = '', ...more] = inside
        expect(more).toEqual([])
        expect(inert(text).startsWith(head)).toBe(true)
        expect(inert(text).endsWith(tail)).toBe(true)
        expect(head.length).toBeLessThanOrEqual(240)
        expect(tail.length).toBeLessThanOrEqual(240)
        const [left = 0] = leftOut(read, 'byte')
        expect(left).toBeGreaterThan(0)
        expect(Buffer.byteLength(decoded(head)) + left + Buffer.byteLength(decoded(tail))).toBe(Buffer.byteLength(text))
      }),
      { numRuns: 100 },
    )
  })

  test('ends with what it ends with, however it is padded', () => {
    const padding = ['echo ok; ', '\u3000\u2003', ' x'.repeat(9), '\n \n', '\u007F', '&', 'аpple ']
    for (const pad of padding) {
      const { inside, actions } = onCard(new Map([['command', `${pad.repeat(2000)}; rm -rf /`]]))
      if (!actions.includes('approval.approve')) expect(inside.at(-1)).toMatch(/; rm -rf \/$/)
      expect(inside.join('')).toContain('; rm -rf /')
    }
  })

  test('keeps both ends where it is short but has many lines', () => {
    const lines = Array.from({ length: 70 }, (_, n) => `${n}`)
    const { inside, read } = onCard(lines.join('\n'))
    expect(inside).toEqual([`${lines.slice(0, 8).join('\n')}\n`, lines.slice(-8).join('\n')])
    expect(leftOut(read, 'byte')).toEqual([`${lines.slice(8, 62).join('\n')}\n`.length])
  })

  test('marks the same letters as it does in full: a cut does not make a word look like one of a single script', () => {
    const { inside } = onCard(new Map([['command', `a${'а'.repeat(2000)}`]]))
    expect(inside.join('')).not.toContain('а')
  })
})

describe('a value that is not text and too long for a card', () => {
  test('is shown by its head and its tail, no escape cut, and the characters between them are counted', () => {
    fc.assert(
      fc.property(json, (value) => {
        const { inside, read, actions } = onCard([value, '\\\u202E'.repeat(700)])
        expect(actions).not.toContain('approval.approve')
        for (const text of inside) expect(() => decoded(text)).not.toThrow()
        expect(inside[0]).toMatch(/^\[\n/)
        expect(inside.at(-1)).toMatch(/\n\]$/)
        expect(leftOut(read, 'character')).toHaveLength(1)
      }),
      { numRuns: 100 },
    )
  })
})

describe('a call of many arguments', () => {
  test('is shown by the first of them, and the rest is counted', () => {
    const { read, actions } = onCard(
      new Map(Array.from({ length: 40 }, (_, n) => [`name${String(n).padStart(2, '0')}`, 'value'] as const)),
    )
    expect(actions).not.toContain('approval.approve')
    expect(read).toContain('Argument 1 of 40: text, 5 bytes')
    expect(read.filter((text) => text === 'name00' || text === 'value').length).toBeGreaterThan(1)
    const shown = read.filter((text) => /^(name\d\d|value)$/.test(text)).length
    expect(read).toContain(`And ${80 - shown} more pieces of this call, not shown here.`)
  })
})

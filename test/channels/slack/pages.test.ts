import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Approval } from '../../../src/approval/approval.ts'
import { sorted } from '../../../src/approval/canonical.ts'
import { isList, isObject, type Json, JsonNumber } from '../../../src/approval/json.ts'
import { approvable } from '../../../src/channels/slack/asking.ts'
import { card } from '../../../src/channels/slack/card.ts'
import { pagesOf } from '../../../src/channels/slack/reading.ts'
import { inert } from '../../../src/channels/slack/safe-text.ts'
import { validateMessage, validateView } from '../../../src/sandbox/slack/validate.ts'
import { decoded } from './decoded.ts'
import { hostileAsked, json, pending, SETTINGS } from './hostile.ts'
import { leaks, look, page } from './look.ts'

/** The texts of all pages, each put together again from its parts. */
function texts(approval: Approval): readonly string[] {
  const out: string[] = []
  let goesOn = false
  for (const one of pagesOf(approval).flat()) {
    if ('words' in one) goesOn = / goes on, part \d+ of \d+:$/.test(one.words)
    else {
      out.push(goesOn ? `${out.pop() ?? ''}${one.text}` : one.text)
      goesOn = false
    }
  }
  return out
}

/** What must be readable of a value inside a list or an object. */
function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [`"${inert(value, 'quoted')}"`]
  if (value instanceof JsonNumber) return [value.literal]
  if (isList(value)) return value.flatMap(stringsIn)
  if (isObject(value)) return sorted(value).flatMap(([key, member]) => [`"${inert(key, 'quoted')}": `, ...stringsIn(member)])
  return [String(value)]
}

function inOrder(text: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return true
}

const Option = z.object({ text: z.object({ text: z.string() }), value: z.string() })
const WithList = z.array(z.object({ accessory: z.object({ options: z.array(Option), initial_option: Option }).optional() }))

const APPROVE = 'approval.approve'

function approveOnTheLastPageOnly(approval: Approval, pages: readonly number[]): void {
  const count = pagesOf(approval).length
  for (const p of pages) {
    const view = page(approval, p)
    expect(validateView({ ...view })).toEqual([])
    const { actions, outside } = look(view)
    expect(actions.includes(APPROVE)).toBe(p === count - 1 && approvable(approval))
    expect(actions.includes(`approval.page.${p + 1}`)).toBe(p < count - 1)
    expect(actions.includes(`approval.page.${p - 1}`)).toBe(p > 0)
    expect(actions.includes(`approval.page.${count - 1}`)).toBe(p < count - 1)
    expect(actions.includes('approval.page.0')).toBe(p > 0)
    expect(actions.includes('approval.page.pick')).toBe(count > 3)
    expect(actions.includes('approval.deny')).toBe(approval.decodeError === null)
    expect(outside).toContain(`Page ${p + 1} of ${count}`)
  }
}

/** Whether a name and its value can be read in these texts: each by itself, or both on a line. */
function holds(inside: readonly string[], name: string, value: Json): boolean {
  const alone = inside.map(decoded)
  const lines = inside.flatMap((text) => text.split('\n')).filter((line) => line.startsWith(`${name}: `))
  const parts = typeof value === 'string' ? [`"${value}"`] : stringsIn(value)
  if (name !== '' && lines.some((line) => inOrder(line, parts))) return true
  const named = name === '' || alone.includes(name)
  if (typeof value === 'string') return named && (value === '' || alone.includes(value))
  return named && inside.some((text) => parts.every((part) => text.includes(part)))
}

describe('a card that can be approved', () => {
  test('holds each argument whole, name and value, however short arguments share a text', () => {
    const name = fc.oneof(
      fc.constantFrom('command', 'cwd', 'a', 'a: 1', 'x y', '"a"', ''),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    const value = fc.oneof(fc.constantFrom('ls', '', 'a "b"', 'x'.repeat(73), 'two\nlines', 'b: 2'), json)
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 14 }), (members) => {
        const input = new Map(members)
        const { inside, actions } = look(card(pending(input), SETTINGS).blocks)
        fc.pre(actions.includes(APPROVE))
        for (const [key, member] of input) expect(holds(inside, key, member)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  test('puts short arguments on a line each, and what needs room before them as it was written', () => {
    const input = new Map<string, Json>([
      ['timeout', new JsonNumber('120')],
      ['command', 'echo "a"'],
      ['cwd', '/srv'],
      ['tags', ['a', null]],
    ])
    expect(look(card(pending(input), SETTINGS).blocks).inside).toEqual([
      'command',
      'echo "a"',
      'cwd: "/srv"\ntags: ["a", null]\ntimeout: 120',
    ])
  })
})

describe('the pages of a call', () => {
  test('hold each argument whole, name and value', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary', maxLength: 8 }), json), { maxLength: 6 }), (members) => {
        const input = new Map(members)
        const all = texts(pending(input))
        for (const [name, value] of input) {
          if (name !== '') expect(all.map(decoded)).toContain(name)
          if (typeof value === 'string') {
            if (value !== '') expect(all.map(decoded)).toContain(value)
          } else expect(all.some((text) => stringsIn(value).every((part) => text.includes(part)))).toBe(true)
        }
      }),
      { numRuns: 80 },
    )
  })

  test('hold a long text whole, and cut no escape', () => {
    const unit = fc.constantFrom('a', '\u007F', '\\', '🙂', '漢 ', '\n', '\u200B'.repeat(6), ' '.repeat(9), '&', '\n'.repeat(7))
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 120 }), (units, times) => {
        const text = units.join('').repeat(times)
        const approval = pending(new Map([['command', text]]))
        expect(texts(approval).map(decoded)).toContain(text)
        for (const part of pagesOf(approval).flat()) if ('text' in part) expect(() => decoded(part.text)).not.toThrow()
      }),
      { numRuns: 100 },
    )
  })

  test('have Approve on the last one only, and ways to its neighbours on each', () => {
    fc.assert(
      fc.property(hostileAsked, (asked) => {
        const approval: Approval = { ...asked, status: 'pending' }
        approveOnTheLastPageOnly(approval, [...pagesOf(approval).keys()])
      }),
      { numRuns: 40 },
    )
  })

  test('say with what each begins, and where there are more than three list them, each once and the open one chosen', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), fc.nat(), (thousands, n) => {
        const approval = pending(new Map([['patch', 'x'.repeat(thousands * 1000)]]))
        const count = pagesOf(approval).length
        const at = n % count
        const { blocks } = page(approval, at)
        const list = WithList.parse(blocks).flatMap(({ accessory }) => accessory ?? [])
        expect(list.length).toBe(count > 3 ? 1 : 0)
        for (const { options, initial_option } of list) {
          const pages = options.map(({ value }) => Number(value))
          expect(pages).toEqual([...new Set(pages)].sort((a, b) => a - b))
          expect([pages[0], pages.at(-1), pages.includes(at)]).toEqual([0, count - 1, true])
          if (count <= 90) expect(pages).toHaveLength(count)
          expect(initial_option).toEqual(options[pages.indexOf(at)])
          if (at > 0) expect(initial_option.text.text).toMatch(/^\d+: Argument 1 of 1, part \d+ of \d+$/)
        }
        if (at > 0)
          expect(look(blocks).read.filter((text) => / goes on, part \d+ of \d+:$/.test(text))[0]).toMatch(/^Argument 1 of 1 goes/)
      }),
      { numRuns: 30 },
    )
  })

  test('have no Approve on a card that does not hold the whole call', () => {
    const { blocks } = card(pending(new Map([['command', 'x'.repeat(2601)]])), SETTINGS)
    expect(look(blocks).actions).toEqual(['approval.open', 'approval.deny', 'approval.note'])
    const fits = card(pending(new Map([['command', 'x'.repeat(2500)]])), SETTINGS)
    expect(look(fits.blocks).actions).toEqual([APPROVE, 'approval.deny', 'approval.note'])
  })

  test('are not needed where a long call is told in few words', () => {
    const { actions, inside } = look(
      card(pending(new Map([['command', `ls${' '.repeat(1_000_000)}; rm -rf /`]])), SETTINGS).blocks,
    )
    expect(inside).toContain('ls\\{1000000 spaces}; rm -rf /')
    expect(actions).toContain(APPROVE)
  })

  test('end with the last one where a later one is asked for', () => {
    const approval = pending(new Map([['command', 'x'.repeat(30_000)]]))
    const count = pagesOf(approval).length
    expect(JSON.stringify(page(approval, 999))).toBe(JSON.stringify(page(approval, count - 1)))
  })
})

describe('a call of the largest size is shown whole, and each of its messages is one that Slack takes:', () => {
  const MIB = 1024 * 1024
  const of = (bytes: number, unit: string): ReadonlyMap<string, Json> =>
    new Map([['command', unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))]])
  const numbered = (count: number): Json => Array.from({ length: count }, (_, n) => new JsonNumber(String(n)))
  const rows: readonly (readonly [string, ReadonlyMap<string, Json>])[] = [
    ['400 kB in one line', of(400_000, 'echo ok; ')],
    ['1 MiB in one line', of(MIB, 'echo ok; ')],
    ['400 kB in lines', of(400_000, 'echo ok\n')],
    ['1 MiB of one letter', of(MIB, 'x')],
    ['400 kB of backslashes', of(400_000, '\\')],
    ['400 kB of characters to escape', of(400_000, '\u007Fx')],
    ['400 kB of blanks in turn', of(400_000, '\u3000\u2003')],
    ['400 kB of words of two scripts', of(400_000, 'аpple ')],
    ['400 kB of signs that are composed', of(400_000, 'e\u0301')],
    ['1 MiB of Chinese', of(MIB, '漢')],
    ['400 kB of empty lines', of(400_000, '\n \n')],
    ['a list of 60,000 numbers', new Map([['list', numbered(60_000)]])],
    ['10,000 arguments', new Map(Array.from({ length: 10_000 }, (_, n) => [`argument${n}`, 'x'] as const))],
    ['a name of 360 kB', new Map([['\u202E\u202D'.repeat(60_000), null]])],
  ]
  test.each(rows)('%s', (_, input) => {
    const approval = pending(input)
    const { blocks, text } = card(approval, SETTINGS)
    expect(validateMessage({ blocks, text })).toEqual([])
    expect(look(blocks).actions).not.toContain(APPROVE)
    const count = pagesOf(approval).length
    approveOnTheLastPageOnly(approval, [0, count - 1])
    expect(leaks(blocks)).toEqual([])
    const all = texts(approval)
    for (const part of [...input].slice(-1).flat()) {
      if (typeof part === 'string') expect(all.some((one) => one === inert(part) || one === inert(part, 'one line'))).toBe(true)
      else expect(all.some((one) => inOrder(one, stringsIn(part)))).toBe(true)
    }
  })
})

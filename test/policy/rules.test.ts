import { describe, expect, test } from 'vitest'
import { matches } from '../../src/policy/glob.ts'
import { ASK_REASON, type Policy, type Rule, rulingOf } from '../../src/policy/rules.ts'

describe('a pattern over tool names', () => {
  test.each([
    ['bash', 'bash', true],
    ['bash', 'Bash', false],
    ['bash', 'bash2', false],
    ['bash', 'xbash', false],
    ['bash', '', false],
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'anything at all', true],
    ['*', 'with\na line break', true],
    ['**', 'a', true],
    ['pay_*', 'pay_', true],
    ['pay_*', 'pay_invoice', true],
    ['pay_*', 'pay', false],
    ['pay_*', 'repay_x', false],
    ['*_file', 'read_file', true],
    ['*_file', '_file_file', true],
    ['*_file', 'read_files', false],
    ['*delete*', 'delete', true],
    ['*delete*', 'bulk_delete_rows', true],
    ['*delete*', 'bulk_delet', false],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'axxbyyc', true],
    ['a*b*c', 'abcb', false],
    ['a*b*c', 'acb', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*ab', 'aab', true],
    ['*abab', 'ababab', true],
    ['?', 'a', true],
    ['?', '', false],
    ['?', 'ab', false],
    ['???', 'abc', true],
    ['t?st', 'test', true],
    ['*?', '', false],
    ['?*', 'a', true],
    ['*?b', 'ab', true],
    ['.', 'a', false],
    ['.*', 'abc', false],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['[ab]', '[ab]', true],
    ['{a,b}', 'a', false],
    ['(a|b)', 'a', false],
    ['^bash$', 'bash', false],
    ['a\\*', 'ab', false],
    ['a\\*', 'a\\b', true],
    ['!bash', 'ls', false],
    ['naïve_*', 'naïve_x', true],
    ['constructor', '__proto__', false],
  ])('%j over %j: %s', (pattern, name, expected) => expect(matches(pattern, name)).toBe(expected))

  test.each([
    ['many stars', `${'*a'.repeat(63)}*b`, 'a'.repeat(256)],
    ['many stars in a row', `${'*'.repeat(127)}b`, 'a'.repeat(256)],
    ['stars and single characters', `${'*?'.repeat(63)}b`, 'a'.repeat(256)],
    ['a long part that nearly holds', `*${'a'.repeat(126)}b`, 'a'.repeat(256)],
    ['what a regular expression would explode on', '*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b', 'a'.repeat(256)],
  ])('that is hostile does not hold up anything: %s', (_name, pattern, name) => {
    const before = performance.now()
    for (let n = 0; n < 200; n += 1) expect(matches(pattern, name)).toBe(false)
    // Two hundred of the longest that a rule and a review may hold. An exponential search would not end at all.
    expect(performance.now() - before).toBeLessThan(2000)
  })

  test('agrees with a plain search over every short pattern and name', () => {
    const plain = (p: string, n: string): boolean => {
      if (p === '') return n === ''
      if (p[0] === '*') return plain(p.slice(1), n) || (n !== '' && plain(p, n.slice(1)))
      return n !== '' && (p[0] === '?' || p[0] === n[0]) && plain(p.slice(1), n.slice(1))
    }
    const words = (letters: string, length: number): readonly string[] =>
      length === 0 ? [''] : ['', ...words(letters, length - 1).flatMap((word) => [...letters].map((letter) => letter + word))]
    const names = [...new Set(words('ab', 5))]
    const wrong = [...new Set(words('ab*?', 4))].flatMap((p) =>
      names.filter((n) => matches(p, n) !== plain(p, n)).map((n) => [p, n]),
    )
    expect(wrong).toEqual([])
  })
})

describe('a ruling', () => {
  const rules: readonly Rule[] = [
    { name: 'reads', tools: ['read_*', 'ls'], verdict: { ruling: 'allow' } },
    { name: 'secrets', tools: ['read_secret', '*_password'], verdict: { ruling: 'deny', reason: 'never' } },
    { name: 'money', tools: ['pay_*'], verdict: { ruling: 'ask', approvers: 'leads', reason: 'money' } },
    { name: 'late', tools: ['pay_invoice', 'ls'], verdict: { ruling: 'deny', reason: 'too late' } },
  ]
  const policy: Policy = { rules, defaults: { approvers: 'everyone' }, sets: new Map() }
  const asked = { ruling: 'ask', rule: null, reason: ASK_REASON, approvers: 'everyone' }
  test.each([
    ['the first tool of a rule', 'read_file', { ruling: 'allow', rule: 'reads' }],
    ['another tool of a rule', 'ls', { ruling: 'allow', rule: 'reads' }],
    ['the first rule of two that match', 'read_secret', { ruling: 'allow', rule: 'reads' }],
    ['a deny with its reason', 'set_password', { ruling: 'deny', rule: 'secrets', reason: 'never' }],
    ['an ask with its set and reason', 'pay_invoice', { ruling: 'ask', rule: 'money', reason: 'money', approvers: 'leads' }],
    ['no rule', 'bash', asked],
    ['a name that only begins alike', 'ls2', asked],
    ['a name in another case', 'LS', asked],
    ['a name with a blank', ' ls', asked],
    ['a name with letters that look alike', 'lѕ', asked],
    ['an empty name', '', asked],
  ])('comes from %s', (_name, tool, expected) => expect(rulingOf(policy, tool)).toEqual(expected))

  test('without any rule is always to ask', () => {
    expect(rulingOf({ ...policy, rules: [] }, 'read_file')).toEqual(asked)
  })

  test('of a rule for everything ends the search', () => {
    const all: Rule = { name: 'all', tools: ['*'], verdict: { ruling: 'deny', reason: 'closed' } }
    expect(rulingOf({ ...policy, rules: [all, ...rules] }, 'read_file')).toEqual({
      ruling: 'deny',
      rule: 'all',
      reason: 'closed',
    })
    expect(rulingOf({ ...policy, rules: [...rules, all] }, 'read_file')).toEqual({ ruling: 'allow', rule: 'reads' })
  })
})

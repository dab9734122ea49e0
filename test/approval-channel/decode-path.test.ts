import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodePath } from '../../src/approval-channel/signature.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8')

describe('the path', () => {
  test.each([
    ['plain', '/runs/r1/approvals', '/runs/r1/approvals', ['runs', 'r1', 'approvals']],
    ['with a query', '/runs/r1?a=/x&b=%zz', '/runs/r1', ['runs', 'r1']],
    ['with two question marks', '/a?b?c', '/a', ['a']],
    ['with an escaped slash', '/runs/a%2Fb/x', '/runs/a/b/x', ['runs', 'a/b', 'x']],
    ['with an escaped question mark', '/a%3Fb', '/a?b', ['a?b']],
    ['with a plus and a semicolon', '/a+b;c', '/a+b;c', ['a+b;c']],
    ['with a slash at its end', '/runs/', '/runs/', ['runs', '']],
    ['with two slashes', '//a', '//a', ['', 'a']],
    ['with escaped dots', '/runs/%2e%2E/x', '/runs/../x', ['runs', '..', 'x']],
    ['with an escaped escape', '/%2561', '/%61', ['%61']],
    ['with an escaped zero', '/a%00b', '/a\0b', ['a\0b']],
    ['with a number sign', '/a#b', '/a#b', ['a#b']],
    ['with a byte order mark', '/%EF%BB%BFa', '/\ufeffa', ['\ufeffa']],
    ['of nothing', '/', '/', ['']],
  ])('%s', (_name, target, path, segments) => {
    expect(decodePath(target)).toEqual({ path: bytes(path), segments })
  })

  test('keeps bytes that are not UTF-8 for the signature, and names nothing by them', () => {
    expect(decodePath('/runs/%FF/x')).toEqual({ path: Buffer.from('/runs/\xff/x', 'latin1'), segments: ['runs', undefined, 'x'] })
    expect(decodePath('/\x80')).toEqual({ path: Buffer.from([0x2f, 0x80]), segments: [undefined] })
  })

  test.each([
    ['a bad escape', '/runs/%zz'],
    ['half an escape', '/runs/%4'],
    ['an escape at the end', '/runs/%'],
    ['a delete', '/a\x7f'],
    ['a tab', '/a\tb'],
    ['a line break at the end', '/a\n'],
    ['a character that no byte carries', '/Ž'],
    ['a star', '*'],
    ['a whole address', 'http://h/runs'],
    ['no slash', 'runs'],
    ['nothing', ''],
  ])('with %s is none', (_name, target) => {
    expect(decodePath(target)).toBeUndefined()
  })

  test('any names come back from their escaped form, and the path is their bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (names) => {
        const target = `/${names.map(encodeURIComponent).join('/')}`
        expect(decodePath(target)).toEqual({ path: bytes(`/${names.join('/')}`), segments: names })
      }),
    )
  })
})

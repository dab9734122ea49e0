import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { admitJson, parseJson } from '../../src/sandbox/runtime/json.ts'
import { coveredBy, hashOf } from '../../src/sandbox/runtime/row.ts'
import { canonical, rounded } from '../../src/sandbox/runtime/write.ts'

function read(text: string) {
  const json = parseJson(text)
  if (json === undefined) throw new Error('no JSON')
  return json
}

test.each([
  ['{}', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
  ['null', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'],
  ['{"n":1.50,"m":[1e5,2E-5,-0.0]}', '99a916ac72d6c6a45b638603e2b3385d14a8bd7df100584bb68aaf3485b33323'],
  ['{"B":1,"a":2,"_":3,"é":4,"e":5,"😀":6,"日":7}', '4dc6ac2731156b6b9a580eaa1105ee09f002b1a60c662c90bdad9b27cea5308f'],
])('the canonical form of %s has the hash of the protocol', (text, hash) => {
  expect(
    createHash('sha256')
      .update(canonical(read(text)))
      .digest('hex'),
  ).toBe(hash)
})

test('the hash of an approval is the one of the protocol, numbers as they were written', () => {
  const covered = coveredBy(
    {
      tool: 'push',
      kind: 'remote_mutation',
      capability: '{"tool":"push","args":{"n":7}}',
      presentation: '{"title":"Publish <PR> & tag","lines":1.0}',
      description: 'push <main> & tag',
      args: '{"n":7,"ref":"refs/heads/main"}',
    },
    'r1',
    's1',
  )
  expect(hashOf(covered)).toBe('175bcfc7a7e3cdab6b98d7b50caf9f2a8e59d5208211b97de39a4b027c7fa0b2')
  const presentation = covered.presentation.replace('1.0', '1')
  expect(hashOf({ ...covered, presentation })).not.toBe(hashOf(covered))
})

test('an empty capability and presentation count as empty objects, and what is no JSON has no hash', () => {
  const covered = coveredBy({ tool: 'push', capability: '', presentation: ' ' }, 'r1', 's1')
  expect(hashOf(covered)).toBe(hashOf({ ...covered, capability: '{}', presentation: '{}' }))
  for (const column of ['capability', 'presentation', 'request']) expect(hashOf({ ...covered, [column]: '{' })).toBeUndefined()
})

test.each([
  ['{"a":1,"a":1}', 'a repeated member'],
  ['"\\ud800"', 'a half surrogate'],
  [`${'['.repeat(257)}${']'.repeat(257)}`, '257 levels'],
  ['1'.repeat(10_001), 'a number of 10001 characters'],
  ['1e10001', 'an exponent over 10000'],
  ['1E-10001', 'an exponent under -10000'],
  ['{"a":1,}', 'a comma too many'],
  ['01', 'a zero in front'],
  ['"a\u0001"', 'a raw control character'],
  ['1 2', 'two values'],
  ['', 'nothing'],
])('%.20s is not let in: %s', (text) => {
  expect(admitJson(text)).toBeUndefined()
})

test('what is at the bound is let in', () => {
  for (const text of [`${'['.repeat(256)}1${']'.repeat(256)}`, '1'.repeat(10_000), '1e10000', '"\\ud83d\\ude00"', ' [ ] '])
    expect(admitJson(text)).toBeDefined()
})

test('the wire has numbers as floats and everything in one escaping', () => {
  const text = '{"z":[1.0,1e2,9007199254740993,-0.0,1e21,1e-7,0.000001,1e400],"a":"<\\u003e&\\u2028/\\u007f\\n\\u0001\\b"}'
  expect(rounded(read(text))).toBe(
    '{"a":"\\u003c\\u003e\\u0026\\u2028/\u007f\\n\\u0001\\b","z":[1,100,9007199254740992,-0,1e+21,1e-7,0.000001,1e400]}',
  )
})

import { expect, test } from 'vitest'
import { startVerifier } from '../../src/sandbox/runtime/verify.ts'
import { signature } from '../approval-channel/conformance-wire.ts'

const SECRET = 's'.repeat(32)

test('a full set of used signatures lets nobody in until one of them is too old to be accepted', () => {
  let seconds = 1790000000
  const verifier = startVerifier({ secret: SECRET, now: () => new Date(seconds * 1000), skewSeconds: 300, capacity: 2 })
  const ask = (nonce: string, sent = seconds) =>
    verifier.refuse({
      timestamp: String(sent),
      nonce,
      signature: signature(SECRET, sent, nonce, 'GET', '/runs/r/approvals', ''),
      method: 'GET',
      path: Buffer.from('/runs/r/approvals'),
      body: Buffer.alloc(0),
    })
  expect([ask('a'), ask('b'), ask('c'), ask('a')]).toEqual([
    undefined,
    undefined,
    'too many signatures in the window',
    'signature already used',
  ])
  seconds += 300
  expect(ask('d')).toBe('too many signatures in the window')
  seconds += 1
  expect([ask('e'), ask('f'), ask('g')]).toEqual([undefined, undefined, 'too many signatures in the window'])
})

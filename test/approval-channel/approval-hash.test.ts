import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical, hashOf } from '../../src/approval/canonical.ts'
import { parseJson } from '../../src/approval/json.ts'
import { approvalHash, servedWhole } from '../../src/approval-channel/approval-hash.ts'
import { ChannelApproval, writeApproval } from '../../src/approval-channel/wire.ts'
import { EXAMPLE, HASH } from './example.ts'
import { anyApproval } from './generated.ts'

const example = ChannelApproval.parse(parseJson(EXAMPLE))

/** The protocol's golden approval, as an honest end that keeps every digit would serve it. */
const GOLDEN = `{"id":"a1","run_id":"r1","step_id":"s1","kind":"remote_mutation","capability":{"tool":"push","args":{"n":7}},"presentation":{"title":"Publish <PR> & tag","lines":1.0},"request":{"run_id":"r1","step_id":"s1","spec":{"name":"push","description":"push <main> & tag","input_schema":{"type":"object"},"side_effect":"remote_mutation","timeout":30000000000},"args":{"n":7,"ref":"refs/heads/main"}},"hash":"175bcfc7a7e3cdab6b98d7b50caf9f2a8e59d5208211b97de39a4b027c7fa0b2","status":"pending","created_at":"2026-10-06T12:00:00Z"}`

describe('the goldens', () => {
  test('the example hashes to its own hash', () => {
    expect(approvalHash(example)).toBe(HASH)
  })

  test('the golden approval hashes to its own', () => {
    expect(approvalHash(ChannelApproval.parse(parseJson(GOLDEN)))).toBe(
      '175bcfc7a7e3cdab6b98d7b50caf9f2a8e59d5208211b97de39a4b027c7fa0b2',
    )
  })

  test.each([
    ['{}', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
    ['null', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'],
    ['{"n":1.50,"m":[1e5,2E-5,-0.0]}', '99a916ac72d6c6a45b638603e2b3385d14a8bd7df100584bb68aaf3485b33323'],
    ['{"B":1,"a":2,"_":3,"é":4,"e":5,"😀":6,"日":7}', '4dc6ac2731156b6b9a580eaa1105ee09f002b1a60c662c90bdad9b27cea5308f'],
  ])('the canonical form of %s', (json, hash) => {
    expect(hashOf(canonical(parseJson(json)))).toBe(hash)
  })
})

describe('the hash', () => {
  test('covers kind, capability, presentation and the whole request, a terminal tool included', () => {
    const { request } = example
    const others = [
      { ...example, kind: 'other' },
      { ...example, capability: new Map() },
      { ...example, presentation: null },
      { ...example, request: { ...request, run_id: 'r' } },
      { ...example, request: { ...request, step_id: 's' } },
      { ...example, request: { ...request, args: null } },
      { ...example, request: { ...request, spec: { ...request.spec, name: 'x' } } },
      { ...example, request: { ...request, spec: { ...request.spec, description: 'x' } } },
      { ...example, request: { ...request, spec: { ...request.spec, side_effect: 'x' } } },
      { ...example, request: { ...request, spec: { ...request.spec, input_schema: null } } },
      { ...example, request: { ...request, spec: { ...request.spec, terminal: true } } },
    ]
    expect(new Set([HASH, ...others.map(approvalHash)]).size).toBe(others.length + 1)
    const terminal = parseJson(
      `{"capability":{},"kind":"k","presentation":{},"request":{"args":{},"run_id":"r","spec":{"description":"","input_schema":{},"name":"n","side_effect":"","terminal":true,"timeout":0},"step_id":"s"}}`,
    )
    const served = `{"id":"a","run_id":"r","step_id":"s","kind":"k","capability":{},"presentation":{},"request":{"run_id":"r","step_id":"s","spec":{"name":"n","description":"","input_schema":{},"side_effect":"","timeout":0,"terminal":true},"args":{}},"hash":"${hashOf(canonical(terminal))}","status":"","created_at":"0001-01-01T00:00:00Z"}`
    expect(servedWhole(served)).toBe(true)
  })

  test('covers neither the times, the status, the decider nor the reason', () => {
    expect(
      approvalHash(ChannelApproval.parse({ ...example, id: 'b', status: 'approved', reason: 'x', decided_by: 'y', note: 'z' })),
    ).toBe(HASH)
  })
})

describe('what was served is the whole', () => {
  test('when it hashes to the hash that it names, whatever else it holds', () => {
    expect(servedWhole(EXAMPLE)).toBe(true)
    expect(servedWhole(`${EXAMPLE}\n`)).toBe(true)
    expect(servedWhole(GOLDEN)).toBe(true)
    expect(servedWhole(EXAMPLE.replace('"args":{', '"later":1,"args":{'))).toBe(true)
  })

  test.each([
    ['a number was rounded', GOLDEN.replace('"lines":1.0', '"lines":1')],
    ['a string was shortened', EXAMPLE.replace('"title":"Deploy build 42 to prod"', '"title":"Deploy…[9 bytes omitted]…"')],
    ['an argument is missing', EXAMPLE.replace(',"replicas":3', '')],
    ['an argument was added', EXAMPLE.replace('"replicas":3', '"replicas":3,"z":0')],
    ['a key stands twice', EXAMPLE.replace('"replicas":3', '"replicas":3,"replicas":3')],
    ['another hash is named', EXAMPLE.replace(HASH, '0'.repeat(64))],
    ['it is cut off', EXAMPLE.slice(0, -1)],
    ['it is nothing', ''],
    ['it is no approval', '{}'],
  ])('not when %s', (_name, raw) => {
    expect(raw).not.toBe(EXAMPLE)
    expect(servedWhole(raw)).toBe(false)
  })

  test('always, for what we serve ourselves under its own hash', () => {
    fc.assert(
      fc.property(anyApproval, (approval) => {
        expect(servedWhole(writeApproval({ ...approval, hash: approvalHash(approval) }))).toBe(true)
        expect(servedWhole(writeApproval(approval))).toBe(approvalHash(approval) === approval.hash)
      }),
    )
  })
})

/** The worked vectors of section 3 of the protocol. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Case, Stage } from './conformance-channel.ts'
import type { Call } from './conformance-wire.ts'
import { expectRefusal, secondsOf, signature, speak } from './conformance-wire.ts'

const R = '9f1c2b3a4d5e6f708192a3b4c5d6e7f8'
const A = '5a6b7c8d9e0f1a2b3c4d5e6f70819203'
const H = '66f7c9f41c0927a26563fecbe493ed61c960c07ae3715fae55980d6c55ff3040'
const SECRET = '0123456789abcdef0123456789abcdef'
const B2 = `{"run_id":"${R}","approval_id":"${A}","hash":"${H}","by":"slack:U024BE7LH","note":"ship it"}`
const B3 = `{"run_id":"${R}","approval_id":"${A}","hash":"${H}","by":"slack:Žofie","note":"не сейчас 🙂"}`
const B6 = `{"run_id":"${R}","by":"slack:U024BE7LH","note":"stop"}`

interface Vector {
  readonly seconds: number
  readonly nonce: string
  readonly method: string
  readonly path: string
  readonly query?: string
  readonly signed: string
  readonly body?: string
  readonly mac: string
}

const team = { seconds: 1790000004, nonce: 'n-0005', method: 'GET', path: '/runs/team%20%C3%A9%2F1/approvals' }
const listed = { seconds: 1790000000, nonce: 'n-0001', path: `/runs/${R}/approvals`, signed: `/runs/${R}/approvals` }

/** By their numbers in the protocol. The eighth is signed over the raw path, and must be refused. */
const VECTORS: Readonly<Record<number, Vector>> = {
  1: { ...listed, method: 'GET', mac: 'eaabe9f2656a1971b2f63f77c55d067ceb763dde7037a3495e9a7de0de68db16' },
  2: {
    ...{ seconds: 1790000001, nonce: '00000000000000000000000000000002', method: 'POST', body: B2 },
    path: `/runs/${R}/approvals/${A}/approve`,
    signed: `/runs/${R}/approvals/${A}/approve`,
    mac: '9f1fdfe219ee0268e26ecee0c5d4cabb52095623144444239e097535715211a2',
  },
  3: {
    ...{ seconds: 1790000002, nonce: 'n-0003', method: 'POST', body: B3 },
    path: `/runs/${R}/approvals/${A}/reject`,
    signed: `/runs/${R}/approvals/${A}/reject`,
    mac: '91e6aee0a0f20140259c9f278f71d532fbe029a6f146a9eb3a952a80f755e299',
  },
  4: {
    ...{ seconds: 1790000003, nonce: 'n-0004', method: 'GET', query: '?format=text' },
    path: `/runs/${R}/approvals/${A}`,
    signed: `/runs/${R}/approvals/${A}`,
    mac: '558c7555678f258b95bfb64997cc651fbead3c99d52fd120a0b14206ff7941ae',
  },
  5: { ...team, signed: '/runs/team é/1/approvals', mac: '7d4785cbaee165b75c1f4ea5ab7bad9cdf050f60c55162be8903ada20cc8f71a' },
  6: {
    ...{ seconds: 1790000005, nonce: 'n-0006', method: 'POST', body: B6 },
    path: `/runs/${R}/cancel`,
    signed: `/runs/${R}/cancel`,
    mac: 'c6762ebe40e9dd94e411eb243018edcc9eb6421aed68fdaf5d38b90824daeb6e',
  },
  7: {
    ...{ seconds: 1790000006, nonce: 'n-0007', method: 'GET' },
    path: `/runs/${R}/approvals/`,
    signed: `/runs/${R}/approvals/`,
    mac: 'abdd0e4738c997edab7296b75557224c18ba77c963111b7aab1bbcf351c44511',
  },
  8: { ...team, signed: team.path, mac: '3331d56cb3b21867746902cd64178fa61e401135107a8cc3202495c9fc4f1d1e' },
  9: { ...listed, method: 'HEAD', mac: '11496e7f66165e999c19ec62c388b8819c661e16ac1a72224d526cb18bc2af3e' },
}

/** That the suite itself signs as the vectors do. */
export function expectOwnVectors(): void {
  expect(Buffer.byteLength(B2)).toBe(208)
  expect(Buffer.byteLength(B3)).toBe(220)
  expect(Buffer.byteLength(B6)).toBe(82)
  expect(createHash('sha256').update(B3).digest('hex')).toBe('4a19b8ef317b59ec2de490fefa46255503bf9266e99db92634179672bb1a414c')
  for (const { seconds, nonce, method, signed, body = '', mac } of Object.values(VECTORS))
    expect(signature(SECRET, seconds, nonce, method, signed, body)).toBe(`v1=${mac}`)
}

export const vectorCases: readonly Case[] = Object.entries(VECTORS).map(([number, vector]) => ({
  name: `vector ${number} is ${number === '8' ? 'refused' : 'let in'}`,
  wish: { at: new Date(1790000003_000), ...(number === '6' ? { prefix: '/hooks' } : {}) },
  async run({ channel, skip }: Stage) {
    if (channel.secret !== SECRET) return skip(`the secret ${SECRET}`)
    if (Math.abs(secondsOf(channel) - vector.seconds) > 60) return skip('a clock that can be set')
    if ((channel.signedPath ?? '') !== '') return skip('a signed path that starts with /runs')
    const { path, query = '', method, nonce, body = '', mac } = vector
    const call: Call = { method, path, query, body, nonce, timestamp: vector.seconds, signature: `v1=${mac}` }
    const paused = await channel.pause({ run: R, approval: A })
    const reply = await speak(channel, call)
    if (number === '8') return expectRefusal(reply, 401, 'unauthorized')
    if (number === '7') return expectRefusal(reply, 404, 'not_found')
    // The run of the fifth is another one, and the hash of the second and third is not that of what waits here.
    const status: Readonly<Record<string, number>> = { '1': 200, '2': 409, '3': 409, '4': 200, '6': 200, '9': 200 }
    const chosen = paused.run === R && paused.approval === A
    expect(chosen ? [status[number] ?? 404] : [status[number], 404]).toContain(reply.status)
  },
}))

import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { channelSecret, sign } from '../../src/approval-channel/signature.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8')

describe('a secret', () => {
  test.each([
    ['31 characters', 'x'.repeat(31)],
    ['31 bytes', new Uint8Array(31)],
    ['nothing', ''],
  ])('of %s is refused, without being told and with what to do', (_name, short) => {
    expect(() => channelSecret(short)).toThrow(/at least 32 bytes.*openssl rand/)
    if (typeof short === 'string' && short !== '') expect(() => channelSecret(short)).not.toThrow(short)
  })

  test('of 32 bytes is taken as it is, counted in bytes, and shows nothing of itself', () => {
    const hex = 'ab'.repeat(16)
    const args = { timestamp: 1_790_000_000, nonce: 'n', method: 'GET', path: '/', body: '' }
    const expected = `v1=${createHmac('sha256', hex).update('1790000000\nn\nGET\n/\n').digest('hex')}`
    expect(sign({ secret: channelSecret(hex), ...args })).toBe(expected)
    expect(sign({ secret: channelSecret(bytes(hex)), ...args })).toBe(expected)
    expect(() => channelSecret('é'.repeat(16))).not.toThrow()
    expect(`${inspect(channelSecret(hex), { depth: 9 })}${JSON.stringify(channelSecret(hex))}`).not.toContain(hex)
  })
})

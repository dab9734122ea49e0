import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  channelSecret,
  decodePath,
  remembered,
  type SignedRequest,
  sign,
  unverified,
} from '../../src/approval-channel/signature.ts'
import { APPROVAL, HASH, RUN } from './example.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const secret = channelSecret(KEY)
const T = 1_790_000_000
const at = (seconds: number): Date => new Date(seconds * 1000)
const bytes = (text: string): Buffer => Buffer.from(text, 'utf8')

const B2 = `{"run_id":"${RUN}","approval_id":"${APPROVAL}","hash":"${HASH}","by":"slack:U024BE7LH","note":"ship it"}`
const B3 = `{"run_id":"${RUN}","approval_id":"${APPROVAL}","hash":"${HASH}","by":"slack:Žofie","note":"не сейчас 🙂"}`
const B6 = `{"run_id":"${RUN}","by":"slack:U024BE7LH","note":"stop"}`

const LIST = `/runs/${RUN}/approvals`
const ONE = `${LIST}/${APPROVAL}`

/** The signature by the words of the protocol, made here and not by what is tested. */
function mac(timestamp: string, nonce: string, method: string, path: string | Uint8Array, body = '', key = KEY): string {
  const parts = [bytes(`${timestamp}\n${nonce}\n${method}\n`), Buffer.from(path), bytes(`\n${body}`)]
  return `v1=${createHmac('sha256', key).update(Buffer.concat(parts)).digest('hex')}`
}

/** A request that verifies at T, but for what is said otherwise. */
function request(more: Partial<SignedRequest> = {}, headers: SignedRequest['headers'] = {}): SignedRequest {
  return {
    method: 'GET',
    path: LIST,
    body: bytes(''),
    ...more,
    headers: {
      'x-approval-timestamp': String(T),
      'x-approval-nonce': 'n-0001',
      'x-approval-signature': mac(String(T), 'n-0001', 'GET', LIST),
      ...headers,
    },
  }
}
const why = (more?: Partial<SignedRequest>, headers?: SignedRequest['headers'], now = at(T), skew = 300) =>
  unverified(request(more, headers), secret, now, skew)

describe('the known vectors', () => {
  test.each([
    [1, T, 'n-0001', 'GET', LIST, '', 'eaabe9f2656a1971b2f63f77c55d067ceb763dde7037a3495e9a7de0de68db16'],
    [
      2,
      T + 1,
      '00000000000000000000000000000002',
      'POST',
      `${ONE}/approve`,
      B2,
      '9f1fdfe219ee0268e26ecee0c5d4cabb52095623144444239e097535715211a2',
    ],
    [3, T + 2, 'n-0003', 'POST', `${ONE}/reject`, B3, '91e6aee0a0f20140259c9f278f71d532fbe029a6f146a9eb3a952a80f755e299'],
    [4, T + 3, 'n-0004', 'GET', `${ONE}?format=text`, '', '558c7555678f258b95bfb64997cc651fbead3c99d52fd120a0b14206ff7941ae'],
    [
      5,
      T + 4,
      'n-0005',
      'GET',
      '/runs/team%20%C3%A9%2F1/approvals',
      '',
      '7d4785cbaee165b75c1f4ea5ab7bad9cdf050f60c55162be8903ada20cc8f71a',
    ],
    [6, T + 5, 'n-0006', 'POST', `/runs/${RUN}/cancel`, B6, 'c6762ebe40e9dd94e411eb243018edcc9eb6421aed68fdaf5d38b90824daeb6e'],
    [7, T + 6, 'n-0007', 'GET', `${LIST}/`, '', 'abdd0e4738c997edab7296b75557224c18ba77c963111b7aab1bbcf351c44511'],
    [9, T, 'n-0001', 'HEAD', LIST, '', '11496e7f66165e999c19ec62c388b8819c661e16ac1a72224d526cb18bc2af3e'],
  ])(
    'vector %i is made so and verifies, and not with another body, path, method, nonce or moment',
    (_n, t, nonce, method, target, body, hex) => {
      const path = decodePath(target)?.path ?? ''
      expect(sign({ secret, timestamp: t, nonce, method, path, body })).toBe(`v1=${hex}`)
      const headers = { 'x-approval-timestamp': String(t), 'x-approval-nonce': nonce, 'x-approval-signature': `v1=${hex}` }
      const good = { method, path, body: bytes(body) }
      expect(why(good, headers)).toBeUndefined()
      for (const [bad, badHeaders] of [
        [{ body: bytes(`${body} `) }, {}],
        [{ path: `${path}/` }, {}],
        [{ method: method.toLowerCase() }, {}],
        [{}, { 'x-approval-nonce': `${nonce}0` }],
        [{}, { 'x-approval-timestamp': String(t + 1) }],
      ] as const) {
        expect(why({ ...good, ...bad }, { ...headers, ...badHeaders })).toBe('signature does not match')
      }
    },
  )

  test('the bodies of the vectors are the ones of the protocol', () => {
    expect([B2, B3, B6].map((body) => bytes(body).length)).toEqual([208, 220, 82])
    expect(createHash('sha256').update(B3, 'utf8').digest('hex')).toBe(
      '4a19b8ef317b59ec2de490fefa46255503bf9266e99db92634179672bb1a414c',
    )
  })

  test('vector 8, signed over the path as it was escaped, is refused', () => {
    const path = decodePath('/runs/team%20%C3%A9%2F1/approvals')?.path ?? ''
    const headers = {
      'x-approval-timestamp': String(T + 4),
      'x-approval-nonce': 'n-0005',
      'x-approval-signature': 'v1=3331d56cb3b21867746902cd64178fa61e401135107a8cc3202495c9fc4f1d1e',
    }
    expect(why({ path }, headers)).toBe('signature does not match')
    expect(why({ path: '/runs/team%20%C3%A9%2F1/approvals' }, headers)).toBeUndefined()
  })
})

describe('the timestamp', () => {
  test.each([
    ['a plus sign', `+${T}`, String(T)],
    ['zeros in front', `000${T}`, String(T)],
    ['very many zeros in front', '0'.repeat(12_000) + T, String(T)],
    ['blanks around it', ` \t${T} `, String(T)],
  ])('with %s counts as its number', (_name, header, printed) => {
    const signature = mac(printed, 'n-0001', 'GET', LIST)
    expect(why({}, { 'x-approval-timestamp': header, 'x-approval-signature': signature })).toBeUndefined()
    const asWritten = mac(header, 'n-0001', 'GET', LIST)
    expect(why({}, { 'x-approval-timestamp': header, 'x-approval-signature': asWritten })).toBe('signature does not match')
  })

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['a fraction', `${T}.0`],
    ['an exponent', '179e7'],
    ['an underscore', '1_790_000_000'],
    ['hexadecimal', '0x6ab13b80'],
    ['blanks inside', '1790 000000'],
    ['a sign alone', '-'],
    ['two signs', `+-${T}`],
    ['a line break inside', `${T}\n`],
    ['digits of another script', '١٧٩٠٠٠٠٠٠٠'],
    ['two values in one', `${T}, ${T}`],
    ['past 64 bits', '9223372036854775808'],
    ['past 64 bits the other way', '-9223372036854775809'],
    ['of twenty thousand digits', '1'.repeat(20_000)],
  ])('%s is malformed, before anything else is looked at', (_name, header) => {
    const headers = { 'x-approval-timestamp': header, 'x-approval-nonce': undefined, 'x-approval-signature': undefined }
    expect(why({}, headers)).toBe('missing or malformed X-Approval-Timestamp')
  })

  test.each([
    ['300 seconds old', T - 300, 0, undefined],
    ['300 seconds ahead', T + 300, 0, undefined],
    ['301 seconds old', T - 301, 0, 'timestamp outside the accepted window'],
    ['301 seconds ahead', T + 301, 0, 'timestamp outside the accepted window'],
    ['a thousandth over 300 seconds old', T - 300, 0.001, 'timestamp outside the accepted window'],
    ['of 292 years and more ahead', 2 ** 34, 0, 'timestamp outside the accepted window'],
    ['of 1970', 0, 0, 'timestamp outside the accepted window'],
    ['before 1970', -T, 0, 'timestamp outside the accepted window'],
  ])('%s', (_name, t, later, expected) => {
    const headers = { 'x-approval-timestamp': String(t), 'x-approval-signature': mac(String(t), 'n-0001', 'GET', LIST) }
    expect(why({}, headers, at(T + later))).toBe(expected)
  })

  test.each(['9223372036854775807', '-9223372036854775808', '9007199254740993', '17179869184', '-0'])(
    'of %s is outside the window even when rightly signed',
    (t) => {
      const headers = { 'x-approval-timestamp': t, 'x-approval-signature': mac(BigInt(t).toString(), 'n-0001', 'GET', LIST) }
      expect(why({}, headers)).toBe('timestamp outside the accepted window')
    },
  )

  test('minus nothing is nothing, where the window reaches it', () => {
    const headers = { 'x-approval-timestamp': '-0', 'x-approval-signature': mac('0', 'n-0001', 'GET', LIST) }
    expect(why({}, headers, at(0))).toBeUndefined()
  })

  test('is judged by the window that is given, and no window admits a clock that is none', () => {
    expect(why({}, {}, at(T + 11), 10)).toBe('timestamp outside the accepted window')
    expect(why({}, {}, at(T + 3000), 3600)).toBeUndefined()
    expect(why({}, {}, new Date(Number.NaN))).toBe('timestamp outside the accepted window')
  })

  test('that is no whole number of seconds is not signed', () => {
    for (const timestamp of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => sign({ secret, timestamp, nonce: 'n', method: 'GET', path: '/', body: '' })).toThrow(RangeError)
    }
  })
})

describe('the nonce', () => {
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['of blanks', '   '],
    ['of 65 bytes', 'n'.repeat(65)],
    ['of 33 characters in 66 bytes', bytes('é'.repeat(33)).toString('latin1')],
  ])('%s is refused, before the signature is looked at', (_name, nonce) => {
    expect(why({}, { 'x-approval-nonce': nonce, 'x-approval-signature': undefined })).toBe(
      'missing or oversized X-Approval-Nonce',
    )
  })

  test.each([
    ['of 64 bytes', 'n'.repeat(64)],
    ['of one byte', 'n'],
    ['beyond ASCII', 'naïve-32-bytes'],
  ])('%s is signed by its bytes', (_name, nonce) => {
    const headers = {
      'x-approval-nonce': bytes(nonce).toString('latin1'),
      'x-approval-signature': mac(String(T), nonce, 'GET', LIST),
    }
    expect(why({}, headers)).toBeUndefined()
    expect(sign({ secret, timestamp: T, nonce: headers['x-approval-nonce'], method: 'GET', path: LIST, body: '' })).toBe(
      headers['x-approval-signature'],
    )
  })
})

describe('the signature header', () => {
  const good = mac(String(T), 'n-0001', 'GET', LIST)
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['in upper-case hex', `v1=${good.slice(3).toUpperCase()}`],
    ['with an upper-case prefix', `V1=${good.slice(3)}`],
    ['without its prefix', good.slice(3)],
    ['of another version', `v2=${good.slice(3)}`],
    ['with a blank inside', `v1= ${good.slice(3)}`],
    ['one digit short', good.slice(0, -1)],
    ['one digit long', `${good}0`],
    ['in base64', `v1=${Buffer.from(good.slice(3), 'hex').toString('base64')}`],
    ['beyond ASCII', `v1=${'é'.repeat(64)}`],
    ['of two values in one', `${good}, ${good}`],
    ['under another secret', mac(String(T), 'n-0001', 'GET', LIST, '', `${KEY}x`)],
    ['of zeros', `v1=${'0'.repeat(64)}`],
  ])('%s does not match', (_name, signature) => {
    expect(why({}, { 'x-approval-signature': signature })).toBe('signature does not match')
  })

  test('may be surrounded by blanks, named in any case, and repeated: the first counts', () => {
    expect(why({}, { 'x-approval-signature': `\t ${good}  ` })).toBeUndefined()
    expect(why({}, { 'x-approval-signature': undefined, 'X-APPROVAL-Signature': good })).toBeUndefined()
    expect(why({}, { 'x-approval-signature': [good, 'v1=other'] })).toBeUndefined()
    expect(why({}, { 'x-approval-signature': ['v1=other', good] })).toBe('signature does not match')
  })
})

describe('what is remembered', () => {
  test('is the whole signature, for as long as its timestamp can pass', () => {
    const kept = remembered(request({}, { 'x-approval-timestamp': `+00${T}` }), 300)
    expect(kept).toEqual({ key: mac(String(T), 'n-0001', 'GET', LIST), until: at(T + 300) })
    expect(why({}, {}, kept.until)).toBeUndefined()
    expect(why({}, {}, new Date(kept.until.getTime() + 1))).toBe('timestamp outside the accepted window')
  })

  test('is one and the same however the header was padded', () => {
    const plain = request()
    const padded = request({}, { 'x-approval-signature': ` ${mac(String(T), 'n-0001', 'GET', LIST)}\t` })
    expect(remembered(padded, 300)).toEqual(remembered(plain, 300))
  })

  test('is nothing where nothing can have verified', () => {
    expect(() => remembered({ headers: {} }, 300)).toThrow(RangeError)
  })
})

test('whatever is signed verifies, and not after one byte of it changed', () => {
  const nonce = fc.stringMatching(/^[!-~]{1,64}$/)
  const path = fc.uint8Array({ maxLength: 40 })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 40 }),
      nonce,
      fc.constantFrom('GET', 'POST', 'HEAD'),
      path,
      path,
      fc.nat(),
      (t, n, method, p, body, where) => {
        const headers = {
          'X-Approval-Timestamp': String(t),
          'X-Approval-Nonce': n,
          'X-Approval-Signature': sign({ secret, timestamp: t, nonce: n, method, path: p, body }),
        }
        expect(unverified({ method, path: p, body, headers }, secret, at(t), 0)).toBeUndefined()
        if (body.length === 0) return
        const changed = Uint8Array.from(body, (byte, at) => (at === where % body.length ? byte ^ 1 : byte))
        expect(unverified({ method, path: p, body: changed, headers }, secret, at(t), 0)).toBe('signature does not match')
      },
    ),
  )
})

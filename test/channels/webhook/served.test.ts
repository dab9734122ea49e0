/** What our own channel says of an approval that ended somewhere else than here. */
import { expect, test } from 'vitest'
import type { Closed } from '../../../src/approval/approval.ts'
import { served } from '../../../src/channels/webhook/served.ts'
import { served as fromSource } from '../slack/hostile.ts'

const AT = new Date('2026-10-05T12:01:00Z')
const ASKED = fromSource(new Map([['reason', 'a person looks at each']]))

test.each<[Closed, string]>([
  ['cancelled', 'rejected'],
  ['expired', 'expired'],
  ['withdrawn', 'expired'],
  ['changed', 'expired'],
])('%s is served as %s', (because, status) => {
  const shown = served({ ...ASKED, status: 'closed', because, closedAt: AT, elsewhere: null }, 'run_1', AT)
  expect(shown).toMatchObject({ status, decided_by: '', reason: 'a person looks at each' })
})

test.each([
  ['approve', 'approved'],
  ['deny', 'rejected'],
] as const)('decided elsewhere (%s) is served with what was decided there, and by whom', (verdict, status) => {
  const elsewhere = { verdict, by: 'somebody' }
  const shown = served({ ...ASKED, status: 'closed', because: 'decided_elsewhere', closedAt: AT, elsewhere }, 'run_1', AT)
  expect(shown).toMatchObject({ status, decided_by: 'somebody' })
})

test('what its source cannot read is served with that', () => {
  expect(served({ ...ASKED, decodeError: 'request: bad', status: 'pending' }, 'run_1', AT).decode_error).toBe('request: bad')
})

/** Approvals as a hostile model and a careless policy could make them. */
import fc from 'fast-check'
import { type Json, parseJson } from '../../src/approval/json.ts'
import { ChannelApproval } from '../../src/approval-channel/wire.ts'
import { EXAMPLE } from './example.ts'

/** Characters that a reader cannot see or that move what they see, well mixed with plain ones. */
const nasty = fc.constantFrom(
  ...'\u0000\u0007\b\t\n\v\f\r\u001b\u007f\u0085\u009b\u00ad\u061c\u070f\u180e\u200b\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2064\u2066\u2069\u206a\u206f\ufeff\ufff9\ufffb',
  '\u{e0001}',
  '\u{e0041}',
  '\u{e007f}',
  '\u{1d173}',
  '\u{13430}',
  '\u0301',
  '\ufe0f',
  '<',
  '\\',
  '"',
  '\u{1f642}',
)
export const anyText = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', minLength: 1, maxLength: 3 })), { maxLength: 12 })
  .map((parts) => parts.join(''))

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('1.0', '-0.0', '1e2', '9007199254740993', '0.10'),
)
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('null', 'true', 'false'),
    number,
    anyText.map((text) => JSON.stringify(text)),
    fc.array(tie('tree'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(anyText, tie('tree')), { maxLength: 3, selector: ([key]) => key })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  ),
}))
const anyJson: fc.Arbitrary<Json> = tree.map(parseJson)
const time = fc.constantFrom('0001-01-01T00:00:00Z', '2026-10-06T12:00:00.123456789Z', '2026-10-06T12:00:00.12+02:00')

const example = ChannelApproval.parse(parseJson(EXAMPLE))

export const anyApproval: fc.Arbitrary<ChannelApproval> = fc
  .record({
    id: anyText.map((text) => `x${text}`),
    run_id: anyText.map((text) => `x${text}`),
    kind: anyText,
    name: anyText,
    reason: anyText,
    decided_by: anyText,
    note: anyText,
    decode_error: fc.oneof(fc.constant(''), anyText),
    status: fc.constantFrom('pending', 'approved', 'rejected', 'expired', ''),
    expired: fc.boolean(),
    terminal: fc.boolean(),
    capability: anyJson,
    presentation: anyJson,
    args: anyJson,
    schema: anyJson,
    created_at: time,
    expires_at: fc.option(time, { nil: undefined }),
    decided_at: fc.option(time, { nil: undefined }),
  })
  .map(({ name, terminal, args, schema, ...rest }) =>
    ChannelApproval.parse({
      ...example,
      ...rest,
      request: { ...example.request, spec: { ...example.request.spec, name, terminal, input_schema: schema }, args },
    }),
  )

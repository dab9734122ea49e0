/**
 * Every state of a card, of its modals and of the listing, made by the product's own code from example approvals. The tables are
 * keyed by the domain's closed lists, so that a new reason or resolution without an example does not compile.
 */
import {
  type Approval,
  type Asked,
  type Closed,
  type Decision,
  type RefusedWhy,
  type Resolution,
  RowId,
  type Trouble,
} from '../approval/approval.ts'
import { type CardSettings, card } from '../channels/slack/card.ts'
import { listing } from '../channels/slack/command.ts'
import { digestCard } from '../channels/slack/digest.ts'
import { homeView, type Mine } from '../channels/slack/home.ts'
import { outcomeLine } from '../channels/slack/outcome.ts'
import { noteView, pagesOf, readingView } from '../channels/slack/reading.ts'
import { ours } from '../channels/slack/safe-text.ts'
import type { Exhibit } from '../sandbox/slack/page-exhibits.ts'
import {
  disguised,
  interrupted,
  longPatch,
  notWhole,
  payment,
  publication,
  script,
  shortCommand,
  type Times,
  unreadable,
} from './cards-calls.ts'

const SETTINGS: CardSettings = {
  whoMayDecide: (set) =>
    set === 'leads'
      ? { users: ['U0ANA', 'U0BOB'], groups: ['S0ONCALL'], conversation: undefined }
      : { users: [], groups: [], conversation: 'C0APPROVALS' },
  keySetting: (source) => (source === 'novo' ? 'NOVO_API_KEY' : 'STEWARD_SECRET'),
}

export function examples(times: Times): readonly Exhibit[] {
  const short = shortCommand(times)
  const channel = publication(times)
  return [
    ...waiting(times),
    ...modals(times),
    ...listings(times),
    ...others(times),
    ...sending(short, 'hook', times, HOOK_TROUBLES),
    ...sending(channel, 'channel', times, CHANNEL_TROUBLES),
    ...resolved(short, 'hook', times),
    ...resolved(channel, 'channel', times),
    ...closed(channel, times),
  ]
}

function shown(id: string, group: string, title: string, approval: Approval, retired = false): Exhibit {
  return { id, group, title, shown: { message: card(approval, SETTINGS, retired) } }
}

const WAITING = 'Waiting'

function waiting(times: Times): readonly Exhibit[] {
  const pending = (id: string, title: string, asked: Asked): Exhibit =>
    shown(`pending-${id}`, WAITING, title, { ...asked, status: 'pending' })
  return [
    pending('short', 'A short shell command', shortCommand(times)),
    pending('payment', 'A payment that named people decide, with a member that nobody knows', payment(times)),
    pending('script', 'A few lines of shell, with a preview, by a worker', script(times)),
    pending('long', 'A call that is too long for a card', longPatch(times)),
    pending('disguised', 'A call that wants to look like something else', disguised(times)),
    pending('channel', 'From a channel source', publication(times)),
    pending('interrupted', 'From a channel source: it had begun once already', interrupted(times)),
    pending('not-whole', 'From a channel source that did not serve all of it', notWhole(times)),
    pending('unreadable', 'From a channel source that cannot read its own record', unreadable(times)),
  ]
}

const CARRIED = { r: '', c: 'C0APPROVALS' }

function modals(times: Times): readonly Exhibit[] {
  const long: Approval = { ...longPatch(times), status: 'pending' }
  const short: Approval = { ...shortCommand(times), status: 'pending' }
  const channel: Approval = { ...publication(times), status: 'pending' }
  const done: Approval = { ...longPatch(times), ...RESOLVED(times, decision(times, 'approved'), { resolution: 'done' }) }
  const last = pagesOf(long).length - 1
  const page = (approval: Approval, p: number) => ({ view: { ...readingView(approval, { ...CARRIED, p }, SETTINGS) } })
  const note = (approval: Approval) => ({ view: { ...noteView(approval, { ...CARRIED, p: 0 }) } })
  const rows: readonly (readonly [string, string, Exhibit['shown']])[] = [
    ['first', 'Read in full, the first page', page(long, 0)],
    ['middle', 'A page in the middle', page(long, Math.floor(last / 2))],
    ['last', 'The last page, with Approve', page(long, last)],
    ['decided', 'The last page of what is decided', page(done, last)],
    ['one-page', 'What fits on one page', page(short, 0)],
    ['channel-page', 'Of a channel source', page(channel, 0)],
    ['note', 'Deny with a note', note(short)],
    ['note-channel', 'Deny with a note, at a channel source', note(channel)],
  ]
  return rows.map(([id, title, view]) => ({ id: `modal-${id}`, group: 'Windows', title, shown: view }))
}

function listings(times: Times): readonly Exhibit[] {
  const all = [shortCommand(times), longPatch(times), publication(times)].map(
    (asked): Approval => ({ ...asked, status: 'pending' }),
  )
  const rows = [
    [
      'some',
      '/approvals run_2',
      listing(ours`run_2`, all, 2, [ours`The source steward did not answer: what waits there may be missing.`]),
    ],
    ['none', '/approvals, when all of it is for others', listing(ours`run_2`, [], 3)],
  ] as const
  return rows.map(([id, title, message]) => ({ id: `listing-${id}`, group: 'The listing', title, shown: { message } }))
}

/** Messages about more than one approval, lines in threads, and home tabs. */
function others(times: Times): readonly Exhibit[] {
  const pending = (n: number) => ({
    ...shortCommand(times),
    rowId: RowId.parse(String(n).padStart(32, '0')),
    status: 'pending' as const,
  })
  const digest = (count: number): Exhibit['shown'] => {
    const { rowId, source, rootRun } = pending(0)
    return {
      message: digestCard({
        rowId,
        status: 'digest',
        source,
        rootRun,
        waiting: Array.from({ length: count }, (_, n) => pending(n)),
      }),
    }
  }
  const settled = { ...shortCommand(times), ...RESOLVED(times, decision(times, 'approved'), { resolution: 'done' }) }
  const home = (mine: Mine): Exhibit['shown'] => ({ view: { ...homeView(mine, SETTINGS, times.decided) } })
  const rows: readonly (readonly [string, string, Exhibit['shown']])[] = [
    ['digest', 'A digest of a run', digest(23)],
    ['digest-empty', 'A digest that is done', digest(0)],
    ['outcome', 'A line in a card’s thread', { message: outcomeLine(settled, SETTINGS) }],
    [
      'home',
      'A home tab',
      home({ decides: true, waiting: [pending(1), pending(2)], unsure: 1, more: false, decided: [settled] }),
    ],
    ['home-guest', 'A guest’s home tab', home({ decides: false, because: 'a_guest' })],
  ]
  return rows.map(([id, title, one]) => ({ id: `other-${id}`, group: 'Digests, threads, home tabs', title, shown: one }))
}

function decision(times: Times, outcome: Decision['outcome'], change: Partial<Decision> = {}): Decision {
  const verdict = outcome === 'approved' ? 'approve' : 'deny'
  return { verdict, outcome, by: 'slack:T0ACME/U0ANA', via: null, note: null, at: times.decided, ...change }
}

const HOOK_TROUBLES: readonly (Trouble | null)[] = [
  null,
  { kind: 'passing', code: 'not_parked_yet' },
  { kind: 'passing', code: 'http_503' },
  { kind: 'lasting', code: 'bad_key' },
  { kind: 'lasting', code: 'source_not_configured' },
  { kind: 'lasting', code: 'resolve_url_refused' },
  { kind: 'lasting', code: 'http_418' },
]
const CHANNEL_TROUBLES: readonly (Trouble | null)[] = [
  null,
  { kind: 'passing', code: 'clocks_differ' },
  { kind: 'passing', code: 'waits_for_others' },
  { kind: 'passing', code: 'unreachable' },
  { kind: 'lasting', code: 'bad_signature' },
  { kind: 'lasting', code: 'source_not_configured' },
  { kind: 'lasting', code: 'bad_certificate' },
]

const GROUPS = { hook: 'from the hook', channel: 'from a channel source' } as const
type From = keyof typeof GROUPS

function sending(asked: Asked, from: From, times: Times, troubles: readonly (Trouble | null)[]): readonly Exhibit[] {
  return troubles.map((trouble) => {
    const code = trouble?.code ?? 'none'
    const title = trouble === null ? 'On its way' : `On its way: ${trouble.kind}, ${trouble.code}`
    const decided: Approval = {
      ...asked,
      status: 'decided',
      decision: decision(times, 'approved'),
      trouble,
      giveUpAt: times.expires,
    }
    return shown(`sending-${from}-${code}`, `Decided, ${GROUPS[from]}`, title, decided)
  })
}

/** Each, and whether an earlier attempt of ours may have landed. */
const REFUSED: Readonly<Record<RefusedWhy, boolean>> = {
  unknown_approval: false,
  resolved_elsewhere: true,
  expired: false,
  changed: false,
  run_not_waiting: false,
  damaged: false,
  not_allowed: false,
  refused: false,
}
const WHY = Object.keys(REFUSED) as readonly RefusedWhy[]

const RESOLVED = (times: Times, by: Decision, resolution: Resolution) =>
  ({ status: 'resolved', decision: by, resolution, resolvedAt: times.decided }) as const

function resolved(asked: Asked, from: From, times: Times): readonly Exhibit[] {
  const note = 'Not on a Friday.\nPlease ask again on Monday: naïve 🙂'
  const done = { resolution: 'done' } as const
  const refused = (why: RefusedWhy, ownAttemptMayHaveLanded: boolean): Resolution => ({
    resolution: 'refused',
    why,
    status: 409,
    ownAttemptMayHaveLanded,
  })
  const rows: readonly (readonly [string, string, Decision, Resolution])[] = [
    ['approved', 'Approved, and taken', decision(times, 'approved'), done],
    ['denied', 'Denied, and taken', decision(times, 'denied'), done],
    ['denied-note', 'Denied with a note', decision(times, 'denied', { note }), done],
    ['cancelled', 'Cancelled with its run', decision(times, 'cancelled', { by: 'cli:root' }), done],
    [
      'labelled',
      'Denied over a served channel',
      decision(times, 'denied', { by: 'console user 7', via: 'channel/console' }),
      done,
    ],
    [
      'ours',
      'Denied by Countersign itself',
      decision(times, 'denied', { by: 'countersign', note: 'No one decided within 30 minutes.' }),
      done,
    ],
    ['undeliverable', 'Given up', decision(times, 'approved'), { resolution: 'undeliverable' }],
    ...WHY.map((why) => [why, `Not taken: ${why}`, decision(times, 'approved'), refused(why, false)] as const),
    ...WHY.filter((why) => REFUSED[why]).map(
      (why) => [`${why}-maybe-ours`, `Not taken: ${why}, perhaps ours`, decision(times, 'approved'), refused(why, true)] as const,
    ),
  ]
  return rows.map(([id, title, by, resolution]) =>
    shown(`resolved-${from}-${id}`, `Settled, ${GROUPS[from]}`, title, { ...asked, ...RESOLVED(times, by, resolution) }),
  )
}

const CLOSED: Readonly<Record<Closed, string>> = {
  changed: 'The source changed it',
  withdrawn: 'The source took it back',
  expired: 'Its time ran out',
  decided_elsewhere: 'Approved at the source',
  cancelled: 'Its run was cancelled',
  allowed_by_rule: 'A rule allowed it',
  denied_by_rule: 'A rule denied it',
}

function closed(asked: Asked, times: Times): readonly Exhibit[] {
  const ended = { ...asked, status: 'closed', closedAt: times.decided, elsewhere: null } as const
  const group = 'Ended without a decision here'
  const elsewhere = (verdict: 'approve' | 'deny') => ({ verdict, by: 'cli:release-manager' })
  const reasons = Object.keys(CLOSED) as readonly Closed[]
  return [
    ...reasons.map((because) =>
      shown(`closed-${because}`, group, CLOSED[because], {
        ...ended,
        because,
        elsewhere: because === 'decided_elsewhere' ? elsewhere('approve') : null,
      }),
    ),
    shown('closed-rejected_elsewhere', group, 'Rejected at the source', {
      ...ended,
      because: 'decided_elsewhere',
      elsewhere: elsewhere('deny'),
    }),
    shown('retired', group, 'Taken back and asked again: the card before', { ...asked, status: 'pending' }, true),
  ]
}

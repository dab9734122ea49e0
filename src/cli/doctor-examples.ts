/** An example of each kind of message and view, made by the product's own code from approvals as both kinds of source ask them. */
import type { KnownBlock, ModalView } from '@slack/types'
import {
  type Approval,
  type Asked,
  type Closed,
  type Decision,
  type Resolution,
  RowId,
  type Trouble,
} from '../approval/approval.ts'
import { hashOf } from '../approval/canonical.ts'
import { type Json, JsonNumber } from '../approval/json.ts'
import { ChannelApproval } from '../approval-channel/wire.ts'
import { type CardSettings, card } from '../channels/slack/card.ts'
import { digestCard } from '../channels/slack/digest.ts'
import { noteView, pagesOf, readingView } from '../channels/slack/reading.ts'
import { asked as askedOverChannel } from '../sources/agentrt/asked.ts'
import { asked as askedByHook, readReview } from '../sources/novo/wire.ts'

export interface Example {
  readonly name: string
  readonly shown: readonly KnownBlock[] | ModalView
}

const ROW = RowId.parse('0123456789abcdef0123456789abcdef')
const AT = new Date('2026-10-05T12:00:00Z')
const RULING = { ruling: 'ask', rule: 'deploys', reason: 'deployments need a person', approvers: 'leads' } as const
const SETTINGS: CardSettings = {
  whoMayDecide: () => ({ users: ['U0ANA'], groups: ['S0ONCALL'], conversation: 'C0APPROVALS' }),
  keySetting: () => 'NOVO_API_KEY',
}

export function examples(): readonly Example[] {
  const hook = byHook('kubectl rollout restart deployment/web')
  // What Slack is likeliest to refuse: every kind of character that grows, and more of it than a card holds.
  const long = byHook(`cat <<'EOF'\n${'& < > \\ \u202E "quoted"\n'.repeat(900)}EOF`)
  const channel = overChannel()
  return [
    ...eachState('hook', hook),
    ...eachState('channel', channel),
    { name: 'hook, longer than a card, waiting', shown: drawn({ ...long, status: 'pending' }) },
    ...views('hook', { ...long, status: 'pending' }),
    ...views('channel', { ...channel, status: 'pending' }),
    ...[0, 1, 40].map((count) => ({ name: `list of ${count} that wait without a card`, shown: digestOf(hook, count) })),
  ]
}

function eachState(form: string, of: Asked): readonly Example[] {
  const decided = { by: 'slack:T0ACME/U0ANA', via: null, at: AT }
  const approved: Decision = { ...decided, verdict: 'approve', outcome: 'approved', note: null }
  const denied: Decision = { ...decided, verdict: 'deny', outcome: 'denied', note: 'Not on a <Friday> & not alone' }
  const cancelled: Decision = { ...decided, verdict: 'deny', outcome: 'cancelled', note: null }
  const sending = (decision: Decision, trouble: Trouble | null): Approval => ({
    ...of,
    status: 'decided',
    decision,
    trouble,
    giveUpAt: AT,
  })
  const resolved = (decision: Decision, resolution: Resolution): Approval => ({
    ...of,
    status: 'resolved',
    decision,
    resolution,
    resolvedAt: AT,
  })
  const example = (name: string, approval: Approval, retired = false): Example => ({
    name: `${form}, ${name}`,
    shown: drawn(approval, retired),
  })
  return [
    example('waiting', { ...of, status: 'pending' }),
    example('waiting with an end', { ...of, status: 'pending', expiresAt: AT }),
    example('asked again elsewhere', { ...of, status: 'pending' }, true),
    example('approved, on its way', sending(approved, null)),
    example('denied with a note, tried again', sending(denied, { kind: 'passing', code: 'http_503' })),
    example('approved, held up', sending(approved, { kind: 'lasting', code: form === 'hook' ? 'bad_key' : 'bad_signature' })),
    example('approved, delivered', resolved(approved, { resolution: 'done' })),
    example('denied, delivered', resolved(denied, { resolution: 'done' })),
    example('cancelled, delivered', resolved(cancelled, { resolution: 'done' })),
    example('approved, given up', resolved(approved, { resolution: 'undeliverable' })),
    example('approved, not taken', resolved(approved, REFUSED)),
    ...CLOSED.map((because) =>
      example(because, { ...of, status: 'closed', because, closedAt: AT, elsewhere: elsewhere(because) }),
    ),
  ]
}

const REFUSED: Resolution = { resolution: 'refused', why: 'resolved_elsewhere', status: 409, ownAttemptMayHaveLanded: true }
const CLOSED: readonly Closed[] = ['cancelled', 'changed', 'withdrawn', 'expired', 'decided_elsewhere']

function elsewhere(because: Closed) {
  return because === 'decided_elsewhere' ? ({ verdict: 'approve', by: 'operator <ana>' } as const) : null
}

function drawn(approval: Approval, retired = false): readonly KnownBlock[] {
  return card(approval, SETTINGS, retired).blocks
}

function views(form: string, approval: Approval): readonly Example[] {
  const at = (p: number) => ({ p, r: '', c: 'C0APPROVALS' })
  return [
    { name: `${form}, read in full, first page`, shown: readingView(approval, at(0), SETTINGS) },
    { name: `${form}, read in full, last page`, shown: readingView(approval, at(pagesOf(approval).length - 1), SETTINGS) },
    { name: `${form}, deny with a note`, shown: noteView(approval, at(0)) },
  ]
}

function digestOf(of: Asked, count: number): readonly KnownBlock[] {
  const waiting = Array.from({ length: count }, () => ({ ...of, status: 'pending' as const }))
  return digestCard({ rowId: ROW, status: 'digest', source: of.source, rootRun: of.rootRun, waiting }).blocks
}

function byHook(command: string): Asked {
  const read = readReview(
    object({
      type: 'tool_execution_review',
      id: 'tar_1',
      runId: 'run_2',
      rootRunId: 'run_1',
      workerRef: 'worker_1',
      threadId: 'thread_1',
      agentId: 'agent_1',
      stepNumber: new JsonNumber('3'),
      toolName: 'bash',
      toolCallId: 'tc_1',
      preview: object({ summary: 'Restart the web deployment' }),
      input: object({ command, timeout: new JsonNumber('30') }),
      resolveUrl: 'https://api.novoagents.ai/v1/interactions/tar_1/resolve',
    }),
  )
  if (!read.ok) throw new Error(read.error)
  return askedByHook(read.review, 'novo', ROW, RULING, AT)
}

function overChannel(): Asked {
  const approval = ChannelApproval.parse(
    object({
      id: 'appr_1',
      run_id: 'run_1',
      step_id: 'step_1',
      kind: 'remote_mutation',
      capability: object({ name: 'publish_proposal' }),
      presentation: object({ summary: 'Publish the proposal' }),
      request: object({
        run_id: 'run_1',
        step_id: 'step_1',
        spec: object({
          name: 'publish_proposal',
          description: 'Opens a pull request',
          input_schema: object({ type: 'object' }),
          side_effect: 'remote_mutation',
          timeout: new JsonNumber('30000000000'),
        }),
        args: object({ branch: 'proposal/7', files: ['README.md', 'src/main.ts'] }),
      }),
      hash: 'f'.repeat(64),
      status: 'pending',
      created_at: '2026-10-05T12:00:00Z',
      reason: 'it leaves the machine',
    }),
  )
  const asked = askedOverChannel('steward', approval, { rowId: ROW, ruling: RULING, at: AT })
  return { ...asked, hash: hashOf(asked.call) }
}

function object(members: Readonly<Record<string, Json>>): ReadonlyMap<string, Json> {
  return new Map(Object.entries(members))
}

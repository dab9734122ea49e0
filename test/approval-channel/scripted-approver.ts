/** An Approver with agentrt's run semantics, kept in memory: a grant waits for the run's owner, and rejecting ends the run. */
import { type Approval, ApprovalHash, ApprovalId, type Decision, RowId } from '../../src/approval/approval.ts'
import type { Answered, Approver, ChannelDecision, ChannelRefusal } from '../../src/approval/approver.ts'
import { canonical } from '../../src/approval/canonical.ts'
import { isObject, type Json, JsonNumber, parseJson } from '../../src/approval/json.ts'
import { approvalHash } from '../../src/approval-channel/approval-hash.ts'
import { channelTime } from '../../src/approval-channel/time.ts'
import { ChannelApproval } from '../../src/approval-channel/wire.ts'
import type { Pause, Paused } from './conformance-channel.ts'

type RunStatus = 'waiting' | 'running' | 'finished'

export interface Scripted {
  readonly approver: Approver
  pause(pause: Pause, ttlMs: number | undefined): Paused
  resume(run: string): void
  represent(approval: string, presentation: string): string
  corrupt(approval: string, presentation: string): void
  expire(approval: string): void
  effects(approval: string): number
}

const no = (refusal: ChannelRefusal): { readonly ok: false; readonly refusal: ChannelRefusal } => ({ ok: false, refusal })

export function scriptedApprover(now: () => Date): Scripted {
  const rows: Approval[] = []
  const runs = new Map<string, RunStatus>()
  const effects = new Map<string, number>()
  let counter = 0
  const id = (): string => {
    counter += 1
    return counter.toString(16).padStart(32, '0')
  }
  const at = (approval: string): number => rows.findIndex((row) => row.rowId === approval)
  const change = (approval: string, to: (row: Approval) => Approval): Approval => {
    const row = rows[at(approval)]
    if (row === undefined) throw new Error(`there is no approval ${approval}`)
    const changed = to(row)
    rows[at(approval)] = changed
    return changed
  }
  const find = (run: string, approval: string): Approval | undefined =>
    rows.find((row) => row.run === run && row.rowId === approval)

  function decide(decision: ChannelDecision, verdict: Decision['verdict']): Answered<Decision> {
    const status = runs.get(decision.run)
    if (status === undefined) return no('not_found')
    if (status !== 'waiting') return no('run_not_waiting')
    const row = find(decision.run, decision.id)
    if (row === undefined) return no('not_found')
    if (row.status !== 'pending') return no('not_pending')
    if (row.hash !== decision.hash) return no('approval_changed')
    if (hashOf(row) !== row.hash) return no('approval_hash')
    if (row.expiresAt !== null && row.expiresAt < now()) {
      runs.set(row.run, 'finished')
      return no('expired')
    }
    const { by, via, note } = decision
    const made: Decision = { verdict, outcome: verdict === 'approve' ? 'approved' : 'denied', by, via, note, at: now() }
    change(row.rowId, () => ({ ...row, status: 'decided', decision: made, trouble: null, giveUpAt: now() }))
    if (verdict === 'deny') runs.set(row.run, 'finished')
    return { ok: true, value: made }
  }

  const approver: Approver = {
    async pending(run, limit) {
      const status = runs.get(run)
      if (status === undefined) return no('not_found')
      const waiting = status === 'waiting' ? rows.filter((row) => row.run === run && row.status === 'pending') : []
      return { ok: true, value: waiting.slice(0, limit) }
    },
    async show(run, approval) {
      const row = find(run, approval)
      return row === undefined ? no('not_found') : { ok: true, value: row }
    },
    approve: async (decision) => decide(decision, 'approve'),
    reject: async (decision) => decide(decision, 'deny'),
    async cancel(run) {
      const status = runs.get(run)
      if (status === undefined) return no('not_found')
      if (status === 'finished') return no('run_finished')
      runs.set(run, 'finished')
      return { ok: true, value: null }
    },
  }
  return {
    approver,
    pause(pause, ttlMs) {
      const run = pause.run ?? id()
      const rowId = RowId.parse(/^[0-9a-f]{32}$/.test(pause.approval ?? '') ? pause.approval : id())
      const step = id()
      const call = canonical(asCall(pause, run, step))
      const row: Approval = {
        rowId,
        source: 'scripted',
        id: ApprovalId.parse(rowId),
        hash: ApprovalHash.parse('unset'),
        form: 'channel',
        run,
        rootRun: run,
        worker: null,
        agent: '',
        thread: '',
        step,
        tool: pause.tool ?? 'publish_proposal',
        toolCall: step,
        kind: pause.kind ?? 'publication',
        call,
        resolveUrl: '',
        sourceReason: pause.reason ?? null,
        decodeError: null,
        ruling: { ruling: 'ask', rule: null, reason: pause.reason ?? '', approvers: 'everyone' },
        openedAt: now(),
        expiresAt: ttlMs === undefined ? null : new Date(now().getTime() + ttlMs),
        status: 'pending',
      }
      const hash = hashOf(row)
      rows.push({ ...row, hash })
      runs.set(run, 'waiting')
      return { run, approval: rowId, hash }
    },
    resume(run) {
      for (const row of rows) {
        if (row.run === run && row.status === 'decided') effects.set(row.rowId, (effects.get(row.rowId) ?? 0) + 1)
      }
      runs.set(run, 'finished')
    },
    represent(approval, presentation) {
      const changed = change(approval, (row) => represented(row, presentation))
      return change(approval, () => ({ ...changed, hash: hashOf(changed) })).hash
    },
    corrupt: (approval, presentation) => void change(approval, (row) => represented(row, presentation)),
    expire: (approval) => void change(approval, (row) => ({ ...row, expiresAt: new Date(now().getTime() - 86_400_000) })),
    effects: (approval) => effects.get(approval) ?? 0,
  }
}

function asCall(pause: Pause, run: string, step: string): Json {
  const tool = pause.tool ?? 'publish_proposal'
  const object = (text: string | undefined): Json => (text === undefined ? new Map() : parseJson(text))
  const spec: Json = new Map<string, Json>([
    ['name', tool],
    ['description', ''],
    ['input_schema', new Map()],
    ['side_effect', 'remote_mutation'],
    ['timeout', new JsonNumber('30000000000')],
  ])
  return new Map<string, Json>([
    ['capability', object(pause.capability)],
    ['kind', pause.kind ?? 'publication'],
    ['presentation', object(pause.presentation)],
    [
      'request',
      new Map<string, Json>([
        ['run_id', run],
        ['step_id', step],
        ['spec', spec],
        ['args', object(pause.args)],
      ]),
    ],
  ])
}

function represented<A extends Approval>(row: A, presentation: string): A {
  const call = parseJson(row.call)
  if (!isObject(call)) throw new Error('no call')
  return { ...row, call: canonical(new Map([...call, ['presentation', parseJson(presentation)]])) }
}

function hashOf(row: Approval): ApprovalHash {
  const call = parseJson(row.call)
  if (!isObject(call)) throw new Error('no call')
  const rest: readonly (readonly [string, Json])[] = [
    ['id', row.rowId],
    ['run_id', row.run],
    ['step_id', row.step],
    ['hash', 'x'],
    ['status', 'pending'],
    ['created_at', channelTime(row.openedAt)],
  ]
  return approvalHash(ChannelApproval.parse(new Map([...call, ...rest])))
}

/** Where the commands about approvals act: on the local database, as an operator on this host, or over a signed channel anywhere. */
import { userInfo } from 'node:os'
import { ApprovalHash, ApprovalId } from '../approval/approval.ts'
import { approver } from '../approval/approver.ts'
import { channelClient } from '../approval-channel/client.ts'
import { channelSecret } from '../approval-channel/signature.ts'
import type { ChannelApproval } from '../approval-channel/wire.ts'
import { served } from '../channels/webhook/served.ts'
import { databasePath } from '../config/config.ts'
import { newId } from '../new-id.ts'
import { approvalStore } from '../store/approvals.ts'
import { openDatabase } from '../store/database.ts'

export interface Remote {
  /** What stands before `/runs`. */
  readonly url?: string
  /** The environment variable that holds the channel's secret. */
  readonly secretEnv?: string
  readonly signedPath?: string
}

type Said<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly code: string }

export interface Reach {
  list(run: string): Promise<Said<readonly ChannelApproval[]>>
  show(run: string, id: string): Promise<Said<ChannelApproval>>
  decide(verb: 'approve' | 'reject', run: string, id: string, hash: string, note: string | null): Promise<Said<null>>
  close(): Promise<void>
}

/** A decision that was made here is delivered by the running bot, and tried for as long. Milliseconds. */
export const GIVE_UP_MS = 86_400_000
const MOST_LISTED = 1000

/** @throws Error in words */
export async function reach(variables: NodeJS.ProcessEnv, remote: Remote): Promise<Reach> {
  const by = `cli:${userInfo().username}`
  return remote.url === undefined ? local(variables, by) : over(variables, remote.url, remote, by)
}

async function local(variables: NodeJS.ProcessEnv, by: string): Promise<Reach> {
  const db = await openDatabase(databasePath(variables), 'existing')
  const now = (): Date => new Date()
  const host = approver({
    store: approvalStore(db),
    clock: { now, after: () => () => undefined },
    newGiveUp: (_source, at) => new Date(at.getTime() + GIVE_UP_MS),
    // Whoever can write the database needs no leave.
    mayDecide: () => true,
    // A run of another source ends there: what waits carries its cancellation to the running bot.
    owners: [],
    wake: () => undefined,
  })
  return {
    async list(run) {
      const pending = await host.pending(run, MOST_LISTED)
      return pending.ok
        ? { ok: true, value: pending.value.map((approval) => served(approval, run, now())) }
        : { ok: false, code: pending.refusal }
    },
    async show(run, id) {
      const shown = await host.show(run, id)
      return shown.ok ? { ok: true, value: served(shown.value, run, now()) } : { ok: false, code: shown.refusal }
    },
    async decide(verb, run, id, hash, note) {
      const decision = { run, id, hash, by, note, via: null }
      const decided = await (verb === 'approve' ? host.approve(decision) : host.reject(decision))
      return decided.ok ? { ok: true, value: null } : { ok: false, code: decided.refusal }
    },
    close: () => db.destroy(),
  }
}

/** @throws Error in words */
export function secretOf(variables: NodeJS.ProcessEnv, { secretEnv }: Remote): string {
  if (secretEnv === undefined)
    throw new Error('--url needs --secret-env NAME: the environment variable that holds the channel’s secret')
  const secret = variables[secretEnv]
  if (secret === undefined || secret === '') throw new Error(`the environment variable ${secretEnv} is not set`)
  return secret
}

function over(variables: NodeJS.ProcessEnv, url: string, remote: Remote, by: string): Reach {
  const client = channelClient({
    url,
    ...(remote.signedPath === undefined ? {} : { signedPath: remote.signedPath }),
    secret: channelSecret(secretOf(variables, remote)),
    now: () => new Date(),
    newNonce: newId,
  })
  return {
    list: (run) => client.list(run),
    async show(run, id) {
      const shown = await client.show(run, ApprovalId.parse(id))
      return shown.ok ? { ok: true, value: shown.value.approval } : shown
    },
    async decide(verb, run, id, hash, note) {
      const decided = await client[verb](run, ApprovalId.parse(id), { hash: ApprovalHash.parse(hash), by, note })
      return decided.ok ? { ok: true, value: null } : decided
    },
    close: () => client.close(),
  }
}

/** What concerns one person: what they may decide, asked set by set, and what they decided. */
import type { ApprovalStore } from '../../approval/ports.ts'
import { type Mine, MOST_DECIDED, type Waiting } from './home.ts'
import { type Deciders, mayDecide, standing } from './may-decide.ts'

export interface Looking extends Pick<ApprovalStore, 'waiting' | 'decidedBy'> {
  readonly deciders: Deciders
}

/** What was found, and what tells later whether a change concerns this person. */
export interface Found {
  readonly mine: Mine
  /** Their label in the record; undefined when they decide nothing here. */
  readonly by: string | undefined
  /** Of each set that was asked for: whether they are in it, or whether that could not be read. */
  readonly sets: ReadonlyMap<string, 'in' | 'out' | 'unsure'>
}

/** What is looked through for one person. A row holds its whole call, so there is a bound. */
const MOST_LOOKED = 100

/** @throws Failure when Slack does not say who this is; whatever the store throws. */
export async function lookFor({ waiting, decidedBy, deciders }: Looking, user: string): Promise<Found> {
  const person = await standing(deciders, user)
  const sets = new Map<string, 'in' | 'out' | 'unsure'>()
  if (!person.ok) return { mine: { decides: false, because: person.because }, by: undefined, sets }
  const all = await waiting(MOST_LOOKED + 1)
  const theirs: Waiting[] = []
  let unsure = 0
  for (const approval of all.slice(0, MOST_LOOKED)) {
    if (approval.ruling.ruling !== 'ask') continue
    const { approvers } = approval.ruling
    const inSet = sets.get(approvers) ?? (await membership(deciders, user, approvers))
    sets.set(approvers, inSet)
    if (inSet === 'in') theirs.push(approval)
    if (inSet === 'unsure') unsure += 1
  }
  const decided = await decidedBy(person.by, MOST_DECIDED)
  return { mine: { decides: true, waiting: theirs, unsure, more: all.length > MOST_LOOKED, decided }, by: person.by, sets }
}

async function membership(deciders: Deciders, user: string, set: string): Promise<'in' | 'out' | 'unsure'> {
  const allowed = await mayDecide(deciders, user, set)
  if (allowed.ok) return 'in'
  return allowed.because === 'set_unreadable' || allowed.because === 'slack_does_not_answer' ? 'unsure' : 'out'
}

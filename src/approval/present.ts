/**
 * Second step, and again after each change: every card of an approval shows what the record says. Beyond the tenth that waits in
 * one run, an approval's home is a line of that run's digest, until there is room for its card.
 */
import { createHash } from 'node:crypto'
import { type Approval, type Digest, type OutcomeLine, RowId } from './approval.ts'
import { keepUp, type Presenting } from './message.ts'
import { Failure } from './ports.ts'

/** Cards of one run that wait at the same time. More would bury the conversation, and one could not be read before the next. */
const MOST_CARDS = 10

/** Safe to repeat. @throws Failure when something of it is still to be done, NotYet when that must wait for its turn. */
export async function present(deps: Presenting, rowId: RowId): Promise<void> {
  const approval = await deps.store.find(rowId)
  if (approval === undefined) return
  const home = approval.status === 'pending' ? await takeHome(deps, approval) : 'none'
  let lasting: Failure | undefined
  try {
    await keepUp(deps, approval, home === 'card')
  } catch (error) {
    // A card that cannot be changed keeps neither room from others nor the outcome from its thread.
    if (!(error instanceof Failure) || error.trouble.kind === 'passing') throw error
    lasting = error
  }
  if (approval.status !== 'pending') await makeRoom(deps, approval)
  if (approval.status === 'resolved' || approval.status === 'closed') await tellOutcome(deps, approval)
  if (lasting !== undefined) throw lasting
}

/** A card changes without a sound; a line in its thread tells those who follow it. */
async function tellOutcome(deps: Presenting, of: OutcomeLine['of']): Promise<void> {
  const card = (await deps.store.places(of.rowId)).find(({ ts, retired }) => ts !== null && !retired)
  if (card === undefined || card.ts === null) return
  const { conversation, ts } = card
  try {
    await keepUp(deps, { rowId: outcomeId(of.rowId), status: 'outcome', of, card: { conversation, ts } }, true)
  } catch (error) {
    // A thread that takes no lines is no trouble of the approval's: its card is right already.
    if (!(error instanceof Failure) || error.trouble.kind === 'passing') throw error
  }
}

/** The same each time, so that the line is found again whatever died in between. */
function outcomeId(rowId: RowId): RowId {
  return RowId.parse(createHash('sha256').update(`outcome ${rowId}`).digest('hex').slice(0, 32))
}

/** Kept in the record, so that who has a card keeps it, whatever dies in between. */
async function takeHome({ store, clock, newId }: Presenting, { rowId, source, rootRun }: Approval): Promise<'card' | 'digest'> {
  return store.unit(async (unit) => {
    const home = await unit.takeHome(rowId, MOST_CARDS)
    if (home === 'digest') await unit.schedule('digest', await unit.digestFor(source, rootRun, newId()), clock.now())
    return home
  })
}

/** What ended makes room for a card of what waits in its run's digest. */
async function makeRoom({ store, clock }: Presenting, { source, rootRun }: Approval): Promise<void> {
  const digest = await store.findDigest(source, rootRun)
  if (digest !== undefined) await store.unit((unit) => unit.schedule('digest', digest, clock.now()))
}

/** The same for a digest. Safe to repeat. @throws as `present` does */
export async function presentDigest(deps: Presenting, id: RowId): Promise<void> {
  const { store, clock } = deps
  const digest = await store.unit(async (unit): Promise<Digest | undefined> => {
    const of = await unit.digest(id)
    if (of === undefined) return undefined
    for (const promoted of await unit.promote(of.source, of.rootRun, MOST_CARDS))
      await unit.schedule('present', promoted, clock.now())
    return { rowId: id, status: 'digest', ...of, waiting: await unit.inDigest(of.source, of.rootRun) }
  })
  if (digest !== undefined) await keepUp(deps, digest, digest.waiting.length > 0)
}

/** Learns of a card that we did not know, from a click on it; it is brought up to date by the next turn. */
export async function learnPlace(
  deps: Pick<Presenting, 'store' | 'clock' | 'newId'>,
  rowId: RowId,
  conversation: string,
  ts: string,
): Promise<void> {
  const { store, clock, newId } = deps
  await store.unit(async (unit) => {
    const known = await unit.places(rowId)
    if (known.some((place) => place.conversation === conversation && place.ts === ts)) return
    await unit.savePlace({
      key: newId(),
      approval: rowId,
      conversation,
      ts,
      shown: null,
      attemptedAt: clock.now(),
      retired: false,
    })
    await unit.schedule('present', rowId, clock.now())
  })
}

/**
 * Second step, and again after each change: every card of an approval shows what the record says. The only writer of cards.
 *
 * A card is posted once: that a post leaves is on disk before it leaves, and where its answer never came, the conversation is
 * searched before another is posted. Where its history is closed to us a second card may stand; either decides, and a click on
 * one that we do not know tells us where it is.
 */
import type { Approval, Place, RowId } from './approval.ts'
import { type ApprovalStore, type Channel, type Clock, Failure, type NewId, NotYet } from './ports.ts'

export interface Presenting {
  readonly store: ApprovalStore
  readonly clock: Clock
  readonly channel: Channel
  readonly newId: NewId
}

/** A post whose answer is missing may still be on its way; looked for earlier than this, it would be posted twice. Milliseconds. */
const SETTLING_MS = 3000

/** Safe to repeat. @throws Failure when something of it is still to be done, NotYet when that must wait for its turn. */
export async function present(deps: Presenting, rowId: RowId): Promise<void> {
  const { store, channel } = deps
  const approval = await store.find(rowId)
  if (approval === undefined) return
  // What is known first: a card that was decided must not keep its buttons while another is looked for.
  let standing = await bringAllUpToDate(deps, approval)
  const uncertain = (await store.places(rowId)).filter((place) => place.ts === null)
  for (const place of uncertain) await reconcile(deps, approval, place)
  if (uncertain.length > 0) standing = await bringAllUpToDate(deps, approval)
  if (standing === 0 && approval.status === 'pending') await post(deps, approval, channel.homes(approval))
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

async function reconcile({ store, clock, channel, newId }: Presenting, approval: Approval, place: Place): Promise<void> {
  const wait = place.attemptedAt.getTime() + SETTLING_MS - clock.now().getTime()
  if (wait > 0) throw new Failure({ kind: 'passing', code: 'post_uncertain' }, 'maybe', wait)
  const found = await channel.seek(approval, place.conversation, place.attemptedAt)
  await store.unit(async (unit) => {
    await unit.dropPlace(place.key)
    if (found === 'unreadable') return
    const known = await unit.places(approval.rowId)
    for (const { ts } of found) {
      const isKnown = known.some((other) => other.conversation === place.conversation && other.ts === ts)
      if (!isKnown) await unit.savePlace({ ...place, key: newId(), ts, shown: null })
    }
  })
}

/** How many cards stand, those that were retired not counted. */
async function bringAllUpToDate(deps: Presenting, approval: Approval): Promise<number> {
  let standing = 0
  for (const place of await deps.store.places(approval.rowId)) {
    if (place.ts !== null && (await bringUpToDate(deps, approval, place, place.ts)) && !place.retired) standing += 1
  }
  return standing
}

/** False when the message is gone. */
async function bringUpToDate({ store, channel }: Presenting, approval: Approval, place: Place, ts: string): Promise<boolean> {
  const digest = channel.digest(approval, place.retired)
  if (place.shown === digest) return true
  takeTurn(channel, approval, place.conversation, 'rewrite')
  const outcome = await channel.rewrite(approval, { conversation: place.conversation, ts, retired: place.retired })
  await store.unit((unit) => (outcome === 'gone' ? unit.dropPlace(place.key) : unit.savePlace({ ...place, shown: digest })))
  return outcome === 'done'
}

/** Before anything of it is on disk: who must wait has changed nothing. */
function takeTurn(channel: Channel, approval: Approval, conversation: string, what: 'post' | 'rewrite'): void {
  const waitMs = channel.turn(approval, conversation, what)
  if (waitMs > 0) throw new NotYet(waitMs)
}

async function post({ store, clock, channel, newId }: Presenting, approval: Approval, homes: readonly string[]): Promise<void> {
  let last: Failure | undefined
  for (const conversation of homes) {
    takeTurn(channel, approval, conversation, 'post')
    const place: Place = {
      key: newId(),
      approval: approval.rowId,
      conversation,
      ts: null,
      shown: null,
      attemptedAt: clock.now(),
      retired: false,
    }
    await store.unit((unit) => unit.savePlace(place))
    try {
      const { ts } = await channel.post(approval, conversation)
      await store.unit((unit) => unit.savePlace({ ...place, ts, shown: channel.digest(approval, false) }))
      return
    } catch (error) {
      if (!(error instanceof Failure) || error.landed === 'maybe') throw error
      await store.unit((unit) => unit.dropPlace(place.key))
      last = error
      if (error.trouble.kind === 'passing') break
    }
  }
  throw last ?? new Failure({ kind: 'lasting', code: 'no_conversation' }, 'no')
}

/**
 * One message of ours, wherever it stands, shows what the record says. The only writer of messages.
 *
 * It is posted once: that a post leaves is on disk before it leaves, and where its answer never came, the conversation is
 * searched before another is posted. Where its history is closed to us a second copy may stand; either decides, and a click on
 * one that we do not know tells us where it is.
 */
import type { Place, Told } from './approval.ts'
import { type ApprovalStore, type Channel, type Clock, Failure, type NewId, NotYet } from './ports.ts'

export interface Presenting {
  readonly store: ApprovalStore
  readonly clock: Clock
  readonly channel: Channel
  readonly newId: NewId
}

/** A post whose answer is missing may still be on its way; looked for earlier than this, it would be posted twice. Milliseconds. */
const SETTLING_MS = 3000

/** @param wanted whether one is to be posted where none stands */
export async function keepUp(deps: Presenting, told: Told, wanted: boolean): Promise<void> {
  const { store, channel } = deps
  // What is known first: a card that was decided must not keep its buttons while another is looked for.
  let standing = await bringAllUpToDate(deps, told)
  const uncertain = (await store.places(told.rowId)).filter((place) => place.ts === null)
  for (const place of uncertain) await reconcile(deps, told, place)
  if (uncertain.length > 0) standing = await bringAllUpToDate(deps, told)
  if (standing === 0 && wanted) await post(deps, told, channel.homes(told))
}

async function reconcile({ store, clock, channel, newId }: Presenting, told: Told, place: Place): Promise<void> {
  const wait = place.attemptedAt.getTime() + SETTLING_MS - clock.now().getTime()
  if (wait > 0) throw new Failure({ kind: 'passing', code: 'post_uncertain' }, 'maybe', wait)
  const found = await channel.seek(told, place.conversation, place.attemptedAt)
  await store.unit(async (unit) => {
    await unit.dropPlace(place.key)
    if (found === 'unreadable') return
    const known = await unit.places(told.rowId)
    for (const { ts } of found) {
      const isKnown = known.some((other) => other.conversation === place.conversation && other.ts === ts)
      if (!isKnown) await unit.savePlace({ ...place, key: newId(), ts, shown: null })
    }
  })
}

/** How many cards stand, those that were retired not counted. */
async function bringAllUpToDate(deps: Presenting, told: Told): Promise<number> {
  let standing = 0
  for (const place of await deps.store.places(told.rowId)) {
    if (place.ts !== null && (await bringUpToDate(deps, told, place, place.ts)) && !place.retired) standing += 1
  }
  return standing
}

/** False when the message is gone. */
async function bringUpToDate({ store, channel }: Presenting, told: Told, place: Place, ts: string): Promise<boolean> {
  const digest = channel.digest(told, place.retired)
  if (place.shown === digest) return true
  takeTurn(channel, told, place.conversation, 'rewrite')
  const outcome = await channel.rewrite(told, { conversation: place.conversation, ts, retired: place.retired })
  await store.unit((unit) => (outcome === 'gone' ? unit.dropPlace(place.key) : unit.savePlace({ ...place, shown: digest })))
  return outcome === 'done'
}

/** Before anything of it is on disk: who must wait has changed nothing. */
function takeTurn(channel: Channel, told: Told, conversation: string, what: 'post' | 'rewrite'): void {
  const waitMs = channel.turn(told, conversation, what)
  if (waitMs > 0) throw new NotYet(waitMs)
}

async function post({ store, clock, channel, newId }: Presenting, told: Told, homes: readonly string[]): Promise<void> {
  let last: Failure | undefined
  for (const conversation of homes) {
    takeTurn(channel, told, conversation, 'post')
    const place: Place = {
      key: newId(),
      approval: told.rowId,
      conversation,
      ts: null,
      shown: null,
      attemptedAt: clock.now(),
      retired: false,
    }
    await store.unit((unit) => unit.savePlace(place))
    try {
      const { ts } = await channel.post(told, conversation)
      await store.unit((unit) => unit.savePlace({ ...place, ts, shown: channel.digest(told, false) }))
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

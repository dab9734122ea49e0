/** Fourth step: the source is told, once in effect, and the row says what it did. */
import type { Resolution, RowId } from './approval.ts'
import { type ApprovalStore, type Clock, Failure, type Source } from './ports.ts'

export interface Settling {
  readonly store: ApprovalStore
  readonly clock: Clock
  /** By configured name; a row whose source is no longer configured waits. */
  readonly sources: ReadonlyMap<string, Source>
}

/**
 * Safe to repeat: each attempt carries the same key, and that an attempt leaves is on disk before it leaves, so that a later
 * "already resolved" can be told apart from somebody else's decision.
 * @throws Failure when the source has not answered for good; the trouble stands in the row by then.
 */
export async function settle({ store, clock, sources }: Settling, rowId: RowId): Promise<void> {
  const approval = await store.find(rowId)
  if (approval === undefined || approval.status !== 'decided') return
  const source = sources.get(approval.source)
  if (source === undefined) throw new Failure({ kind: 'lasting', code: 'source_not_configured' }, 'no')
  const { earlierMayHaveLanded } = await store.unit((unit) => unit.sending(rowId))
  let resolution: Resolution
  try {
    resolution = await source.resolve(approval, earlierMayHaveLanded)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (clock.now() < approval.giveUpAt) {
      const landed = earlierMayHaveLanded ? 'maybe' : error.landed
      await store.unit(async (unit) => {
        await unit.failed(rowId, error.trouble, landed)
        await unit.schedule('present', rowId, clock.now())
      })
      // A lasting trouble is not knocked at: it ends with another setting and a restart, on command, or when we give up.
      const wait = error.trouble.kind === 'lasting' ? approval.giveUpAt.getTime() - clock.now().getTime() : error.retryAfterMs
      throw new Failure(error.trouble, landed, wait)
    }
    resolution = { resolution: 'undeliverable' }
  }
  await store.unit(async (unit) => {
    if (await unit.resolve(rowId, resolution, clock.now())) await unit.schedule('present', rowId, clock.now())
  })
}

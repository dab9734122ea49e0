/** An approval as the channel serves it becomes one of ours, its hash exactly as served. */
import type { Asked, RowId, Ruling } from '../../approval/approval.ts'
import { hashedText } from '../../approval-channel/approval-hash.ts'
import type { ChannelApproval } from '../../approval-channel/wire.ts'

export function asked(
  source: string,
  approval: ChannelApproval,
  made: { readonly rowId: RowId; readonly ruling: Ruling; readonly at: Date; readonly theirClock?: Date | undefined },
): Asked {
  const { id, hash, run_id, step_id, kind, request, reason, decode_error, expires_at } = approval
  return {
    rowId: made.rowId,
    source,
    id,
    hash,
    form: 'channel',
    run: run_id,
    rootRun: run_id,
    worker: null,
    agent: '',
    thread: '',
    step: '',
    tool: request.spec.name,
    toolCall: step_id,
    kind,
    // Where the source cut a string or rounded a number this does not hash to `hash`, and nobody can approve it here.
    call: hashedText(approval),
    resolveUrl: '',
    ruling: made.ruling,
    sourceReason: reason === '' ? null : reason,
    decodeError: decode_error === '' ? null : decode_error,
    openedAt: made.at,
    expiresAt: expires_at === undefined ? null : new Date(new Date(expires_at).getTime() + aheadMs(made)),
  }
}

/** A Date header tells whole seconds, and took a moment to come: less than this is no difference. Milliseconds. */
const SAME_CLOCK_MS = 2000

/** How far our clock is ahead of the source's: its times are by its own. */
function aheadMs({ at, theirClock }: { readonly at: Date; readonly theirClock?: Date | undefined }): number {
  const ahead = theirClock === undefined ? 0 : at.getTime() - theirClock.getTime()
  return Math.abs(ahead) < SAME_CLOCK_MS ? 0 : ahead
}

/** The words of a decision's way to a channel source (approval-channel sections 1, 5 and 10), and of approvals that ended without one. */
import type { RichTextPreformatted, RichTextSection } from '@slack/types'
import type { Approval, Closed, Resolution, Trouble, Verdict } from '../../approval/approval.ts'
import { line, preformatted } from './block.ts'
import { fromSettings, inert, ours, split, type Words } from './safe-text.ts'

type Said = readonly (RichTextSection | RichTextPreformatted)[]

export function channelDelivery(approval: Approval & { status: 'decided' | 'resolved' }, secretSetting: Words): Words {
  const source = fromSettings(approval.source)
  if (approval.status === 'decided') return sending(approval.trouble, source, secretSetting)
  const { resolution, decision } = approval
  switch (resolution.resolution) {
    case 'done':
      if (decision.outcome === 'cancelled') return ours`The source “${source}” has cancelled the run.`
      return decision.verdict === 'approve'
        ? ours`The source “${source}” has granted it. The run goes on when its owner resumes it; the source does not say when.`
        : ours`The source “${source}” has rejected it, and with it cancelled the whole run.`
    case 'undeliverable':
      return ours`Could not be delivered to “${source}” in time, and was given up. “countersign approvals retry” sends it again.`
    case 'refused':
      if (decision.outcome === 'cancelled' && resolution.why === 'run_not_waiting')
        return ours`The run was over already when the source “${source}” was told.`
      return ours`${refused(resolution, decision.verdict)}${maybeOurs(resolution)}`
  }
}

function sending(trouble: Trouble | null, source: Words, secretSetting: Words): Words {
  switch (trouble?.code) {
    case undefined:
      return ours`Sending to the source “${source}”…`
    case 'clocks_differ':
      return ours`Sending: the clocks of “${source}” and of this host are minutes apart, so it refuses our signature. Set both by a time server; trying again.`
    case 'waits_for_others':
      return ours`Counted by “${source}”, where other people must approve too. Asking again.`
    case 'bad_signature':
      return ours`Could not be delivered: “${source}” refused our signature. Check ${secretSetting} and signedPath, then restart, or run “countersign approvals retry”.`
    case 'source_not_configured':
      return ours`Could not be delivered: this source no longer stands in the settings.`
    default:
      return trouble?.kind === 'lasting'
        ? ours`Could not be delivered to “${source}” (${fromSettings(trouble.code)}). Check its settings, then run “countersign approvals retry”.`
        : ours`Sending: “${source}” does not take it at the moment (${fromSettings(trouble?.code ?? '')}). Trying again.`
  }
}

function refused({ why, status }: Resolution & { resolution: 'refused' }, verdict: Verdict): Words {
  switch (why) {
    case 'unknown_approval':
      return ours`Not taken: the source no longer knows this approval, or its run.`
    case 'resolved_elsewhere':
      return ours`Not taken: it was already decided at the source.`
    case 'expired':
      return ours`Not taken: the source says that this approval has expired.`
    case 'changed':
      return ours`Not taken: the source asks something else by now. Nothing was decided there; its new card says what it asks.`
    case 'run_not_waiting':
      return ours`Not taken: the run does not wait for a decision any more.`
    case 'damaged':
      return ours`Not taken: the source's record no longer matches the hash. Nothing was decided there.`
    case 'not_allowed':
      return ours`Not taken: the source does not let this bot decide that. Nothing was decided there.`
    case 'refused':
      return verdict === 'approve'
        ? ours`Not taken: the source refused it (HTTP ${status}). The call was not approved.`
        : ours`Not taken: the source refused it (HTTP ${status}).`
  }
}

function maybeOurs({ ownAttemptMayHaveLanded }: Resolution & { resolution: 'refused' }): Words {
  return ownAttemptMayHaveLanded ? ours` An earlier attempt of ours had no answer, so that may have been this decision.` : ours``
}

/** What the title says of an approval that ended without a decision here. */
export function endedWord(because: Closed): Words {
  switch (because) {
    case 'changed':
      return ours`Changed`
    case 'withdrawn':
      return ours`Withdrawn`
    case 'expired':
      return ours`Expired`
    case 'decided_elsewhere':
      return ours`Decided elsewhere`
    case 'cancelled':
      return ours`Cancelled`
    case 'allowed_by_rule':
    case 'denied_by_rule':
      return ours`Ended`
  }
}

const MOST_LABEL = 300

/** What stands on the card of such an approval. */
export function ended(approval: Approval & { status: 'closed' }): Said {
  const words = line([
    { emoji: approval.because === 'expired' ? 'hourglass' : 'information_source' },
    { words: ours` ` },
    { words: endedWord(approval.because), bold: true },
    { words: ours`, ` },
    { moment: approval.closedAt },
    { words: ours`. ` },
    { words: endedSentence(approval.because) },
  ])
  return [words, ...elsewhere(approval)]
}

/** Also what a press on such a card is told. */
export function endedSentence(because: Closed): Words {
  switch (because) {
    case 'changed':
      return ours`This is not what is asked any more: the source changed it. Nothing was decided here; its new card says what is asked now.`
    case 'withdrawn':
      return ours`The source no longer waits for a decision on this. Nothing was decided here.`
    case 'expired':
      return ours`Its time ran out before anybody decided here. Nothing was sent to the source.`
    case 'decided_elsewhere':
      return ours`This was decided at the source. Nothing was decided here.`
    case 'cancelled':
      return ours`Its run was cancelled. Nothing was decided here.`
    case 'allowed_by_rule':
    case 'denied_by_rule':
      return ours`A rule has already ruled on this call. Nothing was decided here.`
  }
}

function elsewhere({ elsewhere: decided }: Approval & { status: 'closed' }): Said {
  if (decided === null) return []
  const [label] = split(inert(decided.by, 'one line'), MOST_LABEL)
  const words = decided.verdict === 'approve' ? ours`Approved there by:` : ours`Rejected there by:`
  return [line([{ words }]), ...(label === undefined ? [] : [preformatted(label)])]
}

/** The words of each state of an approval: who decided, and whether the source has it. */
import type { RichTextPreformatted, RichTextSection } from '@slack/types'
import type { Approval, Decision, Resolution, Trouble } from '../../approval/approval.ts'
import { type Emoji, line, type Part, preformatted } from './block.ts'
import { fromSettings, inert, ours, split, type Words } from './safe-text.ts'
import { channelDelivery } from './status-channel.ts'

/** What a card shows of a label. Characters. */
const MOST_LABEL = 300

/** `slack:T0ACME/U0ANA` as the person that Slack knows; any other label, and every label that came over a channel, as text that is not ours. */
export function decider({ by, via }: Pick<Decision, 'by' | 'via'>): {
  readonly part: Part
  readonly label: RichTextPreformatted | undefined
} {
  const user = via === null ? /^slack:[TE][A-Z0-9]{1,32}\/([UW][A-Z0-9]{1,32})$/.exec(by)?.[1] : undefined
  if (user !== undefined) return { part: { user }, label: undefined }
  if (by === 'countersign' && via === null) return { part: { words: ours`Countersign` }, label: undefined }
  const [label] = split(inert(by, 'one line'), MOST_LABEL)
  return { part: { words: ours`someone outside Slack` }, label: label === undefined ? undefined : preformatted(label) }
}

export function verdictWord(decision: Decision): Words {
  switch (decision.outcome) {
    case 'approved':
      return ours`Approved`
    case 'denied':
      return ours`Denied`
    case 'cancelled':
      return ours`Cancelled with its run`
  }
}

/** What stands on a card that is decided: at a glance and in one line, and below it the words that people wrote. */
export function decided(
  approval: Approval & { status: 'decided' | 'resolved' },
  keySetting: Words,
): readonly (RichTextSection | RichTextPreformatted)[] {
  const { decision } = approval
  const { part, label } = decider(decision)
  const delivery =
    approval.form === 'review'
      ? approval.status === 'decided'
        ? sending(approval.trouble, keySetting)
        : resolved(approval.resolution, decision)
      : channelDelivery(approval, keySetting)
  return [
    line([
      { emoji: atAGlance(approval) },
      { words: ours` ` },
      { words: verdictWord(decision), bold: true },
      { words: ours` by ` },
      part,
      { words: ours`, ` },
      { moment: decision.at },
      { words: ours`. ` },
      { words: delivery },
    ]),
    ...(label === undefined ? [] : [line([{ words: ours`Recorded as:` }]), label]),
    ...(decision.note === null ? [] : noted(decision.note, approval.form === 'review' ? MODEL_READS : SOURCE_KEEPS)),
  ]
}

/** A decision that its source did not take is no check mark. */
function atAGlance(approval: Approval & { status: 'decided' | 'resolved' }): Emoji {
  if (approval.status === 'decided') return approval.trouble?.kind === 'lasting' ? 'warning' : 'hourglass_flowing_sand'
  if (approval.resolution.resolution !== 'done') return 'warning'
  return approval.decision.verdict === 'approve' ? 'white_check_mark' : 'no_entry'
}

/** What a card shows of a note, however much its characters take when shown. Characters. */
const MOST_NOTE = 1500

const MODEL_READS = ours`With this note, which the model gets word for word:`
const SOURCE_KEEPS = ours`With this note, which the source keeps word for word:`

function noted(note: string, lead: Words): readonly (RichTextSection | RichTextPreformatted)[] {
  const parts = split(inert(note), MOST_NOTE)
  return [
    line([{ words: lead }]),
    ...parts.slice(0, 1).map(preformatted),
    ...(parts.length > 1 ? [line([{ words: ours`… and more, not shown here.` }])] : []),
  ]
}

function sending(trouble: Trouble | null, keySetting: Words): Words {
  if (trouble === null) return ours`Sending to the agent platform…`
  if (trouble.kind === 'passing') {
    if (trouble.code === 'not_parked_yet') return ours`Sending: the agent's run is not waiting yet. Trying again.`
    return ours`Sending: the agent platform does not take it at the moment (${fromSettings(trouble.code)}). Trying again.`
  }
  switch (trouble.code) {
    case 'bad_key':
      return ours`Could not be delivered: the agent platform refused our key. Check the setting ${keySetting}, then restart, or run “countersign approvals retry”.`
    case 'source_not_configured':
      return ours`Could not be delivered: this hook no longer stands in the settings.`
    case 'resolve_url_refused':
      return ours`Could not be delivered: its address is no longer one that the settings allow. Check origins and resolvePath.`
    default:
      return ours`Could not be delivered (${fromSettings(trouble.code)}). Check the hook's settings, then run “countersign approvals retry”.`
  }
}

function resolved(resolution: Resolution, decision: Decision): Words {
  switch (resolution.resolution) {
    case 'done':
      return decision.verdict === 'approve'
        ? ours`The agent platform has it: the call may run.`
        : ours`The agent platform has it: the call does not run.`
    case 'undeliverable':
      return ours`Could not be delivered in time, and was given up. “countersign approvals retry” sends it again.`
    case 'refused':
      switch (resolution.why) {
        case 'unknown_approval':
          return ours`Not taken: the agent no longer knows this approval.`
        case 'expired':
          return ours`Not taken: the agent platform says that this approval has expired.`
        case 'refused':
          return ours`Not taken: the agent platform refused it (HTTP ${resolution.status}).`
        case 'resolved_elsewhere':
          return resolution.ownAttemptMayHaveLanded
            ? ours`The agent platform says that it is already resolved. An earlier attempt of ours had no answer, so that may have been this decision.`
            : ours`Not taken: the agent platform says that it was already resolved elsewhere.`
        case 'changed':
        case 'run_not_waiting':
        case 'damaged':
        case 'not_allowed':
          return ours`Not taken: the agent platform refused it.`
      }
  }
}

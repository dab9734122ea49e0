/** The card of an approval, from the record alone. Pure: the same record gives the same blocks. */
import type { KnownBlock, RichTextPreformatted, RichTextSection } from '@slack/types'
import type { Approval } from '../../approval/approval.ts'
import { cardPiecesOf } from './argument.ts'
import { approvable, asking, decideButtons, type WhoDecides } from './asking.ts'
import { actions, context, header, line, preformatted, richText } from './block.ts'
import { openButton } from './button.ts'
import { excerpt, fits, type Shown, whole } from './excerpt.ts'
import { fromSettings, idOrSeeBelow, ours, type Words } from './safe-text.ts'
import { decided, verdictWord } from './status.ts'
import { ended, endedWord } from './status-channel.ts'

export interface CardSettings {
  readonly whoMayDecide: WhoDecides
  /** The variable that holds a source's key or secret, to name when that is refused. */
  readonly keySetting: (source: string) => string
}

export interface Card {
  readonly blocks: KnownBlock[]
  /** What a notification and a screen reader say. */
  readonly text: Words
}

type RichPart = RichTextSection | RichTextPreformatted

/**
 * In the order in which a person needs it: what would run, or what became of it; who may decide, and the buttons; then what
 * else the hash covers, and the small print.
 * @param retired the approval was withdrawn and asked again: another card stands for it, and this one says so
 */
export function card(approval: Approval, settings: CardSettings, retired = false): Card {
  const all = cardPiecesOf(approval)
  const fit = fits(all)
  const call = all.filter(({ beside }) => beside !== true)
  const beside = all.slice(call.length)
  const title = retired ? ours`Withdrawn: ${idOrSeeBelow(approval.tool)}` : titleOf(approval)
  const state = retired ? RETIRED : became(approval, settings)
  return {
    text: title,
    blocks: [
      header(title),
      ...(state.length === 0 ? [] : [richText(state)]),
      richText(drawn(fit ? whole(call) : excerpt(call, beside.length))),
      ...(retired ? [] : foot(approval, fit, beside.length, settings)),
      ...(fit && beside.length > 0 ? [richText(drawn([{ words: BESIDE }, ...whole(beside)]))] : []),
      context(about(approval)),
      context([ours`Hash ${idOrSeeBelow(approval.hash)}`]),
    ],
  }
}

const BESIDE = ours`The hash also covers:`
const RETIRED: readonly RichPart[] = [
  line([
    { emoji: 'information_source' },
    { words: ours` ` },
    { words: ours`Withdrawn`, bold: true },
    { words: ours`. The source took this back, and asks it again: a newer card stands for it.` },
  ]),
]

/** Only a call that stands on its card whole can be approved there. */
export function approvableOnCard(approval: Approval): boolean {
  return approvable(approval) && fits(cardPiecesOf(approval))
}

export function titleOf(approval: Approval): Words {
  const tool = idOrSeeBelow(approval.tool)
  switch (approval.status) {
    case 'pending':
      return ours`Approval needed: ${tool}`
    case 'decided':
    case 'resolved':
      return ours`${verdictWord(approval.decision)}: ${tool}`
    case 'closed':
      return ours`${endedWord(approval.because)}: ${tool}`
  }
}

/** The call's place among agents and runs, in small print. */
export function about(approval: Approval): readonly Words[] {
  if (approval.form === 'channel') {
    return [
      ours`Source ${fromSettings(approval.source)}`,
      ours`Run ${idOrSeeBelow(approval.run)}`,
      ...(approval.kind === null || approval.kind === '' ? [] : [ours`Kind ${idOrSeeBelow(approval.kind)}`]),
      ...(approval.toolCall === '' ? [] : [ours`Step ${idOrSeeBelow(approval.toolCall)}`]),
    ]
  }
  const worker = approval.worker === null ? [] : [ours`Worker ${idOrSeeBelow(approval.worker)}`]
  const root = approval.rootRun === approval.run ? [] : [ours`Root run ${idOrSeeBelow(approval.rootRun)}`]
  return [
    ours`Agent ${idOrSeeBelow(approval.agent)}`,
    ours`Run ${idOrSeeBelow(approval.run)}`,
    ...root,
    ...worker,
    ours`Step ${idOrSeeBelow(approval.step)}`,
  ]
}

export function drawn(shown: readonly Shown[]): RichPart[] {
  return shown.map((one) => ('words' in one ? line([{ words: one.words }]) : preformatted(one.text)))
}

/** What became of it; empty while it waits. */
function became(approval: Approval, settings: CardSettings): readonly RichPart[] {
  switch (approval.status) {
    case 'pending':
      return []
    case 'decided':
    case 'resolved':
      return decided(approval, fromSettings(settings.keySetting(approval.source)))
    case 'closed':
      return [
        ...(approval.because === 'changed'
          ? [line([{ words: ours`Approval needed: ${idOrSeeBelow(approval.tool)}`, strike: true }])]
          : []),
        ...ended(approval),
      ]
  }
}

function foot(approval: Approval, fit: boolean, beside: number, settings: CardSettings): KnownBlock[] {
  if (approval.status !== 'pending') return fit ? [] : [actions([openButton(approval, ours`Read in full`)])]
  return [
    richText([
      ...asking(approval, settings.whoMayDecide),
      ...(fit ? [] : [line([{ words: ours`This call is longer than a card. Read all of it to approve it.`, bold: true }])]),
      ...(fit && beside > 0 ? [line([{ words: ours`Below the buttons: what else the hash covers.` }])] : []),
    ]),
    ...buttons(approval, fit),
  ]
}

function buttons(approval: Approval, fit: boolean): KnownBlock[] {
  const all = [...(fit ? [] : [openButton(approval, ours`Read in full`, 'primary')]), ...decideButtons(approval, fit)]
  return all.length === 0 ? [] : [actions(all)]
}

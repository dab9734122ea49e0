/** The card of an approval, from the record alone. Pure: the same record gives the same blocks. */
import type { KnownBlock, RichTextPreformatted, RichTextSection } from '@slack/types'
import type { Approval } from '../../approval/approval.ts'
import { piecesOf } from './argument.ts'
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

/** @param retired the approval was withdrawn and asked again: another card stands for it, and this one says so */
export function card(approval: Approval, settings: CardSettings, retired = false): Card {
  const all = piecesOf(approval)
  const fit = fits(all)
  const title = retired ? ours`Withdrawn: ${idOrSeeBelow(approval.tool)}` : titleOf(approval)
  const body = drawn(fit ? whole(all) : excerpt(all))
  return {
    text: title,
    blocks: [
      header(title),
      context(about(approval)),
      richText(body),
      context([ours`Hash ${idOrSeeBelow(approval.hash)}`]),
      ...(retired ? [richText([line([{ words: RETIRED }])])] : foot(approval, fit, settings)),
    ],
  }
}

const RETIRED = ours`The source took this back, and asks it again: a newer card stands for it.`

/** Only a call that stands on its card whole can be approved there. */
export function approvableOnCard(approval: Approval): boolean {
  return approvable(approval) && fits(piecesOf(approval))
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

function foot(approval: Approval, fit: boolean, settings: CardSettings): KnownBlock[] {
  switch (approval.status) {
    case 'pending':
      return [
        richText([...asking(approval, settings.whoMayDecide)]),
        ...(fit
          ? []
          : [richText([line([{ words: ours`This call is longer than a card. Read all of it to approve it.`, bold: true }])])]),
        ...buttons(approval, fit),
      ]
    case 'decided':
    case 'resolved':
      return [
        richText([...decided(approval, fromSettings(settings.keySetting(approval.source)))]),
        ...(fit ? [] : [actions([openButton(approval, ours`Read in full`)])]),
      ]
    case 'closed':
      return [
        richText([
          ...(approval.because === 'changed'
            ? [line([{ words: ours`Approval needed: ${idOrSeeBelow(approval.tool)}`, strike: true }])]
            : []),
          ...ended(approval),
        ]),
        ...(fit ? [] : [actions([openButton(approval, ours`Read in full`)])]),
      ]
  }
}

function buttons(approval: Approval, fit: boolean): KnownBlock[] {
  const all = [...(fit ? [] : [openButton(approval, ours`Read in full`, 'primary')]), ...decideButtons(approval, fit)]
  return all.length === 0 ? [] : [actions(all)]
}

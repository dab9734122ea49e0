/** The card of an approval, from the record alone. Pure: the same record gives the same blocks. */
import type { KnownBlock, RichTextPreformatted, RichTextSection } from '@slack/types'
import type { Approval } from '../../approval/approval.ts'
import { piecesOf } from './argument.ts'
import { actions, context, header, line, type Part, preformatted, richText } from './block.ts'
import { approveButton, denyButtons, openButton } from './button.ts'
import { excerpt, fits, type Shown, whole } from './excerpt.ts'
import { fromSettings, idOrSeeBelow, ours, type Words } from './safe-text.ts'
import { decided, verdictWord } from './status.ts'

/** Who may decide, as the card tells it. Ids and words only. */
export interface WhoMayDecide {
  readonly users: readonly string[]
  readonly groups: readonly string[]
  readonly conversation: string | undefined
}

export interface CardSettings {
  readonly whoMayDecide: (set: string) => WhoMayDecide
  /** The variable that holds a source's key, to name when that is refused. */
  readonly keySetting: (source: string) => string
}

export interface Card {
  readonly blocks: KnownBlock[]
  /** What a notification and a screen reader say. */
  readonly text: Words
}

type RichPart = RichTextSection | RichTextPreformatted

export function card(approval: Approval, settings: CardSettings): Card {
  const all = piecesOf(approval)
  const fit = fits(all)
  const title = titleOf(approval)
  const body = drawn(fit ? whole(all) : excerpt(all))
  return {
    text: title,
    blocks: [
      header(title),
      context(about(approval)),
      richText(body),
      context([ours`Hash ${idOrSeeBelow(approval.hash)}`]),
      ...foot(approval, fit, settings),
    ],
  }
}

/** Only a call that stands on its card whole can be approved there. */
export function approvableOnCard(approval: Approval): boolean {
  return fits(piecesOf(approval))
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
      return ours`Ended: ${tool}`
  }
}

/** The call's place among agents and runs, in small print. */
export function about(approval: Approval): readonly Words[] {
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
        richText([whyAsked(approval), whoLine(approval, settings)]),
        ...(fit
          ? []
          : [richText([line([{ words: ours`This call is longer than a card. Read all of it to approve it.`, bold: true }])])]),
        actions([fit ? approveButton(approval) : openButton(approval, ours`Read in full`, 'primary'), ...denyButtons(approval)]),
      ]
    case 'decided':
    case 'resolved':
      return [
        richText([...decided(approval, fromSettings(settings.keySetting(approval.source)))]),
        ...(fit ? [] : [actions([openButton(approval, ours`Read in full`)])]),
      ]
    case 'closed':
      return []
  }
}

export function whyAsked(approval: Approval): RichTextSection {
  const { ruling } = approval
  if (ruling.ruling !== 'ask') return line([{ words: ours`Ruled by a rule.` }])
  const rule = ruling.rule === null ? ours`No rule names this tool.` : ours`Rule “${fromSettings(ruling.rule)}”:`
  return line([{ words: ours`${rule} ${fromSettings(ruling.reason)}` }])
}

/** Named people more than this are counted. */
const MOST_NAMED = 8

export function whoLine(approval: Approval, settings: CardSettings): RichTextSection {
  if (approval.ruling.ruling !== 'ask') return line([{ words: ours`Nobody is asked.` }])
  const { users, groups, conversation } = settings.whoMayDecide(approval.ruling.approvers)
  const named: Part[][] = users.slice(0, MOST_NAMED).map((user) => [{ user }])
  const clauses: Part[][] = [
    ...named,
    ...(users.length > MOST_NAMED ? [[{ words: ours`${users.length - MOST_NAMED} more by name` }]] : []),
    ...groups.map((group) => [{ words: ours`the members of user group ${idOrSeeBelow(group)}` }]),
    ...(conversation === undefined ? [] : [[{ words: ours`the full members of this workspace who are in ` }, { conversation }]]),
  ]
  const parts = clauses.flatMap((clause, index): Part[] => [{ words: index === 0 ? ours`May decide: ` : ours`, ` }, ...clause])
  return line(
    users.length + groups.length > 0 || conversation !== undefined
      ? [...parts, { words: ours`.` }]
      : [{ words: ours`May decide: nobody. The settings no longer name this set.` }],
  )
}

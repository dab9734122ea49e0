/** A person's home tab: what waits for them and what they decided, as of one moment. Pure: the same record gives the same blocks. */
import type { HomeView, KnownBlock, RichTextPreformatted, RichTextSection } from '@slack/types'
import type { Approval } from '../../approval/approval.ts'
import { counted } from './argument.ts'
import { actions, context, divider, header, line, preformatted, richText, section } from './block.ts'
import { openButton } from './button.ts'
import type { CardSettings } from './card.ts'
import type { Nobody } from './may-decide.ts'
import { fromSettings, inert, ours, plainId, split, type Words } from './safe-text.ts'
import { decided } from './status.ts'

export type Waiting = Approval & { readonly status: 'pending' }
export type Decided = Approval & { readonly status: 'decided' | 'resolved' }

/** What concerns one person. */
export type Mine =
  | { readonly decides: false; readonly because: Nobody }
  | {
      readonly decides: true
      /** What they may decide, oldest first. */
      readonly waiting: readonly Waiting[]
      /** How many wait of which it could not be read whether they may. */
      readonly unsure: number
      /** More waits than anybody looked through. */
      readonly more: boolean
      /** Newest first. */
      readonly decided: readonly Decided[]
    }

/** With what is decided, far below a tab's 100 blocks and 250 kB, however long the names are. The rest is counted. */
export const MOST_WAITING = 15
export const MOST_DECIDED = 10
/** What an entry shows of a name that cannot stand among our words. Characters. */
const MOST_NAME = 200

const NOBODY = {
  a_guest: ours`Guests decide nothing here unless the settings name them, so nothing waits for you.`,
  an_outsider: ours`Only members of this workspace decide here, and whom the settings name; so nothing waits for you.`,
  a_bot: ours`Bots decide nothing here.`,
  deactivated: ours`A deactivated account decides nothing here.`,
  unknown_person: ours`Slack does not tell Countersign who you are, so nothing waits for you here.`,
} as const satisfies Record<Nobody, Words>

export function homeView(mine: Mine, settings: CardSettings, at: Date): HomeView {
  return {
    type: 'home',
    blocks: [
      richText([line([{ words: ours`As of ` }, { moment: at }, { words: ours`.` }])]),
      ...(mine.decides
        ? [...waitingBlocks(mine), divider(), ...decidedBlocks(mine.decided, settings)]
        : [section(NOBODY[mine.because])]),
    ],
  }
}

function waitingBlocks({ waiting, unsure, more }: Mine & { decides: true }): readonly KnownBlock[] {
  const rest = waiting.length - MOST_WAITING
  const notes = [
    ...(rest > 0 ? [ours`${rest} more ${rest === 1 ? ours`waits` : ours`wait`} for you; decide some of these first.`] : []),
    ...(unsure > 0 ? [ours`Of ${counted(unsure, ours`other approval`)} it cannot be read at the moment who may decide.`] : []),
    ...(more ? [ours`More waits than was looked through for this list.`] : []),
  ]
  return [
    header(ours`Waiting for you`),
    ...(waiting.length === 0 ? [section(ours`Nothing waits for you.`)] : []),
    ...waiting.slice(0, MOST_WAITING).flatMap(waitingEntry),
    ...(notes.length === 0 ? [] : [context(notes)]),
  ]
}

/** No button here decides: nobody approves what they have not opened. */
function waitingEntry(approval: Waiting, index: number): readonly KnownBlock[] {
  const { expiresAt, openedAt } = approval
  const until = expiresAt === null ? [] : [{ words: ours`. Can be decided until ` }, { moment: expiresAt }]
  return [
    ...(index === 0 ? [] : [divider()]),
    richText([
      ...toolLines(approval, ours`Approval needed: `),
      line([{ words: ours`Asked ` }, { moment: openedAt }, ...until, { words: ours`.` }]),
    ]),
    context(smallPrint(approval)),
    actions([openButton(approval, ours`Read and decide`, 'primary')]),
  ]
}

function decidedBlocks(all: readonly Decided[], settings: CardSettings): readonly KnownBlock[] {
  return [
    header(ours`You decided`),
    ...(all.length === 0 ? [section(ours`You have decided nothing yet.`)] : []),
    ...all.slice(0, MOST_DECIDED).flatMap((approval) => decidedEntry(approval, settings)),
  ]
}

/** The first line of what its card says: the outcome, when, and what the source did with it. */
function decidedEntry(approval: Decided, settings: CardSettings): readonly KnownBlock[] {
  const [outcome] = decided(approval, fromSettings(settings.keySetting(approval.source)))
  return [richText([...toolLines(approval), ...(outcome === undefined ? [] : [outcome])]), context(smallPrint(approval))]
}

function toolLines({ tool }: Approval, before = ours``): readonly (RichTextSection | RichTextPreformatted)[] {
  const name = plainId(tool)
  if (name !== undefined) return [line([{ words: ours`${before}${name}`, bold: true }])]
  const [shown] = split(inert(tool, 'one line'), MOST_NAME)
  return [
    line([{ words: ours`${before}a tool with this name:`, bold: true }]),
    ...(shown === undefined ? [] : [preformatted(shown)]),
  ]
}

function smallPrint({ source, form, agent, run, rootRun }: Approval): readonly Words[] {
  return [
    ours`Source ${fromSettings(source)}`,
    ...(form === 'review' ? [ours`Agent ${named(agent)}`] : []),
    ours`Run ${named(run)}`,
    ...(rootRun === run ? [] : [ours`Root run ${named(rootRun)}`]),
  ]
}

/** A strange name is shown where the call is. */
function named(id: string): Words {
  return plainId(id) ?? ours`(a strange name, shown with the call)`
}

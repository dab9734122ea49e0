/** A call opened to be read: pages in a modal, with Approve on the last one only. */
import type { KnownBlock, ModalView } from '@slack/types'
import { z } from 'zod'
import { type Approval, ApprovalHash, RowId } from '../../approval/approval.ts'
import { piecesOf } from './argument.ts'
import { asking, decideButtons } from './asking.ts'
import { actions, context, divider, line, type preformatted, richText, section } from './block.ts'
import { button, NOTE, NOTE_BLOCK, NOTE_INPUT, PAGE } from './button.ts'
import { about, type CardSettings, drawn, titleOf } from './card.ts'
import { type Shown, whole } from './excerpt.ts'
import { fromSettings, idOrSeeBelow, ours, split, type Words } from './safe-text.ts'
import { decided } from './status.ts'
import { ended } from './status-channel.ts'

/** What a view carries back to us. `r` is where private words to the reader go. */
const Carried = z.strictObject({
  v: z.literal(1),
  a: RowId,
  h: ApprovalHash,
  p: z.number().int().min(0),
  r: z.string().max(1000),
  c: z.string().max(40),
})
export type Carried = z.infer<typeof Carried>

function carry(carried: Omit<Carried, 'v'>): string {
  return JSON.stringify({ v: 1, ...carried })
}

export function readCarried(text: string): Carried | undefined {
  try {
    const parsed = Carried.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** One text of a page, and one page: far below a view's 100 blocks and 250 kB even where each character takes twelve bytes. Characters. */
const MOST_TEXT = 2500
const MOST_PAGE = 9000
const MOST_PARTS = 60

/** The whole call, in pages. A line of ours, or an argument's name, never ends a page: it goes with what it is about. */
export function pagesOf(approval: Approval): readonly (readonly Shown[])[] {
  const pages: Shown[][] = []
  let page: Placed[] = []
  for (const one of placed(whole(piecesOf(approval)))) {
    const size = page.reduce((sum, { length }) => sum + length, 0)
    if (page.length > 0 && (size + one.length > MOST_PAGE || page.length >= MOST_PARTS)) {
      const stays = page.findLastIndex(({ leads }) => !leads) + 1
      if (stays > 0) pages.push(page.slice(0, stays).map(({ shown }) => shown))
      page = page.slice(stays)
    }
    page.push(one)
  }
  return [...pages, page.map(({ shown }) => shown)]
}

interface Placed {
  readonly shown: Shown
  readonly length: number
  /** Says what comes next. */
  readonly leads: boolean
}

function placed(all: readonly Shown[]): readonly Placed[] {
  return all.flatMap((shown, index): Placed[] => {
    if ('words' in shown) return [{ shown, length: shown.words.length, leads: true }]
    const next = all[index + 1]
    const parts = split(shown.text, MOST_TEXT)
    return parts.flatMap((text, nth): Placed[] => [
      ...(nth === 0 ? [] : [{ shown: { words: ours`… goes on, part ${nth + 1} of ${parts.length}:` }, length: 40, leads: true }]),
      // A text before a text is a name before its value.
      { shown: { text }, length: text.length, leads: parts.length === 1 && next !== undefined && 'text' in next },
    ])
  })
}

export function readingView(approval: Approval, carried: Omit<Carried, 'v' | 'a' | 'h'>, settings: CardSettings): ModalView {
  const pages = pagesOf(approval)
  const at = Math.min(carried.p, pages.length - 1)
  const last = at === pages.length - 1
  return {
    type: 'modal',
    title: plain(ours`Read in full`),
    close: plain(ours`Close`),
    private_metadata: carry({ ...carried, a: approval.rowId, h: approval.hash, p: at }),
    blocks: [
      section(titleOf(approval)),
      context([...about(approval), ours`Page ${at + 1} of ${pages.length}`]),
      ...inParts(drawn(pages[at] ?? [])),
      divider(),
      ...(last ? lastBlocks(approval, settings) : []),
      ...footButtons(approval, at, pages.length),
    ],
  }
}

function lastBlocks(approval: Approval, settings: CardSettings): KnownBlock[] {
  const hash = context([ours`Hash ${idOrSeeBelow(approval.hash)}`])
  if (approval.status === 'decided' || approval.status === 'resolved')
    return [hash, richText([...decided(approval, fromSettings(settings.keySetting(approval.source)))])]
  if (approval.status === 'closed') return [hash, richText([...ended(approval)])]
  return [hash, richText([...asking(approval, settings.whoMayDecide)])]
}

function footButtons(approval: Approval, at: number, count: number): KnownBlock[] {
  const pending = approval.status === 'pending'
  const turn = [
    ...(at > 0 ? [button(`${PAGE}.${at - 1}`, ours`Previous page`, approval)] : []),
    ...(at < count - 1 ? [button(`${PAGE}.${at + 1}`, ours`Next page`, approval, 'primary')] : []),
  ]
  const decide = pending ? decideButtons(approval, at === count - 1) : []
  return [...(turn.length === 0 ? [] : [actions(turn)]), ...(decide.length === 0 ? [] : [actions(decide)])]
}

/** A view that asks for the note of a deny. */
export function noteView(approval: Approval, carried: Omit<Carried, 'v' | 'a' | 'h'>): ModalView {
  return {
    type: 'modal',
    callback_id: NOTE,
    title: plain(ours`Deny with a note`),
    submit: plain(ours`Deny`),
    close: plain(ours`Cancel`),
    private_metadata: carry({ ...carried, a: approval.rowId, h: approval.hash }),
    blocks: [
      section(titleOf(approval)),
      context([...about(approval), ours`Hash ${idOrSeeBelow(approval.hash)}`]),
      {
        type: 'input',
        block_id: NOTE_BLOCK,
        label: plain(
          approval.form === 'review'
            ? ours`Why not? The model gets this word for word.`
            : ours`Why not? This ends the whole run; the source keeps the note word for word.`,
        ),
        element: { type: 'plain_text_input', action_id: NOTE_INPUT, multiline: true, max_length: MOST_NOTE },
      },
    ],
  }
}

/** A note's length. Slack's client enforces it; so do we. Characters. */
export const MOST_NOTE = 1000

/** A view that says one thing. */
export function wordsView(parts: Parameters<typeof line>[0]): ModalView {
  return { type: 'modal', title: plain(ours`Countersign`), close: plain(ours`Close`), blocks: [richText([line(parts)])] }
}

function plain(text: Words): { type: 'plain_text'; text: string; emoji: false } {
  return { type: 'plain_text', text, emoji: false }
}

/** Keeps each rich text block small. */
function inParts(elements: readonly (ReturnType<typeof line> | ReturnType<typeof preformatted>)[]): KnownBlock[] {
  const blocks: KnownBlock[] = []
  for (let from = 0; from < elements.length; from += 12) blocks.push(richText(elements.slice(from, from + 12)))
  return blocks
}

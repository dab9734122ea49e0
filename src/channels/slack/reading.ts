/** A call opened to be read: pages in a modal, with Approve on the last one only. */
import type { KnownBlock, ModalView } from '@slack/types'
import { z } from 'zod'
import { type Approval, ApprovalHash, RowId } from '../../approval/approval.ts'
import { counted, type Piece, piecesOf } from './argument.ts'
import { approvable, asking, decideButtons } from './asking.ts'
import { actions, context, divider, header, line, type preformatted, richText, section } from './block.ts'
import { button, digestButton, NOTE, NOTE_BLOCK, NOTE_INPUT, PAGE, pageList } from './button.ts'
import { about, type CardSettings, drawn, titleOf } from './card.ts'
import type { Shown } from './excerpt.ts'
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
  return laidOut(approval).map((page) => page.map(({ shown }) => shown))
}

interface Placed {
  readonly shown: Shown
  readonly length: number
  /** Says what comes next. */
  readonly leads: boolean
  /** What it is a piece of, or a part of. */
  readonly which: Words
}

function laidOut(approval: Approval): readonly (readonly Placed[])[] {
  const pages: Placed[][] = []
  let page: Placed[] = []
  for (const one of placed(piecesOf(approval))) {
    const size = page.reduce((sum, { length }) => sum + length, 0)
    if (page.length > 0 && (size + one.length > MOST_PAGE || page.length >= MOST_PARTS)) {
      const stays = page.findLastIndex(({ leads }) => !leads) + 1
      if (stays > 0) pages.push(page.slice(0, stays))
      page = page.slice(stays)
    }
    page.push(one)
  }
  return [...pages, page]
}

function placed(all: readonly Piece[]): readonly Placed[] {
  return all.flatMap(({ which, label, text, isName }, index): Placed[] => {
    const next = all[index + 1]
    const what = isName === true ? ours`${which}, its name` : which
    const parts = text === undefined ? [] : split(text, MOST_TEXT)
    // A piece without a line of its own is the value of the name before it.
    const named = next !== undefined && next.label === undefined
    return [
      ...(label === undefined ? [] : [leading(label, which)]),
      ...parts.flatMap((part, nth): Placed[] => {
        const place = nth === 0 ? which : ours`${what}, part ${nth + 1} of ${parts.length}`
        return [
          ...(nth === 0 ? [] : [leading(ours`${what} goes on, part ${nth + 1} of ${parts.length}:`, place)]),
          { shown: { text: part }, length: part.length, leads: parts.length === 1 && named, which: place },
        ]
      }),
    ]
  })
}

function leading(words: Words, which: Words): Placed {
  return { shown: { words }, length: words.length, leads: true, which }
}

export function readingView(approval: Approval, carried: Omit<Carried, 'v' | 'a' | 'h'>, settings: CardSettings): ModalView {
  const pages = laidOut(approval)
  const at = Math.min(carried.p, pages.length - 1)
  const last = at === pages.length - 1
  const begins = pages.map(([first]) => first?.which ?? ours`The call`)
  return {
    type: 'modal',
    title: plain(ours`Read in full`),
    close: plain(ours`Close`),
    private_metadata: carry({ ...carried, a: approval.rowId, h: approval.hash, p: at }),
    blocks: [
      header(titleOf(approval)),
      section(
        ours`Page ${at + 1} of ${pages.length}`,
        pages.length > MOST_WITHOUT_LIST ? pageList(pickable(pages.length, at), at, begins) : undefined,
      ),
      ...(last || approval.status !== 'pending' || !approvable(approval) ? [] : [context([ours`Approve is on the last page.`])]),
      ...inParts(drawn((pages[at] ?? []).map(({ shown }) => shown))),
      divider(),
      ...(last ? lastBlocks(approval, settings) : []),
      ...footButtons(approval, at, pages.length),
      context(about(approval)),
      context([ours`Hash ${idOrSeeBelow(approval.hash)}`]),
    ],
  }
}

/** Pages that Previous, Next, First and Last reach without a list. */
const MOST_WITHOUT_LIST = 3
/** Slack lets a list have a hundred entries. */
const MOST_LISTED = 100

/** The pages that a list offers: all, or where there are too many some at equal distances, the one that is open, and the last. */
function pickable(count: number, at: number): readonly number[] {
  const step = Math.ceil(count / (MOST_LISTED - 2))
  const spread = Array.from({ length: Math.ceil(count / step) }, (_, n) => n * step)
  return [...new Set([...spread, at, count - 1])].sort((a, b) => a - b)
}

function lastBlocks(approval: Approval, settings: CardSettings): KnownBlock[] {
  if (approval.status === 'decided' || approval.status === 'resolved')
    return [richText([...decided(approval, fromSettings(settings.keySetting(approval.source)))])]
  if (approval.status === 'closed') return [richText([...ended(approval)])]
  return [richText([...asking(approval, settings.whoMayDecide)])]
}

/** Turning stands above deciding on each page, so that no Approve comes up where Next was pressed. */
function footButtons(approval: Approval, at: number, count: number): KnownBlock[] {
  const turn = [
    ...(at > 1 ? [button(`${PAGE}.0`, ours`First`, approval)] : []),
    ...(at > 0 ? [button(`${PAGE}.${at - 1}`, ours`Previous`, approval)] : []),
    ...(at < count - 1 ? [button(`${PAGE}.${at + 1}`, ours`Next`, approval, 'primary')] : []),
    ...(at < count - 2 ? [button(`${PAGE}.${count - 1}`, ours`Last`, approval)] : []),
  ]
  const decide = approval.status === 'pending' ? decideButtons(approval, at === count - 1) : []
  return [...(turn.length === 0 ? [] : [actions(turn)]), ...(decide.length === 0 ? [] : [actions(decide)])]
}

/** A view that asks for the note of a deny. */
export function noteView(approval: Approval, carried: Omit<Carried, 'v' | 'a' | 'h'>): ModalView {
  return {
    type: 'modal',
    callback_id: NOTE,
    title: plain(ours`Deny with a note`),
    submit: plain(approval.form === 'review' ? ours`Deny` : ours`Deny and end the run`),
    close: plain(ours`Cancel`),
    private_metadata: carry({ ...carried, a: approval.rowId, h: approval.hash }),
    blocks: [
      header(titleOf(approval)),
      {
        type: 'input',
        block_id: NOTE_BLOCK,
        label: plain(
          approval.form === 'review'
            ? ours`Why not? The model gets this word for word.`
            : ours`Why not? This ends the whole run; the source keeps the note word for word.`,
        ),
        element: { type: 'plain_text_input', action_id: NOTE_INPUT, multiline: true, max_length: MOST_NOTE },
        hint: plain(ours`At most ${counted(MOST_NOTE, ours`character`)}.`),
      },
      context(about(approval)),
      context([ours`Hash ${idOrSeeBelow(approval.hash)}`]),
    ],
  }
}

/** A note's length. Slack's client enforces it; so do we. Characters. */
export const MOST_NOTE = 1000

/** A view that says one thing. @param next the digest in which more waits, and what the view carries on */
export function wordsView(
  parts: Parameters<typeof line>[0],
  next?: { readonly digest: RowId; readonly after: Omit<Carried, 'v'> },
): ModalView {
  return {
    type: 'modal',
    title: plain(ours`Countersign`),
    close: plain(ours`Close`),
    ...(next === undefined ? {} : { private_metadata: carry(next.after) }),
    blocks: [richText([line(parts)]), ...(next === undefined ? [] : [actions([digestButton(ours`Next`, next.digest)])])],
  }
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

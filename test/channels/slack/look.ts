/** What stands where in a message or a view: read from its JSON, by code of its own. */
import { type Approval, RowId as Row, type RowId } from '../../../src/approval/approval.ts'
import { card } from '../../../src/channels/slack/card.ts'
import { listing } from '../../../src/channels/slack/command.ts'
import { digestCard } from '../../../src/channels/slack/digest.ts'
import { refusal } from '../../../src/channels/slack/feedback.ts'
import { outcomeLine } from '../../../src/channels/slack/outcome.ts'
import { noteView, pagesOf, readingView, wordsView } from '../../../src/channels/slack/reading.ts'
import { ours } from '../../../src/channels/slack/safe-text.ts'
import { FRAGMENTS, SETTINGS } from './hostile.ts'

export interface Seen {
  /** The text of each `rich_text_preformatted`, in order. */
  readonly inside: readonly string[]
  /** Every other text, but for what is carried. */
  readonly outside: readonly string[]
  /** The texts that a person reads, in order, whoever wrote them. */
  readonly read: readonly string[]
  /** What comes back to us: values of buttons, and a view's own. */
  readonly carried: readonly string[]
  readonly actions: readonly string[]
}

export function look(rendered: object): Seen {
  const seen = {
    inside: [] as string[],
    outside: [] as string[],
    read: [] as string[],
    carried: [] as string[],
    actions: [] as string[],
  }
  walk(JSON.parse(JSON.stringify(rendered)), false, seen)
  return seen
}

function walk(value: unknown, preformatted: boolean, seen: Record<keyof Seen, string[]>): void {
  if (typeof value === 'string') seen.outside.push(value)
  if (typeof value !== 'object' || value === null) return
  const members: readonly (readonly [string, unknown])[] = Object.entries(value)
  const type = Reflect.get(value, 'type')
  for (const [name, member] of members) {
    if (Array.isArray(value)) walk(member, preformatted, seen)
    else if (typeof member === 'string' && name === 'text') {
      seen.read.push(member)
      if (preformatted && type === 'text' && members.length === 2) seen.inside.push(member)
      else seen.outside.push(member)
    } else if (typeof member === 'string' && ((type === 'button' && name === 'value') || name === 'private_metadata'))
      seen.carried.push(member)
    else {
      if (typeof member === 'string' && name === 'action_id') seen.actions.push(member)
      walk(member, preformatted || type === 'rich_text_preformatted', seen)
    }
  }
}

/** What of a sender's text stands among our own words; empty when nothing does. */
export function leaks(rendered: object): readonly string[] {
  return look(rendered).outside.filter(
    (text) => !/^[\x20-\x7E“”…]*$/.test(text) || FRAGMENTS.some((fragment) => text.includes(fragment)),
  )
}

/** The characters of all texts of a message. */
export function length(rendered: object): number {
  return look(rendered).read.reduce((sum, text) => sum + text.length, 0)
}

const CARRIED = { p: 0, r: 'https://hooks.slack.com/actions/T0ACME/1/abc', c: 'C0APPROVALS' }

export function page(approval: Approval, p: number): ReturnType<typeof readingView> {
  return readingView(approval, { ...CARRIED, p }, SETTINGS)
}

/** Every message that is made of an approval. */
export function messagesOf(approval: Approval): readonly { readonly text: string; readonly blocks: readonly object[] }[] {
  const told =
    approval.status === 'decided' || approval.status === 'resolved'
      ? [{ ...refusal({ refusal: 'not_pending', decision: approval.decision }), blocks: [] }]
      : []
  const ended = approval.status === 'resolved' || approval.status === 'closed' ? [outcomeLine(approval, SETTINGS)] : []
  const { rowId: own, source, rootRun } = approval
  const digest =
    approval.status === 'pending'
      ? [digestCard({ rowId: own, status: 'digest', source, rootRun, waiting: Array.from({ length: 17 }, () => approval) })]
      : []
  return [
    card(approval, SETTINGS),
    card(approval, SETTINGS, true),
    ...ended,
    ...digest,
    listing(ours`run_1`, [approval], 2),
    ...told.map(({ text, blocks }) => ({ text, blocks })),
  ]
}

/** Every view that is made of an approval: of many pages the first, the second and the last two. */
export function viewsOf(approval: Approval): readonly ReturnType<typeof readingView>[] {
  const count = pagesOf(approval).length
  const pages = [...new Set([0, 1, count - 2, count - 1])].filter((p) => p >= 0 && p < count)
  const said =
    approval.status === 'decided' || approval.status === 'resolved'
      ? [wordsView(refusal({ refusal: 'not_pending', decision: approval.decision }).parts)]
      : []
  return [...pages.map((p) => page(approval, p)), noteView(approval, CARRIED), ...said]
}

export function rowId(n: number): RowId {
  return Row.parse(n.toString(16).padStart(32, '0'))
}

/** What a button carries: which row, and the hash that was shown. Who pressed it comes from Slack's signed payload, never from here. */
import type { Button } from '@slack/types'
import { z } from 'zod'
import { ApprovalHash, RowId } from '../../approval/approval.ts'
import { ours, type Words } from './safe-text.ts'

export const APPROVE = 'approval.approve'
export const DENY = 'approval.deny'
export const OPEN = 'approval.open'
/** Steps through the pages of an opened call; the page is in the action's own id. */
export const PAGE = 'approval.page'
/** The button that asks for a note, and the `callback_id` of the view that it opens. */
export const NOTE = 'approval.note'
export const NOTE_BLOCK = 'note'
export const NOTE_INPUT = 'note.text'

const ButtonValue = z.strictObject({ v: z.literal(1), a: RowId, h: ApprovalHash })
export type Shown = { readonly rowId: RowId; readonly hash: ApprovalHash }

function buttonValue({ rowId, hash }: Shown): string {
  return JSON.stringify({ v: 1, a: rowId, h: hash })
}

/** Undefined when the value is not one of ours, whole. */
export function readValue(value: string | undefined): Shown | undefined {
  if (value === undefined) return undefined
  let json: unknown
  try {
    json = JSON.parse(value)
  } catch {
    return undefined
  }
  const parsed = ButtonValue.safeParse(json)
  return parsed.success ? { rowId: parsed.data.a, hash: parsed.data.h } : undefined
}

export function button(action: string, text: Words, shown: Shown, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    action_id: action,
    text: { type: 'plain_text', text, emoji: false },
    value: buttonValue(shown),
    ...(style === undefined ? {} : { style }),
  }
}

export const approveButton = (shown: Shown) => button(APPROVE, ours`Approve`, shown, 'primary')
export const denyButtons = (shown: Shown) => [
  button(DENY, ours`Deny`, shown, 'danger'),
  button(NOTE, ours`Deny with a note`, shown),
]
export const openButton = (shown: Shown, words: Words, style?: 'primary') => button(OPEN, words, shown, style)

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

/** Ends a run, from the private answer to the command that asked for it. */
export const CANCEL_RUN = 'run.cancel'

const RunValue = z.strictObject({ v: z.literal(1), r: z.string().min(1).max(256) })

export function cancelButton(run: string): Button {
  return {
    type: 'button',
    action_id: CANCEL_RUN,
    text: plain(ours`Cancel this run`),
    value: JSON.stringify({ v: 1, r: run }),
    style: 'danger',
  }
}

/** Undefined when the value is not one of ours, whole. */
export function readRun(value: string | undefined): string | undefined {
  return parsed(RunValue, value)?.r
}

const ButtonValue = z.strictObject({ v: z.literal(1), a: RowId, h: ApprovalHash })
export type Shown = { readonly rowId: RowId; readonly hash: ApprovalHash }

function buttonValue({ rowId, hash }: Shown): string {
  return JSON.stringify({ v: 1, a: rowId, h: hash })
}

/** Undefined when the value is not one of ours, whole. */
export function readValue(value: string | undefined): Shown | undefined {
  const read = parsed(ButtonValue, value)
  return read === undefined ? undefined : { rowId: read.a, hash: read.h }
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: string | undefined): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(value ?? '')).data
  } catch {
    return undefined
  }
}

export function button(action: string, text: Words, shown: Shown, style?: 'primary' | 'danger', confirm?: Confirm): Button {
  return {
    type: 'button',
    action_id: action,
    text: plain(text),
    value: buttonValue(shown),
    ...(style === undefined ? {} : { style }),
    ...(confirm === undefined
      ? {}
      : {
          confirm: {
            title: plain(confirm.title),
            text: plain(confirm.text),
            confirm: plain(confirm.yes),
            deny: plain(ours`Go back`),
            style: 'danger',
          },
        }),
  }
}

/** Asked before the press is sent at all. */
interface Confirm {
  readonly title: Words
  readonly text: Words
  readonly yes: Words
}

function plain(text: Words): { type: 'plain_text'; text: string; emoji: false } {
  return { type: 'plain_text', text, emoji: false }
}

const ENDS_THE_RUN: Confirm = {
  title: ours`End the whole run?`,
  text: ours`At this source a deny rejects the call and cancels the whole run. That cannot be undone.`,
  yes: ours`Deny and end the run`,
}

export const approveButton = (shown: Shown) => button(APPROVE, ours`Approve`, shown, 'primary')
/** @param endsRun the source cancels the whole run with it */
export const denyButtons = (shown: Shown, endsRun: boolean) => [
  button(DENY, ours`Deny`, shown, 'danger', endsRun ? ENDS_THE_RUN : undefined),
  button(NOTE, ours`Deny with a note`, shown),
]
export const openButton = (shown: Shown, words: Words, style?: 'primary') => button(OPEN, words, shown, style)

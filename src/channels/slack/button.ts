/** What a button carries: which row, and the hash that was shown. Who pressed it comes from Slack's signed payload, never from here. */
import type { Button, PlainTextOption, StaticSelect } from '@slack/types'
import { z } from 'zod'
import { ApprovalHash, RowId } from '../../approval/approval.ts'
import { ours, type Words } from './safe-text.ts'

export const APPROVE = 'approval.approve'
export const DENY = 'approval.deny'
export const OPEN = 'approval.open'
/** Steps through the pages of an opened call; the page is in the action's own id. */
export const PAGE = 'approval.page'
/** The list from which a page is picked. It carries no row: it stands only in a view, which carries its own. */
export const PICK = `${PAGE}.pick`
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

/** Shows what waits in a run's digest, one after another. */
export const DIGEST = 'digest.open'

const DigestValue = z.strictObject({ v: z.literal(1), d: RowId })

/** What comes next is looked up when it is pressed: what was next when it was drawn may be decided. */
export function digestButton(text: Words, digest: RowId, style?: 'primary'): Button {
  return {
    type: 'button',
    action_id: DIGEST,
    text: plain(text),
    value: JSON.stringify({ v: 1, d: digest }),
    ...(style === undefined ? {} : { style }),
  }
}

/** Undefined when the value is not one of ours, whole. */
export function readDigest(value: string | undefined): RowId | undefined {
  return parsed(DigestValue, value)?.d
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
/** @param begins with what each page of the call begins */
export function pageList(pages: readonly number[], at: number, begins: readonly Words[]): StaticSelect {
  const option = (page: number): PlainTextOption => ({
    text: plain(shortened(ours`${page + 1}: ${begins[page] ?? ours``}`)),
    value: String(page),
  })
  return {
    type: 'static_select',
    action_id: PICK,
    placeholder: plain(ours`Go to page`),
    options: pages.map(option),
    initial_option: option(at),
  }
}

/** An option's text may have 75 characters. */
function shortened(text: Words): Words {
  return text.length <= 75 ? text : (`${text.slice(0, 74)}…` as Words)
}

/** Undefined for what is no page of a call. */
export function readPage(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined
}

export const openButton = (shown: Shown, words: Words, style?: 'primary') => button(OPEN, words, shown, style)

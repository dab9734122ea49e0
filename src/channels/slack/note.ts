/** What submitting a note does: the same as a press on Deny, with the note. */
import { z } from 'zod'
import { NOTE, NOTE_BLOCK, NOTE_INPUT, type Shown } from './button.ts'
import { type Clicking, conclude, reaching, WORDS } from './click.ts'
import { type Listener, refusal, say } from './feedback.ts'
import { MOST_NOTE, readCarried } from './reading.ts'

const Submitted = z.object({
  user: z.object({ id: z.string() }),
  view: z.object({
    id: z.string(),
    root_view_id: z.string().nullish(),
    callback_id: z.string(),
    private_metadata: z.string(),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))) }),
  }),
})

/** What is wrong with a submitted note, for the acknowledgement of the submission; undefined when nothing is. */
export function noteFault(body: unknown): { readonly [NOTE_BLOCK]: string } | undefined {
  const note = noteOf(Submitted.parse(body))
  if (note.trim() === '') return { [NOTE_BLOCK]: 'Write why, or close this window and press Deny.' }
  if (note.length > MOST_NOTE) return { [NOTE_BLOCK]: `At most ${MOST_NOTE} characters.` }
  return undefined
}

function noteOf(submitted: z.infer<typeof Submitted>): string {
  return submitted.view.state.values[NOTE_BLOCK]?.[NOTE_INPUT]?.value ?? ''
}

/** A submitted view. The rights are asked again: they may have ended since it was opened. */
export async function submit(clicking: Clicking, body: unknown): Promise<void> {
  const submitted = Submitted.parse(body)
  const carried = readCarried(submitted.view.private_metadata)
  const listener: Listener = {
    user: submitted.user.id,
    conversation: carried?.c === '' ? undefined : carried?.c,
    responseUrl: carried?.r === '' ? undefined : carried?.r,
  }
  // Below the note there may be the opened call; then that is where the answer stands.
  const { id, root_view_id: root } = submitted.view
  const view = root === null || root === id ? undefined : root
  const deps = reaching(clicking, listener, view, undefined)
  try {
    if (submitted.view.callback_id !== NOTE || carried === undefined) return void (await deps.tell(listener, say(WORDS.notOurs)))
    const shown: Shown = { rowId: carried.a, hash: carried.h }
    const approval = await deps.find(shown.rowId)
    if (approval === undefined) return void (await deps.tell(listener, refusal({ refusal: 'unknown_approval' })))
    await conclude({ deps, approval, shown, listener, trigger: undefined, view, page: carried.p }, 'deny', noteOf(submitted))
  } catch (error) {
    await deps.tell(listener, say(WORDS.broken))
    throw error
  }
}

/** `countersign approvals …`: an operator on the host, over the database itself. */
import { approvalText } from '../approval-channel/text.ts'
import { writeApproval, writeList } from '../approval-channel/wire.ts'
import { databasePath } from '../config/config.ts'
import { approvalStore } from '../store/approvals.ts'
import { openDatabase } from '../store/database.ts'
import { type Reach, type Remote, reach } from './reach.ts'

export interface Printing extends Remote {
  readonly json?: boolean
}

/** `approvals list RUN`: what waits in a run. @throws Error in words */
export function list(variables: NodeJS.ProcessEnv, run: string, options: Printing): Promise<void> {
  return within(variables, options, async (at) => {
    const listed = await at.list(run)
    if (!listed.ok) throw new Error(WORDS[listed.code] ?? listed.code)
    if (options.json === true) return writeList(run, listed.value)
    if (listed.value.length === 0) return 'Nothing of this run waits for a decision.\n'
    return listed.value.map((one) => `${one.id}  ${one.hash}  ${one.created_at}  ${visible(one.request.spec.name)}\n`).join('')
  })
}

/** `approvals show RUN ID`: one approval, as text that is safe on a terminal, or as JSON. @throws Error in words */
export function show(variables: NodeJS.ProcessEnv, run: string, id: string, options: Printing): Promise<void> {
  return within(variables, options, async (at) => {
    const shown = await at.show(run, id)
    if (!shown.ok) throw new Error(WORDS[shown.code] ?? shown.code)
    if (options.json === true) return writeApproval(shown.value)
    const text = approvalText(shown.value)
    return text.includes(' bytes omitted]') ? `${text}Long text is shortened here; --json shows all of it.\n` : text
  })
}

/** `approvals approve` and `deny`: bound to the hash that the operator was shown. @throws Error in words */
export function decide(
  variables: NodeJS.ProcessEnv,
  verb: 'approve' | 'reject',
  run: string,
  id: string,
  options: Printing & { readonly hash: string; readonly note?: string },
): Promise<void> {
  const note = noteOf(options)
  return within(variables, options, async (at) => {
    const decided = await at.decide(verb, run, id, options.hash, note)
    if (!decided.ok) throw new Error(WORDS[decided.code] ?? decided.code)
    return verb === 'approve' ? 'Approved.\n' : 'Denied.\n'
  })
}

async function within(variables: NodeJS.ProcessEnv, remote: Remote, work: (at: Reach) => Promise<string>): Promise<void> {
  const at = await reach(variables, remote)
  try {
    process.stdout.write(await work(at))
  } finally {
    await at.close()
  }
}

/** Sources bound the whole of a decision; this fits all of them. Characters. */
const MOST_NOTE = 4000

/** @throws Error in words */
export function noteOf({ note }: { readonly note?: string }): string | null {
  if (note !== undefined && note.length > MOST_NOTE)
    throw new Error(`a note has at most ${MOST_NOTE} characters. Nothing was sent`)
  return note ?? null
}

/** A tool's name on one line of a terminal. */
function visible(text: string): string {
  return text.replace(/[^\x21-\x7E]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
}

/** One sentence a code. Whatever else is refused is told by its code. */
const WORDS: Readonly<Record<string, string>> = {
  not_found: 'there is no such run, or no such approval of it. Nothing was decided',
  run_not_waiting: 'nothing of this run waits for a decision. Nothing was decided',
  not_pending: 'the approval is already decided. Nothing was changed',
  approval_changed: 'the approval is not the one with that hash. Nothing was decided; show it again',
  approval_hash: 'the stored approval no longer matches its own hash. Nothing was decided',
  expired: 'the approval has expired. Nothing was decided',
  not_an_approver: 'this channel may not decide this. Nothing was decided',
  unauthorized: 'the other end does not accept our signature: check the secret, the signed path and both clocks',
}

/** How long a decision that is sent again on command is tried. Milliseconds. */
const RETRY_FOR_MS = 86_400_000

/** Hands a decision that was given up, or that waits for a setting, to the running bot again. @throws Error in words */
export async function retry(variables: NodeJS.ProcessEnv, run: string, id: string): Promise<void> {
  const db = await openDatabase(databasePath(variables), 'existing')
  try {
    const store = approvalStore(db)
    const rows = (await store.ofRun(run)).filter((row) => row.id === id || row.rowId === id)
    const [row] = rows
    if (row === undefined) throw new Error('there is no approval of that id in that run')
    if (rows.length > 1)
      throw new Error(`more than one approval has that id; use a row's own: ${rows.map((one) => one.rowId).join(', ')}`)
    const now = new Date()
    const again = await store.unit(async (unit) => {
      if (!(await unit.reopenDelivery(row.rowId, new Date(now.getTime() + RETRY_FOR_MS)))) return false
      await unit.schedule('settle', row.rowId, now)
      await unit.schedule('present', row.rowId, now)
      return true
    })
    if (!again)
      throw new Error(`that approval is ${row.status === 'resolved' ? 'resolved' : 'not decided'}; there is nothing to send`)
    process.stdout.write('The decision is sent again by the running bot, within a few seconds.\n')
  } finally {
    await db.destroy()
  }
}

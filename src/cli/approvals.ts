/** `countersign approvals …`: an operator on the host, over the database itself. */
import { databasePath } from '../config/config.ts'
import { approvalStore } from '../store/approvals.ts'
import { openDatabase } from '../store/database.ts'

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

// Reads the body of a decision as Go's decoder does: names in any case, the last of several, unknown ones passed over.
import { isMembers, parseJson } from './json.ts'

const FIELDS = ['run_id', 'approval_id', 'hash', 'by', 'note'] as const

/** What is missing is empty. */
export type Fields = Readonly<Record<(typeof FIELDS)[number], string>>

/** Undefined when the bytes are no such object, or a known member is no text. */
export function parseDecision(bytes: Uint8Array): Fields | undefined {
  // A byte order mark stays, and is then no JSON.
  const json = parseJson(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  if (json === undefined) return undefined
  const fields = { run_id: '', approval_id: '', hash: '', by: '', note: '' }
  if (json === null) return fields
  if (!isMembers(json)) return undefined
  for (const [name, value] of json.members) {
    const folded = name.toLowerCase().replaceAll('ſ', 's')
    const field = FIELDS.find((one) => one === folded)
    // A null leaves what an earlier member said.
    if (field === undefined || value === null) continue
    if (typeof value !== 'string') return undefined
    fields[field] = value.replace(/\p{Cs}/gu, '\ufffd')
  }
  return fields
}

import type { Json } from './json.ts'
import type { Finding } from './shape.ts'
import { validateMessage, validateView } from './validate.ts'

/** A message or a modal that is shown on the page `/cards`, beside others and pressed by nobody. */
export interface Exhibit {
  /** Its place in the address, such as `pending-short`. */
  readonly id: string
  /** The heading that it stands below. */
  readonly group: string
  readonly title: string
  readonly shown:
    | { readonly message: { readonly text: string; readonly blocks: readonly object[] } }
    | { readonly view: { readonly blocks: readonly object[]; readonly [member: string]: unknown } }
}

/** @throws Error for what Slack would refuse, and for a second one with the same id: the page would show what nobody ever sees */
export function checked(exhibits: readonly Exhibit[]): readonly Exhibit[] {
  const ids = new Set<string>()
  for (const { id, shown } of exhibits) {
    if (ids.has(id)) throw new Error(`two exhibits are called ${id}`)
    ids.add(id)
    const found: readonly Finding[] = 'message' in shown ? validateMessage(shown.message) : validateView(shown.view)
    const [first] = found
    if (first !== undefined) throw new Error(`Slack would refuse the exhibit ${id}: ${first.pointer} ${first.message}`)
  }
  return exhibits
}

export function asJson({ id, group, title, shown }: Exhibit): Json {
  const json: Json = JSON.parse(JSON.stringify({ id, group, title, ...shown }))
  return json
}

/** Presses of buttons: which are under way, and what went wrong with the last one at each place. */
import type { Names } from './names.ts'
import { act, errorWords } from './server.ts'
import type { Surface } from './surface.ts'

/** Where a button stands: in a message, or in a modal or the home tab. */
export type Spot =
  | { readonly conversation: string; readonly ts: string; readonly view: null }
  | { readonly conversation: null; readonly ts: null; readonly view: string }

export interface Presses {
  surface(spot: Spot, as: string, names: Names): Surface
  /** What a drawing of this spot depends on beyond its own content. */
  mark(spot: Spot, as: string): string
  trouble(spot: Spot, as: string): string | undefined
}

/** `changed` is called when a press begins and when it has ended; `ended` only then. */
export function presses(app: () => string, changed: () => void, ended: () => void): Presses {
  const underWay = new Set<string>()
  const troubles = new Map<string, string>()
  const at = (spot: Spot, as: string): string => JSON.stringify([as, spot.conversation, spot.ts, spot.view])

  async function press(spot: Spot, as: string, block: string, action: string, chosen?: string): Promise<void> {
    const key = `${at(spot, as)} ${block} ${action}`
    if (underWay.has(key)) return
    underWay.add(key)
    troubles.delete(at(spot, as))
    changed()
    const picked = chosen === undefined ? {} : { chosen }
    const answer = await act('click', { as, ...spot, block_id: block, action_id: action, ...picked })
    underWay.delete(key)
    if (answer.error !== undefined) troubles.set(at(spot, as), errorWords(answer.error, app()))
    changed()
    ended()
  }

  return {
    surface: (spot, as, names) => ({
      names,
      busy: (block, action) => underWay.has(`${at(spot, as)} ${block} ${action}`),
      press: (block, action, chosen) => void press(spot, as, block, action, chosen),
    }),
    mark: (spot, as) => {
      const here = at(spot, as)
      return `${[...underWay].filter((key) => key.startsWith(here)).join()} ${troubles.get(here) ?? ''}`
    },
    trouble: (spot, as) => troubles.get(at(spot, as)),
  }
}

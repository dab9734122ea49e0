/** Draws the home tab that the app published for a person. */
import { drawBlock } from './block.ts'
import { el } from './element.ts'
import { bag, text } from './json.ts'
import type { Item } from './keep.ts'
import { namesOf } from './names.ts'
import type { Presses, Spot } from './press.ts'
import type { State } from './state.ts'

/** Nothing before the app has published anything. */
export function homeItems(state: State, presses: Presses): readonly Item[] {
  const { home, as } = state
  if (home === undefined) return []
  const spot: Spot = { conversation: null, ts: null, view: home.id }
  const names = namesOf(state)
  const surface = presses.surface(spot, as, names)
  const known = JSON.stringify([state.people, state.conversations, presses.mark(spot, as)])
  const trouble = presses.trouble(spot, as)
  const words = (): HTMLElement => el('p', { class: 'trouble home', role: 'alert', 'data-testid': 'trouble' }, trouble ?? '')
  return [
    ...(trouble === undefined ? [] : [{ key: `${as} trouble`, mark: trouble, draw: words }]),
    ...home.blocks.map((block, at) => ({
      key: `${as} home ${text(bag(block).block_id) || at}`,
      mark: JSON.stringify([block, known]),
      draw: () => el('div', { class: 'home' }, drawBlock(block, surface)),
    })),
  ]
}

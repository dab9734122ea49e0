/** Who is looking at which conversation. It stands in the address, so that a reload and the back button keep it. */
export interface Place {
  /** Empty until the address or the page has named somebody. */
  readonly as: string
  readonly conversation: string
}

/** Stands in the place of a conversation for the app's home tab. */
export const HOME = 'home'

/** The place in the address: `#U0ANA/C0APPROVALS`. */
export function readPlace(): Place {
  const [as = '', conversation = ''] = location.hash.slice(1).split('/')
  return { as, conversation }
}

/** Writes the place to the address. A step that the page takes by itself replaces the entry instead of adding one. */
export function writePlace(place: Place, how: 'push' | 'replace'): void {
  const hash = `#${place.as}/${place.conversation}`
  if (hash === location.hash) return
  if (how === 'push') history.pushState(null, '', hash)
  else history.replaceState(null, '', hash)
}

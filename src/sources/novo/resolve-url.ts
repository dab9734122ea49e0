/**
 * A `resolveUrl` is a URL in a message, so it is pinned whole (novo-hook section 4): origin, path and this review's own id.
 * Otherwise whoever holds a hook's secret could have a person approve a harmless call and us allow another.
 */
export interface Pins {
  readonly origins: readonly string[]
  readonly resolvePath: string
}

/** Compared as text: what a URL parser would mend or reorder is refused. */
export function isPinned(resolveUrl: string, id: string, pins: Pins): boolean {
  let encoded: string
  try {
    encoded = encodeURIComponent(id)
  } catch {
    return false
  }
  // A dot segment would climb out of the path: `..` is no id that a URL can carry.
  if (encoded === '.' || encoded === '..') return false
  const path = pins.resolvePath.replace('{id}', () => encoded)
  return pins.origins.some((origin) => resolveUrl === origin + path)
}

/**
 * Lets a list of elements follow a list of items and touches only what differs. What a person is typing in, has selected or
 * has scrolled stays the same element as long as its item stays the same.
 */
export interface Item {
  /** Tells the item from its neighbours. */
  readonly key: string
  /** Everything the drawing depends on; another mark draws the item anew. */
  readonly mark: string
  readonly draw: () => HTMLElement
}

const drawnBy = new WeakMap<Element, { readonly key: string; readonly mark: string }>()

/** Makes the children of `parent` the drawings of `items`, in order. */
export function keep(parent: HTMLElement, items: readonly Item[]): void {
  const wanted = new Map(items.map((item) => [item.key, item.mark]))
  const kept = new Map<string, Element>()
  let focused: { readonly key: string; readonly action: string } | undefined
  for (const child of [...parent.children]) {
    const was = drawnBy.get(child)
    if (was !== undefined && wanted.get(was.key) === was.mark && !kept.has(was.key)) {
      kept.set(was.key, child)
      continue
    }
    const active = document.activeElement
    if (was !== undefined && active instanceof HTMLElement && child.contains(active)) {
      focused = { key: was.key, action: active.dataset.actionId ?? '' }
    }
    child.remove()
  }
  let next = parent.firstElementChild
  for (const item of items) {
    const child = kept.get(item.key)
    if (child !== undefined && child === next) {
      next = child.nextElementSibling
      continue
    }
    const placed = child ?? item.draw()
    if (child === undefined) drawnBy.set(placed, { key: item.key, mark: item.mark })
    parent.insertBefore(placed, next)
    if (focused?.key === item.key && focused.action !== '') {
      placed.querySelector<HTMLElement>(`[data-action-id="${CSS.escape(focused.action)}"]`)?.focus({ preventScroll: true })
    }
  }
}

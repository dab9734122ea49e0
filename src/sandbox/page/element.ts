/**
 * The only way by which this page makes elements. Text goes in as text nodes, so nothing that an app or a model wrote can
 * become markup, and attributes that could run or load something are refused here instead of being looked for in reviews.
 */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>

const REFUSED = /^(?:on.*|href|src|srcset|srcdoc|style|action|formaction|xlink:href)$/i

/** A new element. `true` is an attribute without a value; `false` and `undefined` leave it out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  put(element, attributes)
  element.append(...children)
  return element
}

/** Sets attributes, or takes them away where the value is `false` or `undefined`. */
export function put(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (REFUSED.test(name)) throw new Error(`the page never sets the attribute ${name}`)
    if (value === false || value === undefined) element.removeAttribute(name)
    else element.setAttribute(name, value === true ? '' : value)
  }
}

/** A link that leaves the page. Anything but http and https stays plain text, with its address written out. */
export function link(url: string, label: string): Node {
  const address = webAddress(url)
  if (address === undefined) return document.createTextNode(label === url || label === '' ? url : `${label} (${url})`)
  const anchor = el('a', { target: '_blank', rel: 'noopener noreferrer', title: address }, label === '' ? url : label)
  anchor.href = address
  return anchor
}

/** The address when it is an absolute http or https one. */
export function webAddress(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url)) return undefined
  try {
    return new URL(url).href
  } catch {
    return undefined
  }
}

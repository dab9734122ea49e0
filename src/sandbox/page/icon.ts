/** The page's few line icons, each on a 20 by 20 grid, and the two kinds of avatar. */
import { el } from './element.ts'

const PATHS = {
  bar: 'M5 10h10',
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  close: 'M5 5l10 10M15 5L5 15',
  down: 'M10 4v12M5 11l5 5 5-5',
  exclaim: 'M10 4.5v7M10 15v.4',
  eye: 'M2.5 10S5.5 4.8 10 4.8 17.5 10 17.5 10 14.5 15.2 10 15.2 2.5 10 2.5 10zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  hash: 'M7.5 3.5L6 16.5M14 3.5l-1.5 13M3.5 7.5h13.5M3 12.5h13.5',
  hourglass: 'M5.5 4h9M5.5 16h9M7 4c0 5.5 6 6.5 6 12M13 4c0 5.5-6 6.5-6 12',
  info: 'M10 9v6.5M10 5v.4',
  lock: 'M5 9h10v7H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  pulse: 'M2.5 10.5h3.5l2-6 4 11 2-5h3.5',
  send: 'M3.5 3.5l13.5 6.5-13.5 6.5 2-6.5zM5.5 10H11',
  sign: 'M4 10.5l4 4 8.5-9M4 17h12',
} as const

export type Icon = keyof typeof PATHS

/** A decorative icon in the colour of the text around it. */
export function icon(name: Icon): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', '0 0 20 20')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(namespace, 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}

/** How many colours the style sheet has for people without a picture. */
const HUES = 8

/** A person's square: the first letter on a colour that is always the same for the same id. */
export function avatar(id: string, name: string): HTMLElement {
  let sum = 0
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  const [first = '?'] = name
  return el('span', { class: `avatar hue-${sum % HUES}`, 'aria-hidden': 'true' }, first.toUpperCase())
}

/** The app's square. */
export function appAvatar(): HTMLElement {
  return el('span', { class: 'avatar app', 'aria-hidden': 'true' }, icon('sign'))
}

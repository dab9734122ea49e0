/**
 * The page `/cards`: the messages and modals that the stand-in was given, each as Slack would show it, side by side. They stand
 * for what is looked at, so a press on them goes nowhere.
 */
import { drawBlock } from './block.ts'
import { el } from './element.ts'
import { appAvatar } from './icon.ts'
import { drawInput } from './input.ts'
import { bag, list, text } from './json.ts'
import { drawMessage } from './message.ts'
import { namesOf } from './names.ts'
import { look } from './server.ts'
import type { State } from './state.ts'
import type { Surface } from './surface.ts'
import { plain } from './words.ts'

/** Through whose eyes the names are looked up. */
const FIRST_PERSON = 'U0ANA'

const root = document.documentElement

async function build(): Promise<void> {
  const [state, given] = await Promise.all([look(FIRST_PERSON), exhibits()])
  document.body.className = 'cards'
  document.title = 'Every card · stand-in for Slack'
  if (state === undefined || given.length === 0) {
    document.body.replaceChildren(el('p', { class: 'cards-none' }, 'Nothing was given to show here.'))
    return
  }
  const surface: Surface = { names: namesOf(state), busy: () => false, press: () => undefined }
  const groups = [...new Set(given.map(({ group }) => group))]
  const rooms = groups.map((group) => {
    const heading = el('h2', {}, group)
    const shown = given.filter((one) => one.group === group)
    const room = el('section', { 'aria-label': group }, heading)
    room.append(el('div', { class: 'cards-grid' }, ...shown.map((one, at) => figure(one, at, state, surface))))
    return { group, room }
  })
  const bar = el('header', { class: 'cards-bar' }, el('h1', {}, 'Every card'), ways(rooms), widthSwitch())
  document.body.replaceChildren(bar, el('main', { class: 'cards-all' }, ...rooms.map(({ room }) => room)))
  document.getElementById(location.hash.slice(1))?.scrollIntoView()
}

interface Exhibit {
  readonly id: string
  readonly group: string
  readonly title: string
  readonly message: unknown
  readonly view: unknown
}

async function exhibits(): Promise<readonly Exhibit[]> {
  try {
    const answer = await fetch('/page/exhibits', { cache: 'no-store' })
    return list(bag(await answer.json()).exhibits)
      .map(bag)
      .map(({ id, group, title, message, view }) => ({ id: text(id), group: text(group), title: text(title), message, view }))
  } catch {
    return []
  }
}

/** To each group. Buttons, because this page sets no address in an attribute. */
function ways(rooms: readonly { readonly group: string; readonly room: HTMLElement }[]): HTMLElement {
  const each = rooms.map(({ group, room }) => {
    const way = el('button', { type: 'button', class: 'cards-way' }, group)
    way.addEventListener('click', () => room.scrollIntoView())
    return way
  })
  return el('nav', { 'aria-label': 'Groups' }, ...each)
}

/** Shows each as wide as on a phone, wherever the page itself is looked at. */
function widthSwitch(): HTMLElement {
  const name = 'Phone width'
  const drawn = el(
    'button',
    { type: 'button', class: 'cards-switch', 'aria-pressed': 'false', 'data-testid': 'phone-width' },
    name,
  )
  drawn.addEventListener('click', () => {
    const phone = root.dataset.width !== 'phone'
    if (phone) root.dataset.width = 'phone'
    else delete root.dataset.width
    drawn.setAttribute('aria-pressed', String(phone))
  })
  return drawn
}

function figure(one: Exhibit, at: number, state: State, surface: Surface): HTMLElement {
  const caption = el('figcaption', {}, one.title)
  const drawn = one.view === undefined ? message(one.message, at, state, surface) : sheet(one.view, surface)
  return el('figure', { class: 'exhibit', id: one.id, 'data-card': one.id }, caption, drawn)
}

function message(given: unknown, at: number, state: State, surface: Surface): HTMLElement {
  const ts = `${Math.floor(Date.now() / 1000)}.${String(at).padStart(6, '0')}`
  const sent = { ts, user: state.app.user, text: text(bag(given).text), blocks: list(bag(given).blocks) }
  return drawMessage({ ...sent, threadTs: undefined, edited: false, ephemeral: false }, state, surface.names, surface)
}

/** A modal that does not lie over the page. */
function sheet(view: unknown, surface: Surface): HTMLElement {
  const { title, submit, close, blocks } = bag(view)
  const foot = [el('button', { type: 'button', class: 'button' }, plain(close) || 'Close')]
  if (submit !== undefined) foot.push(el('button', { type: 'button', class: 'button primary' }, plain(submit)))
  const drawn = list(blocks).map((block) =>
    bag(block).type === 'input' ? drawInput(block, undefined, () => undefined) : drawBlock(block, surface),
  )
  return el(
    'div',
    { class: 'sheet' },
    el('div', { class: 'dialog-head' }, appAvatar(), el('h2', {}, plain(title))),
    el('div', { class: 'dialog-body' }, ...drawn),
    el('div', { class: 'dialog-foot' }, ...foot),
  )
}

void build()

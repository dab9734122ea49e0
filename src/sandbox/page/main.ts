/**
 * The stand-in's page: what one person sees of the workspace. It keeps no truth of its own. It looks at the state after each
 * change that the server reports, and draws what differs.
 */
import { composer } from './composer.ts'
import { el } from './element.ts'
import { homeItems } from './home.ts'
import { avatar, icon } from './icon.ts'
import { keep } from './keep.ts'
import { messageItems } from './message.ts'
import { modal } from './modal.ts'
import { namesOf } from './names.ts'
import { remarkOn } from './people.ts'
import { HOME, type Place, readPlace, writePlace } from './place.ts'
import { presses, type Spot } from './press.ts'
import { see } from './seen.ts'
import { sent } from './sent.ts'
import { act, follow, look } from './server.ts'
import { side } from './side.ts'
import type { Conversation, State } from './state.ts'

/** Pixels from the end within which the list counts as being at its end. */
const NEAR_END = 60
/** Pixels of width from which the strip of deliveries stands beside the messages. */
const WIDE = 1180

/** Who one is when the address names nobody, or somebody who is not there: the stand-in's own first person. */
const FIRST_PERSON = 'U0ANA'

const root = document.documentElement
let place: Place = placeInAddress()
let state: State | undefined
let looking = false
let again = false
let shown = ''
/** Who looks at the home tab now; the app is told when somebody begins to. */
let atHome = ''

const appName = (): string => state?.app.name ?? 'the app'
const pressing = presses(appName, draw, refresh)
const column = side(go)
const strip = sent(() => unfold('sent', false))
const box = composer(refresh)
const dialog = modal({ as: () => place.as, app: appName, ended: refresh })

const heading = el('h2', { class: 'bar-name' })
const you = el('button', { type: 'button', class: 'you', 'aria-controls': 'side', 'data-testid': 'you' })
const menu = el('button', { type: 'button', class: 'plain menu', 'aria-label': 'Conversations and people' }, icon('menu'))
const pulse = el('button', { type: 'button', class: 'plain pulse', 'aria-label': 'What Slack sent' }, icon('pulse'))
const offline = el('p', { class: 'offline', role: 'status', hidden: true }, 'The line to the stand-in is down. Trying again…')
const remark = el('p', { class: 'remark', hidden: true })
const messages = el('div', { class: 'messages', role: 'log', 'aria-label': 'Messages' })
const empty = el('p', { class: 'empty', hidden: true })
const scroller = el('div', { class: 'scroller', tabindex: '-1' }, empty, messages)
const more = el('button', { type: 'button', class: 'more', hidden: true }, icon('down'), 'New messages')
const scrim = el('div', { class: 'scrim' })
const main = el('main', {})

function build(): void {
  const bar = el('header', { class: 'bar' }, menu, heading, you, pulse)
  main.append(bar, offline, remark, el('div', { class: 'stage' }, scroller, more), box.element)
  document.body.replaceChildren(column.element, main, strip.element, scrim, dialog.element)
  menu.addEventListener('click', () => unfold('side', true))
  you.addEventListener('click', () => unfold('side', true))
  pulse.addEventListener('click', () => unfold('sent', root.dataset.sent !== 'open'))
  scrim.addEventListener('click', fold)
  more.addEventListener('click', toEnd)
  scroller.addEventListener('scroll', () => {
    if (atEnd()) more.hidden = true
  })
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') fold()
  })
  addEventListener('popstate', () => go(placeInAddress()))
  addEventListener('hashchange', () => go(placeInAddress()))
  addEventListener('visibilitychange', draw)
  if (innerWidth >= WIDE) unfold('sent', true)
}

/** Opens or folds the left column or the strip; on a phone they lie over the messages. */
function unfold(which: 'side' | 'sent', open: boolean): void {
  if (open) root.dataset[which] = 'open'
  else delete root.dataset[which]
}

function fold(): void {
  unfold('side', false)
  if (innerWidth < WIDE) unfold('sent', false)
}

function placeInAddress(): Place {
  const there = readPlace()
  return there.as === '' ? { ...there, as: FIRST_PERSON } : there
}

function go(next: Place): void {
  const otherPerson = next.as !== place.as
  place = next
  writePlace(place, 'push')
  unfold('side', false)
  if (otherPerson) {
    // What stands here is still drawn for the person before: a press on it would be theirs.
    main.inert = true
    refresh()
  } else draw()
}

/** Looks at the state; a change that comes while looking makes it look once more. */
function refresh(): void {
  if (looking) again = true
  else void lookUntilQuiet()
}

async function lookUntilQuiet(): Promise<void> {
  looking = true
  do {
    again = false
    const as = place.as
    const seen = await look(as)
    if (as !== place.as) again = true
    else if (seen !== undefined) {
      state = seen
      place = { ...place, as: seen.as }
      draw()
    } else if (state === undefined && as !== FIRST_PERSON) {
      place = { as: FIRST_PERSON, conversation: '' }
      again = true
    } else if (state !== undefined && as !== state.as) {
      place = { ...place, as: state.as }
      draw()
    }
  } while (again)
  looking = false
}

/** The conversation in the address when the person can see it, else the first that is theirs. */
function openConversation(from: State): Conversation | undefined {
  const theirs = from.conversations.filter((one) => one.member)
  const busy = theirs.find((one) => (from.messages.get(one.id)?.length ?? 0) > 0)
  return from.conversations.find((one) => one.id === place.conversation) ?? busy ?? theirs[0] ?? from.conversations[0]
}

function draw(): void {
  // Between the choice of another person and the first look through their eyes there is nothing of theirs to draw.
  if (state === undefined || state.as !== place.as) return
  const now = state
  main.inert = false
  const home = place.conversation === HOME
  const open = home ? undefined : openConversation(now)
  place = { as: now.as, conversation: home ? HOME : (open?.id ?? '') }
  writePlace(place, 'replace')
  const all = now.messages.get(place.conversation) ?? []
  if (document.visibilityState === 'visible') see(now.as, place.conversation, all)
  column.show(now, place)
  drawBar(now, open)
  if (home) drawHome(now)
  else drawMessages(now, open)
  box.show(place.as, open?.id ?? '', open === undefined ? '' : labelOf(open), now.app.name)
  strip.show(now.deliveries, now.app.name)
  const spot = (view: string): Spot => ({ conversation: null, ts: null, view })
  const names = namesOf(now)
  const top = now.views.at(-1)
  dialog.show(
    now.views,
    (view) => pressing.surface(spot(view), now.as, names),
    (view) => pressing.mark(spot(view), now.as),
    top && pressing.trouble(spot(top.id), now.as),
  )
}

function labelOf(conversation: Conversation): string {
  return conversation.isDirect ? conversation.name : `#${conversation.name}`
}

/** The app hears of each time that somebody opens its home tab, and draws it then. */
function drawHome(now: State): void {
  const here = `${now.as}/${HOME}`
  keep(messages, homeItems(now, pressing))
  empty.hidden = now.home !== undefined
  empty.textContent = `${now.app.name} has drawn nothing here yet.`
  more.hidden = true
  if (shown !== here) scroller.scrollTop = 0
  shown = here
  if (atHome === now.as) return
  atHome = now.as
  void act('home', { as: now.as }).then(refresh)
}

function drawBar(now: State, open: Conversation | undefined): void {
  heading.replaceChildren()
  if (open !== undefined) {
    if (!open.isDirect) heading.append(icon(open.isPrivate ? 'lock' : 'hash'))
    heading.append(el('span', {}, open.name))
  } else if (place.conversation === HOME) heading.append(el('span', {}, now.app.name))
  document.title = `${open?.name ?? (place.conversation === HOME ? now.app.name : 'Nothing to see')} · ${now.team} · stand-in for Slack`
  const person = now.people.find((one) => one.id === now.as)
  you.replaceChildren(avatar(now.as, person?.name ?? now.as), el('span', {}, person?.name ?? now.as))
  const notes = person === undefined ? [] : [remarkOn(person, now.app.name)]
  if (open?.member === false) notes.push(`${person?.name ?? now.as} has not joined ${labelOf(open)} and only looks in.`)
  const words = notes.filter((note) => note !== undefined).join(' ')
  if (remark.textContent !== words) remark.textContent = words
  remark.hidden = words === ''
}

function drawMessages(now: State, open: Conversation | undefined): void {
  atHome = ''
  const items = open === undefined ? [] : messageItems(now, open.id, pressing, new Date())
  empty.hidden = items.length > 0
  empty.textContent = open === undefined ? 'There is no conversation that this person may see.' : `${labelOf(open)} is quiet.`
  const here = `${place.as}/${place.conversation}`
  const wasAtEnd = shown !== here || atEnd()
  const before = messages.lastElementChild
  keep(messages, items)
  if (wasAtEnd) toEnd()
  else if (messages.lastElementChild !== before && !atEnd()) more.hidden = false
  shown = here
}

function atEnd(): boolean {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END
}

function toEnd(): void {
  scroller.scrollTop = scroller.scrollHeight
  more.hidden = true
}

build()
follow(refresh, (up) => {
  offline.hidden = up
})
refresh()

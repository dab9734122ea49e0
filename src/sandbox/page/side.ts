/** The left column: workspace, conversations with their unread dots, and the switch of who one is. */
import { el } from './element.ts'
import { appAvatar, avatar, icon } from './icon.ts'
import { type Item, keep } from './keep.ts'
import { KIND_WORDS } from './people.ts'
import { HOME, type Place } from './place.ts'
import { unread } from './seen.ts'
import type { Conversation, Person, State } from './state.ts'

export interface Side {
  readonly element: HTMLElement
  show(state: State, place: Place): void
}

/** `go` is called with the place that was chosen. */
export function side(go: (place: Place) => void): Side {
  const team = el('h1', {})
  const channels = el('div', { class: 'side-list' })
  const direct = el('div', { class: 'side-list' })
  const directTitle = el('h2', {}, 'Direct messages')
  const apps = el('div', { class: 'side-list' })
  const people = el('div', { class: 'side-list', role: 'radiogroup', 'aria-labelledby': 'you-are' })
  const element = el(
    'aside',
    { class: 'side', id: 'side', 'aria-label': 'Workspace' },
    el('div', { class: 'side-head' }, team, el('span', { class: 'stand-in' }, 'stand-in')),
    el(
      'div',
      { class: 'side-scroll' },
      el(
        'nav',
        { 'aria-label': 'Conversations' },
        el('h2', {}, 'Channels'),
        channels,
        directTitle,
        direct,
        el('h2', {}, 'Apps'),
        apps,
      ),
      el('h2', { id: 'you-are' }, 'You are'),
      people,
    ),
    el('p', { class: 'side-foot' }, 'This is not Slack. It plays Slack on this computer, so you can be everybody.'),
  )

  /** A row that is not drawn anew goes from where one is, not from where it was drawn. */
  let here: Place = { as: '', conversation: '' }

  function show(state: State, place: Place): void {
    here = place
    team.textContent = state.team
    const item = (one: Conversation): Item => conversationItem(one, state, place, go)
    keep(channels, state.conversations.filter((one) => !one.isDirect).map(item))
    const others = state.conversations.filter((one) => one.isDirect)
    keep(direct, others.map(item))
    directTitle.hidden = others.length === 0
    keep(apps, [homeItem(state, place, go)])
    keep(
      people,
      state.people.map((person) => personItem(person, person.id === state.as, () => go({ ...here, as: person.id }))),
    )
  }

  return { element, show }
}

function conversationItem(one: Conversation, state: State, place: Place, go: (place: Place) => void): Item {
  const open = one.id === place.conversation
  const news = !open && unread(state.as, one.id, state.messages.get(one.id) ?? [])
  const draw = (): HTMLElement => {
    const row = el(
      'button',
      {
        type: 'button',
        class: `row${news ? ' unread' : ''}${one.member ? '' : ' not-member'}`,
        'data-conversation': one.id,
        'aria-current': open && 'page',
      },
      one.isDirect ? avatar(one.id, one.name) : icon(one.isPrivate ? 'lock' : 'hash'),
      el('span', { class: 'row-name' }, one.name),
    )
    if (news) row.append(el('span', { class: 'dot', role: 'img', 'aria-label': 'unread' }))
    row.addEventListener('click', () => go({ as: state.as, conversation: one.id }))
    return row
  }
  return { key: one.id, mark: JSON.stringify([one, open, news, state.as]), draw }
}

function homeItem(state: State, place: Place, go: (place: Place) => void): Item {
  const open = place.conversation === HOME
  const draw = (): HTMLElement => {
    const row = el(
      'button',
      { type: 'button', class: 'row', 'data-conversation': HOME, 'aria-current': open && 'page' },
      appAvatar(),
      el('span', { class: 'row-name' }, state.app.name),
    )
    row.addEventListener('click', () => go({ as: state.as, conversation: HOME }))
    return row
  }
  return { key: HOME, mark: JSON.stringify([state.app, open, state.as]), draw }
}

function personItem(person: Person, chosen: boolean, choose: () => void): Item {
  const draw = (): HTMLElement => {
    const row = el(
      'button',
      { type: 'button', class: 'row person', role: 'radio', 'aria-checked': String(chosen), 'data-person': person.id },
      avatar(person.id, person.name),
      el('span', { class: 'row-name' }, person.name),
      el('span', { class: `kind ${person.kind}` }, KIND_WORDS[person.kind]),
    )
    row.addEventListener('click', choose)
    return row
  }
  return { key: person.id, mark: JSON.stringify([person, chosen]), draw }
}

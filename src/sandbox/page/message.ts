/** Draws the messages of a conversation, the replies of a thread indented below their parent. */
import { drawBlock } from './block.ts'
import { dayOf, timeOf } from './date.ts'
import { el } from './element.ts'
import { appAvatar, avatar, icon } from './icon.ts'
import type { Item } from './keep.ts'
import { type Names, namesOf } from './names.ts'
import type { Presses, Spot } from './press.ts'
import type { Message, State } from './state.ts'
import type { Surface } from './surface.ts'
import { words } from './words.ts'

/** The conversation as a list of day headings and messages. */
export function messageItems(state: State, conversation: string, presses: Presses, now: Date): readonly Item[] {
  const names = namesOf(state)
  const known = JSON.stringify([state.people, state.conversations, state.app])
  let day = ''
  return inThreads(state.messages.get(conversation) ?? []).flatMap((message): readonly Item[] => {
    const spot: Spot = { conversation, ts: message.ts, view: null }
    const trouble = presses.trouble(spot, state.as)
    const drawn: Item = {
      key: `${state.as} ${conversation} ${message.ts}`,
      mark: JSON.stringify([message, presses.mark(spot, state.as), known]),
      draw: () => drawMessage(message, state, names, presses.surface(spot, state.as, names), trouble),
    }
    const itsDay = dayOf(message.ts, now)
    if (itsDay === day || isReply(message)) return [drawn]
    day = itsDay
    return [{ key: `day ${itsDay}`, mark: '', draw: () => el('div', { class: 'day' }, el('span', {}, itsDay)) }, drawn]
  })
}

function isReply(message: Message): boolean {
  return message.threadTs !== undefined && message.threadTs !== message.ts
}

/** Parents in their order, each followed by its replies; a reply whose parent is not there stands where its time puts it. */
function inThreads(messages: readonly Message[]): readonly Message[] {
  const parents = new Set(messages.filter((message) => !isReply(message)).map((message) => message.ts))
  const isBelow = (message: Message): boolean => isReply(message) && parents.has(message.threadTs ?? '')
  return messages
    .filter((message) => !isBelow(message))
    .flatMap((parent) => [parent, ...messages.filter((message) => isBelow(message) && message.threadTs === parent.ts)])
}

/** One message with its author; also on the page of the cards. */
export function drawMessage(message: Message, state: State, names: Names, surface: Surface, trouble?: string): HTMLElement {
  const byApp = message.user === state.app.user
  const name = names.person(message.user)
  const head = el('div', { class: 'message-head' }, el('span', { class: 'author' }, name))
  if (byApp) head.append(el('span', { class: 'app-badge' }, 'APP'))
  head.append(el('time', { title: new Date(Number(message.ts) * 1000).toString() }, timeOf(message.ts)))
  const body = el('div', { class: 'message-body' }, head)
  if (message.ephemeral) body.prepend(el('div', { class: 'only-you' }, icon('eye'), 'Only visible to you'))
  if (message.blocks.length > 0) body.append(...message.blocks.map((block) => drawBlock(block, surface)))
  else body.append(el('div', { class: 'block words' }, ...words(message.text, names)))
  // Slack does not say so of a message that is drawn from blocks (docs: "chat.update").
  if (message.edited && message.blocks.length === 0) body.append(el('span', { class: 'edited' }, '(edited)'))
  if (trouble !== undefined) body.append(el('p', { class: 'trouble', role: 'alert', 'data-testid': 'trouble' }, trouble))
  const kind = `message${isReply(message) ? ' reply' : ''}${message.ephemeral ? ' ephemeral' : ''}`
  return el('article', { class: kind, 'data-ts': message.ts }, byApp ? appAvatar() : avatar(message.user, name), body)
}

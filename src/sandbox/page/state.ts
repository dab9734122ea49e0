/** What GET /page/state answers: everything that one person may see, parsed once. */
import { type Bag, bag, list, number, text } from './json.ts'

export type Kind = 'member' | 'guest' | 'bot' | 'deactivated' | 'stranger'

export interface Person {
  readonly id: string
  readonly name: string
  readonly kind: Kind
}

export interface Conversation {
  readonly id: string
  readonly name: string
  readonly isPrivate: boolean
  readonly isDirect: boolean
  readonly member: boolean
}

export interface Message {
  /** Seconds since 1970 with six decimals, as text: Slack's id of a message within its conversation. */
  readonly ts: string
  readonly user: string
  readonly text: string
  readonly blocks: readonly unknown[]
  readonly threadTs: string | undefined
  readonly edited: boolean
  readonly ephemeral: boolean
}

export interface View {
  readonly id: string
  /** Changes with every update of the view. */
  readonly hash: string
  readonly title: unknown
  readonly submit: unknown
  readonly close: unknown
  readonly blocks: readonly unknown[]
}

export interface Delivery {
  readonly n: number
  readonly at: string
  readonly kind: string
  readonly what: string
  readonly status: number | undefined
  readonly ms: number | undefined
  readonly trouble: string | undefined
}

export interface State {
  readonly as: string
  readonly team: string
  readonly app: { readonly name: string; readonly user: string }
  readonly people: readonly Person[]
  readonly conversations: readonly Conversation[]
  /** Handles of user groups, by id. */
  readonly groups: ReadonlyMap<string, string>
  /** By conversation id, oldest first. */
  readonly messages: ReadonlyMap<string, readonly Message[]>
  /** The open modals, the one on top last. */
  readonly views: readonly View[]
  /** What the app drew on its home tab for this person. */
  readonly home: View | undefined
  /** Newest first. */
  readonly deliveries: readonly Delivery[]
}

const KINDS: Readonly<Record<string, Kind>> = {
  member: 'member',
  guest: 'guest',
  bot: 'bot',
  deactivated: 'deactivated',
  stranger: 'stranger',
}

/** The answer as a state; parts of the wrong shape are left out. */
export function readState(answer: unknown): State {
  const state = bag(answer)
  const app = bag(state.app)
  return {
    as: text(state.as),
    team: text(bag(state.team).name),
    app: { name: text(app.name), user: text(app.user_id) },
    people: list(state.users).map(bag).map(person),
    conversations: list(state.conversations).map(bag).map(conversation),
    groups: new Map(
      list(state.groups)
        .map(bag)
        .map((group) => [text(group.id), text(group.handle)]),
    ),
    messages: new Map(Object.entries(bag(state.messages)).map(([id, all]) => [id, messages(all)])),
    views: list(state.views)
      .map(bag)
      .filter((view) => view.type === 'modal')
      .map(viewOf),
    home: bag(state.home).type === 'home' ? viewOf(bag(state.home)) : undefined,
    deliveries: list(state.deliveries).map(bag).map(delivery),
  }
}

function person(user: Bag): Person {
  const name = text(user.real_name) || text(user.name) || text(user.id)
  return { id: text(user.id), name, kind: KINDS[text(user.kind)] ?? 'member' }
}

function conversation(c: Bag): Conversation {
  const isDirect = c.is_im === true
  return { id: text(c.id), name: text(c.name), isPrivate: c.is_private === true, isDirect, member: c.member === true }
}

function messages(all: unknown): readonly Message[] {
  return list(all)
    .map(bag)
    .filter((message) => message.deleted !== true)
    .map((message) => ({
      ts: text(message.ts),
      user: text(message.user),
      text: text(message.text),
      blocks: list(message.blocks),
      threadTs: text(message.thread_ts) || undefined,
      edited: message.edited === true,
      ephemeral: message.ephemeral === true,
    }))
}

function viewOf(view: Bag): View {
  const { title, submit, close } = view
  return { id: text(view.id), hash: text(view.hash), title, submit, close, blocks: list(view.blocks) }
}

function delivery(d: Bag): Delivery {
  return {
    n: number(d.n) ?? 0,
    at: text(d.at),
    kind: text(d.kind),
    what: text(d.what),
    status: number(d.status),
    ms: number(d.ms),
    trouble: text(d.trouble) || undefined,
  }
}

import type { Changes } from './changes.ts'

/** One account, of this workspace or of another one. */
export interface Person {
  readonly id: string
  name: string
  real_name: string
  email: string
  team_id: string
  deleted: boolean
  is_bot: boolean
  is_admin: boolean
  is_restricted: boolean
  is_ultra_restricted: boolean
  is_stranger: boolean
}

/** A public or private conversation, or a direct one with the app. */
export interface Conversation {
  readonly id: string
  name: string
  is_private: boolean
  is_im: boolean
  is_archived: boolean
  /** User ids, the app's bot user among them where it is a member. */
  members: string[]
}

export interface UserGroup {
  readonly id: string
  handle: string
  name: string
  disabled: boolean
  users: string[]
}

/** The app that is installed in the workspace: the bot under test. */
export interface App {
  readonly id: string
  readonly name: string
  readonly user_id: string
  readonly bot_id: string
}

/** Who and what there is. Everything may be changed while the stand-in runs; `WorldBook` also tells of the change. */
export interface World {
  readonly team: { readonly id: string; readonly name: string; readonly domain: string }
  readonly app: App
  readonly users: Person[]
  readonly conversations: Conversation[]
  readonly groups: UserGroup[]
}

/** A full member of Acme unless `but` says otherwise. */
export function person(id: string, name: string, but: Partial<Omit<Person, 'id' | 'name'>> = {}): Person {
  return {
    id,
    name: name.toLowerCase(),
    real_name: name,
    email: `${name.toLowerCase()}@acme.example`,
    team_id: 'T0ACME',
    deleted: false,
    is_bot: false,
    is_admin: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_stranger: false,
    ...but,
  }
}

/** A private conversation with these members unless `but` says otherwise. */
export function conversation(
  id: string,
  name: string,
  members: readonly string[],
  but: Partial<Omit<Conversation, 'id' | 'name' | 'members'>> = {},
): Conversation {
  return { id, name, is_private: true, is_im: false, is_archived: false, members: [...members], ...but }
}

/** The workspace Acme: one of each kind of person, and conversations with and without the bot. */
export function acme(): World {
  const users = [
    person('U0ANA', 'Ana', { is_admin: true }),
    person('U0BOB', 'Bob'),
    person('U0CAT', 'Cat'),
    person('U0DEV', 'Dev'),
    person('U0GUEST', 'Guest', { is_restricted: true, is_ultra_restricted: true }),
    person('U0GONE', 'Gone', { deleted: true }),
    person('U0BOTTY', 'Botty', { is_bot: true }),
    person('U0OUT', 'Out', { team_id: 'T0OTHER', is_stranger: true, email: 'out@other.example' }),
    person('U0BOT', 'Countersign', { is_bot: true }),
  ]
  return {
    team: { id: 'T0ACME', name: 'Acme', domain: 'acme' },
    app: { id: 'A0APP', name: 'Countersign', user_id: 'U0BOT', bot_id: 'B0BOT' },
    users,
    conversations: [
      conversation('C0APPROVALS', 'approvals', [
        ...['U0BOT', 'U0ANA', 'U0BOB', 'U0CAT'],
        ...['U0GUEST', 'U0OUT', 'U0GONE', 'U0BOTTY'],
      ]),
      conversation('C0OPS', 'ops', ['U0BOT', 'U0ANA', 'U0DEV']),
      conversation(
        'C0GENERAL',
        'general',
        users.map((user) => user.id),
        { is_private: false },
      ),
      conversation('C0EMPTY', 'no-bot', ['U0ANA', 'U0BOB']),
    ],
    groups: [{ id: 'S0ONCALL', handle: 'oncall', name: 'On call', disabled: false, users: ['U0ANA', 'U0DEV'] }],
  }
}

/** Acme with what `given` adds; an entry with a known id takes the place of Acme's. */
export function worldWith(given: Partial<World>): World {
  const base = acme()
  return {
    team: given.team ?? base.team,
    app: given.app ?? base.app,
    users: merged(base.users, given.users),
    conversations: merged(base.conversations, given.conversations),
    groups: merged(base.groups, given.groups),
  }
}

function merged<T extends { readonly id: string }>(base: readonly T[], given: readonly T[] = []): T[] {
  const entries = new Map(base.map((entry) => [entry.id, entry]))
  for (const entry of given) entries.set(entry.id, structuredClone(entry))
  return [...entries.values()]
}

/** The world with its questions and changes. A change that names somebody unknown throws: that is a slip in the test. */
export class WorldBook implements World {
  readonly team: World['team']
  readonly app: App
  readonly users: Person[]
  readonly conversations: Conversation[]
  readonly groups: UserGroup[]
  readonly #changes: Changes

  constructor(world: World, changes: Changes) {
    this.team = world.team
    this.app = world.app
    this.users = world.users
    this.conversations = world.conversations
    this.groups = world.groups
    this.#changes = changes
  }

  user(id: string | undefined): Person | undefined {
    return this.users.find((user) => user.id === id)
  }

  conversation(id: string | undefined): Conversation | undefined {
    return this.conversations.find((entry) => entry.id === id)
  }

  group(id: string | undefined): UserGroup | undefined {
    return this.groups.find((group) => group.id === id)
  }

  isMember(user: string, conversationId: string): boolean {
    return this.conversation(conversationId)?.members.includes(user) ?? false
  }

  /** True when somebody of another workspace is a member (Slack Connect). */
  isShared(entry: Conversation): boolean {
    return entry.members.some((id) => (this.user(id)?.team_id ?? this.team.id) !== this.team.id)
  }

  /** What `user` sees in their list: where they are a member, and public conversations for full members. */
  sees(user: Person, entry: Conversation): boolean {
    if (entry.members.includes(user.id)) return true
    return !entry.is_private && !entry.is_im && !user.is_restricted && !user.is_stranger
  }

  /** The direct conversation of the app with `user`; made when there is none. */
  direct(user: string): Conversation {
    const id = `D${user.slice(1)}`
    const known = this.conversation(id)
    if (known !== undefined) return known
    const made = conversation(id, 'directmessage', [this.app.user_id, user], { is_im: true })
    this.conversations.push(made)
    this.#changes.touch()
    return made
  }

  add(entry: Conversation): void {
    this.conversations.push(entry)
    this.#changes.touch()
  }

  deactivate(user: string): void {
    this.change(user, { deleted: true })
  }

  /** Changes what is known of a person, such as `is_restricted` or `is_stranger`. */
  change(user: string, to: Partial<Omit<Person, 'id'>>): void {
    Object.assign(known(this.user(user), user), to)
    this.#changes.touch()
  }

  join(user: string, conversationId: string): void {
    const entry = known(this.conversation(conversationId), conversationId)
    if (!entry.members.includes(user)) entry.members.push(user)
    this.#changes.touch()
  }

  leave(user: string, conversationId: string): void {
    const entry = known(this.conversation(conversationId), conversationId)
    entry.members = entry.members.filter((id) => id !== user)
    this.#changes.touch()
  }

  archive(conversationId: string, archived = true): void {
    known(this.conversation(conversationId), conversationId).is_archived = archived
    this.#changes.touch()
  }

  addToGroup(user: string, groupId: string): void {
    const group = known(this.group(groupId), groupId)
    if (!group.users.includes(user)) group.users.push(user)
    this.#changes.touch()
  }

  removeFromGroup(user: string, groupId: string): void {
    const group = known(this.group(groupId), groupId)
    group.users = group.users.filter((id) => id !== user)
    this.#changes.touch()
  }

  /** Disables a user group, as an admin does in Slack; its members can then be listed only with include_disabled. */
  disableGroup(groupId: string, disabled = true): void {
    known(this.group(groupId), groupId).disabled = disabled
    this.#changes.touch()
  }
}

function known<T>(entry: T | undefined, id: string): T {
  if (entry === undefined) throw new Error(`there is no ${id} in this workspace`)
  return entry
}

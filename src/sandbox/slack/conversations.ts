import { no, refused, yes } from './answer.ts'
import { flagAt, wordAt, wordsAt } from './arguments.ts'
import { compareTs } from './clock.ts'
import type { JsonObject } from './json.ts'
import { asSlack, type Message } from './messages.ts'
import type { Method } from './method.ts'
import { pageOf } from './page-of.ts'
import { lacksScope, missingScope, reach } from './reach.ts'
import type { Workspace } from './workspace.ts'
import type { Conversation } from './world.ts'

/** The conversations.* methods. Source: docs.slack.dev/reference/methods/conversations.info and its neighbours. */

const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'] as const
const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'] as const

const info: Method = {
  scopes: READ,
  run: (workspace, args, scopes) => {
    const place = reach(workspace, args, scopes, 'ask')
    if (refused(place)) return place
    const lacks = lacksScope(place, 'read', scopes)
    if (lacks !== undefined) return lacks
    const counted = flagAt(args, 'include_num_members') ? { num_members: place.members.length } : {}
    return yes({ channel: { ...described(workspace, place), ...counted } })
  },
}

const list: Method = {
  scopes: READ,
  run: (workspace, args, scopes) => {
    const types = wordsAt(args, 'types')
    const wanted = types.length === 0 ? ['public_channel'] : types
    const unscoped = wanted.map((type) => SCOPE_OF[type] ?? 'channels:read').find((scope) => !scopes.has(scope))
    if (unscoped !== undefined) return missingScope(unscoped, scopes)
    const bot = workspace.world.app.user_id
    const listed = workspace.world.conversations
      .filter((place) => wanted.includes(typeOf(place)))
      .filter((place) => place.members.includes(bot) || typeOf(place) === 'public_channel')
      .filter((place) => !(place.is_archived && flagAt(args, 'exclude_archived')))
    const page = pageOf(listed, args)
    if (refused(page)) return page
    const channels = page.items.map((place) => ({ ...described(workspace, place), num_members: place.members.length }))
    return yes({ channels, response_metadata: page.response_metadata })
  },
}

const members: Method = {
  scopes: READ,
  run: (workspace, args, scopes) => {
    const place = reach(workspace, args, scopes, 'ask')
    if (refused(place)) return place
    const lacks = lacksScope(place, 'read', scopes)
    if (lacks !== undefined) return lacks
    const page = pageOf(place.members, args)
    return refused(page) ? page : yes({ members: page.items, response_metadata: page.response_metadata })
  },
}

const history: Method = {
  scopes: HISTORY,
  run: (workspace, args, scopes) => {
    const place = reach(workspace, args, scopes, 'read')
    if (refused(place)) return place
    const lacks = lacksScope(place, 'history', scopes)
    if (lacks !== undefined) return lacks
    const found = between(workspace.messages.in(place.id), args)
      .filter((message) => message.thread_ts === null)
      .sort((a, b) => compareTs(b.ts, a.ts))
    return pageOfMessages(workspace, found, args)
  },
}

const replies: Method = {
  scopes: HISTORY,
  run: (workspace, args, scopes) => {
    const place = reach(workspace, args, scopes, 'read')
    if (refused(place)) return place
    const lacks = lacksScope(place, 'history', scopes)
    if (lacks !== undefined) return lacks
    const ts = wordAt(args, 'ts')
    const parent = workspace.messages.find(place.id, ts ?? '')
    if (parent === undefined) return no('thread_not_found')
    const thread = workspace.messages.in(place.id).filter((message) => message.thread_ts === parent.ts)
    return pageOfMessages(workspace, [parent, ...between(thread, args)], args)
  },
}

const join: Method = {
  scopes: ['channels:join'],
  run: (workspace, args, scopes) => {
    const place = reach(workspace, args, scopes, 'ask')
    if (refused(place)) return place
    if (place.is_private || place.is_im) return no('method_not_supported_for_channel_type')
    if (place.is_archived) return no('is_archived')
    workspace.world.join(workspace.world.app.user_id, place.id)
    return yes({ channel: described(workspace, place) })
  },
}

const open: Method = {
  scopes: ['im:write'],
  run: (workspace, args) => {
    const [id, ...others] = wordsAt(args, 'users')
    if (id === undefined || others.length > 0) return no('users_list_not_supplied')
    const user = workspace.world.user(id)
    if (user === undefined) return no('user_not_found')
    if (user.deleted) return no('user_disabled')
    if (user.is_bot) return no('cannot_dm_bot')
    return yes({ channel: { id: workspace.world.direct(user.id).id } })
  },
}

const SCOPE_OF: Readonly<Record<string, string>> = {
  public_channel: 'channels:read',
  private_channel: 'groups:read',
  im: 'im:read',
}

function typeOf(place: Conversation): string {
  if (place.is_im) return 'im'
  return place.is_private ? 'private_channel' : 'public_channel'
}

function described(workspace: Workspace, place: Conversation): JsonObject {
  const { world } = workspace
  const shared = world.isShared(place)
  const common = {
    id: place.id,
    is_im: place.is_im,
    is_mpim: false,
    is_archived: place.is_archived,
    is_private: place.is_private,
    is_shared: shared,
    is_ext_shared: shared,
    is_org_shared: false,
    context_team_id: world.team.id,
    created: 1_700_000_000,
  }
  const user = place.members.find((member) => member !== world.app.user_id)
  if (place.is_im) return { ...common, user: user ?? '' }
  return {
    ...common,
    name: place.name,
    name_normalized: place.name,
    is_channel: !place.is_private,
    is_group: place.is_private,
    is_general: false,
    is_member: place.members.includes(world.app.user_id),
    creator: 'U0ANA',
  }
}

/** Only what lies between `oldest` and `latest`; the ends count only with `inclusive`. */
function between(messages: readonly Message[], args: JsonObject): Message[] {
  const oldest = wordAt(args, 'oldest')
  const latest = wordAt(args, 'latest')
  const least = flagAt(args, 'inclusive') ? 0 : 1
  return messages
    .filter((message) => oldest === undefined || compareTs(message.ts, oldest) >= least)
    .filter((message) => latest === undefined || compareTs(latest, message.ts) >= least)
}

function pageOfMessages(workspace: Workspace, messages: readonly Message[], args: JsonObject): JsonObject {
  const page = pageOf(messages, args, 100, 999)
  if (refused(page)) return page
  const { app, team } = workspace.world
  const withMetadata = flagAt(args, 'include_all_metadata')
  return yes({
    messages: page.items.map((message) => asSlack(message, app, team.id, withMetadata)),
    has_more: page.more,
    ...(page.more ? { response_metadata: page.response_metadata } : {}),
  })
}

export const CONVERSATIONS: Readonly<Record<string, Method>> = {
  'conversations.info': info,
  'conversations.list': list,
  'conversations.members': members,
  'conversations.history': history,
  'conversations.replies': replies,
  'conversations.join': join,
  'conversations.open': open,
}

import type { Delivery } from './deliveries.ts'
import type { JsonObject } from './json.ts'
import type { Message } from './messages.ts'
import type { Workspace } from './workspace.ts'
import type { Conversation, Person } from './world.ts'

/** How many of the latest deliveries the page lists. */
const SHOWN_DELIVERIES = 40

/** Everything that the page shows to one person, and nothing that this person would not see. */
export function pageState(workspace: Workspace, deliveries: readonly Delivery[], as: Person): JsonObject {
  const { world, messages, views } = workspace
  const seen = world.conversations.filter((place) => world.sees(as, place))
  return {
    as: as.id,
    team: { id: world.team.id, name: world.team.name },
    app: { name: world.app.name, user_id: world.app.user_id },
    users: world.users.filter((user) => !user.is_bot).map((user) => listed(user)),
    conversations: seen.map((place) => described(place, as, world.app.name)),
    groups: world.groups.map(({ id, handle }) => ({ id, handle })),
    messages: Object.fromEntries(seen.map((place) => [place.id, messages.seenBy(as.id, place.id).map(drawn)])),
    views: views.stack(as.id).map((view) => view.body),
    home: views.home(as.id)?.body ?? null,
    deliveries: deliveries.slice(-SHOWN_DELIVERIES).reverse().map(reported),
  }
}

function listed(user: Person): JsonObject {
  return { id: user.id, name: user.name, real_name: user.real_name, kind: kindOf(user) }
}

function kindOf(user: Person): string {
  if (user.deleted) return 'deactivated'
  if (user.is_bot) return 'bot'
  if (user.is_stranger) return 'stranger'
  return user.is_restricted || user.is_ultra_restricted ? 'guest' : 'member'
}

function described(place: Conversation, as: Person, app: string): JsonObject {
  return {
    id: place.id,
    name: place.is_im ? app : place.name,
    is_private: place.is_private,
    is_im: place.is_im,
    member: place.members.includes(as.id),
  }
}

function drawn(message: Message): JsonObject {
  return {
    ts: message.ts,
    user: message.user,
    text: message.text,
    blocks: message.blocks,
    thread_ts: message.thread_ts,
    edited: message.edited !== null,
    ephemeral: message.onlyFor !== null,
    deleted: false,
    metadata: message.metadata,
  }
}

function reported(delivery: Delivery): JsonObject {
  const { n, kind, what, status, ms, trouble } = delivery
  return { n, at: delivery.at.toISOString(), kind, what, status, ms, trouble }
}

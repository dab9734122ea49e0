import { no, type Refused } from './answer.ts'
import { wordAt } from './arguments.ts'
import type { JsonObject } from './json.ts'
import type { Workspace } from './workspace.ts'
import type { Conversation } from './world.ts'

/** What a method does with a conversation: write into it, read its messages, or ask what it is. */
export type Purpose = 'write' | 'read' | 'ask'

/**
 * The conversation that a call names, if the bot may use it so. A private one without the bot is not even found.
 * Source: the error tables of docs.slack.dev/reference/methods/chat.postMessage and conversations.history.
 */
export function reach(
  workspace: Workspace,
  args: JsonObject,
  scopes: ReadonlySet<string>,
  purpose: Purpose,
): Conversation | Refused {
  const named = wordAt(args, 'channel')
  const { world } = workspace
  const user = purpose === 'write' ? world.user(named) : undefined
  const place = user === undefined ? world.conversation(named) : world.direct(user.id)
  if (place === undefined) return no('channel_not_found')
  if (!place.members.includes(world.app.user_id)) {
    if (place.is_private || place.is_im) return no('channel_not_found')
    if (purpose === 'read' || (purpose === 'write' && !scopes.has('chat:write.public'))) return no('not_in_channel')
  }
  return place
}

/** The scope that a conversation of this kind asks for, such as `groups:read`; a refusal when the token lacks it. */
export function lacksScope(place: Conversation, verb: 'read' | 'history', scopes: ReadonlySet<string>): Refused | undefined {
  const needed = `${place.is_im ? 'im' : place.is_private ? 'groups' : 'channels'}:${verb}`
  return scopes.has(needed) ? undefined : missingScope(needed, scopes)
}

export function missingScope(needed: string, scopes: ReadonlySet<string>): Refused {
  return no('missing_scope', { needed, provided: [...scopes].join(',') })
}

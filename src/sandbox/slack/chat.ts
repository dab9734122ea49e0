import { no, type Refused, refused, yes } from './answer.ts'
import { wordAt } from './arguments.ts'
import { contentOf } from './content.ts'
import { fill } from './fill.ts'
import type { JsonObject } from './json.ts'
import { LIMITS } from './limits.ts'
import { asSlack, type Message } from './messages.ts'
import type { Method } from './method.ts'
import { reach } from './reach.ts'
import type { Workspace } from './workspace.ts'

/** The chat.* methods. Source: docs.slack.dev/reference/methods, each method's own page. */

const WRITE = ['chat:write'] as const

const postMessage: Method = {
  scopes: WRITE,
  run: (workspace, args, scopes) => {
    const { world, messages } = workspace
    const place = reach(workspace, args, scopes, 'write')
    if (refused(place)) return place
    if (place.is_archived) return no('is_archived')
    const content = contentOf(args, LIMITS.postText)
    if (refused(content)) return content
    const { text = '', blocks = [] } = content
    if (text === '' && blocks.length === 0) return no('no_text')
    const thread = wordAt(args, 'thread_ts')
    if (thread !== undefined && messages.find(place.id, thread) === undefined) return no('thread_not_found')
    const message = messages.post({
      conversation: place.id,
      user: world.app.user_id,
      text,
      blocks: fill(blocks, workspace.names),
      metadata: content.metadata ?? null,
      thread_ts: thread ?? null,
    })
    return yes({ channel: place.id, ts: message.ts, message: shown(workspace, message, true) })
  },
}

const update: Method = {
  scopes: WRITE,
  run: (workspace, args, scopes) => {
    const message = ownMessage(workspace, args, scopes, 'cant_update_message')
    if (refused(message)) return message
    const content = contentOf(args, LIMITS.updateText)
    if (refused(content)) return content
    const blocks = content.blocks === undefined ? message.blocks : fill(content.blocks, workspace.names)
    const text = content.text ?? (content.blocks === undefined ? undefined : '')
    if (text === undefined || (text === '' && blocks.length === 0)) return no('no_text')
    if (hasRichText(message.blocks) && !hasRichText(blocks)) return no('block_mismatch')
    const kept = content.metadata === undefined ? {} : { metadata: content.metadata }
    workspace.messages.edit(message, { text, blocks, ...kept }, workspace.world.app.user_id)
    return yes({ channel: message.conversation, ts: message.ts, text, message: shown(workspace, message, true) })
  },
}

const remove: Method = {
  scopes: WRITE,
  run: (workspace, args, scopes) => {
    const message = ownMessage(workspace, args, scopes, 'cant_delete_message')
    if (refused(message)) return message
    workspace.messages.remove(message)
    return yes({ channel: message.conversation, ts: message.ts })
  },
}

const postEphemeral: Method = {
  scopes: WRITE,
  run: (workspace, args, scopes) => {
    const { world, messages } = workspace
    const place = reach(workspace, args, scopes, 'write')
    if (refused(place)) return place
    if (place.is_archived) return no('is_archived')
    const user = wordAt(args, 'user')
    if (user === undefined || !place.members.includes(user)) return no('user_not_in_channel')
    const content = contentOf(args, LIMITS.postText)
    if (refused(content)) return content
    const { text = '', blocks = [] } = content
    if (text === '' && blocks.length === 0) return no('no_text')
    const message = messages.post({
      conversation: place.id,
      user: world.app.user_id,
      text,
      blocks: fill(blocks, workspace.names),
      thread_ts: wordAt(args, 'thread_ts') ?? null,
      onlyFor: user,
    })
    return yes({ message_ts: message.ts })
  },
}

const getPermalink: Method = {
  scopes: [],
  run: (workspace, args, scopes) => {
    const place = reach(workspace, args, scopes, 'read')
    if (refused(place)) return place
    const ts = wordAt(args, 'message_ts')
    if (ts === undefined || workspace.messages.find(place.id, ts) === undefined) return no('message_not_found')
    return yes({ channel: place.id, permalink: `${workspace.origin}/archives/${place.id}/p${ts.replace('.', '')}` })
  },
}

/** A message that this app wrote and everybody sees, in a conversation that the bot can reach and that is not frozen. */
function ownMessage(workspace: Workspace, args: JsonObject, scopes: ReadonlySet<string>, notOurs: string): Message | Refused {
  const place = reach(workspace, args, scopes, 'read')
  if (refused(place)) return place
  const message = workspace.messages.find(place.id, wordAt(args, 'ts') ?? '')
  if (message === undefined) return no('message_not_found')
  if (message.user !== workspace.world.app.user_id) return no(notOurs)
  return place.is_archived ? no('is_inactive') : message
}

function shown(workspace: Workspace, message: Message, withMetadata: boolean): JsonObject {
  return asSlack(message, workspace.world.app, workspace.world.team.id, withMetadata)
}

/** chat.update: "block_mismatch: Rich-text blocks cannot be replaced with non-rich-text blocks". */
function hasRichText(blocks: readonly JsonObject[]): boolean {
  return blocks.some((block) => block.type === 'rich_text')
}

export const CHAT: Readonly<Record<string, Method>> = {
  'chat.postMessage': postMessage,
  'chat.update': update,
  'chat.delete': remove,
  'chat.postEphemeral': postEphemeral,
  'chat.getPermalink': getPermalink,
}

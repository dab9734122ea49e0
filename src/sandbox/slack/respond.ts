import { no, refused, yes } from './answer.ts'
import { flagAt, wordAt } from './arguments.ts'
import { contentOf } from './content.ts'
import { fill } from './fill.ts'
import { isObject, type JsonObject, parseJson } from './json.ts'
import { LIMITS } from './limits.ts'
import type { Link } from './links.ts'
import type { Workspace } from './workspace.ts'

/** An answer to a response_url; `status` other than 2xx makes Bolt's `respond` throw. */
export interface Responded {
  readonly status: number
  readonly answer: JsonObject
}

/** `POST <response_url>`. It works where the bot is no member, because it answers a person who is. */
export function respond(workspace: Workspace, id: string, body: string): Responded {
  const link = workspace.links.use(id)
  if (typeof link === 'string') return { status: 404, answer: no(link) }
  const given = parseJson(body)
  if (!isObject(given)) return { status: 400, answer: no('invalid_payload') }
  const answer = said(workspace, link, given)
  return { status: answer.ok === true ? 200 : 400, answer }
}

/** Does what a response, or a command's own answer, says: a new message, private unless `in_channel`, or a change of the old one. */
export function said(workspace: Workspace, link: Link, given: JsonObject): JsonObject {
  const { messages, world } = workspace
  const original = link.message !== null && messages.holds(link.message) ? link.message : null
  if (flagAt(given, 'delete_original')) {
    if (original === null) return no('message_not_found')
    messages.remove(original)
    return yes()
  }
  const content = contentOf(given, LIMITS.postText)
  if (refused(content)) return content
  const text = content.text ?? ''
  const blocks = fill(content.blocks ?? [], workspace.names)
  if (text === '' && blocks.length === 0) return no('no_text')
  if (flagAt(given, 'replace_original') && link.message !== null) {
    if (original === null) return no('message_not_found')
    messages.edit(original, { text, blocks }, world.app.user_id)
    return yes()
  }
  messages.post({
    conversation: link.conversation,
    user: world.app.user_id,
    text,
    blocks,
    thread_ts: wordAt(given, 'thread_ts') ?? null,
    onlyFor: given.response_type === 'in_channel' ? null : link.user,
    via: 'response',
  })
  return yes()
}

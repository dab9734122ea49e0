import type { Changes } from './changes.ts'
import { compareTs, type SlackClock } from './clock.ts'
import type { Json, JsonObject } from './json.ts'

/** A message as it is kept. What only one person sees has `onlyFor`. */
export interface Message {
  readonly conversation: string
  readonly ts: string
  /** The author; the app's bot user for everything that the app posts. */
  readonly user: string
  text: string
  blocks: readonly JsonObject[]
  metadata: JsonObject | null
  readonly thread_ts: string | null
  edited: { readonly user: string; readonly ts: string } | null
  readonly onlyFor: string | null
  /** How it came: by a Web API method, or through a response_url or a command's answer. */
  readonly via: 'api' | 'response'
}

/** What is needed to keep a new message. */
export type Draft = Pick<Message, 'conversation' | 'user' | 'text' | 'blocks'> &
  Partial<Pick<Message, 'metadata' | 'thread_ts' | 'onlyFor' | 'via'>>

/** All messages of the workspace, oldest first. */
export class Messages {
  readonly #kept: Message[] = []
  readonly #clock: SlackClock
  readonly #changes: Changes

  constructor(clock: SlackClock, changes: Changes) {
    this.#clock = clock
    this.#changes = changes
  }

  post(draft: Draft): Message {
    const message: Message = {
      metadata: null,
      thread_ts: null,
      onlyFor: null,
      via: 'api',
      ...draft,
      ts: this.#clock.ts(),
      edited: null,
    }
    this.#kept.push(message)
    this.#changes.touch()
    return message
  }

  edit(message: Message, to: Partial<Pick<Message, 'text' | 'blocks' | 'metadata'>>, by: string): void {
    Object.assign(message, to)
    message.edited = { user: by, ts: this.#clock.ts() }
    this.#changes.touch()
  }

  remove(message: Message): void {
    const at = this.#kept.indexOf(message)
    if (at >= 0) this.#kept.splice(at, 1)
    this.#changes.touch()
  }

  /** False once the message was removed. */
  holds(message: Message): boolean {
    return this.#kept.includes(message)
  }

  /** The message that everybody sees at this place. */
  find(conversation: string, ts: string): Message | undefined {
    return this.in(conversation).find((message) => message.ts === ts)
  }

  /** The message at this place as `user` sees it, private ones included. */
  findFor(user: string, conversation: string, ts: string): Message | undefined {
    const message = this.#kept.find((entry) => entry.conversation === conversation && entry.ts === ts)
    return message !== undefined && (message.onlyFor === null || message.onlyFor === user) ? message : undefined
  }

  /** What everybody in the conversation sees, oldest first, replies included. */
  in(conversation: string): Message[] {
    return this.#kept.filter((message) => message.conversation === conversation && message.onlyFor === null)
  }

  /** What only `user` sees, in all conversations, oldest first. */
  privately(user: string): Message[] {
    return this.#kept.filter((message) => message.onlyFor === user)
  }

  /** What `user` sees in the conversation, oldest first. */
  seenBy(user: string, conversation: string): Message[] {
    return this.#kept
      .filter((message) => message.conversation === conversation)
      .filter((message) => message.onlyFor === null || message.onlyFor === user)
      .sort((a, b) => compareTs(a.ts, b.ts))
  }
}

/** A message in the words of the Web API. `metadata` is there only when asked for. */
export function asSlack(
  message: Message,
  app: { id: string; bot_id: string; user_id: string },
  team: string,
  withMetadata: boolean,
): JsonObject {
  const ours = message.user === app.user_id
  const optional: Record<string, Json> = {}
  if (message.blocks.length > 0) optional.blocks = message.blocks
  if (message.thread_ts !== null) optional.thread_ts = message.thread_ts
  if (message.edited !== null) optional.edited = { user: message.edited.user, ts: message.edited.ts }
  if (withMetadata && message.metadata !== null) optional.metadata = message.metadata
  return {
    type: 'message',
    user: message.user,
    ...(ours ? { bot_id: app.bot_id, app_id: app.id } : {}),
    team,
    text: message.text,
    ts: message.ts,
    ...optional,
  }
}

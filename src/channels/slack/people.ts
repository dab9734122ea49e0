/**
 * People, groups and members, as Slack tells them. Kept for a minute at most, because they answer who may decide; where Slack
 * does not tell, nobody is anybody.
 */
import type { WebClient } from '@slack/web-api'
import { Keyv } from 'keyv'
import { z } from 'zod'
import type { Clock } from '../../approval/ports.ts'
import { failureOf } from './client.ts'

export interface Person {
  readonly id: string
  readonly team: string
  /** The enterprise, and the workspaces of it, that the person belongs to. */
  readonly homes: readonly string[]
  readonly deactivated: boolean
  readonly bot: boolean
  readonly guest: boolean
  readonly stranger: boolean
}

export interface People {
  /** Undefined when Slack knows no such person. @throws Failure */
  person(id: string): Promise<Person | undefined>
  /** @throws Failure */
  members(conversation: string): Promise<readonly string[]>
  /** Empty for a group that is switched off. @throws Failure */
  group(id: string): Promise<readonly string[]>
  /** @throws Failure */
  isPublic(conversation: string): Promise<boolean>
}

/** The oldest that an answer about who may decide is used. Milliseconds. */
const FRESH_MS = 60_000

const User = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().default(''),
    deleted: z.boolean().default(false),
    is_bot: z.boolean().default(false),
    is_app_user: z.boolean().default(false),
    is_restricted: z.boolean().default(false),
    is_ultra_restricted: z.boolean().default(false),
    is_stranger: z.boolean().default(false),
    enterprise_user: z.object({ enterprise_id: z.string().optional(), teams: z.array(z.string()).default([]) }).optional(),
  }),
})
const Members = z.object({
  members: z.array(z.string()),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
})
const Group = z.object({ users: z.array(z.string()) })
const Conversation = z.object({
  channel: z.object({
    is_private: z.boolean().default(false),
    is_im: z.boolean().default(false),
    is_mpim: z.boolean().default(false),
  }),
})

export function people(client: WebClient, clock: Clock, cache: Keyv = new Keyv({ ttl: FRESH_MS })): People {
  const asking = new Map<string, Promise<unknown>>()

  /** One call for all who ask at once; an answer as old as the bound is asked for again, whatever the cache thinks. */
  async function fresh<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const kept = await cache.get<{ readonly at: number; readonly value: T }>(key).catch(() => undefined)
    const now = clock.now().getTime()
    if (kept !== undefined && now >= kept.at && now - kept.at < FRESH_MS) return kept.value
    const running = asking.get(key) as Promise<T> | undefined
    if (running !== undefined) return running
    const call = ask()
      .then(async (value) => {
        await cache.set(key, { at: now, value }, FRESH_MS).catch(() => undefined)
        return value
      })
      .catch((error: unknown) => {
        throw failureOf(error)
      })
      .finally(() => asking.delete(key))
    asking.set(key, call)
    return call
  }

  return {
    person: (id) => fresh<Person | null>(`person:${id}`, () => askPerson(client, id)).then((person) => person ?? undefined),
    members: (conversation) => fresh(`members:${conversation}`, () => askMembers(client, conversation)),
    group: (id) =>
      fresh(
        `group:${id}`,
        async () => Group.parse(await client.usergroups.users.list({ usergroup: id, include_disabled: false })).users,
      ),
    isPublic: (conversation) =>
      fresh(`public:${conversation}`, async () => {
        const { channel } = Conversation.parse(await client.conversations.info({ channel: conversation }))
        return !channel.is_private && !channel.is_im && !channel.is_mpim
      }),
  }
}

async function askPerson(client: WebClient, id: string): Promise<Person | null> {
  try {
    const { user } = User.parse(await client.users.info({ user: id }))
    return {
      id: user.id,
      team: user.team_id,
      homes: [user.team_id, user.enterprise_user?.enterprise_id ?? '', ...(user.enterprise_user?.teams ?? [])].filter(
        (home) => home !== '',
      ),
      deactivated: user.deleted,
      bot: user.is_bot || user.is_app_user || user.id === 'USLACKBOT',
      guest: user.is_restricted || user.is_ultra_restricted,
      stranger: user.is_stranger,
    }
  } catch (error) {
    const { code } = failureOf(error).trouble
    if (code === 'user_not_found' || code === 'user_not_visible') return null
    throw error
  }
}

/** A conversation of more people than this is asked for in vain; its set counts as unreadable. */
const MOST_PAGES = 20

async function askMembers(client: WebClient, conversation: string): Promise<readonly string[]> {
  const all: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { members, response_metadata } = Members.parse(
      await client.conversations.members({ channel: conversation, limit: 1000, ...(cursor === undefined ? {} : { cursor }) }),
    )
    all.push(...members)
    cursor = response_metadata?.next_cursor
    if (cursor === undefined || cursor === '') break
  }
  return all
}

/** Whom and what the settings name in Slack: whether it is there, and whether the bot can use it as the settings mean it. */
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { Failure } from '../approval/ports.ts'
import { type People, type Person, people } from '../channels/slack/people.ts'
import type { Config } from '../config/config.ts'
import { ask, type Said, unasked } from './doctor-ask.ts'
import { type Finding, fails, ok, skipped } from './doctor-finding.ts'

const Info = z.object({
  channel: z.object({
    is_private: z.boolean().default(false),
    is_im: z.boolean().default(false),
    is_mpim: z.boolean().default(false),
    is_archived: z.boolean().default(false),
    is_member: z.boolean().optional(),
  }),
})
type Place = z.infer<typeof Info>['channel']

export interface Named {
  readonly findings: readonly Finding[]
  /** Whether a message can be posted where cards go. */
  readonly canPost: boolean
}

/** @param missing scopes that the token lacks, told elsewhere */
export async function lookAtNamed(
  client: WebClient,
  config: Config,
  missing: readonly string[],
  now: () => Date,
): Promise<Named> {
  const asking = people(client, { now, after: () => () => undefined })
  const [places, groups, persons] = await Promise.all([
    lookAtPlaces(client, config, missing),
    lookAtGroups(client, config, missing),
    lookAtPeople(asking, config, missing),
  ])
  return { findings: [...places.findings, ...groups, ...persons], canPost: places.canPost }
}

async function lookAtPlaces(client: WebClient, { slack, policy }: Config, missing: readonly string[]): Promise<Named> {
  const { conversation, fallback } = slack
  const named: readonly [string, string][] = [
    [`slack.conversation ${conversation}`, conversation],
    ...(fallback === undefined ? [] : [[`slack.fallback ${fallback}`, fallback] as [string, string]]),
  ]
  const seen = await Promise.all(
    named.map(async ([check, id]) => {
      const said = await ask(Info, () => client.conversations.info({ channel: id }))
      return { said, finding: isUnscoped(id, said) ? skipped(check, DIRECT) : placeFinding(check, said, missing) }
    }),
  )
  const [cards] = seen
  const sets = [...policy.sets].filter(([, set]) => set.conversation)
  return {
    findings: [
      ...seen.map(({ finding }) => finding),
      ...sets.map(([name, { open }]) => setFinding(`approvers.${name}`, conversation, open, cards?.said)),
    ],
    canPost: cards?.finding.status !== 'fails',
  }
}

const DIRECT = 'a direct conversation, which can be looked at only with the scope im:read; cards do not need it.'

/** Direct conversations can be written into without being read. */
function isUnscoped(id: string, said: Said<unknown>): boolean {
  return id.startsWith('D') && !said.ok && said.code === 'missing_scope'
}

function placeFinding(check: string, said: Said<z.infer<typeof Info>>, missing: readonly string[]): Finding {
  if (!said.ok) {
    if (said.code !== 'channel_not_found') return unasked(check, said, missing)
    return fails(
      check,
      'there is no such conversation, or it is private and the bot is not in it.',
      'Check its id (not its name) in the settings; in a private one, say “/invite @countersign” there.',
    )
  }
  const { channel } = said.value
  if (channel.is_archived) return fails(check, 'it is archived.', 'Bring it back, or name another one in the settings.')
  if (channel.is_member === false) return fails(check, 'the bot is not in it.', 'Say “/invite @countersign” there.')
  return ok(check, `there, ${isPublic(channel) ? 'public' : 'private'}, and the bot is in it.`)
}

/** A set of whoever is in the conversation is nobody where anybody can join it, unless the settings say that this is meant. */
function setFinding(check: string, conversation: string, open: boolean, said: Said<z.infer<typeof Info>> | undefined): Finding {
  if (said?.ok !== true) return skipped(check, `${conversation} could not be looked at.`)
  if (!isPublic(said.value.channel)) return ok(check, `the members of ${conversation}, which is private.`)
  if (open) return ok(check, `the members of ${conversation}, which is public, and “open: true” says that this is meant.`)
  return fails(
    check,
    `means the members of ${conversation}, which is public: anybody can join, so nobody may decide.`,
    'Make that conversation private, or say “open: true” beside “conversation: true”.',
  )
}

function isPublic({ is_private, is_im, is_mpim }: Place): boolean {
  return !is_private && !is_im && !is_mpim
}

const Groups = z.object({
  usergroups: z.array(z.object({ id: z.string(), date_delete: z.number().default(0), users: z.array(z.string()).default([]) })),
})

async function lookAtGroups(client: WebClient, { policy }: Config, missing: readonly string[]): Promise<readonly Finding[]> {
  const named = mentions([...policy.sets].flatMap(([name, { groups }]) => groups.map((id) => [id, `approvers.${name}`])))
  if (named.size === 0) return []
  // One call for all of them: the method is among Slack's scarcer ones.
  const said = await ask(Groups, () => client.usergroups.list({ include_disabled: true, include_users: true }))
  return [...named].map(([id, where]) => {
    const check = `user group ${id} (${where.join(', ')})`
    if (!said.ok) return unasked(check, said, missing)
    const group = said.value.usergroups.find((one) => one.id === id)
    if (group === undefined) {
      return fails(check, 'there is no such user group in this workspace.', 'Check its id in the settings.')
    }
    if (group.date_delete !== 0) {
      return fails(check, 'it is disabled, so it is nobody.', 'Enable it in Slack, or take it out of the settings.')
    }
    if (group.users.length === 0) {
      return fails(check, 'nobody is in it.', 'Add people to it in Slack, or take it out of the settings.')
    }
    return ok(check, `${group.users.length} in it.`)
  })
}

async function lookAtPeople(asking: People, config: Config, missing: readonly string[]): Promise<readonly Finding[]> {
  const named = mentions([
    ...[...config.policy.sets].flatMap(([name, { users }]) => users.map((id): [string, string] => [id, `approvers.${name}`])),
    ...config.operators.map((id): [string, string] => [id, 'operators']),
  ])
  return Promise.all(
    [...named].map(async ([id, where]) => {
      const check = `person ${id} (${where.join(', ')})`
      try {
        return personFinding(check, await asking.person(id))
      } catch (error) {
        const code = error instanceof Failure ? error.trouble.code : 'unreadable_answer'
        return unasked(check, { ok: false, code, needed: code === 'missing_scope' ? 'users:read' : undefined }, missing)
      }
    }),
  )
}

function personFinding(check: string, person: Person | undefined): Finding {
  const mend = 'Take this id out of the settings, or put another one in its place.'
  if (person === undefined) return fails(check, 'Slack knows no such person.', mend)
  if (person.bot) return fails(check, 'this is a bot, and bots never decide.', mend)
  if (person.deactivated) return fails(check, 'the account is deactivated.', mend)
  const outside = person.guest ? ' A guest: named one by one, so allowed.' : ''
  return ok(check, `there, and active.${outside}`)
}

/** Each id once, with every place that names it. */
function mentions(all: readonly (readonly string[])[]): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, readonly string[]>()
  for (const [id = '', where = ''] of all) named.set(id, [...(named.get(id) ?? []), where])
  return named
}

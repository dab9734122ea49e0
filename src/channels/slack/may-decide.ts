/** Who may decide, and who may see, asked anew at each click. Any doubt is a no, with its reason. */
import { Failure } from '../../approval/ports.ts'
import type { ApproverSet } from '../../policy/rules.ts'
import type { Identity } from './identity.ts'
import type { People, Person } from './people.ts'

export type NotAllowed =
  | 'not_an_approver'
  | 'not_an_operator'
  | 'a_guest'
  | 'an_outsider'
  | 'a_bot'
  | 'deactivated'
  | 'unknown_person'
  /** The set could not be read, is public without saying so, or is no longer in the settings. */
  | 'set_unreadable'
  | 'slack_does_not_answer'

/** Why somebody decides nothing here at all, whatever is asked. */
export type Nobody = Extract<NotAllowed, 'a_guest' | 'an_outsider' | 'a_bot' | 'deactivated' | 'unknown_person'>

export type Allowed = { readonly ok: true; readonly by: string } | { readonly ok: false; readonly because: NotAllowed }

export interface Deciders {
  readonly people: People
  readonly identity: () => Promise<Identity>
  readonly sets: ReadonlyMap<string, ApproverSet>
  readonly operators: readonly string[]
  /** Where rules ask, whose members `conversation: true` means. */
  readonly conversation: string
  /** The workspace or enterprise whose members count as ours; undefined: the token's own. */
  readonly home: string | undefined
  /** Told why a set cannot be read, and undefined when it can. */
  readonly health: (set: string, reason: string | undefined) => void
}

/**
 * A guest or a person from outside may decide only when the set names them one by one. Bots and deactivated people never may:
 * a decision is a person's.
 */
export async function mayDecide(deciders: Deciders, user: string, setName: string): Promise<Allowed> {
  return guarded(async () => {
    const person = await deciders.people.person(user)
    if (person === undefined) return no('unknown_person')
    if (person.bot) return no('a_bot')
    if (person.deactivated) return no('deactivated')
    const set = deciders.sets.get(setName)
    if (set === undefined) return no('set_unreadable')
    const by = `slack:${person.team}/${person.id}`
    if (set.users.includes(user)) return { ok: true, by }
    const outside = await outsider(deciders, person)
    if (outside !== undefined) return no(outside)
    const member = await isMember(deciders, set, setName, user)
    return member === true ? { ok: true, by } : no(member === 'unreadable' ? 'set_unreadable' : 'not_an_approver')
  })
}

/** Whether a person is one of the operators, whom the settings name one by one. Bots and deactivated people never are. */
export async function mayOperate(deciders: Deciders, user: string): Promise<Allowed> {
  return guarded(async () => {
    if (!deciders.operators.includes(user)) return no('not_an_operator')
    const person = await deciders.people.person(user)
    if (person === undefined) return no('unknown_person')
    if (person.bot) return no('a_bot')
    if (person.deactivated) return no('deactivated')
    return { ok: true, by: `slack:${person.team}/${person.id}` }
  })
}

/** Whether a full member of the home workspace belongs to a conversation: such a person may see what stands there. */
export async function maySee(deciders: Deciders, user: string, conversations: readonly string[]): Promise<Allowed> {
  return guarded(async () => {
    const person = await deciders.people.person(user)
    if (person === undefined) return no('unknown_person')
    if (person.bot) return no('a_bot')
    if (person.deactivated) return no('deactivated')
    const outside = await outsider(deciders, person)
    if (outside !== undefined) return no(outside)
    for (const conversation of conversations) {
      const members = await deciders.people.members(conversation).catch((): readonly string[] => [])
      if (members.includes(user)) return { ok: true, by: `slack:${person.team}/${person.id}` }
    }
    return no('not_an_approver')
  })
}

/** Whether there may be something here for a person to decide, and their label. @throws Failure */
export async function standing(
  deciders: Deciders,
  user: string,
): Promise<{ readonly ok: true; readonly by: string } | { readonly ok: false; readonly because: Nobody }> {
  const person = await deciders.people.person(user)
  if (person === undefined) return { ok: false, because: 'unknown_person' }
  if (person.bot) return { ok: false, because: 'a_bot' }
  if (person.deactivated) return { ok: false, because: 'deactivated' }
  const named = [...deciders.sets.values()].some((set) => set.users.includes(user))
  const because = named ? undefined : await outsider(deciders, person)
  return because === undefined ? { ok: true, by: `slack:${person.team}/${person.id}` } : { ok: false, because }
}

async function outsider(deciders: Deciders, person: Person): Promise<'a_guest' | 'an_outsider' | undefined> {
  if (person.guest) return 'a_guest'
  const home = deciders.home ?? (await deciders.identity()).team
  return person.stranger || !person.homes.includes(home) ? 'an_outsider' : undefined
}

async function isMember(deciders: Deciders, set: ApproverSet, setName: string, user: string): Promise<boolean | 'unreadable'> {
  let unreadable: string | undefined
  for (const group of set.groups) {
    try {
      if ((await deciders.people.group(group)).includes(user)) {
        deciders.health(setName, unreadable)
        return true
      }
    } catch (error) {
      unreadable = reasonOf(error)
    }
  }
  if (set.conversation) {
    try {
      if (!set.open && (await deciders.people.isPublic(deciders.conversation)))
        unreadable = 'its conversation is public; anybody can join. Say open: true if that is meant'
      else if ((await deciders.people.members(deciders.conversation)).includes(user)) {
        deciders.health(setName, undefined)
        return true
      }
    } catch (error) {
      unreadable = reasonOf(error)
    }
  }
  deciders.health(setName, unreadable)
  return unreadable === undefined ? false : 'unreadable'
}

function reasonOf(error: unknown): string {
  if (error instanceof Failure) return `cannot be read (${error.trouble.code})`
  throw error
}

async function guarded(work: () => Promise<Allowed>): Promise<Allowed> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) return no('slack_does_not_answer')
    throw error
  }
}

function no(because: NotAllowed): Allowed {
  return { ok: false, because }
}

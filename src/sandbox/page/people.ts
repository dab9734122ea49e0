/** Who one can be in the stand-in, and what that means. */
import type { Kind, Person } from './state.ts'

/** A word for each kind of person. */
export const KIND_WORDS = {
  member: 'Member',
  guest: 'Guest',
  bot: 'Bot',
  deactivated: 'Deactivated',
  stranger: 'Outsider',
} as const satisfies Record<Kind, string>

/** What to expect when acting as this person; nothing for ordinary members. */
export function remarkOn(person: Person, app: string): string | undefined {
  switch (person.kind) {
    case 'member':
      return undefined
    case 'guest':
      return `${person.name} is a guest of this workspace. Press a button and see what ${app} makes of it.`
    case 'stranger':
      return `${person.name} is from another company, in a shared channel. Press a button and see what ${app} makes of it.`
    case 'deactivated':
      return `${person.name} has left the company. Slack would not let them in; here you can try all the same.`
    case 'bot':
      return `${person.name} is a bot. Slack would not let it press a button; here you can try all the same.`
  }
}

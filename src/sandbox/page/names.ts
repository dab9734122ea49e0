/** Names for the ids that stand in texts: `<@U…>`, `<#C…>` and their rich text elements. */
import type { State } from './state.ts'

export interface Names {
  /** The person's name; the id itself when it is not known here. */
  person(id: string): string
  conversation(id: string): string
  /** The handle of a user group. */
  group(id: string): string
}

/** The names that this state knows. */
export function namesOf(state: State): Names {
  const people = new Map(state.people.map((person) => [person.id, person.name]))
  people.set(state.app.user, state.app.name)
  const conversations = new Map(state.conversations.map((conversation) => [conversation.id, conversation.name]))
  return {
    person: (id) => people.get(id) ?? id,
    conversation: (id) => conversations.get(id) ?? id,
    group: (id) => state.groups.get(id) ?? id,
  }
}

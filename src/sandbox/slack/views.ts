import type { Changes } from './changes.ts'
import type { SlackClock } from './clock.ts'
import { Counter, fill, type Names } from './fill.ts'
import { isList, type JsonObject, textAt } from './json.ts'
import type { WorldBook } from './world.ts'

/** A view as Slack returns it and sends it: a plain object with `id`, `hash`, `blocks`, `state`, `private_metadata` … */
export interface View {
  readonly id: string
  /** Who has it open. */
  readonly user: string
  /** What Slack returns of it. Replaced as a whole by an update. */
  body: JsonObject
}

/** The open modal stack and the home tab of each person. */
export class Views {
  readonly #stacks = new Map<string, View[]>()
  readonly #homes = new Map<string, View>()
  readonly #ids = new Counter('V')
  readonly #clock: SlackClock
  readonly #names: Names
  readonly #world: WorldBook
  readonly #changes: Changes

  constructor(clock: SlackClock, names: Names, world: WorldBook, changes: Changes) {
    this.#clock = clock
    this.#names = names
    this.#world = world
    this.#changes = changes
  }

  /** The open modals of `user`; the last one is on top. */
  stack(user: string): readonly View[] {
    return this.#stacks.get(user) ?? []
  }

  home(user: string): View | undefined {
    return this.#homes.get(user)
  }

  find(id: string): View | undefined {
    for (const stack of this.#stacks.values()) {
      const view = stack.find((entry) => entry.id === id)
      if (view !== undefined) return view
    }
    return [...this.#homes.values()].find((view) => view.id === id)
  }

  findExternal(externalId: string): View | undefined {
    const all = [...this.#stacks.values()].flat().concat([...this.#homes.values()])
    return all.find((view) => view.body.external_id === externalId)
  }

  /** A new root: whatever was open for `user` is gone. */
  open(user: string, given: JsonObject): View {
    const view = this.#make(user, given, undefined)
    this.#stacks.set(user, [view])
    this.#changes.touch()
    return view
  }

  push(user: string, given: JsonObject): View {
    const stack = this.#stacks.get(user) ?? []
    const view = this.#make(user, given, stack.at(-1))
    this.#stacks.set(user, [...stack, view])
    this.#changes.touch()
    return view
  }

  update(view: View, given: JsonObject): void {
    view.body = this.#body(given, view.id, {
      root_view_id: view.body.root_view_id ?? view.id,
      previous_view_id: view.body.previous_view_id ?? null,
    })
    this.#changes.touch()
  }

  publish(user: string, given: JsonObject): View {
    const known = this.#homes.get(user)
    if (known !== undefined) {
      this.update(known, given)
      return known
    }
    const view = this.#make(user, given, undefined)
    this.#homes.set(user, view)
    this.#changes.touch()
    return view
  }

  /** Takes one view, and those above it, off the stack of `user`. */
  close(user: string, id: string): void {
    const stack = this.#stacks.get(user) ?? []
    const at = stack.findIndex((view) => view.id === id)
    if (at < 0) return
    this.#stacks.set(user, stack.slice(0, at))
    this.#changes.touch()
  }

  clear(user: string): void {
    this.#stacks.set(user, [])
    this.#changes.touch()
  }

  #make(user: string, given: JsonObject, below: View | undefined): View {
    const id = this.#ids.next()
    const place = { root_view_id: below?.body.root_view_id ?? id, previous_view_id: below?.id ?? null }
    return { id, user, body: this.#body(given, id, place) }
  }

  #body(given: JsonObject, id: string, place: JsonObject): JsonObject {
    const blocks = given.blocks
    return {
      id,
      team_id: this.#world.team.id,
      type: given.type ?? 'modal',
      title: given.title ?? null,
      submit: given.submit ?? null,
      close: given.close ?? null,
      blocks: fill(isList(blocks) ? blocks : [], this.#names),
      private_metadata: textAt(given, 'private_metadata') ?? '',
      callback_id: textAt(given, 'callback_id') ?? '',
      external_id: textAt(given, 'external_id') ?? '',
      state: { values: {} },
      hash: this.#clock.ts(),
      clear_on_close: given.clear_on_close === true,
      notify_on_close: given.notify_on_close === true,
      ...place,
      app_id: this.#world.app.id,
      app_installed_team_id: this.#world.team.id,
      bot_id: this.#world.app.bot_id,
    }
  }
}

import { actionIn } from './action.ts'
import type { Deliveries, Delivery, Parcel } from './deliveries.ts'
import { homeOpened } from './event.ts'
import { Counter } from './fill.ts'
import { filled, type Values } from './form.ts'
import { isObject, type JsonObject, parseJson } from './json.ts'
import { messageClick, slashCommand, viewClick, viewClosed, viewSubmission } from './payload.ts'
import { said } from './respond.ts'
import { submitted } from './submitted.ts'
import type { View } from './views.ts'
import type { Workspace } from './workspace.ts'
import type { Conversation, Person } from './world.ts'

/** How the bot answered one delivery. `trouble` is what the person sees in Slack; null when all is well. */
export interface Reaction {
  readonly status: number | null
  readonly body: string
  readonly ms: number
  readonly trouble: string | null
  /** What stands in red below the inputs of a modal, by block id. */
  readonly errors: Readonly<Record<string, string>>
}

/** A press on an element of a message. `message_json_override` takes the place of the stored message in what is sent. */
export interface Click {
  readonly user: string
  readonly conversation: string
  readonly ts: string
  readonly action_id: string
  readonly block_id?: string
  /** The option or user that was chosen, for a menu. */
  readonly chosen?: string
  readonly message_json_override?: JsonObject
}

/** A press on an element of an open modal or of the home tab. */
export interface ViewPress {
  readonly user: string
  readonly view: string
  readonly action_id: string
  readonly block_id?: string
  readonly chosen?: string
}

/** `unchecked` sends what Slack's client would have refused to send. */
export interface Submission {
  readonly user: string
  readonly view: string
  readonly values?: Values
  readonly unchecked?: boolean
}

export interface Command {
  readonly user: string
  readonly conversation: string
  /** The whole line, such as `/approvals run_1`. */
  readonly text: string
}

/** Asked to do what nobody could do in Slack: no such person, message, button or view. */
export class Impossible extends Error {}

/** What people do. Whether they should be able to is not asked here: a client may be behind the times, and the bot must cope. */
export class Interactions {
  readonly #workspace: Workspace
  readonly #deliveries: Deliveries
  readonly #commands: readonly string[]
  readonly #events = new Counter('Ev')

  constructor(workspace: Workspace, deliveries: Deliveries, commands: readonly string[]) {
    this.#workspace = workspace
    this.#deliveries = deliveries
    this.#commands = commands
  }

  async click(click: Click): Promise<Reaction> {
    const user = this.#person(click.user)
    const place = this.#place(click.conversation)
    const message = this.#workspace.messages.findFor(user.id, place.id, click.ts)
    if (message === undefined) throw new Impossible(`${user.id} sees no message ${click.ts} in ${place.id}`)
    const shown = click.message_json_override
    const blocks = shown === undefined ? message.blocks : shown.blocks
    const action = actionIn(blocks, click.action_id, click.block_id, click.chosen)
    if (action === undefined) throw new Impossible(`the message ${click.ts} has no ${click.action_id}`)
    const payload = messageClick(this.#workspace, user, place, message, shown, action)
    return this.#tell({ kind: 'block_actions', what: `${click.action_id} by ${user.real_name}`, payload })
  }

  async clickInView(press: ViewPress): Promise<Reaction> {
    const user = this.#person(press.user)
    const home = this.#workspace.views.home(user.id)
    const view = home?.id === press.view ? home : this.#view(user, press.view)
    const action = actionIn(view.body.blocks, press.action_id, press.block_id, press.chosen)
    if (action === undefined) throw new Impossible(`the view ${view.id} has no ${press.action_id}`)
    const payload = viewClick(this.#workspace, user, view, action)
    return this.#tell({ kind: 'block_actions', what: `${press.action_id} by ${user.real_name}`, payload })
  }

  async submit(submission: Submission): Promise<Reaction> {
    const user = this.#person(submission.user)
    const view = this.#view(user, submission.view)
    const { values, errors, unknown } = filled(view, submission.values ?? {})
    if (unknown.length > 0) throw new Impossible(`the view ${view.id} has no input ${unknown.join(', ')}`)
    if (Object.keys(errors).length > 0 && submission.unchecked !== true) {
      return { status: null, body: '', ms: 0, trouble: 'not_sent', errors }
    }
    const what = `${String(view.body.callback_id)} by ${user.real_name}`
    const payload = viewSubmission(this.#workspace, user, view, values)
    const { delivery, answer } = await this.#deliveries.send({ kind: 'view_submission', what, payload })
    if (answer === null || delivery.trouble !== null) return reaction(delivery, answer?.body)
    const outcome = submitted(this.#workspace, user.id, view, answer.body)
    if (outcome.trouble !== null) this.#deliveries.blame(delivery, outcome.trouble)
    return { ...reaction(delivery, answer.body), errors: outcome.errors }
  }

  /** Closes a modal, and all of them when it says clear_on_close. The app hears of it only with notify_on_close. */
  async closeView({ user: id, view: viewId }: { readonly user: string; readonly view: string }): Promise<Reaction> {
    const user = this.#person(id)
    const view = this.#view(user, viewId)
    const cleared = view.body.clear_on_close === true
    if (cleared) this.#workspace.views.clear(user.id)
    else this.#workspace.views.close(user.id, view.id)
    if (view.body.notify_on_close !== true) return NOTHING_SENT
    const payload = viewClosed(this.#workspace, user, view, cleared)
    return this.#tell({ kind: 'view_closed', what: `${String(view.body.callback_id)} by ${user.real_name}`, payload })
  }

  /** Opens the app's home tab: what was published last is seen, and the app is told each time. */
  async openHome(id: string): Promise<Reaction> {
    const user = this.#person(id)
    const payload = homeOpened(this.#workspace, user, this.#events.next())
    return this.#tell({ kind: 'event', what: `app_home_opened by ${user.real_name}`, payload })
  }

  /** A slash command. One that the app has not registered never leaves Slack. */
  async command(command: Command): Promise<Reaction> {
    const user = this.#person(command.user)
    const place = this.#place(command.conversation)
    const [, name, rest = ''] = /^(\/\S+)\s*(.*)$/s.exec(command.text.trim()) ?? []
    if (name === undefined || !this.#commands.includes(name)) return { ...NOTHING_SENT, trouble: 'invalid_command' }
    const payload = slashCommand(this.#workspace, user, place, name, rest)
    const what = `${command.text.trim()} by ${user.real_name}`
    const { delivery, answer } = await this.#deliveries.send({ kind: 'command', what, payload })
    if (answer !== null && delivery.trouble === null && answer.body !== '') {
      const json = answer.contentType.startsWith('application/json') ? parseJson(answer.body) : { text: answer.body }
      const link = { user: user.id, conversation: place.id, message: null }
      const done = isObject(json) ? said(this.#workspace, link, json) : undefined
      if (done?.ok !== true) this.#deliveries.blame(delivery, 'invalid_command_response')
    }
    return reaction(delivery, answer?.body)
  }

  async #tell(parcel: Parcel): Promise<Reaction> {
    const { delivery, answer } = await this.#deliveries.send(parcel)
    return reaction(delivery, answer?.body)
  }

  #person(id: string): Person {
    const user = this.#workspace.world.user(id)
    if (user === undefined) throw new Impossible(`there is no person ${id}`)
    return user
  }

  #place(id: string): Conversation {
    const place = this.#workspace.world.conversation(id)
    if (place === undefined) throw new Impossible(`there is no conversation ${id}`)
    return place
  }

  #view(user: Person, id: string): View {
    const view = this.#workspace.views.stack(user.id).find((entry) => entry.id === id)
    if (view === undefined) throw new Impossible(`${user.id} has no open view ${id}`)
    return view
  }
}

const NOTHING_SENT: Reaction = { status: null, body: '', ms: 0, trouble: null, errors: {} }

function reaction(delivery: Delivery, body: string | undefined): Reaction {
  return { status: delivery.status, body: body ?? '', ms: delivery.ms ?? 0, trouble: delivery.trouble, errors: {} }
}

import type { ServerResponse } from 'node:http'
import { wordAt } from './arguments.ts'
import { sendScript, sendStyle } from './asset.ts'
import type { Deliveries } from './deliveries.ts'
import type { Values } from './form.ts'
import { Impossible, type Interactions, type Reaction } from './interact.ts'
import { isObject, type JsonObject, parseJson } from './json.ts'
import { asJson, type Exhibit } from './page-exhibits.ts'
import { pageState } from './page-state.ts'
import { sendJson } from './reply.ts'
import type { Workspace } from './workspace.ts'
import type { Person } from './world.ts'

/** Milliseconds in which several changes become one event for the page. */
const COALESCE_MS = 25
/** Milliseconds between two comment lines, so that nothing on the way takes the stream for dead. */
const KEEP_ALIVE_MS = 15_000

/** What the page asks of the server. Only a person who sees a conversation can act in it. */
export class Page {
  readonly #workspace: Workspace
  readonly #deliveries: Deliveries
  readonly #interactions: Interactions
  readonly #exhibits: readonly Exhibit[]

  constructor(workspace: Workspace, deliveries: Deliveries, interactions: Interactions, exhibits: readonly Exhibit[]) {
    this.#exhibits = exhibits
    this.#workspace = workspace
    this.#deliveries = deliveries
    this.#interactions = interactions
  }

  async get(res: ServerResponse, path: string, query: URLSearchParams): Promise<void> {
    if (path === 'state') {
      const as = this.#person(query.get('as') ?? '')
      if (as === undefined) return sendJson(res, 404, { ok: false, error: 'user_not_found' })
      return sendJson(res, 200, pageState(this.#workspace, this.#deliveries.log, as), { 'cache-control': 'no-store' })
    }
    if (path === 'events') return this.#events(res)
    if (path === 'exhibits') return sendJson(res, 200, { exhibits: this.#exhibits.map(asJson) }, { 'cache-control': 'no-store' })
    if (path === 'style.css') return sendStyle(res)
    return sendScript(res, path.endsWith('.js') ? path.slice(0, -3) : '')
  }

  async post(res: ServerResponse, path: string, body: string): Promise<void> {
    const given = parseJson(body)
    const as = isObject(given) ? this.#person(wordAt(given, 'as') ?? '') : undefined
    if (!isObject(given) || as === undefined) return sendJson(res, 400, { ok: false, error: 'user_not_found' })
    try {
      sendJson(res, 200, await this.#act(path, as, given))
    } catch (error) {
      if (!(error instanceof Impossible)) throw error
      sendJson(res, 200, { ok: false, error: 'not_found' })
    }
  }

  async #act(path: string, as: Person, given: JsonObject): Promise<JsonObject> {
    const user = as.id
    const view = wordAt(given, 'view')
    const conversation = wordAt(given, 'conversation') ?? ''
    const element = { action_id: wordAt(given, 'action_id') ?? '', ...optional(given) }
    switch (path) {
      case 'click': {
        if (view !== undefined) return told(await this.#interactions.clickInView({ user, view, ...element }))
        if (!this.#sees(as, conversation)) return { ok: false, error: 'not_in_channel' }
        return told(await this.#interactions.click({ user, conversation, ts: wordAt(given, 'ts') ?? '', ...element }))
      }
      case 'submit':
        return told(await this.#interactions.submit({ user, view: view ?? '', values: valuesIn(given) }))
      case 'close':
        return told(await this.#interactions.closeView({ user, view: view ?? '' }))
      case 'home':
        return told(await this.#interactions.openHome(user))
      case 'command': {
        if (!this.#sees(as, conversation)) return { ok: false, error: 'not_in_channel' }
        return told(await this.#interactions.command({ user, conversation, text: wordAt(given, 'text') ?? '' }))
      }
      default:
        return { ok: false, error: 'not_found' }
    }
  }

  /** One `changed` after each change of state, many at once being one. */
  #events(res: ServerResponse): void {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive' })
    res.write(': open\n\n')
    let due: NodeJS.Timeout | undefined
    const stop = this.#workspace.changes.listen(() => {
      due ??= setTimeout(() => {
        due = undefined
        res.write('data: changed\n\n')
      }, COALESCE_MS)
    })
    const alive = setInterval(() => res.write(': alive\n\n'), KEEP_ALIVE_MS)
    alive.unref()
    res.on('close', () => {
      stop()
      clearTimeout(due)
      clearInterval(alive)
    })
  }

  #person(id: string): Person | undefined {
    const user = this.#workspace.world.user(id)
    return user?.is_bot === true ? undefined : user
  }

  #sees(as: Person, conversation: string): boolean {
    const place = this.#workspace.world.conversation(conversation)
    return place !== undefined && this.#workspace.world.sees(as, place)
  }
}

function optional(given: JsonObject): { block_id?: string; chosen?: string } {
  const block = wordAt(given, 'block_id')
  const chosen = wordAt(given, 'chosen')
  return { ...(block === undefined ? {} : { block_id: block }), ...(chosen === undefined ? {} : { chosen }) }
}

/** The texts that stand in the inputs; anything else in their place is left out. */
export function valuesIn(given: JsonObject): Values {
  const values = given.values
  if (!isObject(values)) return {}
  return Object.fromEntries(
    Object.entries(values).map(([block, held]) => {
      const entries = isObject(held) ? Object.entries(held) : []
      const texts = entries.filter((entry): entry is [string, string | null | JsonObject] => {
        return typeof entry[1] === 'string' || entry[1] === null || isObject(entry[1])
      })
      return [block, Object.fromEntries(texts)]
    }),
  )
}

function told(reaction: Reaction): JsonObject {
  if (Object.keys(reaction.errors).length > 0) return { ok: false, errors: reaction.errors }
  return reaction.trouble === null ? { ok: true } : { ok: false, error: reaction.trouble }
}

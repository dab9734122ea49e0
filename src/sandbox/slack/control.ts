import type { ServerResponse } from 'node:http'
import { flagAt, wordAt } from './arguments.ts'
import type { SlackStandIn } from './contract.ts'
import type { Fault } from './faults.ts'
import { Impossible } from './interact.ts'
import { isObject, type Json, type JsonObject, parseJson } from './json.ts'
import { valuesIn } from './page.ts'
import { sendJson } from './reply.ts'
import { DISCONNECT_REASONS, type SocketFault } from './socket-fault.ts'
import type { Person } from './world.ts'

/** The stand-in's own operations for another process: the same names and arguments, as JSON. */

export function controlGet(slack: SlackStandIn, res: ServerResponse, path: string, query: URLSearchParams): void {
  const found = looked(slack, path, query)
  if (found === undefined) sendJson(res, 404, { ok: false, error: 'not_found' })
  else sendJson(res, 200, plain(found))
}

function looked(slack: SlackStandIn, path: string, query: URLSearchParams): object | undefined {
  const user = query.get('user') ?? ''
  switch (path) {
    case 'messages':
      return slack.messages(query.get('conversation') ?? '')
    case 'calls':
      return slack.calls(query.get('method') ?? undefined)
    case 'views':
      return slack.views(user)
    case 'home':
      return slack.home(user)
    case 'private':
      return slack.privately(user)
    case 'deliveries':
      return slack.deliveries()
    case 'sockets':
      return slack.sockets()
    case 'world':
      return { users: slack.world.users, conversations: slack.world.conversations, groups: slack.world.groups }
    default:
      return undefined
  }
}

export async function controlPost(slack: SlackStandIn, res: ServerResponse, path: string, body: string): Promise<void> {
  const given = parseJson(body === '' ? '{}' : body)
  if (!isObject(given)) return sendJson(res, 400, { ok: false, error: 'not_json' })
  try {
    const answer = await act(slack, path, given)
    if (answer === undefined) return sendJson(res, 404, { ok: false, error: 'not_found' })
    sendJson(res, 200, plain(answer))
  } catch (error) {
    sendJson(res, 400, { ok: false, error: error instanceof Error ? error.message : String(error) })
  }
}

async function act(slack: SlackStandIn, path: string, given: JsonObject): Promise<object | undefined> {
  switch (path) {
    case 'click': {
      const override = given.message_json_override
      return slack.click({
        ...element(given),
        conversation: need(given, 'conversation'),
        ts: need(given, 'ts'),
        ...(isObject(override) ? { message_json_override: override } : {}),
      })
    }
    case 'click-in-view':
      return slack.clickInView({ ...element(given), view: need(given, 'view') })
    case 'submit': {
      const unchecked = flagAt(given, 'unchecked')
      return slack.submit({ user: need(given, 'user'), view: need(given, 'view'), values: valuesIn(given), unchecked })
    }
    case 'close-view':
      return slack.closeView({ user: need(given, 'user'), view: need(given, 'view') })
    case 'command':
      return slack.command({ user: need(given, 'user'), conversation: need(given, 'conversation'), text: need(given, 'text') })
    case 'open-home':
      return slack.openHome(need(given, 'user'))
    case 'verify-url':
      return slack.verifyUrl()
    case 'fault':
      return fault(slack, given)
    case 'socket-fault':
      slack.socketFault(socketFaultIn(given))
      return OK
    case 'release':
      slack.release()
      return OK
    case 'clear-faults':
      slack.clearFaults()
      return OK
    case 'world':
      change(slack, given)
      return OK
    case 'deliver-to':
      slack.deliverTo(need(given, 'url'))
      return OK
    default:
      return undefined
  }
}

const OK = { ok: true }

/** `down` is a fault only here: `seconds` later the stand-in is back, since nobody could ask it to come back. */
function fault(slack: SlackStandIn, given: JsonObject): object {
  if (given.kind === 'down') {
    const seconds = count(given, 'seconds')
    setImmediate(() => {
      slack.goDown().then(
        () => setTimeout(() => void slack.comeBack().catch(() => undefined), seconds * 1000).unref(),
        () => undefined,
      )
    })
    return OK
  }
  slack.fault(faultIn(given))
  return OK
}

/** JSON has no Infinity, so `times: "always"` stands for it. */
function faultIn(given: JsonObject): Fault {
  const conversation = wordAt(given, 'conversation')
  const always = given.times === 'always' ? Number.POSITIVE_INFINITY : undefined
  const common = {
    method: need(given, 'method'),
    ...(conversation === undefined ? {} : { conversation }),
    ...(given.times === undefined ? {} : { times: always ?? count(given, 'times') }),
  }
  const after = flagAt(given, 'after')
  switch (given.kind) {
    case 'ratelimited':
      return { ...common, kind: 'ratelimited', retryAfter: count(given, 'retryAfter') }
    case 'error':
      return { ...common, kind: 'error', error: need(given, 'error') }
    case 'status':
      return { ...common, kind: 'status', status: count(given, 'status'), after }
    case 'hang':
      return { ...common, kind: 'hang', after }
    case 'reset':
      return { ...common, kind: 'reset', after }
    default:
      throw new Impossible('kind must be ratelimited, error, status, hang, reset or down')
  }
}

function socketFaultIn(given: JsonObject): SocketFault {
  const socket = given.socket === undefined ? {} : { socket: count(given, 'socket') }
  const times = given.times === undefined ? {} : { times: count(given, 'times') }
  switch (given.kind) {
    case 'silent':
    case 'cut':
      return { kind: given.kind, ...socket }
    case 'disconnect': {
      const reason = DISCONNECT_REASONS.find((one) => one === given.reason)
      if (reason === undefined) throw new Impossible(`reason must be one of ${DISCONNECT_REASONS.join(', ')}`)
      return { kind: 'disconnect', reason, ...socket }
    }
    case 'drop_ack':
    case 'twice':
    case 'no_hello':
      return { kind: given.kind, ...times }
    case 'num_connections':
      return { kind: 'num_connections', count: count(given, 'count'), ...times }
    default:
      throw new Impossible('kind must be silent, cut, disconnect, drop_ack, twice, no_hello or num_connections')
  }
}

function change({ world }: SlackStandIn, given: JsonObject): void {
  const user = (): string => need(given, 'user')
  const conversation = (): string => need(given, 'conversation')
  const group = (): string => need(given, 'group')
  const changes: Readonly<Record<string, () => void>> = {
    deactivate: () => world.deactivate(user()),
    change: () => world.change(user(), personChange(given.to)),
    join: () => world.join(user(), conversation()),
    leave: () => world.leave(user(), conversation()),
    archive: () => world.archive(conversation(), given.archived !== false),
    'add-to-group': () => world.addToGroup(user(), group()),
    'remove-from-group': () => world.removeFromGroup(user(), group()),
    'disable-group': () => world.disableGroup(group(), given.disabled !== false),
  }
  const op = need(given, 'op')
  const made = Object.hasOwn(changes, op) ? changes[op] : undefined
  if (made === undefined) throw new Impossible(`op must be one of ${Object.keys(changes).join(', ')}`)
  made()
}

const PERSON_FLAGS = ['deleted', 'is_bot', 'is_admin', 'is_restricted', 'is_ultra_restricted', 'is_stranger'] as const

function personChange(to: Json | undefined): Partial<Omit<Person, 'id'>> {
  if (!isObject(to)) throw new Impossible('to must be an object')
  const flags = PERSON_FLAGS.filter((name) => typeof to[name] === 'boolean').map((name) => [name, to[name]])
  const words = ['name', 'real_name', 'email', 'team_id']
    .filter((name) => typeof to[name] === 'string')
    .map((name) => [name, to[name]])
  return Object.fromEntries([...flags, ...words])
}

function element(given: JsonObject): { user: string; action_id: string; block_id?: string; chosen?: string } {
  const block = wordAt(given, 'block_id')
  const chosen = wordAt(given, 'chosen')
  return {
    user: need(given, 'user'),
    action_id: need(given, 'action_id'),
    ...(block === undefined ? {} : { block_id: block }),
    ...(chosen === undefined ? {} : { chosen }),
  }
}

function need(given: JsonObject, name: string): string {
  const value = wordAt(given, name)
  if (value === undefined) throw new Impossible(`${name} is missing`)
  return value
}

function count(given: JsonObject, name: string): number {
  const value = given[name]
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new Impossible(`${name} must be a number`)
  return value
}

function plain(value: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(value))
  return json
}

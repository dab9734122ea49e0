import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { Calls } from './calls.ts'
import { Changes } from './changes.ts'
import { SlackClock } from './clock.ts'
import type { RawDelivery, SlackOptions, SlackStandIn } from './contract.ts'
import { Deliveries, FORM, JSON_BODY, overHttp } from './deliveries.ts'
import { Door } from './door.ts'
import { urlVerification } from './event.ts'
import { Faults } from './faults.ts'
import { Counter, fill } from './fill.ts'
import { Interactions, type Reaction } from './interact.ts'
import { isObject, parseJson } from './json.ts'
import { LIMITS } from './limits.ts'
import { ResponseLinks } from './links.ts'
import { Messages } from './messages.ts'
import { ALL_SCOPES } from './methods.ts'
import { Page } from './page.ts'
import { checked } from './page-exhibits.ts'
import { post } from './post.ts'
import { routes } from './server.ts'
import { signed } from './signature.ts'
import { overSocketsOr, Sockets } from './sockets.ts'
import { Triggers } from './triggers.ts'
import { until } from './until.ts'
import { Views } from './views.ts'
import { WebApi } from './web-api.ts'
import type { Workspace } from './workspace.ts'
import { type World, WorldBook, worldWith } from './world.ts'

export type { SlackOptions, SlackStandIn } from './contract.ts'

/** Starts a stand-in for Slack on loopback: Web API, deliveries (signed, or on sockets), a page at `/`, given examples at `/cards`, and controls below `/control`. */
export async function startSlack(options: SlackOptions): Promise<SlackStandIn> {
  if (!options.botToken.startsWith('xoxb-sandbox-')) {
    throw new Error('the stand-in takes only bot tokens that begin with xoxb-sandbox-')
  }
  if (options.appToken !== undefined && !options.appToken.startsWith('xapp-sandbox-')) {
    throw new Error('the stand-in takes only app tokens that begin with xapp-sandbox-')
  }
  const exhibits = checked(options.exhibits ?? [])
  const door = await Door.open(options.port ?? 0)
  const changes = new Changes()
  const clock = new SlackClock(options.now ?? (() => new Date()))
  const answerWithinMs = options.answerWithinMs ?? LIMITS.answerMs
  const world = worldWith(options.world ?? {})
  const workspace = emptyWorkspace(`http://127.0.0.1:${door.port}`, clock, changes, world, answerWithinMs)
  const faults = new Faults(changes)
  const calls = new Calls(clock.now, changes)
  const scopes = new Set(options.scopes ?? ALL_SCOPES)
  let target = options.deliverTo ?? ''
  const transport = overHttp(() => target, options.signingSecret, clock, answerWithinMs)
  const deliveries = new Deliveries(overSocketsOr(workspace.sockets, transport), clock, changes)
  const interactions = new Interactions(workspace, deliveries, options.commands ?? ['/approvals'])
  const closed = new AbortController()
  // Everybody who waits for something listens.
  setMaxListeners(0, closed.signal)

  const slack: SlackStandIn = {
    port: door.port,
    url: workspace.origin,
    apiUrl: `${workspace.origin}/api/`,
    deliverTo: (url) => {
      target = url
    },
    messages: (conversation) => workspace.messages.in(conversation).map((message) => ({ ...message })),
    calls: (method) => calls.of(method),
    views: (user) => workspace.views.stack(user).map((view) => view.body),
    home: (user) => workspace.views.home(user)?.body,
    privately: (user) => workspace.messages.privately(user).map((message) => ({ ...message })),
    click: (click) => interactions.click(click),
    clickInView: (press) => interactions.clickInView(press),
    submit: (submission) => interactions.submit(submission),
    closeView: (closing) => interactions.closeView(closing),
    command: (command) => interactions.command(command),
    openHome: (user) => interactions.openHome(user),
    verifyUrl: () => verifyUrl(target, options.signingSecret, clock, answerWithinMs),
    say: ({ blocks = [], ...saying }) => ({ ...workspace.messages.post({ ...saying, blocks: fill(blocks, workspace.names) }) }),
    deliverRaw: (raw) => deliverRaw(target, raw, answerWithinMs),
    sign: (body, at = clock.now()) => signed(options.signingSecret, Math.floor(at.getTime() / 1000), body),
    fault: (fault) => faults.add(fault),
    release: () => faults.release(),
    clearFaults: () => {
      faults.clear()
      workspace.sockets.clearFaults()
    },
    sockets: () => workspace.sockets.views(),
    socketFault: (fault) => workspace.sockets.fault(fault),
    hanging: () => faults.held,
    world: workspace.world,
    deliveries: () => deliveries.log,
    until: (description, probe, timeoutMs = 10_000) =>
      until(changes, closed.signal, () => inShort(workspace, calls, deliveries), description, probe, timeoutMs),
    goDown: () => {
      workspace.sockets.cutAll()
      return door.goDown()
    },
    comeBack: () => door.comeBack(),
    close: async () => {
      closed.abort()
      await slack.goDown()
    },
  }
  const page = new Page(workspace, deliveries, interactions, exhibits)
  const webApi = new WebApi(workspace, { botToken: options.botToken, appToken: options.appToken, scopes }, faults, calls)
  door.serve(routes({ workspace, webApi, page, faults, calls, slack }), (req, socket, head) =>
    workspace.sockets.admit(req, socket, head),
  )
  return slack
}

function emptyWorkspace(origin: string, clock: SlackClock, changes: Changes, given: World, answerMs: number): Workspace {
  const names = { block: new Counter('block-'), action: new Counter('action-') }
  const world = new WorldBook(given, changes)
  return {
    origin,
    clock,
    changes,
    names,
    world,
    messages: new Messages(clock, changes),
    views: new Views(clock, names, world, changes),
    triggers: new Triggers(clock),
    links: new ResponseLinks(clock),
    sockets: new Sockets(origin, world.app.id, changes, answerMs),
  }
}

async function deliverRaw(url: string, raw: RawDelivery, timeoutMs: number): Promise<Reaction> {
  const began = performance.now()
  const posted = await post(url, { ...FORM, ...raw.headers }, raw.body, timeoutMs)
  const ms = Math.round(performance.now() - began)
  if (typeof posted === 'string') return { status: null, body: '', ms, trouble: 'operation_timeout', errors: {} }
  return { status: posted.status, body: posted.body, ms, trouble: null, errors: {} }
}

async function verifyUrl(target: string, secret: string, clock: SlackClock, timeoutMs: number): Promise<Reaction> {
  const challenge = randomUUID()
  const body = JSON.stringify(urlVerification(challenge))
  const headers = { ...JSON_BODY, ...signed(secret, clock.seconds(), body) }
  const reaction = await deliverRaw(target, { body, headers }, timeoutMs)
  const answer = parseJson(reaction.body)
  const echoed = isObject(answer) ? answer.challenge : reaction.body
  return reaction.status === 200 && echoed === challenge ? reaction : { ...reaction, trouble: 'url_not_verified' }
}

/** What a person who reads a failed test wants to know first. */
function inShort(workspace: Workspace, calls: Calls, deliveries: Deliveries): string {
  const recentCalls = calls
    .of()
    .slice(-5)
    .map((call) => `${call.method} ${call.ok === true ? 'ok' : (call.error ?? call.status ?? 'open')}`)
  const recent = deliveries.log.slice(-3).map((entry) => `${entry.what} ${entry.status ?? '-'} ${entry.trouble ?? ''}`)
  const places = workspace.world.conversations.map((place) => `${place.name} ${workspace.messages.in(place.id).length}`)
  return `messages: ${places.join(', ')}\nlast calls: ${recentCalls.join(', ')}\nlast deliveries: ${recent.join(', ')}`
}

/** The composition root: builds every part once, joins them, and takes them apart in order. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Approval, RowId } from './approval/approval.ts'
import { decide } from './approval/decide.ts'
import { open } from './approval/open.ts'
import { type ApprovalStore, type Clock, Failure, type NewId, type Step, type Task } from './approval/ports.ts'
import { learnPlace, present } from './approval/present.ts'
import { settle } from './approval/settle.ts'
import { type Pace, type Sweep, sweep } from './approval/sweep.ts'
import { slackReceiver } from './channels/slack/bolt.ts'
import type { CardSettings } from './channels/slack/card.ts'
import { noteFault, press, submit } from './channels/slack/click.ts'
import { slackClients } from './channels/slack/client.ts'
import { command } from './channels/slack/command.ts'
import { responder, teller } from './channels/slack/feedback.ts'
import { type Identity, identityOf } from './channels/slack/identity.ts'
import type { Deciders } from './channels/slack/may-decide.ts'
import { people } from './channels/slack/people.ts'
import { poster } from './channels/slack/poster.ts'
import type { Config } from './config/config.ts'
import { type Health, health, mountHealth, mountReasons } from './http/health.ts'
import { httpServer, listen, mountRaw } from './http/server.ts'
import type { Logger } from './log.ts'
import { rulingOf } from './policy/rules.ts'
import { answerHook, type HookEvent } from './sources/novo/hook.ts'
import { novoSource } from './sources/novo/resolve.ts'
import { approvalStore, probe, takeOver } from './store/approvals.ts'
import { type Database, holdSole, openDatabase } from './store/database.ts'

export interface Outside {
  readonly log: Logger
  readonly clock: Clock
  readonly pace: Pace
  /** Uniform in [0, 1): the jitter of retries. */
  readonly random: () => number
}

export interface App {
  readonly port: number
  readonly adminPort: number
  /** Takes nothing new, ends what is under way (10 s at most each), and closes everything. Safe to call twice. */
  stop(): Promise<void>
}

const HookPath = z.object({ name: z.string() })

/** How long a stop waits for each kind of work that is under way. Milliseconds. */
const STOP_MS = 10_000

/** @throws UnusableDatabase, or an Error in words when a port cannot be had. Nothing is left open then. */
export async function startApp(config: Config, outside: Outside): Promise<App> {
  const sole = holdSole(config.databasePath)
  let db: Database
  try {
    db = await openDatabase(config.databasePath)
  } catch (error) {
    sole.release()
    throw error
  }
  const closers: (() => Promise<unknown> | unknown)[] = [() => sole.release(), () => db.destroy()]
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer()
  }
  try {
    await takeOver(db, outside.clock.now())
    const ports = await build(config, outside, db, closers)
    let stopping: Promise<void> | undefined
    return { ...ports, stop: () => (stopping ??= close()) }
  } catch (error) {
    await close()
    throw error
  }
}

const newId: NewId = () => randomBytes(16).toString('hex')

async function build(
  config: Config,
  outside: Outside,
  db: Database,
  closers: (() => Promise<unknown> | unknown)[],
): Promise<{ port: number; adminPort: number }> {
  const { log, clock } = outside
  const store = approvalStore(db)
  const sources = new Map(config.hooks.map((hook) => [hook.name, novoSource(hook, clock.now)]))
  closers.push(() => Promise.all([...sources.values()].map((source) => source.close())))
  const state = health(
    () => probe(db),
    async () => {
      const stuck = await store.stuck()
      return stuck === 0 ? [] : [`stuck: ${stuck} decisions could not be delivered`]
    },
  )
  const slack = buildSlack(config, outside, store, state, () => sweeper.wake())
  const sweeper: Sweep = sweep({
    store,
    clock,
    pace: outside.pace,
    random: outside.random,
    steps: {
      present: (rowId) => present({ store, clock, channel: slack.channel, newId }, rowId),
      settle: (rowId) => settle({ store, clock, sources }, rowId),
    } satisfies Record<Step, (rowId: RowId) => Promise<void>>,
    report: (what, error) => reportStep(log, what, error),
  })
  closers.push(() => sweeper.stop())
  closers.push(() => within(STOP_MS, slack.receiver.settled()))

  const server = httpServer(log)
  mountHealth(server, state)
  const hooks = new Map(config.hooks.map((hook) => [hook.name, hook]))
  mountRaw(server, '/hooks/:name', async (request, reply) => {
    const hook = hooks.get(HookPath.parse(request.params).name)
    if (hook === undefined)
      return reply.code(404).send({ code: 'unknown_hook', error: 'No hook of this name stands in the settings.' })
    try {
      const answer = await answerHook(
        hook,
        {
          now: clock.now,
          newRowId: () => RowId.parse(newId()),
          rule: (tool) => rulingOf(config.policy, tool),
          open: (asked) => open(store, asked),
          observe: (event) => observeHook(log, event),
        },
        request.headers,
        request.raw,
      )
      if (answer.close) void reply.header('connection', 'close')
      return reply.code(answer.status).send(answer.body)
    } catch (error) {
      state.storeFailed()
      throw error
    } finally {
      sweeper.wake()
    }
  })
  mountRaw(server, '/slack/events', async (request, reply) => {
    reply.hijack()
    slack.receiver.listen(request.raw, reply.raw)
  })
  const admin = httpServer(log)
  mountReasons(admin, state)
  for (const one of [server, admin]) {
    closers.push(async () => {
      const cut = setTimeout(() => one.server.closeAllConnections(), STOP_MS)
      await one.close()
      clearTimeout(cut)
    })
  }
  const adminPort = await listen(admin, config.admin.host, config.admin.port, 'ADMIN_PORT')
  const port = await listen(server, config.listen.host, config.listen.port, 'PORT')
  closers.push(askWhoWeAre(slack.identity, outside, state))
  sweeper.wake()
  log.info({ port, adminPort, hooks: [...hooks.keys()] }, 'listening')
  return { port, adminPort }
}

function buildSlack(config: Config, { log, clock }: Outside, store: ApprovalStore, state: Health, wake: () => void) {
  const clients = slackClients(config.slack)
  const identity = identityOf(clients.lookups)
  const { conversation, fallback, home } = config.slack
  const settings: CardSettings = {
    whoMayDecide: (name) => {
      const set = config.policy.sets.get(name)
      return {
        users: set?.users ?? [],
        groups: set?.groups ?? [],
        conversation: set?.conversation === true ? conversation : undefined,
      }
    },
    keySetting: (source) => config.hooks.find((hook) => hook.name === source)?.keySetting ?? 'key',
  }
  const deciders: Deciders = {
    people: people(clients.lookups, clock),
    identity,
    sets: config.policy.sets,
    conversation,
    home,
    health: (set, reason) => state.degrade(`approvers ${set}`, reason),
  }
  const report = (error: unknown): void => reportFailure(log, 'slack', error)
  const respond = responder(config.slack.apiUrl)
  const tell = teller(clients.interactive, respond, report)
  const standsIn = async (rowId: RowId): Promise<readonly string[]> =>
    (await store.places(rowId)).map((place) => place.conversation)
  const giveUpMs = (source: string): number => config.hooks.find((hook) => hook.name === source)?.giveUpAfterMs ?? 86_400_000
  const clicking = {
    now: clock.now,
    find: store.find,
    standsIn,
    async decide(
      deciding: {
        rowId: RowId
        hash: Approval['hash']
        verdict: 'approve' | 'deny'
        by: string
        via: string | null
        note: string | null
      },
      source: string,
    ) {
      const at = clock.now()
      const decided = await decide(store, { ...deciding, at, giveUpAt: new Date(at.getTime() + giveUpMs(source)) })
      log.info({ row: deciding.rowId, verdict: deciding.verdict, by: deciding.by, decided: decided.ok }, 'decision')
      wake()
      return decided
    },
    async learn(rowId: RowId, place: { conversation: string; ts: string; bot: string | undefined }) {
      const own = await identity().catch(() => undefined)
      if (own === undefined || own.bot !== place.bot) return
      await learnPlace({ store, clock, newId }, rowId, place.conversation, place.ts)
      wake()
    },
    deciders,
    settings,
    interactive: clients.interactive,
    tell,
    report,
  }
  const commanding = { ofRun: store.ofRun, standsIn, deciders, respond, tell }
  const receiver = slackReceiver({
    signingSecret: config.slack.signingSecret,
    now: clock.now,
    press: (body) => press(clicking, body),
    fault: noteFault,
    submit: (body) => submit(clicking, body),
    command: (body) => command(commanding, body),
    report: (what, error) => reportFailure(log, what, error),
  })
  const channel = poster({
    writer: clients.writer,
    identity,
    clock,
    settings,
    conversation,
    fallback,
    health: (code) => state.degrade('slack', code),
  })
  return { channel, receiver, identity }
}

/** How often Slack is asked who we are while it does not say. Milliseconds. */
const ASK_AGAIN_MS = 15_000

/** Warms what each decision needs, and says in health why it cannot be had. */
function askWhoWeAre(identity: () => Promise<Identity>, { log, clock }: Outside, state: Health): () => void {
  let cancel = (): void => undefined
  const ask = (): void => {
    identity().then(
      (own) => {
        state.degrade('slack', undefined)
        log.info({ team: own.team }, 'slack knows us')
      },
      (error: unknown) => {
        state.degrade('slack', error instanceof Failure ? error.trouble.code : 'unreadable answer')
        reportFailure(log, 'auth.test', error)
        cancel = clock.after(ASK_AGAIN_MS, ask)
      },
    )
  }
  ask()
  return () => cancel()
}

function observeHook(log: Logger, { event, ...fields }: HookEvent): void {
  if (event === 'hook.refused') log.warn(fields, event)
  else log.info(fields, event)
}

function reportStep(log: Logger, what: Task | 'look', error: unknown): void {
  const task = what === 'look' ? { step: what } : { row: what.approval, step: what.step, attempts: what.attempts }
  if (error instanceof Failure) log.warn({ ...task, ...error.trouble, landed: error.landed }, 'step not done')
  else log.error({ ...task, err: error }, 'step failed')
}

function reportFailure(log: Logger, what: string, error: unknown): void {
  if (error instanceof Failure) log.warn({ what, ...error.trouble }, 'not done')
  else log.error({ what, err: error }, 'failed')
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    work,
    new Promise((resolve) => {
      timer = setTimeout(resolve, ms)
    }),
  ])
  clearTimeout(timer)
}

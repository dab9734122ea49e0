/** The composition root: builds every part once, joins them, and takes them apart in order. */
import { z } from 'zod'
import { mountChannel } from './app-channel.ts'
import { mountNudges } from './app-nudge.ts'
import { buildSlack, giveUpMs, reportFailure, type SlackOutside } from './app-slack.ts'
import { askedSources } from './app-sources.ts'
import { RowId } from './approval/approval.ts'
import { approver } from './approval/approver.ts'
import { expire } from './approval/close.ts'
import { open } from './approval/open.ts'
import { Failure, type Source, type Step, type Task } from './approval/ports.ts'
import { present, presentDigest } from './approval/present.ts'
import { settle } from './approval/settle.ts'
import { type Pace, type Sweep, sweep } from './approval/sweep.ts'
import type { Identity } from './channels/slack/identity.ts'
import type { Config } from './config/config.ts'
import { type Health, health, mountHealth, mountReasons } from './http/health.ts'
import { httpServer, listen, mountRaw } from './http/server.ts'
import type { Logger } from './log.ts'
import { newId } from './new-id.ts'
import { rulingOf } from './policy/rules.ts'
import type { WatchPace } from './sources/agentrt/watch.ts'
import { answerHook, type HookEvent } from './sources/novo/hook.ts'
import { novoSource } from './sources/novo/resolve.ts'
import { approvalStore, probe } from './store/approvals.ts'
import { Committer } from './store/commit.ts'
import { type Database, holdSole, openDatabase } from './store/database.ts'
import { signatureBook } from './store/signatures.ts'
import { takeOver } from './store/tasks.ts'
import { watchBook } from './store/watches.ts'

export interface Outside extends SlackOutside {
  readonly pace: Pace
  /** How often runs of sources that are asked are looked at; unless said otherwise, gently. */
  readonly watchPace?: WatchPace
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

async function build(
  config: Config,
  outside: Outside,
  db: Database,
  closers: (() => Promise<unknown> | unknown)[],
): Promise<{ port: number; adminPort: number }> {
  const { log, clock } = outside
  const committer = new Committer(db)
  const store = approvalStore(db, committer)
  const hookSources = config.hooks.map((hook) => novoSource(hook, clock.now))
  closers.push(() => Promise.all(hookSources.map((source) => source.close())))
  const state = health(
    () => probe(db),
    async () => {
      const stuck = await store.stuck()
      return stuck === 0 ? [] : [`stuck: ${stuck} decisions could not be delivered`]
    },
  )
  const asked = await askedSources({
    config,
    store,
    book: watchBook(db, committer),
    clock,
    log,
    state,
    wake: () => sweeper.wake(),
    ...(outside.watchPace === undefined ? {} : { watchPace: outside.watchPace }),
  })
  closers.push(() => within(STOP_MS, Promise.all([...asked.values()].map((one) => one.close()))))
  const owners = [...asked.values()].map(({ source }) => source)
  const sources = new Map<string, Source>([...hookSources, ...owners].map((source) => [source.name, source]))
  const approving = approver({
    store,
    clock,
    newGiveUp: (source, now) => new Date(now.getTime() + giveUpMs(config, source)),
    mayDecide: (via, approvers) =>
      config.serve.some(
        ({ name, decides }) =>
          `channel/${name}` === via && (approvers === null ? decides.length > 0 : decides.includes(approvers)),
      ),
    owners,
    wake: () => sweeper.wake(),
  })
  const slack = buildSlack(config, outside, store, state, { approving, asked, wake: () => sweeper.wake() })
  closers.push(() => within(STOP_MS, slack.stop()))
  const sweeper: Sweep = sweep({
    store,
    clock,
    pace: outside.pace,
    random: outside.random,
    steps: {
      present: (rowId) => {
        void slack.changed(rowId)
        return present({ store, clock, channel: slack.channel, newId }, rowId)
      },
      settle: (rowId) => settle({ store, clock, sources }, rowId),
      expire: (rowId) => expire({ store, clock }, rowId),
      digest: (id) => presentDigest({ store, clock, channel: slack.channel, newId }, id),
    } satisfies Record<Step, (rowId: RowId) => Promise<void>>,
    report: (what, error) => reportStep(log, what, error),
  })
  closers.push(() => sweeper.stop())
  const { ingress } = slack
  closers.push(() => within(STOP_MS, ingress.mode === 'http' ? ingress.receiver.settled() : ingress.receiver.stop()))

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
  if (ingress.mode === 'http') {
    mountRaw(server, '/slack/events', async (request, reply) => {
      reply.hijack()
      ingress.receiver.listen(request.raw, reply.raw)
    })
  }
  const signatures = signatureBook(committer)
  if (config.serve.length > 0) mountChannel(server, config.serve, approving, signatures, outside)
  if (config.channels.length > 0) {
    const nudged = config.channels.map(({ name, nudgeSecret }) => ({ name, secret: nudgeSecret }))
    mountNudges(
      server,
      nudged,
      async (name, run) => (await asked.get(name)?.watcher.watch(run, 'nudge')) ?? 'full',
      signatures,
      outside,
    )
  }
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
  // Not waited for: it goes on trying by itself, and hooks are answered meanwhile.
  if (ingress.mode === 'socket') void ingress.receiver.start().then((state) => log.info({ state }, 'slack socket'))
  closers.push(askWhoWeAre(slack.identity, outside, state))
  sweeper.wake()
  log.info({ port, adminPort, hooks: [...hooks.keys()], channels: [...asked.keys()] }, 'listening')
  return { port, adminPort }
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

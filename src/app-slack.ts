/** Joins Slack to the core: clients, cards, presses and the command. */
import type { AskedSource } from './app-sources.ts'
import type { Approval, RowId } from './approval/approval.ts'
import type { Approver } from './approval/approver.ts'
import { decide } from './approval/decide.ts'
import { type ApprovalStore, type Channel, type Clock, Failure } from './approval/ports.ts'
import { learnPlace } from './approval/present.ts'
import { type Listening, type Receiver, type SocketReceiver, slackReceiver, socketReceiver } from './channels/slack/bolt.ts'
import type { CardSettings } from './channels/slack/card.ts'
import { press } from './channels/slack/click.ts'
import { failureOf, slackClients } from './channels/slack/client.ts'
import { command } from './channels/slack/command.ts'
import { responder, teller } from './channels/slack/feedback.ts'
import { HOME_PACE, type HomePace, homes } from './channels/slack/homes.ts'
import { type Identity, identityOf } from './channels/slack/identity.ts'
import type { Deciders } from './channels/slack/may-decide.ts'
import { lookFor } from './channels/slack/mine.ts'
import { noteFault, submit } from './channels/slack/note.ts'
import type { Operating } from './channels/slack/operate.ts'
import { SLACK_PACE, type SlackPace } from './channels/slack/pace.ts'
import { people } from './channels/slack/people.ts'
import { poster } from './channels/slack/poster.ts'
import type { Config } from './config/config.ts'
import type { Health } from './http/health.ts'
import type { Logger } from './log.ts'
import { newId } from './new-id.ts'

/** What the process supplies. */
export interface SlackOutside {
  readonly log: Logger
  readonly clock: Clock
  /** Uniform in [0, 1): the jitter of retries. */
  readonly random: () => number
  /** Slack's own, unless said otherwise. */
  readonly slackPace?: SlackPace
  readonly homePace?: HomePace
}

export interface SlackParts {
  readonly channel: Channel
  /** Where presses and commands arrive. */
  readonly ingress:
    | { readonly mode: 'http'; readonly receiver: Receiver }
    | { readonly mode: 'socket'; readonly receiver: SocketReceiver }
  readonly identity: () => Promise<Identity>
  /** Something of an approval may have changed: the home tabs that it concerns follow. Never rejects. */
  readonly changed: (rowId: RowId) => Promise<void>
  /** Ends the work of the home tabs. */
  readonly stop: () => Promise<void>
}

/** What Slack's side needs of the rest. */
export interface SlackNeeds {
  readonly approving: Approver
  readonly asked: ReadonlyMap<string, AskedSource>
  readonly wake: () => void
}

export function buildSlack(
  config: Config,
  { log, clock, random, slackPace, homePace }: SlackOutside,
  store: ApprovalStore,
  state: Health,
  { approving, asked, wake }: SlackNeeds,
): SlackParts {
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
    keySetting: (source) =>
      config.hooks.find((hook) => hook.name === source)?.keySetting ??
      config.channels.find((channel) => channel.name === source)?.secretSetting ??
      'its key',
  }
  const deciders: Deciders = {
    people: people(clients.lookups, clock),
    identity,
    sets: config.policy.sets,
    operators: config.operators,
    conversation,
    home,
    health: (set, reason) => state.degrade(`approvers ${set}`, reason),
  }
  const report = (error: unknown): void => reportFailure(log, 'slack', error)
  const respond = responder(config.slack.apiUrl)
  const tell = teller(clients.interactive, respond, report)
  const standsIn = async (rowId: RowId): Promise<readonly string[]> =>
    (await store.places(rowId)).map((place) => place.conversation)
  const operating: Operating = {
    watchable: config.channels.map(({ name }) => name),
    async watch(source, run, by) {
      log.info({ source, run, by }, 'watch')
      return (await asked.get(source)?.watcher.watch(run, by)) ?? 'full'
    },
    unwatch: async (source, run) => (await asked.get(source)?.watcher.unwatch(run)) ?? false,
    async cancel(run, by) {
      const cancelled = await approving.cancel(run, by, null, null)
      const outcome = cancelled.ok ? 'cancelled' : cancelled.refusal
      log.info({ run, by, outcome }, 'cancel')
      return outcome === 'cancelled' || outcome === 'run_finished' ? outcome : 'not_found'
    },
    deciders,
    respond,
    tell,
  }
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
      const decided = await decide(store, { ...deciding, at, giveUpAt: new Date(at.getTime() + giveUpMs(config, source)) })
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
    operating,
    digested: store.digested,
    async digestOf({ source, rootRun }: Approval) {
      const digest = await store.findDigest(source, rootRun)
      return digest !== undefined && (await store.digested(digest)).length > 0 ? digest : undefined
    },
    deciders,
    settings,
    interactive: clients.interactive,
    tell,
    report,
  }
  const commanding = { ofRun: store.ofRun, ask: askAll(asked, clock, report), standsIn, operating, deciders, respond, tell }
  const homeTabs = homes({
    clock,
    pace: homePace ?? HOME_PACE,
    settings,
    find: store.find,
    look: (user) => lookFor({ waiting: store.waiting, decidedBy: store.decidedBy, deciders }, user),
    async publish(user, view) {
      await clients.writer.views.publish({ user_id: user, view }).catch((error: unknown) => {
        throw failureOf(error)
      })
    },
    report: (error) => reportFailure(log, 'home', error),
  })
  const listening: Listening = {
    press: (body) => press(clicking, body),
    fault: noteFault,
    submit: (body) => submit(clicking, body),
    command: (body) => command(commanding, body),
    home: async (user) => homeTabs.opened(user),
    report: (what, error) => reportFailure(log, what, error),
  }
  const channel = poster({
    writer: clients.writer,
    identity,
    clock,
    settings,
    pace: slackPace ?? SLACK_PACE,
    conversation,
    fallback,
    health: (code) => state.degrade('slack', code),
  })
  const ingress = ingressOf(config, { log, clock, random }, listening, state)
  return { channel, ingress, identity, changed: homeTabs.changed, stop: homeTabs.stop }
}

function ingressOf(
  { slack }: Config,
  { log, clock, random }: SlackOutside,
  listening: Listening,
  state: Health,
): SlackParts['ingress'] {
  const { ingress, apiUrl } = slack
  if (ingress.mode === 'http') {
    const { signingSecret } = ingress
    return { mode: 'http', receiver: slackReceiver({ ...listening, signingSecret, now: clock.now }) }
  }
  const receiver = socketReceiver(listening, {
    appToken: ingress.appToken,
    apiUrl,
    clock,
    random,
    health: (trouble) =>
      state.degrade('slack socket', trouble?.kind === 'lasting' ? `${trouble.code}: check SLACK_APP_TOKEN` : trouble?.code),
    crowded: (counted, held) => log.warn({ counted, held }, 'slack counts more connections than ours: presses go astray'),
  })
  return { mode: 'socket', receiver }
}

/** A person waits for the answer to a command. Milliseconds. */
const ASK_MS = 2500

/** Has each source that can be asked look at a run, for as long as a person waits. */
function askAll(
  asked: ReadonlyMap<string, AskedSource>,
  clock: Clock,
  report: (error: unknown) => void,
): (run: string) => Promise<readonly string[]> {
  return async (run) => {
    const silent = await Promise.all(
      [...asked].map(async ([name, { watcher }]) => {
        const asking = watcher.ask(run).then(
          () => true,
          (error: unknown) => {
            report(error)
            return false
          },
        )
        let cancel = (): void => undefined
        const late = new Promise<boolean>((resolve) => {
          cancel = clock.after(ASK_MS, () => resolve(false))
        })
        const answered = await Promise.race([asking, late])
        cancel()
        return answered ? undefined : name
      }),
    )
    return silent.filter((name) => name !== undefined)
  }
}

/** How long a decision of a source is tried. Milliseconds. */
export function giveUpMs(config: Config, source: string): number {
  return [...config.hooks, ...config.channels].find(({ name }) => name === source)?.giveUpAfterMs ?? 86_400_000
}

export function reportFailure(log: Logger, what: string, error: unknown): void {
  if (error instanceof Failure) log.warn({ what, ...error.trouble }, 'not done')
  else log.error({ what, err: error }, 'failed')
}

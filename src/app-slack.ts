/** Joins Slack to the core: clients, cards, presses and the command. */
import { randomBytes } from 'node:crypto'
import type { Approval, RowId } from './approval/approval.ts'
import { decide } from './approval/decide.ts'
import { type ApprovalStore, type Channel, type Clock, Failure, type NewId } from './approval/ports.ts'
import { learnPlace } from './approval/present.ts'
import { type Receiver, slackReceiver } from './channels/slack/bolt.ts'
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
import type { Health } from './http/health.ts'
import type { Logger } from './log.ts'

export const newId: NewId = () => randomBytes(16).toString('hex')

export interface SlackParts {
  readonly channel: Channel
  readonly receiver: Receiver
  readonly identity: () => Promise<Identity>
}

export function buildSlack(
  config: Config,
  { log, clock }: { readonly log: Logger; readonly clock: Clock },
  store: ApprovalStore,
  state: Health,
  wake: () => void,
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

/** How long a decision of a source is tried. Milliseconds. */
export function giveUpMs(config: Config, source: string): number {
  return config.hooks.find((hook) => hook.name === source)?.giveUpAfterMs ?? 86_400_000
}

export function reportFailure(log: Logger, what: string, error: unknown): void {
  if (error instanceof Failure) log.warn({ what, ...error.trouble }, 'not done')
  else log.error({ what, err: error }, 'failed')
}

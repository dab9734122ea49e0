/** Joins the sources that are asked: a client, a watch and the decisions' way back, one of each a source. */
import { type Asked, RowId } from './approval/approval.ts'
import { close } from './approval/close.ts'
import { open } from './approval/open.ts'
import { type ApprovalStore, type Clock, Failure, type RunOwner, type Source, type WatchBook } from './approval/ports.ts'
import { channelClient } from './approval-channel/client.ts'
import { channelSecret } from './approval-channel/signature.ts'
import type { ChannelConfig, Config } from './config/config.ts'
import type { Health } from './http/health.ts'
import type { Logger } from './log.ts'
import { newId } from './new-id.ts'
import { askingOf } from './policy/rules.ts'
import { pacer } from './sources/agentrt/pacer.ts'
import { agentrtSource } from './sources/agentrt/source.ts'
import { GAP_MS, WATCH_PACE, type Watcher, type WatchPace, watcher } from './sources/agentrt/watch.ts'

export interface AskedSource {
  readonly source: Source & RunOwner
  readonly watcher: Watcher
  close(): Promise<void>
}

export interface SourceParts {
  readonly config: Config
  readonly store: ApprovalStore
  readonly book: WatchBook
  readonly clock: Clock
  readonly log: Logger
  readonly state: Health
  readonly wake: () => void
  readonly watchPace?: WatchPace
}

/** Resolves once the runs of the settings are watched. */
export async function askedSources(parts: SourceParts): Promise<ReadonlyMap<string, AskedSource>> {
  const { config, book, clock } = parts
  // As a restart does: the runs that the settings name are watched anew, also those whose watch had ended.
  for (const { name, watchRuns } of config.channels)
    for (const run of watchRuns) await book.watch(name, run, 'settings', clock.now(), Number.POSITIVE_INFINITY)
  return new Map(config.channels.map((channel) => [channel.name, askedSource(parts, channel)]))
}

function askedSource(parts: SourceParts, channel: ChannelConfig): AskedSource {
  const { store, book, clock, log, state, wake } = parts
  const { name } = channel
  const client = channelClient({
    url: channel.url,
    signedPath: channel.signedPath,
    secret: channelSecret(channel.secret),
    now: clock.now,
    newNonce: newId,
  })
  const watching = watcher({
    name,
    client,
    clock,
    book,
    pace: parts.watchPace ?? WATCH_PACE,
    slot: pacer(clock, GAP_MS),
    now: clock.now,
    newRowId: () => RowId.parse(newId()),
    rule: (tool) => askingOf(parts.config.policy, tool),
    ofRun: store.ofRun,
    async open(asked: Asked) {
      const opened = await open(store, asked)
      wake()
      return opened
    },
    async close(rowId, ending) {
      const closed = await close(store, rowId, ending)
      wake()
      return closed
    },
    forMs: channel.watchForMs,
    observe: ({ event, ...fields }) => log.info(fields, event),
    health: (code) => state.degrade(`source ${name}`, code === undefined ? undefined : whatToDo(code, channel)),
    ended: ({ run, why }) => log.info({ source: name, run, why }, 'watch.ended'),
    report: (error) => {
      if (error instanceof Failure) log.warn({ source: name, ...error.trouble }, 'not looked')
      else log.error({ source: name, err: error }, 'look failed')
    },
  })
  const source = agentrtSource({
    name,
    client,
    now: clock.now,
    isWatched: (run) => book.isWatched(name, run),
    ended: async (run) => void (await watching.unwatch(run)),
    look: (run) => watching.soon(run),
    ask: (run) => watching.ask(run),
  })
  return {
    source,
    watcher: watching,
    async close() {
      await watching.stop()
      await client.close()
    },
  }
}

/** What readiness says of a source that cannot be looked at. */
function whatToDo(code: string, { secretSetting, url }: ChannelConfig): string {
  switch (code) {
    case 'bad_signature':
      return `it refuses our signature: check that ${secretSetting} is its secret, and signedPath`
    case 'clocks_differ':
      return 'its clock and ours are more than 5 minutes apart: set both by a time server'
    case 'rate_limited':
      return 'it is asked more often than it allows, by us and its other clients together'
    case 'unreachable':
      return `nothing answers at ${url}`
    case 'answer_unreadable':
    case 'answer_too_large':
      return `an approval of it cannot be shown (${code}): decide that one on its own host`
    default:
      return code
  }
}

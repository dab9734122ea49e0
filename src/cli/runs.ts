/** `countersign runs …`: watching and cancelling runs, as an operator on the host, or over a signed channel. */
import { userInfo } from 'node:os'
import { approver } from '../approval/approver.ts'
import { channelClient } from '../approval-channel/client.ts'
import { nudgeClient } from '../approval-channel/nudge.ts'
import { channelSecret } from '../approval-channel/signature.ts'
import { channelNames, databasePath } from '../config/config.ts'
import { newId } from '../new-id.ts'
import { approvalStore } from '../store/approvals.ts'
import { Committer } from '../store/commit.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { watchBook } from '../store/watches.ts'
import { noteOf } from './approvals.ts'
import { GIVE_UP_MS, type Remote, secretOf } from './reach.ts'

type Variables = NodeJS.ProcessEnv

const MOST_WATCHED = 1000

/** `runs watch [SOURCE] RUN`. With `--url`, a nudge to the bot at that address. @throws Error in words */
export async function watch(variables: Variables, words: readonly string[], remote: Remote): Promise<void> {
  const { source, run } = sourceAndRun(words)
  if (remote.url !== undefined) return nudge(variables, remote.url, remote, source, run)
  const name = sourceNamed(variables, source)
  await within(variables, async (db) => {
    const book = watchBook(db, new Committer(db))
    const watching = await book.watch(name, run, by(), new Date(), MOST_WATCHED)
    if (watching === 'full') throw new Error(`too many runs of ${name} are watched already`)
  })
  tell('Watched: the running bot looks at it within a few seconds.')
}

/** `runs unwatch [SOURCE] RUN`. @throws Error in words */
export async function unwatch(variables: Variables, words: readonly string[]): Promise<void> {
  const { source, run } = sourceAndRun(words)
  const name = sourceNamed(variables, source)
  const known = await within(variables, (db) => watchBook(db, new Committer(db)).unwatch(name, run))
  if (!known) throw new Error('that run was not watched')
  tell('No longer watched. What waits on a card is still followed.')
}

/** `runs cancel RUN`. @throws Error in words */
export async function cancel(variables: Variables, run: string, options: Remote & { readonly note?: string }): Promise<void> {
  const note = noteOf(options)
  const code = await (options.url === undefined
    ? cancelHere(variables, run, note)
    : cancelOver(variables, options.url, options, run, note))
  if (code !== undefined) throw new Error(WORDS[code] ?? code)
  tell('Cancelled.')
}

const WORDS: Readonly<Record<string, string>> = {
  not_found:
    'nothing of this run can be cancelled from here. A run of a channel source in which nothing waits is cancelled at its source: give --url and --secret-env of its channel',
  run_finished: 'the run was over already. Nothing was changed',
  unauthorized: 'the other end does not accept our signature: check the secret, the signed path and both clocks',
}

async function cancelHere(variables: Variables, run: string, note: string | null): Promise<string | undefined> {
  const cancelled = await within(variables, (db) =>
    approver({
      store: approvalStore(db),
      clock: { now: () => new Date(), after: () => () => undefined },
      newGiveUp: (_source, at) => new Date(at.getTime() + GIVE_UP_MS),
      mayDecide: () => true,
      // What waits carries its cancellation to the running bot, which tells the source.
      owners: [],
      wake: () => undefined,
    }).cancel(run, by(), note, null),
  )
  return cancelled.ok ? undefined : cancelled.refusal
}

async function cancelOver(
  variables: Variables,
  url: string,
  remote: Remote,
  run: string,
  note: string | null,
): Promise<string | undefined> {
  const client = channelClient({ ...endOf(variables, url, remote), ...signedPath(remote) })
  try {
    const cancelled = await client.cancel(run, { by: by(), note })
    return cancelled.ok ? undefined : cancelled.code
  } finally {
    await client.close()
  }
}

async function nudge(variables: Variables, url: string, remote: Remote, source: string | undefined, run: string): Promise<void> {
  if (source === undefined) throw new Error('--url needs the name that the source has there: runs watch SOURCE RUN')
  const client = nudgeClient(endOf(variables, url, remote))
  try {
    const watching = await client.nudge(source, run)
    if (!watching.ok) throw new Error(WORDS[watching.code] ?? `${watching.code} (${watching.status})`)
    tell('Watched.')
  } finally {
    await client.close()
  }
}

function endOf(variables: Variables, url: string, remote: Remote): Parameters<typeof nudgeClient>[0] {
  return { url, secret: channelSecret(secretOf(variables, remote)), now: () => new Date(), newNonce: newId }
}

function signedPath({ signedPath: path }: Remote): { readonly signedPath?: string } {
  return path === undefined ? {} : { signedPath: path }
}

function sourceAndRun(words: readonly string[]): { readonly source: string | undefined; readonly run: string } {
  const [first = '', second] = words
  const run = second ?? first
  if (run === '' || run.length > 256) throw new Error('a run’s id has 1 to 256 characters')
  return { source: second === undefined ? undefined : first, run }
}

/** @throws Error where the settings name no such source, or several and none was named */
function sourceNamed(variables: Variables, named: string | undefined): string {
  const names = channelNames(variables)
  if (names.length === 0) throw new Error('no source whose runs can be watched stands in the settings (channels)')
  const [one, ...more] = named === undefined ? names : names.filter((name) => name === named)
  if (one === undefined || more.length > 0)
    throw new Error(`${one === undefined ? 'no such source' : 'say which source'}: ${names.join(', ')}`)
  return one
}

async function within<T>(variables: Variables, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(databasePath(variables), 'existing')
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

function by(): string {
  return `cli:${userInfo().username}`
}

function tell(text: string): void {
  process.stdout.write(`${text}\n`)
}

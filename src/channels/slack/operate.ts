/** What operators do to runs: watch, unwatch, cancel. Each asks anew whether the person is one. */
import { Failure } from '../../approval/ports.ts'
import { actions, section } from './block.ts'
import { cancelButton } from './button.ts'
import { type Listener, NOT_ALLOWED, type Respond, say, type Tell } from './feedback.ts'
import { type Deciders, mayOperate } from './may-decide.ts'
import { fromSettings, ours, plainId, type Words } from './safe-text.ts'

export interface Operating {
  /** Configured names of the sources whose runs can be watched. */
  readonly watchable: readonly string[]
  readonly watch: (source: string, run: string, by: string) => Promise<'watching' | 'full'>
  readonly unwatch: (source: string, run: string) => Promise<boolean>
  /** @throws Failure when the run's source did not answer for good */
  readonly cancel: (run: string, by: string) => Promise<'cancelled' | 'run_finished' | 'not_found'>
  readonly deciders: Deciders
  readonly respond: Respond
  readonly tell: Tell
}

export type Verb = 'watch' | 'unwatch' | 'cancel'

/** `/approvals watch [source] RUN` and its like. */
export async function operate(deps: Operating, verb: Verb, words: readonly string[], listener: Listener): Promise<void> {
  const tell = async (text: Words): Promise<void> => void (await deps.tell(listener, say(text)))
  const allowed = await mayOperate(deps.deciders, listener.user)
  if (!allowed.ok) return tell(NOT_ALLOWED[allowed.because])
  const run = words.at(-1)
  if (run === undefined || words.length > (verb === 'cancel' ? 1 : 2) || run.length > 256) return tell(USAGE[verb])
  if (verb === 'cancel') return askToCancel(deps, run, listener)
  const named = words.length === 2 ? words[0] : undefined
  const sources = deps.watchable.filter((source) => named === undefined || source === named)
  const [source, ...others] = sources
  if (source === undefined) {
    return tell(
      deps.watchable.length === 0
        ? ours`No source whose runs can be watched stands in the settings. Calls of a hook's runs arrive by themselves.`
        : ours`No such source. These can be watched: ${listed(deps.watchable)}.`,
    )
  }
  if (verb === 'watch') {
    if (others.length > 0) return tell(ours`Say which source: ${listed(sources)}.`)
    const watching = await deps.watch(source, run, allowed.by)
    return tell(watching === 'full' ? ours`Too many runs of ${fromSettings(source)} are watched already.` : watched(run, source))
  }
  const ended = await Promise.all(sources.map((one) => deps.unwatch(one, run)))
  await tell(
    ended.includes(true) ? ours`${nameOf(run)} is no longer watched. What waits on a card is still followed.` : NOT_WATCHED,
  )
}

const NOT_WATCHED = ours`That run was not watched.`

const USAGE = {
  watch: ours`Type “/approvals watch” and the run's id; where there are several sources, the source's name before it.`,
  unwatch: ours`Type “/approvals unwatch” and the run's id; where there are several sources, the source's name before it.`,
  cancel: ours`Type “/approvals cancel” and the run's id.`,
} as const satisfies Record<Verb, Words>

function watched(run: string, source: string): Words {
  return ours`${nameOf(run)} of ${fromSettings(source)} is watched. What waits in it is shown where the rules say.`
}

function nameOf(run: string): Words {
  return plainId(run) ?? ours`That run`
}

function listed(names: readonly string[]): Words {
  const [first, ...rest] = names.map(fromSettings)
  return rest.reduce((text, name) => ours`${text}, ${name}`, first ?? ours``)
}

async function askToCancel(deps: Operating, run: string, listener: Listener): Promise<void> {
  const what = ours`Cancel ${plainId(run) ?? ours`this run`}? Everything of it that waits is denied. A hook's run gets a deny for each later call; another source ends the run. This cannot be undone.`
  const message = { text: what, blocks: [section(what), actions([cancelButton(run)])] }
  if (listener.responseUrl !== undefined && (await deps.respond(listener.responseUrl, message))) return
  await deps.tell(listener, say(ours`Slack did not take the question. Nothing was cancelled; please ask again.`))
}

/** The press that confirms. */
export async function cancelPressed(deps: Operating, run: string, listener: Listener): Promise<void> {
  const allowed = await mayOperate(deps.deciders, listener.user)
  if (!allowed.ok) return void (await deps.tell(listener, say(NOT_ALLOWED[allowed.because])))
  await deps.tell(listener, say(await cancelling(deps, run, allowed.by)))
}

async function cancelling(deps: Operating, run: string, by: string): Promise<Words> {
  try {
    switch (await deps.cancel(run, by)) {
      case 'cancelled':
        return ours`${nameOf(run)} is being cancelled. The cards of what waited say when its source has taken that.`
      case 'run_finished':
        return ours`${nameOf(run)} was over already. Nothing was changed.`
      case 'not_found':
        return ours`Countersign knows no such run: nothing of it was asked, and nobody watches it. Nothing was changed.`
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.landed === 'no'
      ? ours`The run's source did not take it (${fromSettings(error.trouble.code)}). Nothing was cancelled; please try again.`
      : ours`The run's source did not answer (${fromSettings(error.trouble.code)}). It may be cancelled or not; please try again.`
  }
}

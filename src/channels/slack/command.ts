/** `/approvals`: what waits for a decision in a run, privately, to those who may see it; and what operators do to runs. */
import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { Approval, RowId } from '../../approval/approval.ts'
import { counted, piecesOf } from './argument.ts'
import { actions, context, divider, line, richText, section } from './block.ts'
import { openButton } from './button.ts'
import { about, drawn, titleOf } from './card.ts'
import { type Shown, whole } from './excerpt.ts'
import { type Listener, NOT_ALLOWED, type Respond, say, type Tell } from './feedback.ts'
import { type Deciders, mayDecide, maySee, type NotAllowed } from './may-decide.ts'
import { type Operating, operate, type Verb } from './operate.ts'
import { fromSettings, ours, plainId, split, type Words } from './safe-text.ts'

export interface Commanding {
  readonly ofRun: (run: string) => Promise<readonly Approval[]>
  /** Has the sources that can be asked look at a run now. Gives the names of those that did not answer. */
  readonly ask: (run: string) => Promise<readonly string[]>
  readonly standsIn: (rowId: RowId) => Promise<readonly string[]>
  readonly operating: Operating
  readonly deciders: Deciders
  readonly respond: Respond
  readonly tell: Tell
}

const Command = z.object({
  user_id: z.string(),
  channel_id: z.string().optional(),
  text: z.string().optional(),
  response_url: z.string().optional(),
})

/** Even with the longest names a private message holds as many: Slack takes 50 blocks and some 11,000 characters. The rest is counted. */
const MOST_LISTED = 7
/** What an entry shows of its call before it is opened. Characters. */
const MOST_TEXT = 300

const HELP = ours`Type “/approvals” and the id of a run (its own or its root's) to see what of it waits for a decision. Each entry opens the whole call, with the buttons that decide. Operators may also “watch”, “unwatch” and “cancel” a run: “/approvals watch” and its id.`
const BROKEN = ours`Something failed here; please ask again.`

export async function command(deps: Commanding, body: unknown): Promise<void> {
  const { user_id, channel_id, text, response_url } = Command.parse(body)
  const listener: Listener = { user: user_id, conversation: channel_id, responseUrl: response_url }
  const words = wordsOf(text ?? '')
  const verb = VERBS.find((one) => one === words[0]?.toLowerCase())
  const run = runIn(words)
  try {
    if (verb !== undefined) return await operate(deps.operating, verb, words.slice(1), listener)
    if (run === undefined) return void (await deps.tell(listener, say(HELP)))
    // Guests and outsiders may be named by a set and see what is here; they send nobody looking.
    const member = await maySee(deps.deciders, user_id, [])
    const silent = member.ok || member.because === 'not_an_approver' ? await deps.ask(run) : []
    const waiting = (await deps.ofRun(run)).filter((approval) => approval.status === 'pending')
    const { visible, because } = await visibleTo(deps, user_id, waiting)
    if (because !== undefined) return void (await deps.tell(listener, say(because)))
    const name = plainId(run) ?? ours`this run`
    const missing = silent.map(
      (source) => ours`The source ${fromSettings(source)} did not answer: what waits there may be missing.`,
    )
    if (waiting.length === 0) {
      const nothing = missing.reduce((all, one) => ours`${all} ${one}`, ours`Nothing of ${name} waits for a decision.`)
      return void (await deps.tell(listener, say(nothing)))
    }
    const message = listing(name, visible, waiting.length - visible.length, missing)
    if (listener.responseUrl === undefined || !(await deps.respond(listener.responseUrl, message)))
      await deps.tell(listener, say(message.text))
  } catch (error) {
    await deps.tell(listener, say(BROKEN))
    throw error
  }
}

const VERBS: readonly Verb[] = ['watch', 'unwatch', 'cancel']

/** People paste ids between quotes and code marks. */
function wordsOf(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replace(/^[`'"“”‘’<]+|[`'"“”‘’>]+$/g, ''))
    .filter((word) => word !== '')
}

/** Undefined for no id, or more than one word. */
function runIn(words: readonly string[]): string | undefined {
  const [run, ...more] = /^list$/i.test(words[0] ?? '') ? words.slice(1) : words
  return run === undefined || more.length > 0 || /^help$/i.test(run) || run.length > 256 ? undefined : run
}

/** Those that the asker may decide, or whose card stands in a conversation that they belong to. Guests and outsiders get nothing. */
async function visibleTo(
  deps: Commanding,
  user: string,
  waiting: readonly Approval[],
): Promise<{ readonly visible: readonly Approval[]; readonly because?: Words }> {
  const visible: Approval[] = []
  let outside: NotAllowed | undefined
  const sets = new Map<string, boolean>()
  for (const approval of waiting) {
    if (approval.ruling.ruling !== 'ask') continue
    const { approvers } = approval.ruling
    const known = sets.get(approvers) ?? (await mayDecide(deps.deciders, user, approvers)).ok
    sets.set(approvers, known)
    if (known) {
      visible.push(approval)
      continue
    }
    const seeing = await maySee(deps.deciders, user, await deps.standsIn(approval.rowId))
    if (seeing.ok) visible.push(approval)
    else if (seeing.because !== 'not_an_approver') outside = seeing.because
  }
  if (waiting.length === 0) {
    const seeing = await maySee(deps.deciders, user, [])
    if (!seeing.ok && seeing.because !== 'not_an_approver') outside = seeing.because
  }
  return visible.length === 0 && outside !== undefined ? { visible, because: NOT_ALLOWED[outside] } : { visible }
}

/** What a person is shown of a run: as many entries as one message holds, and how many more there are. */
export function listing(
  run: Words,
  visible: readonly Approval[],
  hidden: number,
  missing: readonly Words[] = [],
): { readonly text: Words; readonly blocks: KnownBlock[] } {
  const shown = visible.slice(0, MOST_LISTED)
  const more = visible.length - shown.length
  const rest = [
    ...(more > 0 ? [ours`${more} more of this run; decide some of these, then ask again.`] : []),
    ...missing,
    ...(hidden > 0 ? [ours`${counted(hidden, ours`other approval`)} of this run that you may not see.`] : []),
  ]
  return {
    text: ours`${counted(visible.length, ours`approval`)} of ${run} may be seen by you.`,
    blocks: [
      section(visible.length === 0 ? ours`Nothing of ${run} waits that you may see.` : ours`Waiting in ${run}, oldest first:`),
      ...shown.flatMap(entry),
      ...(rest.length === 0 ? [] : [context(rest)]),
    ],
  }
}

/** The start of a call; the rest, and the buttons that decide, are behind its own. */
function entry(approval: Approval): KnownBlock[] {
  return [
    divider(),
    section(titleOf(approval)),
    context(about(approval)),
    richText([line([{ words: ours`Asked ` }, { moment: approval.openedAt }, { words: ours`. It begins:` }]), ...start(approval)]),
    actions([openButton(approval, ours`Read and decide`, 'primary')]),
  ]
}

/** The first two texts, which are a name and its value as a rule, each with the line of ours that says what it is. */
function start(approval: Approval): ReturnType<typeof drawn> {
  const out: Shown[] = []
  let texts = 0
  for (const one of whole(piecesOf(approval))) {
    if (texts === 2) break
    if ('words' in one) {
      out.push(one)
      continue
    }
    const [part] = split(one.text, MOST_TEXT / 2)
    if (part !== undefined) out.push({ text: part })
    texts += 1
  }
  return drawn(out)
}

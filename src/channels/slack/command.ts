/** `/approvals RUN`: what waits for a decision in a run, privately, to those who may see it. */
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
import { ours, plainId, split, type Words } from './safe-text.ts'

export interface Commanding {
  readonly ofRun: (run: string) => Promise<readonly Approval[]>
  readonly standsIn: (rowId: RowId) => Promise<readonly string[]>
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

const HELP = ours`Type “/approvals” and the id of a run (its own or its root's) to see what of it waits for a decision. Each entry opens the whole call, with the buttons that decide.`
const BROKEN = ours`Something failed here; please ask again.`

export async function command(deps: Commanding, body: unknown): Promise<void> {
  const { user_id, channel_id, text, response_url } = Command.parse(body)
  const listener: Listener = { user: user_id, conversation: channel_id, responseUrl: response_url }
  const run = runIn(text ?? '')
  try {
    if (run === undefined) return void (await deps.tell(listener, say(HELP)))
    const waiting = (await deps.ofRun(run)).filter((approval) => approval.status === 'pending')
    const { visible, because } = await visibleTo(deps, user_id, waiting)
    if (because !== undefined) return void (await deps.tell(listener, say(because)))
    const name = plainId(run) ?? ours`this run`
    if (waiting.length === 0) return void (await deps.tell(listener, say(ours`Nothing of ${name} waits for a decision.`)))
    const message = listing(name, visible, waiting.length - visible.length)
    if (listener.responseUrl === undefined || !(await deps.respond(listener.responseUrl, message)))
      await deps.tell(listener, say(message.text))
  } catch (error) {
    await deps.tell(listener, say(BROKEN))
    throw error
  }
}

/** People paste ids between quotes and code marks. Undefined for no id, or more than one word. */
function runIn(text: string): string | undefined {
  const words = text
    .trim()
    .replace(/^list(\s+|$)/i, '')
    .replace(/^[`'"“”‘’<\s]+|[`'"“”‘’>\s]+$/g, '')
  return words === '' || /^help$/i.test(words) || /\s/.test(words) || words.length > 256 ? undefined : words
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
): { readonly text: Words; readonly blocks: KnownBlock[] } {
  const shown = visible.slice(0, MOST_LISTED)
  const more = visible.length - shown.length
  const rest = [
    ...(more > 0 ? [ours`${more} more of this run; decide some of these, then ask again.`] : []),
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

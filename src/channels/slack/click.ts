/**
 * What a press on a button does. By the time this runs the press is acked. Who may decide is asked anew, then the decision is
 * made or refused, and whatever happens the person is told.
 */
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Approval, Verdict } from '../../approval/approval.ts'
import type { Deciding, decide } from '../../approval/decide.ts'
import { approvable, notApprovable } from './asking.ts'
import { APPROVE, CANCEL_RUN, DENY, NOTE, NOTE_BLOCK, NOTE_INPUT, OPEN, PAGE, readRun, readValue, type Shown } from './button.ts'
import { approvableOnCard, type CardSettings } from './card.ts'
import { type Listener, NOT_ALLOWED, refusal, type Said, say, type Tell } from './feedback.ts'
import { type Allowed, type Deciders, mayDecide, maySee } from './may-decide.ts'
import { cancelPressed, type Operating } from './operate.ts'
import { type Carried, MOST_NOTE, noteView, pagesOf, readCarried, readingView, wordsView } from './reading.ts'
import { ours, type Words } from './safe-text.ts'

export interface Clicking {
  readonly now: () => Date
  readonly find: (rowId: Shown['rowId']) => Promise<Approval | undefined>
  /** The conversations in which cards of an approval stand. */
  readonly standsIn: (rowId: Shown['rowId']) => Promise<readonly string[]>
  readonly decide: (deciding: Omit<Deciding, 'at' | 'giveUpAt'>, source: string) => ReturnType<typeof decide>
  /** A card of ours that a press came from: perhaps one that we did not know to stand. */
  readonly learn: (
    rowId: Shown['rowId'],
    place: { readonly conversation: string; readonly ts: string; readonly bot: string | undefined },
  ) => Promise<void>
  readonly operating: Operating
  readonly deciders: Deciders
  readonly settings: CardSettings
  readonly interactive: WebClient
  readonly tell: Tell
  /** A view that could not be opened or changed; the person is told already. */
  readonly report: (error: unknown) => void
}

const Pressed = z.object({
  user: z.object({ id: z.string() }),
  trigger_id: z.string().optional(),
  response_url: z.string().optional(),
  container: z.object({
    type: z.string(),
    channel_id: z.string().optional(),
    message_ts: z.string().optional(),
    is_ephemeral: z.boolean().optional(),
  }),
  message: z.object({ bot_id: z.string().optional() }).optional(),
  view: z.object({ id: z.string(), private_metadata: z.string() }).optional(),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional(), action_ts: z.string().optional() })).min(1),
})
type Pressed = z.infer<typeof Pressed>

/** A press older than this was held up on the way; what it was meant for may have changed. Milliseconds. */
const STALE_MS = 120_000

const WORDS = {
  notOurs: ours`Countersign does not know this button. Nothing was decided; “/approvals” with the run's id lists what waits.`,
  late: ours`This press reached Countersign minutes late. Nothing was decided; please press again.`,
  readFirst: ours`This call is longer than its card. Open it with “Read in full”; Approve is on its last page. Nothing was decided.`,
  notOpened: ours`Slack did not open the window in time. Nothing was decided; please press again.`,
  notTurned: ours`Slack did not turn the page in time; please press again.`,
  broken: ours`Something failed here. Nothing was decided as far as we know; look at the card before you press again.`,
  approved: ours`You approved this call. Its source is being told; the card says when it has it.`,
  denied: ours`You denied this call. Its source is being told; the card says when it has it.`,
} as const satisfies Record<string, Words>

/** Never rejects for a reason that the person was not told. @throws what the store throws, once the person was told. */
export async function press(deps: Clicking, body: unknown): Promise<void> {
  const pressed = Pressed.parse(body)
  const carried = readCarried(pressed.view?.private_metadata ?? '')
  const listener: Listener = {
    user: pressed.user.id,
    conversation: pressed.container.channel_id ?? carried?.c,
    responseUrl: pressed.response_url ?? (carried?.r === '' ? undefined : carried?.r),
  }
  try {
    await pressing(deps, pressed, carried, listener)
  } catch (error) {
    await deps.tell(listener, say(WORDS.broken))
    throw error
  }
}

async function pressing(deps: Clicking, pressed: Pressed, carried: Carried | undefined, listener: Listener): Promise<void> {
  const [action] = pressed.actions
  if (action?.action_id === CANCEL_RUN) {
    const run = readRun(action.value)
    return run === undefined ? void (await deps.tell(listener, say(WORDS.notOurs))) : cancelPressed(deps.operating, run, listener)
  }
  const shown = readValue(action?.value)
  if (action === undefined || shown === undefined) return void (await deps.tell(listener, say(WORDS.notOurs)))
  const age = deps.now().getTime() - Number(action.action_ts ?? Number.NaN) * 1000
  if (age > STALE_MS) return void (await deps.tell(listener, say(WORDS.late)))
  const approval = await deps.find(shown.rowId)
  if (approval === undefined) return void (await deps.tell(listener, refusal({ refusal: 'unknown_approval' })))
  const { container, message } = pressed
  if (
    container.type === 'message' &&
    container.is_ephemeral !== true &&
    container.channel_id !== undefined &&
    container.message_ts !== undefined
  ) {
    await deps.learn(shown.rowId, { conversation: container.channel_id, ts: container.message_ts, bot: message?.bot_id })
  }
  const from: From = {
    deps,
    approval,
    shown,
    listener,
    trigger: pressed.trigger_id,
    view: pressed.view?.id,
    page: carried?.p ?? 0,
  }
  if (action.action_id === APPROVE) return approve(from)
  if (action.action_id === DENY) return conclude(from, 'deny', null)
  if (action.action_id === NOTE) return askForNote(from)
  if (action.action_id === OPEN) return openAt(from, 0)
  const page = new RegExp(`^${PAGE.replace('.', '\\.')}\\.(\\d{1,6})$`).exec(action.action_id)?.[1]
  if (page !== undefined && Math.abs(Number(page) - from.page) <= 1) return openAt(from, Number(page))
  await deps.tell(listener, say(WORDS.notOurs))
}

interface From {
  readonly deps: Clicking
  readonly approval: Approval
  readonly shown: Shown
  readonly listener: Listener
  readonly trigger: string | undefined
  /** The view that the press came from; undefined for a message. */
  readonly view: string | undefined
  /** The page of that view. */
  readonly page: number
}

/** Nobody approves what they could not have read: on the card when it holds all, else on the last page. */
async function approve(from: From): Promise<void> {
  if (from.approval.status === 'pending' && !approvable(from.approval)) return answer(from, say(notApprovable(from.approval)))
  const readable = from.view === undefined ? approvableOnCard(from.approval) : from.page === pagesOf(from.approval).length - 1
  if (!readable) return answer(from, say(WORDS.readFirst))
  return conclude(from, 'approve', null)
}

async function conclude(from: From, verdict: Verdict, note: string | null): Promise<void> {
  const allowed = await decider(from)
  if (!allowed.ok) return answer(from, say(NOT_ALLOWED[allowed.because]))
  const decided = await from.deps.decide({ ...from.shown, verdict, by: allowed.by, via: null, note }, from.approval.source)
  await answer(from, decided.ok ? say(verdict === 'approve' ? WORDS.approved : WORDS.denied) : refusal(decided))
}

async function decider({ deps, approval, listener }: From): Promise<Allowed> {
  const { ruling } = approval
  return ruling.ruling === 'ask'
    ? mayDecide(deps.deciders, listener.user, ruling.approvers)
    : { ok: false, because: 'not_an_approver' }
}

async function openAt(from: From, page: number): Promise<void> {
  const { deps, approval, listener } = from
  const deciding = await decider(from)
  const seeing = deciding.ok ? deciding : await maySee(deps.deciders, listener.user, await deps.standsIn(approval.rowId))
  if (!seeing.ok) return answer(from, say(NOT_ALLOWED[deciding.ok ? seeing.because : deciding.because]))
  await showView(
    from,
    readingView(approval, place(listener, page), deps.settings),
    page === 0 && from.view === undefined ? WORDS.notOpened : WORDS.notTurned,
  )
}

async function askForNote(from: From): Promise<void> {
  const allowed = await decider(from)
  if (!allowed.ok) return answer(from, say(NOT_ALLOWED[allowed.because]))
  const { approval } = from
  if (approval.status === 'decided' || approval.status === 'resolved')
    return answer(from, refusal({ refusal: 'not_pending', decision: approval.decision }))
  if (approval.status === 'closed') return answer(from, refusal({ refusal: 'closed', because: approval.because }))
  await showView(from, noteView(from.approval, place(from.listener, from.page)), WORDS.notOpened, 'on top')
}

function place(listener: Listener, page: number): { p: number; r: string; c: string } {
  return { p: page, r: listener.responseUrl ?? '', c: listener.conversation ?? '' }
}

/** `on top` keeps an opened call below: it is where the person comes back to. */
async function showView(from: From, view: ReturnType<typeof readingView>, otherwise: Words, where?: 'on top'): Promise<void> {
  const { deps, trigger, listener } = from
  try {
    if (from.view !== undefined && where === undefined) await deps.interactive.views.update({ view_id: from.view, view })
    else if (from.view !== undefined && trigger !== undefined) await deps.interactive.views.push({ trigger_id: trigger, view })
    else if (trigger !== undefined) await deps.interactive.views.open({ trigger_id: trigger, view })
    else throw new Error('a press without a trigger')
  } catch (error) {
    deps.report(error)
    await deps.tell(listener, say(otherwise))
  }
}

/** In the view that the person looks at, else in a private message. */
async function answer({ deps, view, listener }: From, said: Said): Promise<void> {
  if (view !== undefined) {
    try {
      await deps.interactive.views.update({ view_id: view, view: wordsView(said.parts) })
      return
    } catch (error) {
      deps.report(error)
    }
  }
  await deps.tell(listener, said)
}

const Submitted = z.object({
  user: z.object({ id: z.string() }),
  view: z.object({
    id: z.string(),
    root_view_id: z.string().nullish(),
    callback_id: z.string(),
    private_metadata: z.string(),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))) }),
  }),
})

/** What is wrong with a submitted note, for the acknowledgement of the submission; undefined when nothing is. */
export function noteFault(body: unknown): { readonly [NOTE_BLOCK]: string } | undefined {
  const note = noteOf(Submitted.parse(body))
  if (note.trim() === '') return { [NOTE_BLOCK]: 'Write why, or close this window and press Deny.' }
  if (note.length > MOST_NOTE) return { [NOTE_BLOCK]: `At most ${MOST_NOTE} characters.` }
  return undefined
}

function noteOf(submitted: z.infer<typeof Submitted>): string {
  return submitted.view.state.values[NOTE_BLOCK]?.[NOTE_INPUT]?.value ?? ''
}

/** A submitted view. The rights are asked again: they may have ended since it was opened. */
export async function submit(deps: Clicking, body: unknown): Promise<void> {
  const submitted = Submitted.parse(body)
  const carried = readCarried(submitted.view.private_metadata)
  const listener: Listener = {
    user: submitted.user.id,
    conversation: carried?.c === '' ? undefined : carried?.c,
    responseUrl: carried?.r === '' ? undefined : carried?.r,
  }
  try {
    if (submitted.view.callback_id !== NOTE || carried === undefined) return void (await deps.tell(listener, say(WORDS.notOurs)))
    const shown: Shown = { rowId: carried.a, hash: carried.h }
    const approval = await deps.find(shown.rowId)
    if (approval === undefined) return void (await deps.tell(listener, refusal({ refusal: 'unknown_approval' })))
    // Below the note there may be the opened call; then that is where the answer stands.
    const { id, root_view_id: root } = submitted.view
    const view = root === null || root === id ? undefined : root
    await conclude({ deps, approval, shown, listener, trigger: undefined, view, page: carried.p }, 'deny', noteOf(submitted))
  } catch (error) {
    await deps.tell(listener, say(WORDS.broken))
    throw error
  }
}

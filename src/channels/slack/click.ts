/**
 * What a press on a button does. By the time this runs the press is acked. Who may decide is asked anew, then the decision is
 * made or refused, and whatever happens the person is told.
 */
import type { WebClient } from '@slack/web-api'
import type { Approval, RowId, Verdict } from '../../approval/approval.ts'
import type { Deciding, decide } from '../../approval/decide.ts'
import { approvable, notApprovable } from './asking.ts'
import {
  APPROVE,
  CANCEL_RUN,
  DENY,
  DIGEST,
  NOTE,
  OPEN,
  PAGE,
  PICK,
  readDigest,
  readPage,
  readRun,
  readValue,
  type Shown,
} from './button.ts'
import { approvableOnCard, type CardSettings } from './card.ts'
import { type Listener, NOT_ALLOWED, refusal, type Said, say, type Tell, windowTeller } from './feedback.ts'
import { type Allowed, type Deciders, mayDecide, maySee } from './may-decide.ts'
import { cancelPressed, type Operating } from './operate.ts'
import { Pressed } from './pressed.ts'
import { type Carried, noteView, pagesOf, readCarried, readingView, wordsView } from './reading.ts'
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
  /** What waits in a digest, oldest first. */
  readonly digested: (digest: RowId) => Promise<readonly Approval[]>
  /** The digest in which more of an approval's run waits. */
  readonly digestOf: (approval: Approval) => Promise<RowId | undefined>
  readonly deciders: Deciders
  readonly settings: CardSettings
  readonly interactive: WebClient
  readonly tell: Tell
  /** A view that could not be opened or changed; the person is told already. */
  readonly report: (error: unknown) => void
}

/** A press older than this was held up on the way; what it was meant for may have changed. Milliseconds. */
const STALE_MS = 120_000

export const WORDS = {
  noMore: ours`Nothing more waits here. What was listed has its card, or was decided.`,
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
export async function press(clicking: Clicking, body: unknown): Promise<void> {
  const { view, ...rest } = Pressed.parse(body)
  // The home tab is no window of a call: what is opened there is opened anew, and the tab itself is never written over.
  const onHome = view?.type === 'home'
  const pressed: Pressed = { ...rest, view: onHome ? undefined : view }
  const carried = readCarried(pressed.view?.private_metadata ?? '')
  const listener: Listener = {
    user: pressed.user.id,
    conversation: (pressed.container.channel_id ?? carried?.c) || undefined,
    responseUrl: pressed.response_url ?? (carried?.r === '' ? undefined : carried?.r),
  }
  const deps = reaching(clicking, listener, pressed.view?.id, pressed.trigger_id)
  try {
    if (onHome && pressed.actions[0]?.action_id !== OPEN) return void (await deps.tell(listener, say(WORDS.notOurs)))
    await pressing(deps, pressed, carried, listener)
  } catch (error) {
    await deps.tell(listener, say(WORDS.broken))
    throw error
  }
}

/** What began on the home tab has no conversation to answer in: the answer stands in the window, or comes in one of its own. */
export function reaching(
  deps: Clicking,
  { conversation, responseUrl }: Listener,
  view: string | undefined,
  trigger: string | undefined,
): Clicking {
  if (conversation !== undefined || responseUrl !== undefined) return deps
  const at = view !== undefined ? { view } : trigger !== undefined ? { trigger } : undefined
  return at === undefined ? deps : { ...deps, tell: windowTeller(deps.interactive, at, deps.report) }
}

async function pressing(deps: Clicking, pressed: Pressed, carried: Carried | undefined, listener: Listener): Promise<void> {
  const [action] = pressed.actions
  const age = deps.now().getTime() - Number(action?.action_ts ?? Number.NaN) * 1000
  if (age > STALE_MS) return void (await deps.tell(listener, say(WORDS.late)))
  if (action?.action_id === CANCEL_RUN) {
    const run = readRun(action.value)
    return run === undefined ? void (await deps.tell(listener, say(WORDS.notOurs))) : cancelPressed(deps.operating, run, listener)
  }
  const digest = action?.action_id === DIGEST ? readDigest(action.value) : undefined
  if (digest !== undefined) return openNext(deps, pressed, carried, listener, digest)
  const shown = action?.action_id === PICK ? shownBy(carried) : readValue(action?.value)
  if (action === undefined || shown === undefined) return void (await deps.tell(listener, say(WORDS.notOurs)))
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
  const page = pageAsked(from, action)
  if (page !== undefined) return openAt(from, page)
  await deps.tell(listener, say(WORDS.notOurs))
}

/** What a view of ours was opened for. */
function shownBy(carried: Carried | undefined): Shown | undefined {
  return carried === undefined ? undefined : { rowId: carried.a, hash: carried.h }
}

/** A page that the press may turn to: a neighbour, the first, the last, or one picked from our list. */
function pageAsked({ approval, page: at, view }: From, action: Pressed['actions'][number]): number | undefined {
  const picked = action.action_id === PICK
  const page = readPage(picked ? action.selected_option?.value : action.action_id.slice(PAGE.length + 1))
  if (page === undefined || !(picked || action.action_id.startsWith(`${PAGE}.`))) return undefined
  if (!picked && Math.abs(page - at) <= 1) return page
  if (view === undefined) return undefined
  const last = pagesOf(approval).length - 1
  return picked ? (page <= last ? page : undefined) : page === 0 || page === last ? page : undefined
}

/** The first of a digest that this person may decide, else the first that they may see. */
async function openNext(
  deps: Clicking,
  pressed: Pressed,
  carried: Carried | undefined,
  listener: Listener,
  digest: RowId,
): Promise<void> {
  const waiting = await deps.digested(digest)
  const [first] = waiting
  const fromOf = (approval: Approval): From => ({
    deps,
    approval,
    shown: approval,
    listener: { ...listener, conversation: listener.conversation ?? carried?.c },
    trigger: pressed.trigger_id,
    view: pressed.view?.id,
    page: 0,
  })
  for (const approval of waiting) {
    const from = fromOf(approval)
    if ((await decider(from)).ok) return openAt(from, 0)
  }
  if (first !== undefined) return openAt(fromOf(first), 0)
  if (pressed.view === undefined) return void (await deps.tell(listener, say(WORDS.noMore)))
  await deps.interactive.views.update({ view_id: pressed.view.id, view: wordsView([{ words: WORDS.noMore }]) }).catch(deps.report)
}

export interface From {
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

/** Decides, as far as this person may, and tells them. */
export async function conclude(from: From, verdict: Verdict, note: string | null): Promise<void> {
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
async function answer(from: From, said: Said): Promise<void> {
  const { deps, view, listener } = from
  if (view !== undefined) {
    try {
      await deps.interactive.views.update({ view_id: view, view: wordsView(said.parts, await next(from)) })
      return
    } catch (error) {
      deps.report(error)
    }
  }
  await deps.tell(listener, said)
}

/** What else waits of the run without a card: shown on another press, so that no Approve comes up under the same finger. */
async function next({ deps, approval, shown, listener }: From): Promise<Parameters<typeof wordsView>[1]> {
  const digest = await deps.digestOf(approval)
  if (digest === undefined) return undefined
  return { digest, after: { a: shown.rowId, h: shown.hash, ...place(listener, 0) } }
}

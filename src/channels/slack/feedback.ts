/** The one private sentence that each click gets: what happened, and whether anything was decided. */
import type { WebClient } from '@slack/web-api'
import { request } from 'undici'
import type { Decision, Refusal } from '../../approval/approval.ts'
import { line, type Part, richText } from './block.ts'
import type { NotAllowed } from './may-decide.ts'
import { wordsView } from './reading.ts'
import { ours, type Words } from './safe-text.ts'
import { decider } from './status.ts'
import { endedSentence } from './status-channel.ts'

/** A sentence, and perhaps the person or moment that it names. */
export interface Said {
  readonly text: Words
  readonly parts: readonly Part[]
}

export function say(text: Words): Said {
  return { text, parts: [{ words: text }] }
}

export const NOT_ALLOWED = {
  not_an_approver: ours`You are not among those who may decide this approval. Nothing was decided.`,
  not_an_operator: ours`That is for operators, whom the settings name. Nothing was changed.`,
  a_guest: ours`Guests may not decide approvals unless the settings name them. Nothing was decided.`,
  an_outsider: ours`Only members of this workspace may decide approvals. Nothing was decided.`,
  a_bot: ours`Bots may not decide approvals. Nothing was decided.`,
  deactivated: ours`A deactivated account may not decide approvals. Nothing was decided.`,
  unknown_person: ours`Slack does not tell us who you are, so you may not decide. Nothing was decided.`,
  set_unreadable: ours`It cannot be read at the moment who may decide this, so nobody may. Nothing was decided. Whoever runs Countersign finds the reason in its readiness.`,
  slack_does_not_answer: ours`Slack did not tell us in time who may decide. Nothing was decided; please press again.`,
} as const satisfies Record<NotAllowed, Words>

export function refusal(refused: Refusal): Said {
  switch (refused.refusal) {
    case 'unknown_approval':
      return say(ours`Countersign no longer knows this approval. Nothing was decided.`)
    case 'approval_changed':
      return say(ours`This approval changed after it was shown here. Nothing was decided; look at its new card.`)
    case 'expired':
      return say(ours`This approval ran out of time. Nothing was decided.`)
    case 'not_whole':
      return say(ours`What stands here is not the whole of what would be approved. Nothing was decided.`)
    case 'closed':
      return say(endedSentence(refused.because))
    case 'not_pending':
      return alreadyDecided(refused.decision)
  }
}

function alreadyDecided(decision: Decision): Said {
  const { part } = decider(decision)
  return {
    text: ours`This approval was already decided. Your click changed nothing.`,
    parts: [
      { words: ours`Already ${alreadyWord(decision)} by ` },
      part,
      { words: ours`, ` },
      { moment: decision.at },
      { words: ours`. Your click changed nothing.` },
    ],
  }
}

function alreadyWord({ outcome }: Decision): Words {
  switch (outcome) {
    case 'approved':
      return ours`approved`
    case 'denied':
      return ours`denied`
    case 'cancelled':
      return ours`cancelled`
  }
}

export interface Listener {
  readonly user: string
  readonly conversation: string | undefined
  /** Good for 5 uses within 30 minutes, and needs no membership. */
  readonly responseUrl: string | undefined
}

/** Whether a private sentence arrived. Never rejects: a decision does not hang on its echo. */
export type Tell = (listener: Listener, said: Said) => Promise<boolean>

export function teller(interactive: WebClient, respond: Respond, report: (error: unknown) => void): Tell {
  return async (listener, { text, parts }) => {
    const blocks = [richText([line(parts)])]
    if (listener.responseUrl !== undefined && (await respond(listener.responseUrl, { text, blocks }))) return true
    if (listener.conversation === undefined) return false
    try {
      await interactive.chat.postEphemeral({ channel: listener.conversation, user: listener.user, text, blocks })
      return true
    } catch (error) {
      report(error)
      return false
    }
  }
}

/**
 * For a press in a window or on the home tab, which tells of no conversation: the words take the window's place, or come in a
 * window of their own while the trigger lives.
 */
export function windowTeller(
  interactive: WebClient,
  at: { readonly view: string } | { readonly trigger: string },
  report: (error: unknown) => void,
): Tell {
  return async (_listener, { parts }) => {
    const view = wordsView(parts)
    try {
      if ('view' in at) await interactive.views.update({ view_id: at.view, view })
      else await interactive.views.open({ trigger_id: at.trigger, view })
      return true
    } catch (error) {
      report(error)
      return false
    }
  }
}

/** Answers where Slack told us to, privately. Whether it arrived; never rejects. */
export type Respond = (
  responseUrl: string,
  message: { readonly text: string; readonly blocks: readonly object[] },
) => Promise<boolean>

/** Only to Slack: `apiUrl` is the Slack that we were told to talk to. */
export function responder(apiUrl: string): Respond {
  const own = new URL(apiUrl).host
  return async (responseUrl, message) => {
    const url = URL.canParse(responseUrl) ? new URL(responseUrl) : undefined
    if (url === undefined || !(url.host === own || (url.protocol === 'https:' && url.hostname.endsWith('.slack.com'))))
      return false
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ response_type: 'ephemeral', replace_original: false, ...message }),
        signal: AbortSignal.timeout(3000),
      })
      await answer.body.dump().catch(() => undefined)
      return answer.statusCode >= 200 && answer.statusCode < 300
    } catch {
      return false
    }
  }
}

/** The domain's channel, on Slack: posts, rewrites and finds cards. What is written comes from the record, never from a payload. */
import { createHash } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Told } from '../../approval/approval.ts'
import { type Channel, type Clock, Failure } from '../../approval/ports.ts'
import { type Card, type CardSettings, card } from './card.ts'
import { failureOf } from './client.ts'
import { digestCard } from './digest.ts'
import type { Identity } from './identity.ts'
import { outcomeLine } from './outcome.ts'
import { type SlackPace, turns } from './pace.ts'

export interface Posting {
  readonly writer: WebClient
  readonly identity: () => Promise<Identity>
  readonly clock: Clock
  readonly settings: CardSettings
  readonly pace: SlackPace
  readonly conversation: string
  readonly fallback: string | undefined
  /** Told the code of each call's failure, and undefined after one that went well. */
  readonly health: (code: string | undefined) => void
}

/** What a message carries to be found again by (contract, "Card"). */
function metadataOf({ rowId, status }: Told): { event_type: string; event_payload: Record<string, string> } {
  switch (status) {
    case 'digest':
      return { event_type: 'countersign_digest', event_payload: { digest_id: rowId } }
    case 'outcome':
      return { event_type: 'countersign_outcome', event_payload: { outcome_id: rowId } }
    default:
      return { event_type: 'countersign_approval', event_payload: { approval_id: rowId } }
  }
}

function drawn(told: Told, settings: CardSettings, retired: boolean): Card {
  if (told.status === 'digest') return digestCard(told)
  return told.status === 'outcome' ? outcomeLine(told.of, settings) : card(told, settings, retired)
}

/** Our clock and Slack's may differ; more than this and its signatures fail anyway. Milliseconds. */
const CLOCKS_MS = 300_000
const PAGES = 10

const History = z.object({
  messages: z
    .array(
      z.object({
        ts: z.string(),
        bot_id: z.string().optional(),
        metadata: z.object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) }).optional(),
      }),
    )
    .default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
})

export function poster(deps: Posting): Channel {
  const { writer, clock, settings } = deps
  const turn = turns(deps.pace)

  async function call<T>(conversation: string, work: () => Promise<T>): Promise<T> {
    try {
      const value = await work()
      turn.up()
      deps.health(undefined)
      return value
    } catch (error) {
      const failure = failureOf(error)
      const now = clock.now().getTime()
      if (failure.trouble.code === 'unreachable') turn.down(now)
      if (failure.retryAfterMs !== undefined) turn.pause(conversation, now + failure.retryAfterMs)
      deps.health(failure.trouble.code)
      throw failure
    }
  }

  return {
    turn: (told, conversation, what) => turn.take(told.rowId, conversation, what, clock.now().getTime()),
    homes: (told) =>
      told.status === 'outcome'
        ? [told.card.conversation]
        : [deps.conversation, ...(deps.fallback === undefined ? [] : [deps.fallback])],
    digest: (told, retired) =>
      createHash('sha256')
        .update(JSON.stringify(drawn(told, settings, retired)))
        .digest('hex'),
    async post(told, conversation) {
      const { blocks, text } = drawn(told, settings, false)
      const answer = await call(conversation, () =>
        writer.chat.postMessage({
          channel: conversation,
          ...(told.status === 'outcome' ? { thread_ts: told.card.ts } : {}),
          text,
          blocks,
          unfurl_links: false,
          unfurl_media: false,
          metadata: metadataOf(told),
        }),
      )
      if (answer.ts === undefined) throw new Failure({ kind: 'passing', code: 'no_ts' }, 'maybe')
      return { ts: answer.ts }
    },
    async rewrite(told, place) {
      const { blocks, text } = drawn(told, settings, place.retired)
      try {
        await call(place.conversation, () =>
          writer.chat.update({
            channel: place.conversation,
            ts: place.ts,
            text,
            blocks,
            metadata: metadataOf(told),
          }),
        )
        return 'done'
      } catch (error) {
        if (error instanceof Failure && OUT_OF_REACH.has(error.trouble.code)) {
          deps.health(undefined)
          return 'gone'
        }
        throw error
      }
    },
    async seek(told, conversation, since) {
      try {
        const thread = told.status === 'outcome' ? told.card.ts : undefined
        return await seekMessages(deps, metadataOf(told), { conversation, thread }, since)
      } catch (error) {
        const failure = failureOf(error)
        if (UNREADABLE.has(failure.trouble.code)) return 'unreadable'
        deps.health(failure.trouble.code)
        throw failure
      }
    },
  }
}

/** A message that is gone, or that nobody can change any more: what still waits is asked on another (field report A71). */
const OUT_OF_REACH = new Set(['message_not_found', 'edit_window_closed', 'cant_update_message'])

/** The optional history scopes were not granted, or the conversation is closed to us. */
const UNREADABLE = new Set(['missing_scope', 'not_in_channel', 'channel_not_found'])

async function seekMessages(
  deps: Posting,
  own: ReturnType<typeof metadataOf>,
  { conversation, thread }: { readonly conversation: string; readonly thread: string | undefined },
  since: Date,
): Promise<readonly { readonly ts: string }[]> {
  const { bot } = await deps.identity()
  const found: { readonly ts: string }[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES; page += 1) {
    const asked = {
      channel: conversation,
      oldest: String((since.getTime() - CLOCKS_MS) / 1000),
      include_all_metadata: true,
      limit: 200,
      ...(cursor === undefined ? {} : { cursor }),
    }
    const { messages, response_metadata } = History.parse(
      await (thread === undefined
        ? deps.writer.conversations.history(asked)
        : deps.writer.conversations.replies({ ...asked, ts: thread })),
    )
    // Metadata can be written by any app: a message counts only when we are its author.
    for (const { ts, bot_id, metadata } of messages) {
      if (bot_id !== bot || metadata?.event_type !== own.event_type) continue
      if (Object.entries(own.event_payload).every(([key, value]) => metadata.event_payload[key] === value)) found.push({ ts })
    }
    cursor = response_metadata?.next_cursor
    if (cursor === undefined || cursor === '') return found
  }
  return found
}

/** The domain's channel, on Slack: posts, rewrites and finds cards. What is written comes from the record, never from a payload. */
import { createHash } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { RowId } from '../../approval/approval.ts'
import { type Channel, type Clock, Failure } from '../../approval/ports.ts'
import { type CardSettings, card } from './card.ts'
import { failureOf } from './client.ts'
import type { Identity } from './identity.ts'
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

const EVENT_TYPE = 'countersign_approval'

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
    turn: (approval, conversation, what) => turn.take(approval.rowId, conversation, what, clock.now().getTime()),
    homes: () => [deps.conversation, ...(deps.fallback === undefined ? [] : [deps.fallback])],
    digest: (approval, retired) =>
      createHash('sha256')
        .update(JSON.stringify(card(approval, settings, retired)))
        .digest('hex'),
    async post(approval, conversation) {
      const { blocks, text } = card(approval, settings)
      const answer = await call(conversation, () =>
        writer.chat.postMessage({
          channel: conversation,
          text,
          blocks,
          unfurl_links: false,
          unfurl_media: false,
          metadata: { event_type: EVENT_TYPE, event_payload: { approval_id: approval.rowId } },
        }),
      )
      if (answer.ts === undefined) throw new Failure({ kind: 'passing', code: 'no_ts' }, 'maybe')
      return { ts: answer.ts }
    },
    async rewrite(approval, place) {
      const { blocks, text } = card(approval, settings, place.retired)
      try {
        await call(place.conversation, () =>
          writer.chat.update({
            channel: place.conversation,
            ts: place.ts,
            text,
            blocks,
            metadata: { event_type: EVENT_TYPE, event_payload: { approval_id: approval.rowId } },
          }),
        )
        return 'done'
      } catch (error) {
        if (error instanceof Failure && error.trouble.code === 'message_not_found') {
          deps.health(undefined)
          return 'gone'
        }
        throw error
      }
    },
    async seek(approval, conversation, since) {
      try {
        return await seekCards(deps, approval.rowId, conversation, since)
      } catch (error) {
        const failure = failureOf(error)
        if (UNREADABLE.has(failure.trouble.code)) return 'unreadable'
        deps.health(failure.trouble.code)
        throw failure
      }
    },
  }
}

/** The optional history scopes were not granted, or the conversation is closed to us. */
const UNREADABLE = new Set(['missing_scope', 'not_in_channel', 'channel_not_found'])

async function seekCards(
  deps: Posting,
  rowId: RowId,
  conversation: string,
  since: Date,
): Promise<readonly { readonly ts: string }[]> {
  const { bot } = await deps.identity()
  const found: { readonly ts: string }[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES; page += 1) {
    const { messages, response_metadata } = History.parse(
      await deps.writer.conversations.history({
        channel: conversation,
        oldest: String((since.getTime() - CLOCKS_MS) / 1000),
        include_all_metadata: true,
        limit: 200,
        ...(cursor === undefined ? {} : { cursor }),
      }),
    )
    // Metadata can be written by any app: a card counts only when we are its author.
    for (const { ts, bot_id, metadata } of messages) {
      if (bot_id === bot && metadata?.event_type === EVENT_TYPE && metadata.event_payload.approval_id === rowId)
        found.push({ ts })
    }
    cursor = response_metadata?.next_cursor
    if (cursor === undefined || cursor === '') return found
  }
  return found
}

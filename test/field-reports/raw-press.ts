/** A press of a card's button as Slack signs and sends it, with what a test changes, so that a card need not show the button. */
import type { Scene } from '../scene.ts'

type Fields = Readonly<Record<string, unknown>>

export interface RawPress {
  readonly id: string
  readonly ts: string
  readonly conversation: string
  readonly user?: string
  readonly action?: Fields
  readonly more?: Fields
}

export function rawPress(s: Scene, { id, ts, conversation, user = 'U0ANA', action = {}, more = {} }: RawPress): string {
  const row = s.row(id)
  const payload = {
    type: 'block_actions',
    team: { id: 'T0ACME', domain: 'acme' },
    user: { id: user, username: user, team_id: 'T0ACME' },
    api_app_id: 'A0APP',
    container: { type: 'message', message_ts: ts, channel_id: conversation, is_ephemeral: false },
    channel: { id: conversation, name: 'approvals' },
    message: { ts, bot_id: 'B0BOT', text: 'x', blocks: [] },
    trigger_id: 'none',
    actions: [
      {
        type: 'button',
        action_id: 'approval.approve',
        block_id: 'b',
        value: JSON.stringify({ v: 1, a: row?.row_id, h: row?.hash }),
        action_ts: String(Date.now() / 1000),
        ...action,
      },
    ],
    ...more,
  }
  return formOf(payload)
}

export function formOf(payload: object): string {
  return `payload=${encodeURIComponent(JSON.stringify(payload))}`
}

export function deliver(s: Scene, body: string, headers: Readonly<Record<string, string>> = {}) {
  return s.slack.deliverRaw({
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...s.slack.sign(body), ...headers },
  })
}

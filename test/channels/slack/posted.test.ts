import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Approval } from '../../../src/approval/approval.ts'
import { slackClients } from '../../../src/channels/slack/client.ts'
import { identityOf } from '../../../src/channels/slack/identity.ts'
import { SLACK_PACE } from '../../../src/channels/slack/pace.ts'
import { poster } from '../../../src/channels/slack/poster.ts'
import { systemClock } from '../../../src/clock.ts'
import { type SlackStandIn, startSlack } from '../../../src/sandbox/slack/stand-in.ts'
import { MARK, pending, ROW, SETTINGS } from './hostile.ts'

const CONVERSATION = 'C0APPROVALS'
const TEXT = `${MARK}<!channel> <https://evil.example|Approve here> *x*\u202E`

let slack: SlackStandIn
beforeEach(async () => {
  slack = await startSlack({ botToken: 'xoxb-sandbox-posted', signingSecret: 'posted' })
})
afterEach(() => slack.close())

function channel(): ReturnType<typeof poster> {
  const { writer } = slackClients({ botToken: 'xoxb-sandbox-posted', apiUrl: slack.apiUrl })
  return poster({
    writer,
    identity: identityOf(writer),
    clock: systemClock,
    settings: SETTINGS,
    pace: SLACK_PACE,
    conversation: CONVERSATION,
    fallback: undefined,
    health: () => undefined,
  })
}

const hostile = (tool: string): Approval & { status: 'pending' } =>
  pending(new Map([[TEXT, TEXT]]), { toolName: tool, agentId: TEXT, preview: new Map([['summary', TEXT]]), [TEXT]: TEXT })

test.each([
  ['a plain tool name', 'mcp:files.read', 'mcp:files.read'],
  ['a tool name of which nothing is told', TEXT, 'see below'],
])(
  'a posted card, and one that is written again, has %s in its text and the row’s own id in its metadata, only',
  async (_, tool, told) => {
    const approval = hostile(tool)
    const metadata = { event_type: 'countersign_approval', event_payload: { approval_id: ROW } }
    const { ts } = await channel().post(approval, CONVERSATION)
    expect(slack.messages(CONVERSATION).map((message) => [message.text, message.metadata])).toEqual([
      [`Approval needed: ${told}`, metadata],
    ])
    const decision = { verdict: 'deny', outcome: 'denied', by: `cli:${TEXT}`, via: null, note: TEXT, at: new Date(0) } as const
    const decided: Approval = { ...approval, status: 'decided', decision, trouble: null, giveUpAt: new Date(0) }
    expect(await channel().rewrite(decided, { conversation: CONVERSATION, ts, retired: false })).toBe('done')
    expect(slack.messages(CONVERSATION).map((message) => [message.text, message.metadata])).toEqual([
      [`Denied: ${told}`, metadata],
    ])
  },
)

test('a card that is posted unfurls nothing', async () => {
  await channel().post(hostile('bash'), CONVERSATION)
  const [call] = slack.calls('chat.postMessage')
  expect(JSON.stringify(call)).toMatch(/unfurl_links\W+false/)
  expect(JSON.stringify(call)).toMatch(/unfurl_media\W+false/)
})

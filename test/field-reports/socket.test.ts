/** Field reports about Socket Mode: acknowledgements and presses that are lost on the way. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CONVERSATION, type Scene, scene } from '../scene.ts'

let s: Scene
let id: string
beforeEach(async () => {
  s = await scene({ socket: true, slack: { answerWithinMs: 1000 } })
  id = (await s.call('bash', { command: 'ls' })).id
  await s.card(id)
})
afterEach(() => s.close())

async function click(): Promise<unknown> {
  const { ts } = await s.card(id)
  return s.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts, action_id: 'approval.approve' })
}

test('a press whose acknowledgement is lost decides all the same, and the card says so', async () => {
  s.slack.socketFault({ kind: 'drop_ack' })
  expect(await click()).toMatchObject({ trouble: 'operation_timeout' })
  await s.card(id, 'The agent platform has it')
  expect(s.platform.effects(id)).toBe(1)
})

test('a press that a dead connection swallowed decides nothing; the card still decides on the next one', async () => {
  s.slack.socketFault({ kind: 'silent' })
  expect(await click()).toMatchObject({ trouble: 'operation_timeout' })
  expect(s.row(id)).toMatchObject({ status: 'pending' })
  s.slack.socketFault({ kind: 'cut' })
  await s.slack.until('another connection', () => s.slack.sockets().some(({ state }) => state === 'open'))
  expect(await click()).toMatchObject({ trouble: null })
  await s.card(id, 'The agent platform has it')
})

test('that Slack counts connections which are not ours is logged', async () => {
  s.slack.socketFault({ kind: 'num_connections', count: 10 })
  await s.restart()
  await s.slack.until('a greeted connection', () => s.slack.sockets().length === 2)
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
  expect(s.log.join('')).toContain('slack counts more connections than ours')
})

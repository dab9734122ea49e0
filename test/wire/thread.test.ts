/** A card changes without a sound: how its approval ended stands as a line in its thread, once. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Message } from '../../src/sandbox/slack/messages.ts'
import { CONVERSATION, type Scene, scene } from '../scene.ts'

let s: Scene
beforeEach(async () => {
  s = await scene()
})
afterEach(() => s.close())

const thread = (card: Message): readonly Message[] =>
  s.slack.messages(CONVERSATION).filter(({ thread_ts }) => thread_ts === card.ts)
const lines = (card: Message, words: string): Promise<Message> =>
  s.slack.until(`a line saying ${words}`, () => {
    const [one, ...more] = thread(card)
    return more.length === 0 && JSON.stringify(one?.blocks ?? '').includes(words) ? one : undefined
  })

test.each([
  ['approval.approve', 'Approved', 'The agent platform has it: the call may run.'],
  ['approval.deny', 'Denied', 'The agent platform has it: the call does not run.'],
])('%s', async (action, verdict, delivery) => {
  const { id } = await s.call('bash', { command: 'ls <!channel>' })
  const card = await s.card(id)
  expect(thread(card)).toEqual([])
  await s.press('U0ANA', id, action)
  const line = await lines(card, delivery)
  expect(line.text).toBe(`${verdict}: bash`)
  expect(JSON.stringify(line.blocks)).toContain('"user_id":"U0ANA"')
  expect(JSON.stringify(line.blocks)).not.toContain('<!channel>')
})

test('a line whose post had no answer is found again, and stands once', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  const card = await s.card(id)
  s.slack.fault({ method: 'chat.postMessage', kind: 'reset', after: true })
  await s.press('U0ANA', id, 'approval.approve')
  await lines(card, 'the call may run')
  s.advance(3100)
  await s.slack.until('it was looked for', () => s.slack.calls('conversations.replies').length > 0)
  await s.restart()
  await s.slack.until('it was looked for again', () => s.rows('tasks').length === 0)
  expect(thread(card)).toHaveLength(1)
})

test('the line stands also where Slack takes no change of the card', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  const card = await s.card(id)
  s.slack.fault({ method: 'chat.update', kind: 'error', error: 'block_mismatch', times: Number.POSITIVE_INFINITY })
  await s.press('U0ANA', id, 'approval.approve')
  await lines(card, 'the call may run')
})

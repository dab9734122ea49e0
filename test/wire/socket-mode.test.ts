/** The whole bot in Socket Mode: what people do comes on a connection that the bot opens, and no address of ours is called. */
import { request } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CONVERSATION, type Scene, scene } from '../scene.ts'

let s: Scene
beforeEach(async () => {
  s = await scene({ socket: true })
})
afterEach(() => s.close())

test('a press decides, a note is asked for and checked, and the command answers', async () => {
  const first = await s.call('bash', { command: 'ls' })
  await s.card(first.id)
  await s.press('U0ANA', first.id, 'approval.approve')
  await s.card(first.id, 'The agent platform has it')
  expect(s.platform.effects(first.id)).toBe(1)

  const second = await s.call('bash', { command: 'pwd' })
  await s.card(second.id)
  await s.press('U0ANA', second.id, 'approval.note')
  const view = await s.slack.until('the note view', () => s.slack.views('U0ANA')[0])
  const submit = (note: string) =>
    s.slack.submit({ user: 'U0ANA', view: String(view.id), values: { note: { 'note.text': note } }, unchecked: true })
  expect((await submit(' ')).errors).toHaveProperty('note')
  await submit('not today')
  await s.card(second.id, 'The agent platform has it')
  expect(s.platform.interaction(second.id)).toMatchObject({ state: 'denied', reason: 'not today' })

  const third = await s.call('bash', { command: 'id' })
  await s.card(third.id)
  const told = await s.toldNext('U0BOB', () =>
    s.slack.command({ user: 'U0BOB', conversation: CONVERSATION, text: `/approvals ${third.run}` }),
  )
  expect(told).toContain('Read and decide')
})

test('nobody is listened to at the address of HTTP mode', async () => {
  const { statusCode, body } = await request(`http://127.0.0.1:${s.app().port}/slack/events`, { method: 'POST', body: '{}' })
  await body.dump()
  expect(statusCode).toBe(404)
})

test('a press during a refresh of the connection is not lost, and decides once', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  await s.card(id)
  s.slack.socketFault({ kind: 'disconnect', reason: 'refresh_requested' })
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
  await s.slack.until('another connection', () => s.slack.sockets().filter(({ state }) => state === 'open').length === 1)
  expect(s.platform.effects(id)).toBe(1)
})

test('an envelope that comes twice decides once, and is answered once to the person', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  await s.card(id)
  s.slack.socketFault({ kind: 'twice' })
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
  expect(s.slack.privately('U0ANA')).toHaveLength(1)
})

test('with the connection cut and Slack failing to give another, hooks are answered, readiness says why, and it goes on by itself', async () => {
  const reasons = async (): Promise<string> => (await request(`http://127.0.0.1:${s.app().adminPort}/readyz`)).body.text()
  expect(await reasons()).not.toContain('slack socket')
  s.slack.fault({ method: 'apps.connections.open', kind: 'error', error: 'internal_error', times: 2 })
  s.slack.socketFault({ kind: 'cut' })
  for (let told = ''; !told.includes('slack socket'); ) told = await reasons()
  const { id, state } = await s.call('bash', { command: 'ls' })
  expect(state).toBe('waiting')
  await s.slack.until('a connection again', () => s.slack.sockets().some((socket) => socket.state === 'open'))
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
})

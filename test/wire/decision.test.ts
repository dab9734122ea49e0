import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Scene, scene } from '../scene.ts'

let s: Scene
beforeEach(async () => {
  s = await scene()
})
afterEach(() => s.close())

test('Approve on the card lets the call run, and the card says who and that the platform has it', async () => {
  const { id, state } = await s.call('bash', { command: 'make deploy' })
  expect(state).toBe('waiting')
  await s.press('U0ANA', id, 'approval.approve')
  await s.platform.until('the call runs', () => s.platform.interaction(id)?.state === 'allowed')
  const card = await s.card(id, 'The agent platform has it')
  expect(card.text).toBe('Approved: bash')
  expect(JSON.stringify(card.blocks)).toContain('"user_id":"U0ANA"')
  expect(JSON.stringify(card.blocks)).not.toContain('approval.approve')
  expect(s.platform.effects(id)).toBe(1)
  expect(s.row(id)).toMatchObject({
    status: 'resolved',
    outcome: 'approved',
    resolution: 'done',
    decided_by: 'slack:T0ACME/U0ANA',
  })
})

test('Deny with a note gives the note to the model word for word', async () => {
  const { id } = await s.call('bash', { command: 'rm -rf build' })
  await s.press('U0BOB', id, 'approval.note')
  const [view] = await s.slack.until('the note view', () =>
    s.slack.views('U0BOB').length > 0 ? s.slack.views('U0BOB') : undefined,
  )
  const note = 'Not on a Friday.\n*Please* <!channel> ask again: naïve 🙂'
  await s.slack.submit({ user: 'U0BOB', view: String(view?.id), values: { note: { 'note.text': note } } })
  await s.platform.until('the model is told', () => s.platform.interaction(id)?.state === 'denied')
  expect(s.platform.interaction(id)).toMatchObject({ state: 'denied', reason: note })
  await s.card(id, 'The agent platform has it: the call does not run.')
})

test('twenty presses at once by four people make one decision, one POST, and nineteen answers that name who won', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  const { conversation, ts } = await s.card(id)
  s.slack.world.join('U0DEV', 'C0APPROVALS')
  const people = ['U0ANA', 'U0BOB', 'U0CAT', 'U0DEV']
  const presses = Array.from({ length: 20 }, (_, n) => ({
    user: people[n % 4] ?? '',
    action_id: n % 2 === Math.floor(n / 4) % 2 ? 'approval.approve' : 'approval.deny',
  }))
  await Promise.all(presses.map(({ user, action_id }) => s.slack.click({ user, conversation, ts, action_id })))
  const told = (): string[] => people.flatMap((user) => s.slack.privately(user).map((message) => JSON.stringify(message.blocks)))
  await s.slack.until('twenty answers', () => told().length === 20)
  await s.card(id, 'The agent platform has it')
  const winner = /U0[A-Z]+/.exec(String(s.row(id)?.decided_by))?.[0] ?? ''
  expect(told().filter((text) => text.includes('Already') && text.includes(winner))).toHaveLength(19)
  expect(told().filter((text) => text.includes('You approved') || text.includes('You denied'))).toHaveLength(1)
  expect(s.platform.resolutions(id)).toHaveLength(1)
  expect(s.platform.effects(id)).toBe(1)
  expect(s.row(id)).toMatchObject({ status: 'resolved', resolution: 'done' })
})

test('a note asked for over an opened call comes back to that call, which says what became of it', async () => {
  const { id } = await s.call('bash', { command: 'x'.repeat(30_000) })
  await s.press('U0BOB', id, 'approval.open')
  const reading = await s.slack.until('the opened call', () => s.slack.views('U0BOB')[0])
  await s.slack.clickInView({ user: 'U0BOB', view: String(reading.id), action_id: 'approval.note' })
  const note = await s.slack.until('the note on top', () => s.slack.views('U0BOB')[1])
  await s.slack.submit({ user: 'U0BOB', view: String(note.id), values: { note: { 'note.text': 'too long to be true' } } })
  await s.slack.until('the opened call says so', () =>
    JSON.stringify(s.slack.views('U0BOB')[0]?.blocks).includes('You denied this call'),
  )
  expect(s.slack.views('U0BOB')).toHaveLength(1)
  await s.platform.until('the model is told', () => s.platform.interaction(id)?.state === 'denied')
})

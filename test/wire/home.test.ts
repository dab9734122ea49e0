/** Home tabs of the whole bot: drawn when opened, kept up to date, private to each person, and a way to decide. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CONVERSATION, type Scene, scene, standardSettings } from '../scene.ts'

let s: Scene
beforeEach(async () => {
  s = await scene()
})
afterEach(() => s.close())

const shown = (user: string): string => JSON.stringify(s.slack.home(user)?.blocks ?? null)
const tab = (user: string, words: string): Promise<string> =>
  s.slack.until(`the tab of ${user} with ${words}`, () => (shown(user).includes(words) ? shown(user) : undefined))
const opened = async (user: string, words: string): Promise<string> => {
  expect(await s.slack.openHome(user)).toMatchObject({ status: 200, trouble: null })
  return tab(user, words)
}
const window = (user: string, words: string) =>
  s.slack.until(`a window of ${user} with ${words}`, () =>
    s.slack.views(user).find((view) => JSON.stringify(view).includes(words)),
  )
const pressOpen = (user: string) =>
  s.slack.clickInView({ user, view: String(s.slack.home(user)?.id), action_id: 'approval.open' })

test('it shows what a person may decide and what not, and follows each change', async () => {
  expect(await opened('U0CAT', 'Nothing waits for you.')).toContain('You have decided nothing yet.')
  const { id, run } = await s.call('bash', { command: 'make deploy' })
  expect(await tab('U0CAT', 'Approval needed: bash')).toContain(`Run ${run}`)
  await s.call('pay_invoice', { amount: 5 })
  await opened('U0ANA', 'Approval needed: pay_invoice')
  expect(shown('U0CAT')).not.toContain('pay_invoice')
  await s.press('U0ANA', id, 'approval.approve')
  await tab('U0CAT', 'Nothing waits for you.')
  const hers = await tab('U0ANA', 'The agent platform has it')
  expect(hers).toContain('Approval needed: pay_invoice')
  expect(hers).not.toContain('Approval needed: bash')
})

test('a call is opened in a window of its own, decided there, and the tab says so', async () => {
  const { id } = await s.call('bash', { command: 'make deploy' })
  await opened('U0BOB', 'Approval needed: bash')
  const before = shown('U0BOB')
  await pressOpen('U0BOB')
  const view = await window('U0BOB', 'make deploy')
  expect(view.type).toBe('modal')
  expect(shown('U0BOB')).toBe(before)
  await s.slack.clickInView({ user: 'U0BOB', view: String(view.id), action_id: 'approval.approve' })
  await window('U0BOB', 'You approved this call')
  const after = await tab('U0BOB', 'The agent platform has it')
  expect(after).toContain('Nothing waits for you.')
  expect(s.platform.effects(id)).toBe(1)
  expect(s.row(id)).toMatchObject({ outcome: 'approved', decided_by: 'slack:T0ACME/U0BOB' })
})

test('a note is asked for over the opened call, and the answer stands there', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  await opened('U0BOB', 'Approval needed: bash')
  await pressOpen('U0BOB')
  const reading = await window('U0BOB', 'approval.note')
  await s.slack.clickInView({ user: 'U0BOB', view: String(reading.id), action_id: 'approval.note' })
  const note = await s.slack.until('the note on top', () => s.slack.views('U0BOB')[1])
  await s.slack.submit({ user: 'U0BOB', view: String(note.id), values: { note: { 'note.text': 'not today' } } })
  await window('U0BOB', 'You denied this call')
  await tab('U0BOB', 'The agent platform has it')
  expect(s.platform.interaction(id)).toMatchObject({ state: 'denied', reason: 'not today' })
})

test('who may no longer decide is told so in a window, and nothing is decided', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  await opened('U0BOB', 'Approval needed: bash')
  s.slack.world.leave('U0BOB', CONVERSATION)
  s.advance(61_000)
  await pressOpen('U0BOB')
  await window('U0BOB', 'You are not among those who may decide')
  expect(s.slack.views('U0BOB')).toHaveLength(1)
  expect(s.row(id)).toMatchObject({ status: 'pending' })
})

test('a press on a tab that is behind the times opens what became of the call', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  await opened('U0BOB', 'Approval needed: bash')
  s.slack.fault({ method: 'views.publish', kind: 'error', error: 'internal_error', times: Number.POSITIVE_INFINITY })
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
  expect(shown('U0BOB')).toContain('Approval needed: bash')
  await pressOpen('U0BOB')
  expect(JSON.stringify(await window('U0BOB', 'Approved'))).not.toContain('approval.approve')
})

describe('who decides nothing here is told so, and shown nothing', () => {
  test.each([
    ['a guest', 'U0GUEST', 'Guests decide nothing here'],
    ['an outsider', 'U0OUT', 'Only members of this workspace decide here'],
    ['a bot', 'U0BOTTY', 'Bots decide nothing here.'],
    ['a deactivated account', 'U0GONE', 'A deactivated account decides nothing here.'],
  ])('%s', async (_who, user, words) => {
    await s.call('bash', { command: 'ls' })
    expect(await opened(user, words)).not.toContain('bash')
  })
})

test('a guest whom a set names sees what it is for', async () => {
  await s.close()
  s = await scene({ settings: (url) => standardSettings(url).replace('users: [U0ANA, U0BOB]', 'users: [U0GUEST]') })
  await s.call('bash', { command: 'ls' })
  await s.call('pay_invoice', { amount: 5 })
  const theirs = await opened('U0GUEST', 'Approval needed: pay_invoice')
  expect(theirs).not.toContain('bash')
})

test('a tab that Slack did not take is drawn with the next change', async () => {
  s.slack.fault({ method: 'views.publish', kind: 'error', error: 'internal_error' })
  await s.slack.openHome('U0ANA')
  await s.slack.until('it was refused', () => s.slack.calls('views.publish').some(({ ok }) => ok === false))
  expect(s.slack.home('U0ANA')).toBeUndefined()
  await s.call('bash', { command: 'ls' })
  await tab('U0ANA', 'Approval needed: bash')
})

test('fifty calls at once make few publishes, and the tab counts what it does not list', async () => {
  await s.close()
  s = await scene({ homePace: { personMs: 1000, publishMs: 1, burst: 10, atOnce: 2 } })
  await opened('U0ANA', 'Nothing waits for you.')
  await Promise.all(Array.from({ length: 50 }, (_, n) => s.call('bash', { command: `step ${n}` })))
  await tab('U0ANA', '35 more wait for you')
  expect(s.slack.calls('views.publish').length).toBeLessThan(25)
})

test('what somebody else decided is gone from what waits, and is not listed as one’s own', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  await opened('U0BOB', 'Approval needed: bash')
  await s.press('U0ANA', id, 'approval.deny')
  const his = await tab('U0BOB', 'Nothing waits for you.')
  expect(his).toContain('You have decided nothing yet.')
})

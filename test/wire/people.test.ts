import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CONVERSATION, type Scene, scene, standardSettings } from '../scene.ts'

const A_MINUTE_MS = 61_000

const Reasons = z.object({ degraded: z.array(z.string()) })

let s: Scene
let id: string
beforeEach(async () => {
  s = await scene()
  id = (await s.call('bash', { command: 'ls' })).id
  await s.card(id)
})
afterEach(() => s.close())

function nothingDecided(): void {
  expect(s.row(id)).toMatchObject({ status: 'pending', verdict: null, decided_by: null })
  expect(s.platform.resolutions()).toEqual([])
  expect(s.slack.views('U0BOB')).toEqual([])
}

describe('who may not decide is told so privately, and nothing is decided', () => {
  test.each([
    ['U0DEV', 'You are not among those who may decide'],
    ['U0GUEST', 'Guests may not decide'],
    ['U0GONE', 'A deactivated account may not decide'],
    ['U0BOTTY', 'Bots may not decide'],
    ['U0OUT', 'Only members of this workspace may decide'],
  ])('%s', async (user, words) => {
    for (const action of ['approval.approve', 'approval.deny', 'approval.note']) {
      const told = await s.toldNext(user, () => s.press(user, id, action))
      expect(told).toContain(words)
      expect(told).toContain('Nothing was decided')
    }
    expect(s.slack.views(user)).toEqual([])
    nothingDecided()
    expect(s.cards(id)).toHaveLength(1)
  })
})

test('a guest whom the set names may decide; a bot whom it names may not', async () => {
  await s.close()
  s = await scene({ settings: (url) => standardSettings(url).replace('[U0ANA, U0BOB]', '[U0GUEST, U0BOTTY]') })
  id = (await s.call('pay_invoice', { amount: 5 })).id
  await s.card(id)
  expect(await s.toldNext('U0BOTTY', () => s.press('U0BOTTY', id, 'approval.approve'))).toContain('Bots may not decide')
  nothingDecided()
  await s.press('U0GUEST', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
})

test('a right lost after the note was opened is gone when it is submitted, within a minute at most', async () => {
  await s.press('U0BOB', id, 'approval.note')
  const view = await s.slack.until('the note view', () => s.slack.views('U0BOB')[0])
  s.slack.world.leave('U0BOB', CONVERSATION)
  s.advance(A_MINUTE_MS)
  const told = await s.toldNext('U0BOB', () =>
    s.slack.submit({ user: 'U0BOB', view: String(view.id), values: { note: { 'note.text': 'no' } } }),
  )
  expect(told).toContain('You are not among those who may decide')
  nothingDecided()
})

test('an empty note is refused in the window itself', async () => {
  await s.press('U0BOB', id, 'approval.note')
  const view = await s.slack.until('the note view', () => s.slack.views('U0BOB')[0])
  const { errors } = await s.slack.submit({
    user: 'U0BOB',
    view: String(view.id),
    values: { note: { 'note.text': '  ' } },
    unchecked: true,
  })
  expect(errors).toEqual({ note: 'Write why, or close this window and press Deny.' })
  expect(s.row(id)).toMatchObject({ status: 'pending' })
})

test('membership is asked again within a minute, and not at each press', async () => {
  await s.toldNext('U0DEV', () => s.press('U0DEV', id, 'approval.approve'))
  await s.toldNext('U0DEV', () => s.press('U0DEV', id, 'approval.approve'))
  expect(s.slack.calls('conversations.members')).toHaveLength(1)
  s.slack.world.join('U0DEV', CONVERSATION)
  s.advance(A_MINUTE_MS)
  await s.press('U0DEV', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
})

test('when Slack does not say who may decide, nobody may', async () => {
  s.slack.fault({ method: 'users.info', kind: 'error', error: 'internal_error' })
  const told = await s.toldNext('U0ANA', () => s.press('U0ANA', id, 'approval.approve'))
  expect(told).toContain('Slack did not tell us in time')
  nothingDecided()
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
})

test('a set over a public conversation that is not said to be open is nobody, and health says why', async () => {
  await s.close()
  s = await scene({
    settings: (url) => standardSettings(url).replace(`conversation: ${CONVERSATION}`, 'conversation: C0GENERAL'),
  })
  id = (await s.call('bash', { command: 'ls' })).id
  const [card] = await s.slack.until('a card', () => (s.cards(id, 'C0GENERAL').length > 0 ? s.cards(id, 'C0GENERAL') : undefined))
  const told = await s.toldNext('U0ANA', () =>
    s.slack.click({ user: 'U0ANA', conversation: 'C0GENERAL', ts: card?.ts ?? '', action_id: 'approval.approve' }),
  )
  expect(told).toContain('It cannot be read at the moment who may decide')
  nothingDecided()
  const answer = await fetch(`http://127.0.0.1:${s.app().adminPort}/readyz`)
  expect(Reasons.parse(await answer.json()).degraded.join()).toContain('approvers everyone: its conversation is public')
})

describe('/approvals', () => {
  const ask = (user: string, text: string): Promise<string> =>
    s.toldNext(user, () => s.slack.command({ user, conversation: CONVERSATION, text }))

  test('lists what waits in a run to those who may decide, and its entry opens the call with its buttons', async () => {
    const { run } = await s.call('bash', { command: 'echo worker' }, { rootRun: String(s.row(id)?.root_run), workerRef: 'wkr_1' })
    const listed = await ask('U0CAT', `/approvals ${s.row(id)?.root_run}`)
    expect(listed.match(/approval\.open/g)).toHaveLength(2)
    expect(listed).toContain('Worker wkr_1')
    expect((await ask('U0CAT', `/approvals ${run}`)).match(/approval\.open/g)).toHaveLength(1)
    const message = s.slack.privately('U0CAT').at(-1)
    await s.slack.click({ user: 'U0CAT', conversation: CONVERSATION, ts: message?.ts ?? '', action_id: 'approval.open' })
    const view = await s.slack.until('the call', () => s.slack.views('U0CAT')[0])
    expect(JSON.stringify(view.blocks)).toContain('echo worker')
    await s.slack.clickInView({ user: 'U0CAT', view: String(view.id), action_id: 'approval.approve' })
    await s.slack.until('the view says so', () =>
      JSON.stringify(s.slack.views('U0CAT')[0]?.blocks).includes('You approved this call'),
    )
  })

  test('counts what the asker may not see, and tells guests and outsiders nothing', async () => {
    await s.call('pay_invoice', { amount: 5 }, { run: String(s.row(id)?.run) })
    expect(await ask('U0DEV', `/approvals ${s.row(id)?.run}`)).toContain('2 other approvals of this run that you may not see')
    for (const user of ['U0GUEST', 'U0OUT']) {
      const told = await ask(user, `/approvals ${s.row(id)?.run}`)
      expect(told).not.toContain('approval.open')
      expect(told).not.toContain('other approval')
    }
  })

  test('explains itself without a run, and says when nothing waits', async () => {
    expect(await ask('U0ANA', '/approvals')).toContain('the id of a run')
    expect(await ask('U0ANA', '/approvals `run_none`')).toContain('Nothing of run_none waits')
  })
})

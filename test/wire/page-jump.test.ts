/** Reading a long call in a window: which jumps are taken, and that none of them decides. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Scene, scene } from '../scene.ts'

let s: Scene
beforeEach(async () => {
  s = await scene()
})
afterEach(() => s.close())

const blocks = (): string => JSON.stringify(s.slack.views('U0BOB')[0]?.blocks ?? [])

/** Opens a call of many pages as Bob, who may decide it. */
async function opened(): Promise<{ readonly id: string; readonly view: string; readonly count: number }> {
  const { id } = await s.call('bash', { command: 'x'.repeat(60_000) })
  await s.press('U0BOB', id, 'approval.open')
  const view = await s.slack.until('the opened call', () => s.slack.views('U0BOB')[0])
  const count = Number(/Page 1 of (\d+)/.exec(JSON.stringify(view.blocks))?.[1])
  expect(count).toBeGreaterThan(4)
  return { id, view: String(view.id), count }
}

test('the last page, the first and a picked one are a press away, and Approve is on the last only', async () => {
  const { id, view, count } = await opened()
  const at = (page: number) => s.slack.until(`page ${page}`, () => blocks().includes(`"Page ${page} of ${count}"`))
  const press = (action_id: string, chosen?: string) =>
    s.slack.clickInView({ user: 'U0BOB', view, action_id, ...(chosen === undefined ? {} : { chosen }) })

  await press(`approval.page.${count - 1}`)
  await at(count)
  expect(blocks()).toContain('approval.approve')
  await press('approval.page.0')
  await at(1)
  expect(blocks()).not.toContain('approval.approve')
  await press('approval.page.pick', '2')
  await at(3)
  expect(blocks()).not.toContain('approval.approve')
  await press('approval.page.pick', String(count - 1))
  await at(count)
  expect(s.row(id)).toMatchObject({ status: 'pending', verdict: null })
  await press('approval.approve')
  await s.platform.until('the call runs', () => s.platform.interaction(id)?.state === 'allowed')
})

test('a page that our window does not offer is not turned to, whatever is sent', async () => {
  const { id, count } = await opened()
  const view = s.slack.views('U0BOB')[0]
  const send = (action: object) => {
    const payload = {
      type: 'block_actions',
      team: { id: 'T0ACME', domain: 'acme' },
      user: { id: 'U0BOB', username: 'bob', team_id: 'T0ACME' },
      api_app_id: 'A0APP',
      container: { type: 'view', view_id: view?.id },
      view,
      trigger_id: '1.2.3',
      actions: [{ block_id: 'b', action_ts: String(Date.now() / 1000), ...action }],
    }
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
    return s.slack.deliverRaw({ body, headers: s.slack.sign(body) })
  }
  const list = { type: 'static_select', action_id: 'approval.page.pick' }
  const option = (value: string) => ({ ...list, selected_option: { text: { type: 'plain_text', text: 'x' }, value } })
  const value = JSON.stringify({ v: 1, a: s.row(id)?.row_id, h: s.row(id)?.hash })
  const forged = [
    option(String(count)),
    option('-1'),
    option('1e1'),
    option(''),
    { ...list, selected_option: null },
    list,
    { type: 'button', action_id: 'approval.page.3', value },
    { type: 'button', action_id: 'approval.pages.0', value },
  ]
  for (const action of forged) {
    const told = await s.toldNext('U0BOB', () => send(action))
    expect(told, JSON.stringify(action)).toContain('does not know this button')
  }
  expect(blocks()).toContain(`"Page 1 of ${count}"`)
  expect(s.row(id)).toMatchObject({ status: 'pending', verdict: null })
})

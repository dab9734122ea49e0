/** Events over HTTP: only what Slack signed, only the home tab, and the question whether the address is ours. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Scene, scene } from '../scene.ts'

let s: Scene
beforeEach(async () => {
  s = await scene({ socket: false })
})
afterEach(() => s.close())

const event = (more: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    token: 't',
    team_id: 'T0ACME',
    api_app_id: 'A0APP',
    type: 'event_callback',
    event_id: 'Ev1',
    event_time: 1,
    authorizations: [{ enterprise_id: null, team_id: 'T0ACME', user_id: 'U0BOT', is_bot: true, is_enterprise_install: false }],
    event: { type: 'app_home_opened', user: 'U0ANA', channel: 'D0ANA', event_ts: '1.000000', tab: 'home', ...more },
  })
const send = (body: string, headers: Readonly<Record<string, string>>) =>
  s.slack.deliverRaw({ body, headers: { 'content-type': 'application/json', ...headers } })
const publishes = () => s.slack.calls('views.publish').map(({ args }) => args.user_id)

test('Slack’s question whether the address is ours is answered', async () => {
  expect(await s.slack.verifyUrl()).toMatchObject({ status: 200, trouble: null })
})

test('an event that nobody signed, or that is old, draws nothing', async () => {
  const body = event({})
  const old = new Date(Date.now() - 360_000)
  for (const headers of [{}, s.slack.sign('{}'), s.slack.sign(body, old)])
    expect(await send(body, headers)).toMatchObject({ status: 401 })
  await s.slack.openHome('U0BOB')
  await s.slack.until('a tab', () => publishes().includes('U0BOB'))
  expect(publishes()).toEqual(['U0BOB'])
})

test('another tab, or none, draws nothing, and is acked', async () => {
  for (const tab of ['messages', 'about', undefined]) {
    const body = event({ tab })
    expect(await send(body, s.slack.sign(body))).toMatchObject({ status: 200 })
  }
  await s.slack.openHome('U0BOB')
  await s.slack.until('a tab', () => publishes().includes('U0BOB'))
  expect(publishes()).toEqual(['U0BOB'])
})

test('an event of another kind is acked and changes nothing', async () => {
  const body = event({ type: 'app_uninstalled' })
  expect(await send(body, s.slack.sign(body))).toMatchObject({ status: 200 })
  expect(publishes()).toEqual([])
})

import { createServer } from 'node:http'
import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt'
import { expect, test } from 'vitest'
import { type SlackStandIn, startSlack } from '../../src/sandbox/slack/stand-in.ts'
import { card, modal, SECRET, TOKEN } from './slack-bot.ts'

const C = 'C0APPROVALS'

/** Refusals are what these tests are about; they need not be printed. */
const quiet = () => undefined
const logger = {
  ...{ debug: quiet, info: quiet, warn: quiet, error: quiet, setLevel: quiet, setName: quiet },
  getLevel: () => LogLevel.ERROR,
}

/** A real Bolt app on a real receiver, with the stand-in as its Slack. */
async function boltApp(slack: SlackStandIn) {
  const receiver = new HTTPReceiver({ signingSecret: SECRET, logger })
  const app = new App({
    receiver,
    token: TOKEN,
    logger,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 1, minTimeout: 1, maxTimeout: 1 } },
  })
  const server = createServer(receiver.requestListener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  slack.deliverTo(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/slack/events`)
  const close = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { app, [Symbol.asyncDispose]: close }
}
async function standIn(answerWithinMs = 3_000) {
  const slack = await startSlack({ botToken: TOKEN, signingSecret: SECRET, answerWithinMs })
  return { slack, [Symbol.asyncDispose]: () => slack.close() }
}
const post = async (app: App) => {
  const posted = await app.client.chat.postMessage({ channel: C, text: 'Approval needed', blocks: card('approve', 'note') })
  return posted.ts ?? ''
}

test('a Bolt app acknowledges a click and updates the card', async () => {
  await using held = await standIn()
  const { slack } = held
  await using bot = await boltApp(slack)
  const { app } = bot
  app.action('approve', async ({ ack, body, action, client, context, respond }) => {
    await ack()
    if (body.type !== 'block_actions' || action.type !== 'button') return
    const channel = body.channel?.id ?? ''
    const words = `${action.value} by ${body.user.id} of ${context.teamId}`
    await client.chat.update({ channel, ts: body.message?.ts ?? '', text: words, blocks: [{ type: 'divider' }] })
    await respond({ text: 'Noted.', response_type: 'ephemeral' })
  })
  const ts = await post(app)
  expect(await slack.click({ user: 'U0BOB', conversation: C, ts, action_id: 'approve' })).toMatchObject({
    status: 200,
    trouble: null,
  })
  await slack.until('Bob is told', () => slack.privately('U0BOB').length === 1)
  expect(slack.messages(C)).toMatchObject([{ ts, text: 'v by U0BOB of T0ACME', blocks: [{ type: 'divider' }] }])
  expect(slack.privately('U0BOB')).toMatchObject([{ text: 'Noted.' }])
  expect(slack.calls('auth.test')).toMatchObject([{ ok: true }])
})

test('a Bolt app opens a modal, refuses a note, and takes the next one', async () => {
  await using held = await standIn()
  const { slack } = held
  await using bot = await boltApp(slack)
  const { app } = bot
  app.action('note', async ({ ack, body, client }) => {
    await ack()
    if (body.type !== 'block_actions') return
    const blocks = [
      {
        ...{ type: 'input' as const, block_id: 'note', label: { type: 'plain_text' as const, text: 'Note' } },
        element: { type: 'plain_text_input' as const, action_id: 'words' },
      },
    ]
    const labels = {
      title: { type: 'plain_text' as const, text: 'A note' },
      submit: { type: 'plain_text' as const, text: 'Deny' },
    }
    const view = { type: 'modal' as const, callback_id: 'approval.note', private_metadata: 'm', ...labels, blocks }
    await client.views.open({ trigger_id: body.trigger_id, view })
  })
  app.view('approval.note', async ({ ack, view, body, client }) => {
    const words = view.state.values.note?.words?.value ?? ''
    if (words.length < 5) return ack({ response_action: 'errors', errors: { note: 'Please say more.' } })
    await ack()
    await client.chat.postMessage({ channel: C, text: `${body.user.id}: ${words} (${view.private_metadata})` })
  })
  const ts = await post(app)
  await slack.click({ user: 'U0ANA', conversation: C, ts, action_id: 'note' })
  const view = await slack.until('the modal is open', () => slack.views('U0ANA').at(-1))
  const submit = (words: string) => slack.submit({ user: 'U0ANA', view: String(view.id), values: { note: { words } } })
  expect(await submit('no')).toMatchObject({ status: 200, trouble: null, errors: { note: 'Please say more.' } })
  expect(slack.views('U0ANA')).toHaveLength(1)
  expect(await submit('not today')).toMatchObject({ status: 200, trouble: null, errors: {} })
  expect(slack.views('U0ANA')).toEqual([])
  await slack.until('the note is posted', () => slack.messages(C).length === 2)
  expect(slack.messages(C)[1]?.text).toBe('U0ANA: not today (m)')
})

test('a Bolt app hears of a closed modal and of clicks in a modal and in the home tab', async () => {
  await using held = await standIn()
  const { slack } = held
  await using bot = await boltApp(slack)
  const { app } = bot
  const heard: string[] = []
  app.action('approve', async ({ ack, body, client }) => {
    await ack()
    heard.push(body.type === 'block_actions' ? body.container.type : body.type)
    if (body.type === 'block_actions' && body.channel !== undefined) {
      const view = { ...modal({ submit: undefined, blocks: card('approve'), notify_on_close: true }) }
      await client.apiCall('views.open', { trigger_id: body.trigger_id, view })
    }
  })
  app.view({ callback_id: 'approval.note', type: 'view_closed' }, async ({ ack, body }) => {
    await ack()
    heard.push(body.type)
  })
  const ts = await post(app)
  await slack.click({ user: 'U0ANA', conversation: C, ts, action_id: 'approve' })
  const view = await slack.until('the modal is open', () => slack.views('U0ANA').at(-1))
  await slack.clickInView({ user: 'U0ANA', view: String(view.id), action_id: 'approve' })
  await slack.closeView({ user: 'U0ANA', view: String(view.id) })
  const home = { type: 'home', blocks: card('approve') }
  await app.client.apiCall('views.publish', { user_id: 'U0ANA', view: home })
  await slack.clickInView({ user: 'U0ANA', view: String(slack.home('U0ANA')?.id), action_id: 'approve' })
  expect(heard).toEqual(['message', 'view', 'view_closed', 'view'])
})

test('a Bolt app answers a command by ack and by response_url', async () => {
  await using held = await standIn()
  const { slack } = held
  await using bot = await boltApp(slack)
  const { app } = bot
  app.command('/approvals', async ({ ack, command, respond }) => {
    await ack(`Looking for ${command.text}.`)
    await respond({ text: 'Nothing waits.' })
  })
  const reaction = await slack.command({ user: 'U0ANA', conversation: C, text: '/approvals run_1' })
  expect(reaction).toMatchObject({ status: 200, trouble: null })
  await slack.until('two private answers', () => slack.privately('U0ANA').length === 2)
  expect(slack.privately('U0ANA').map((message) => message.text)).toEqual(
    expect.arrayContaining(['Looking for run_1.', 'Nothing waits.']),
  )
})

test('a Bolt app refuses what is signed with another secret, too old, or not at all', async () => {
  await using held = await standIn()
  const { slack } = held
  await using bot = await boltApp(slack)
  const clicks: string[] = []
  bot.app.action('approve', async ({ ack, body }) => {
    clicks.push(body.user.id)
    await ack()
  })
  const ts = await post(bot.app)
  await slack.click({ user: 'U0ANA', conversation: C, ts, action_id: 'approve' })
  const payload = { ...slack.deliveries()[0]?.payload, user: { id: 'U0EVIL' } }
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  const old = slack.sign(body, new Date(Date.now() - 360_000))
  const other = { ...slack.sign(body), 'x-slack-signature': `v0=${'0'.repeat(64)}` }
  for (const headers of [old, other, {}]) expect(await slack.deliverRaw({ body, headers })).toMatchObject({ status: 401 })
  expect(clicks).toEqual(['U0ANA'])
  expect(await slack.deliverRaw({ body, headers: slack.sign(body) })).toMatchObject({ status: 200 })
  expect(clicks).toEqual(['U0ANA', 'U0EVIL'])
})

test('a listener that never acknowledges is operation_timeout', async () => {
  await using held = await standIn(200)
  const { slack } = held
  await using bot = await boltApp(slack)
  bot.app.action('approve', async () => undefined)
  const ts = await post(bot.app)
  expect(await slack.click({ user: 'U0ANA', conversation: C, ts, action_id: 'approve' })).toMatchObject({
    trouble: 'operation_timeout',
  })
})

test("the SDK's own client reads scopes, rate limits and the messages of refused blocks", async () => {
  await using held = await standIn()
  const { slack } = held
  await using bot = await boltApp(slack)
  const { client } = bot.app
  const info = await client.auth.test()
  expect(info.response_metadata?.scopes).toContain('chat:write')
  slack.fault({ method: 'chat.postMessage', kind: 'ratelimited', retryAfter: 0 })
  await client.chat.postMessage({ channel: C, text: 'twice asked' })
  expect(slack.calls('chat.postMessage')).toMatchObject([{ status: 429 }, { status: 200 }])
  const refused = client.chat.postMessage({
    channel: C,
    text: 't',
    blocks: [{ type: 'header', text: { type: 'plain_text', text: '' } }],
  })
  await expect(refused).rejects.toMatchObject({
    data: { error: 'invalid_blocks', response_metadata: { messages: [expect.stringContaining('/blocks/0/text/text')] } },
  })
})

test("Bolt's own Socket Mode receiver is greeted, gets clicks and commands, and answers them", async () => {
  const appToken = 'xapp-sandbox-test'
  const slack = await startSlack({ botToken: TOKEN, signingSecret: SECRET, appToken })
  await using _held = { [Symbol.asyncDispose]: () => slack.close() }
  const clientOptions = { slackApiUrl: slack.apiUrl }
  const receiver = new SocketModeReceiver({ appToken, logger, installerOptions: { clientOptions: { ...clientOptions } } })
  const app = new App({ receiver, token: TOKEN, logger, clientOptions })
  const heard: string[] = []
  app.action('approve', async ({ ack, body }) => {
    await ack()
    heard.push(body.user.id)
  })
  app.command('/approvals', async ({ ack, command }) => ack(`Looking for ${command.text}.`))
  await app.start()
  const ts = await post(app)
  const clicked = await slack.click({ user: 'U0BOB', conversation: C, ts, action_id: 'approve' })
  expect(clicked).toMatchObject({ status: 200, trouble: null })
  expect(await slack.command({ user: 'U0ANA', conversation: C, text: '/approvals run_1' })).toMatchObject({ trouble: null })
  expect(slack.privately('U0ANA')).toMatchObject([{ text: 'Looking for run_1.' }])
  expect(heard).toEqual(['U0BOB'])
  expect(slack.sockets()).toMatchObject([{ state: 'open', acks: [expect.any(String), expect.any(String)] }])
  await receiver.client.disconnect()
})

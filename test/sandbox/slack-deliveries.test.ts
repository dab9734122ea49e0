import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Bench, bench, card, SECRET, text } from './slack-bot.ts'

const C = 'C0APPROVALS'

/** A card in #approvals; its ts. */
async function cardIn(b: Bench, conversation = C): Promise<string> {
  const answer = await b.api('chat.postMessage', {
    ...{ channel: conversation, text: 'Approval needed', blocks: card('approval.approve', 'approval.deny') },
    metadata: { event_type: 'e', event_payload: { id: '1' } },
  })
  return String(answer.ts)
}
const click = async (b: Bench, more: object = {}) =>
  b.slack.click({ user: 'U0ANA', conversation: C, ts: await cardIn(b), action_id: 'approval.approve', ...more })

describe('every delivery', () => {
  test('is a signed form on the one address', async () => {
    await using b = await bench()
    await click(b)
    await b.slack.command({ user: 'U0ANA', conversation: C, text: '/approvals run_1' })
    for (const { url, headers, body } of b.bot.received) {
      const seconds = headers['x-slack-request-timestamp']
      expect([url, headers['content-type'], seconds]).toEqual([
        '/slack/events',
        'application/x-www-form-urlencoded',
        '1767614400',
      ])
      const mac = createHmac('sha256', SECRET).update(`v0:${seconds}:${body}`).digest('hex')
      expect(headers['x-slack-signature']).toBe(`v0=${mac}`)
    }
    expect(b.bot.received).toHaveLength(2)
  })

  test('is kept with its status, and the bot may move to another address', async () => {
    await using b = await bench()
    await using other = await bench()
    expect(await click(b)).toMatchObject({ status: 200, body: '', trouble: null, errors: {} })
    b.slack.deliverTo(other.bot.url)
    await click(b)
    expect(other.bot.received).toHaveLength(1)
    expect(b.slack.deliveries()).toMatchObject([
      { n: 1, kind: 'block_actions', what: 'approval.approve by Ana', status: 200, trouble: null },
      { n: 2, status: 200 },
    ])
  })

  const failures: [string, (b: Bench) => void, number | null, string, string][] = [
    [
      'without an answer in time',
      (b) => {
        b.bot.answer = () => 'silent'
      },
      null,
      'operation_timeout',
      'operation_timeout',
    ],
    [
      'with any status but 2xx',
      (b) => {
        b.bot.answer = () => ({ status: 404 })
      },
      404,
      'operation_timeout',
      'operation_timeout',
    ],
    ['to nobody', (b) => b.slack.deliverTo('http://127.0.0.1:1/slack/events'), null, 'operation_timeout', 'dispatch_failed'],
    ['to no address at all', (b) => b.slack.deliverTo(''), null, 'operation_timeout', 'dispatch_failed'],
  ]
  test.each(failures)('%s is a trouble that the person sees', async (_name, arrange, status, forClick, forCommand) => {
    await using b = await bench({ answerWithinMs: 150 })
    arrange(b)
    expect(await click(b)).toMatchObject({ status, trouble: forClick })
    expect(await b.slack.command({ user: 'U0ANA', conversation: C, text: '/approvals' })).toMatchObject({
      status,
      trouble: forCommand,
    })
    expect(b.slack.deliveries()).toMatchObject([
      { status, trouble: forClick },
      { status, trouble: forCommand },
    ])
  })

  test('as a raw request is sent exactly as given, and only signed when the headers are', async () => {
    await using b = await bench()
    await b.slack.deliverRaw({ body: 'payload=%7B%7D', headers: { 'x-slack-signature': 'v0=bad' } })
    expect(b.bot.received).toMatchObject([{ body: 'payload=%7B%7D', headers: { 'x-slack-signature': 'v0=bad' } }])
    expect(b.bot.received[0]?.headers['x-slack-request-timestamp']).toBeUndefined()
  })
})

describe('a click', () => {
  test('in a message tells who, where, what, and how to answer', async () => {
    await using b = await bench()
    const ts = await cardIn(b)
    await b.slack.click({ user: 'U0BOB', conversation: C, ts, action_id: 'approval.deny' })
    expect(b.bot.received[0]?.payload).toEqual({
      ...{
        type: 'block_actions',
        api_app_id: 'A0APP',
        token: expect.any(String),
        enterprise: null,
        is_enterprise_install: false,
      },
      team: { id: 'T0ACME', domain: 'acme' },
      user: { id: 'U0BOB', username: 'bob', name: 'bob', team_id: 'T0ACME' },
      container: { type: 'message', message_ts: ts, channel_id: C, is_ephemeral: false },
      channel: { id: C, name: 'privategroup' },
      message: {
        ...{ type: 'message', user: 'U0BOT', bot_id: 'B0BOT', app_id: 'A0APP', team: 'T0ACME', ts, text: 'Approval needed' },
        blocks: card('approval.approve', 'approval.deny'),
        metadata: { event_type: 'e', event_payload: { id: '1' } },
      },
      state: { values: {} },
      trigger_id: 'trigger.0001',
      response_url: `${b.slack.url}/respond/R0001`,
      actions: [
        {
          ...{ type: 'button', action_id: 'approval.deny', block_id: 'do', value: 'v', text: text('approval.deny') },
          action_ts: expect.stringMatching(/^\d+\.\d{6}$/),
        },
      ],
    })
  })

  test('in a thread names the thread, and in a public conversation its name', async () => {
    await using b = await bench()
    const parent = await cardIn(b, 'C0GENERAL')
    const { ts } = await b.api('chat.postMessage', { channel: 'C0GENERAL', text: 't', blocks: card('a'), thread_ts: parent })
    await b.slack.click({ user: 'U0ANA', conversation: 'C0GENERAL', ts: String(ts), action_id: 'a' })
    expect(b.bot.received[0]?.payload).toMatchObject({ container: { thread_ts: parent }, channel: { name: 'general' } })
  })

  test('in a private message has no message', async () => {
    await using b = await bench()
    const { message_ts: ts } = await b.api('chat.postEphemeral', { channel: C, user: 'U0ANA', text: 't', blocks: card('a') })
    await b.slack.click({ user: 'U0ANA', conversation: C, ts: String(ts), action_id: 'a' })
    const { payload } = b.bot.received[0] ?? { payload: {} }
    expect(payload).toMatchObject({ container: { message_ts: ts, is_ephemeral: true } })
    expect(payload).not.toHaveProperty('message')
  })

  test('of somebody of another workspace carries that workspace with the person', async () => {
    await using b = await bench()
    await click(b, { user: 'U0OUT' })
    expect(b.bot.received[0]?.payload).toMatchObject({ user: { id: 'U0OUT', team_id: 'T0OTHER' }, team: { id: 'T0ACME' } })
  })

  test('takes the element of the named block', async () => {
    await using b = await bench()
    const blocks = ['one', 'two'].map((block_id) => ({ ...card('a')[1], block_id }))
    const { ts } = await b.api('chat.postMessage', { channel: C, text: 't', blocks })
    await b.slack.click({ user: 'U0ANA', conversation: C, ts: String(ts), action_id: 'a', block_id: 'two' })
    expect(b.bot.received[0]?.payload).toMatchObject({ actions: [{ block_id: 'two' }] })
  })

  test('in a menu carries what was chosen', async () => {
    await using b = await bench()
    const options = ['1h', '2h'].map((value) => ({ text: text(value), value }))
    const elements = [
      { type: 'static_select', action_id: 's', options },
      { type: 'users_select', action_id: 'u' },
    ]
    const { ts } = await b.api('chat.postMessage', { channel: C, text: 't', blocks: [{ type: 'actions', elements }] })
    await b.slack.click({ user: 'U0ANA', conversation: C, ts: String(ts), action_id: 's', chosen: '2h' })
    await b.slack.click({ user: 'U0ANA', conversation: C, ts: String(ts), action_id: 'u', chosen: 'U0BOB' })
    expect(b.bot.received.map(({ payload }) => payload)).toMatchObject([
      { actions: [{ type: 'static_select', selected_option: options[1] }] },
      { actions: [{ type: 'users_select', selected_user: 'U0BOB' }] },
    ])
  })

  test('may carry another message than the stored one, to play a client that is behind the times', async () => {
    await using b = await bench()
    await click(b, { action_id: 'old', message_json_override: { text: 'before', blocks: card('old') } })
    expect(b.bot.received[0]?.payload).toMatchObject({ message: { text: 'before' }, actions: [{ action_id: 'old' }] })
  })

  const impossible: [string, object][] = [
    ['a message that is not there', { ts: '1.000000' }],
    ['a button that is not there', { action_id: 'approval.other' }],
    ['a person who is not there', { user: 'U0NOBODY' }],
    ['a conversation that is not there', { conversation: 'C0NONE' }],
  ]
  test.each(impossible)('on %s rejects, and nothing is sent', async (_name, more) => {
    await using b = await bench()
    await expect(click(b, more)).rejects.toThrow(/^(there is no|the message|U0ANA sees)/)
    expect(b.bot.received).toEqual([])
  })

  test('on the private message of somebody else rejects', async () => {
    await using b = await bench()
    const { message_ts } = await b.api('chat.postEphemeral', { channel: C, user: 'U0ANA', text: 't', blocks: card('a') })
    const stolen = b.slack.click({ user: 'U0BOB', conversation: C, ts: String(message_ts), action_id: 'a' })
    await expect(stolen).rejects.toThrow('sees no message')
  })
})

test('somebody else may write, and the app can neither update nor delete that', async () => {
  await using b = await bench()
  const { ts } = b.slack.say({ user: 'U0BOTTY', conversation: C, text: 'mine', metadata: { event_type: 'e', event_payload: {} } })
  expect(await b.api('chat.update', { channel: C, ts, text: 'ours' })).toMatchObject({ error: 'cant_update_message' })
  expect(await b.api('chat.delete', { channel: C, ts })).toMatchObject({ error: 'cant_delete_message' })
  const { messages } = await b.api('conversations.history', { channel: C, include_all_metadata: true })
  expect(messages).toEqual([
    { type: 'message', user: 'U0BOTTY', team: 'T0ACME', text: 'mine', ts, metadata: { event_type: 'e', event_payload: {} } },
  ])
})

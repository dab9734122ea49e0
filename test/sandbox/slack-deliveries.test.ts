import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Bench, bench, card, modal, SECRET, text } from './slack-bot.ts'

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
const respond = async (b: Bench, body: object) => {
  const url = String(b.bot.received.at(-1)?.payload.response_url)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [response.status, JSON.parse(await response.text())]
}

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

describe('a command', () => {
  test('is a flat form', async () => {
    await using b = await bench()
    await b.slack.command({ user: 'U0ANA', conversation: C, text: '/approvals run_1 now' })
    expect(b.bot.received[0]?.payload).toEqual({
      ...{ token: expect.any(String), api_app_id: 'A0APP', is_enterprise_install: 'false' },
      ...{ team_id: 'T0ACME', team_domain: 'acme', channel_id: C, channel_name: 'privategroup' },
      ...{ user_id: 'U0ANA', user_name: 'ana', command: '/approvals', text: 'run_1 now' },
      ...{ trigger_id: 'trigger.0001', response_url: `${b.slack.url}/respond/R0001` },
    })
  })

  test('that the app has not registered never leaves', async () => {
    await using b = await bench()
    for (const line of ['/other', 'approvals', '']) {
      expect(await b.slack.command({ user: 'U0ANA', conversation: C, text: line })).toMatchObject({ trouble: 'invalid_command' })
    }
    expect([b.bot.received, b.slack.deliveries()]).toEqual([[], []])
  })

  const answers: [string, object, object[], object[]][] = [
    ['nothing shows nothing', { body: '' }, [], []],
    ['a text is shown to that person only', { type: 'text/plain', body: 'hi' }, [{ text: 'hi', onlyFor: 'U0ANA' }], []],
    [
      'JSON is shown to that person only',
      { body: JSON.stringify({ text: 'hi', blocks: card('a') }) },
      [{ text: 'hi', blocks: card('a') }],
      [],
    ],
    [
      'in_channel is shown to everybody',
      { body: JSON.stringify({ text: 'hi', response_type: 'in_channel' }) },
      [],
      [{ text: 'hi', onlyFor: null }],
    ],
  ]
  test.each(answers)('%s', async (_name, answer, privately, publicly) => {
    await using b = await bench()
    b.bot.answer = () => answer
    expect(await b.slack.command({ user: 'U0ANA', conversation: 'C0EMPTY', text: '/approvals' })).toMatchObject({
      status: 200,
      trouble: null,
    })
    expect(b.slack.privately('U0ANA')).toMatchObject(privately)
    expect(b.slack.messages('C0EMPTY')).toMatchObject(publicly)
  })

  test('answered with blocks that Slack would refuse is invalid_command_response', async () => {
    await using b = await bench()
    b.bot.answer = () => ({ body: JSON.stringify({ blocks: [{ type: 'header' }] }) })
    const reaction = await b.slack.command({ user: 'U0ANA', conversation: C, text: '/approvals' })
    expect([reaction.trouble, b.slack.privately('U0ANA')]).toEqual(['invalid_command_response', []])
  })
})

describe('a response_url', () => {
  test('answers privately by itself, and to everybody when told so', async () => {
    await using b = await bench()
    await click(b)
    expect(await respond(b, { text: 'only you' })).toEqual([200, { ok: true }])
    expect(await respond(b, { text: 'all', response_type: 'in_channel' })).toEqual([200, { ok: true }])
    expect(b.slack.privately('U0ANA')).toMatchObject([{ text: 'only you', via: 'response' }])
    expect(b.slack.messages(C)).toMatchObject([{ text: 'Approval needed' }, { text: 'all' }])
    expect(b.slack.calls('response_url')).toMatchObject([{ ok: true, args: { text: 'only you' } }, { ok: true }])
  })

  test('replaces or deletes the message that was clicked', async () => {
    await using b = await bench()
    await click(b)
    await respond(b, { text: 'done', replace_original: true })
    expect(b.slack.messages(C)).toMatchObject([{ text: 'done', blocks: [] }])
    await respond(b, { delete_original: 'true' })
    expect(b.slack.messages(C)).toEqual([])
    expect(await respond(b, { text: 'late', replace_original: true })).toEqual([400, { ok: false, error: 'message_not_found' }])
    expect(await respond(b, { delete_original: true })).toEqual([400, { ok: false, error: 'message_not_found' }])
  })

  test('of a command replaces nothing: it says something new', async () => {
    await using b = await bench()
    await b.slack.command({ user: 'U0ANA', conversation: C, text: '/approvals' })
    await respond(b, { text: 'one' })
    await respond(b, { text: 'two', replace_original: true })
    expect(b.slack.privately('U0ANA')).toMatchObject([{ text: 'one' }, { text: 'two' }])
  })

  test('works five times, and not a sixth', async () => {
    await using b = await bench()
    await click(b)
    for (let use = 0; use < 5; use += 1) expect((await respond(b, { text: 't' }))[0]).toBe(200)
    expect(await respond(b, { text: 't' })).toEqual([404, { ok: false, error: 'used_url' }])
    expect(b.slack.privately('U0ANA')).toHaveLength(5)
  })

  test('works for thirty minutes, and not a millisecond longer', async () => {
    await using b = await bench()
    await click(b)
    b.clock.forward(30 * 60_000)
    expect((await respond(b, { text: 't' }))[0]).toBe(200)
    b.clock.forward(1)
    expect(await respond(b, { text: 't' })).toEqual([404, { ok: false, error: 'expired_url' }])
    expect(b.slack.privately('U0ANA')).toHaveLength(1)
  })

  test('that was never given out, or a body that is no message, is refused', async () => {
    await using b = await bench()
    const bogus = await fetch(`${b.slack.url}/respond/R9999`, { method: 'POST', body: '{}' })
    expect([bogus.status, await bogus.json()]).toEqual([404, { ok: false, error: 'invalid_url' }])
    await click(b)
    expect(await respond(b, {})).toEqual([400, { ok: false, error: 'no_text' }])
    expect(await respond(b, { blocks: [{ type: 'header' }] })).toMatchObject([400, { error: 'invalid_blocks' }])
    const noJson = await fetch(String(b.bot.received.at(-1)?.payload.response_url), { method: 'POST', body: 'hello' })
    expect([noJson.status, await noJson.json()]).toEqual([400, { ok: false, error: 'invalid_payload' }])
    expect(b.slack.privately('U0ANA')).toEqual([])
  })
})

describe('a trigger', () => {
  const trigger = (b: Bench) => b.bot.received.at(-1)?.payload.trigger_id

  test('opens one modal, and not a second', async () => {
    await using b = await bench()
    await click(b)
    expect(await b.api('views.open', { trigger_id: trigger(b), view: modal() })).toMatchObject({
      ok: true,
      view: { id: 'V0001' },
    })
    expect(await b.api('views.open', { trigger_id: trigger(b), view: modal() })).toEqual({
      ok: false,
      error: 'exchanged_trigger_id',
    })
    expect(b.slack.views('U0ANA')).toHaveLength(1)
  })

  test('lives three seconds, and not a millisecond longer', async () => {
    await using b = await bench()
    await click(b)
    b.clock.forward(3_001)
    expect(await b.api('views.open', { trigger_id: trigger(b), view: modal() })).toEqual({
      ok: false,
      error: 'expired_trigger_id',
    })
    await click(b)
    b.clock.forward(3_000)
    expect(await b.api('views.open', { trigger_id: trigger(b), view: modal() })).toMatchObject({ ok: true })
  })

  test('that was never given out is invalid_trigger_id', async () => {
    await using b = await bench()
    expect(await b.api('views.open', { trigger_id: 'trigger.0001', view: modal() })).toEqual({
      ok: false,
      error: 'invalid_trigger_id',
    })
    expect(await b.api('views.open', { view: modal() })).toEqual({ ok: false, error: 'invalid_trigger_id' })
  })

  test('is not used up by a view that Slack refuses', async () => {
    await using b = await bench()
    await click(b)
    const answer = await b.api('views.open', { trigger_id: trigger(b), view: modal({ title: text('x'.repeat(25)) }) })
    expect(answer).toMatchObject({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'] },
    })
    expect(await b.api('views.open', { trigger_id: trigger(b), view: modal() })).toMatchObject({ ok: true })
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

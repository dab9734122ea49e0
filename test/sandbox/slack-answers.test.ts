import { describe, expect, test } from 'vitest'
import { type Bench, bench, card, modal, text } from './slack-bot.ts'

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

describe('a command', () => {
  test('is a flat form', async () => {
    await using b = await bench()
    await b.slack.command({ user: 'U0ANA', conversation: C, text: '/approvals run_1 now' })
    expect(new URLSearchParams(b.bot.received[0]?.body).has('payload')).toBe(false)
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

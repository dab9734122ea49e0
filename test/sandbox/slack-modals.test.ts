import { describe, expect, test } from 'vitest'
import { type Bench, bench, button, card, modal, text } from './slack-bot.ts'

const C = 'C0APPROVALS'

async function clicked(b: Bench): Promise<string> {
  const { ts } = await b.api('chat.postMessage', { channel: C, text: 't', blocks: card('open') })
  await b.slack.click({ user: 'U0ANA', conversation: C, ts: String(ts), action_id: 'open' })
  return String(b.bot.received.at(-1)?.payload.trigger_id)
}
async function opened(b: Bench, more: object = {}): Promise<string> {
  const answer = await b.api('views.open', { trigger_id: await clicked(b), view: modal(more) })
  expect(answer).toMatchObject({ ok: true })
  return String(b.slack.views('U0ANA').at(-1)?.id)
}
/** A click inside the modal, which gives a trigger that may push. */
async function pushed(b: Bench, view: string) {
  await b.slack.clickInView({ user: 'U0ANA', view, action_id: 'more' })
  return b.api('views.push', { trigger_id: b.bot.received.at(-1)?.payload.trigger_id, view: modal(pages) })
}
const pages = { submit: undefined, blocks: [{ type: 'actions', block_id: 'nav', elements: [button('more')] }] }
const ids = (b: Bench) => b.slack.views('U0ANA').map((view) => view.id)
const answer = (b: Bench, body: object | string) => {
  b.bot.answer = () => ({ body: typeof body === 'string' ? body : JSON.stringify(body) })
}
const submit = (b: Bench, view: string, words: string | null = 'because') =>
  b.slack.submit({ user: 'U0ANA', view, values: { note: { words } } })

describe('views', () => {
  test('come back whole, with ids, hash and place in the stack', async () => {
    await using b = await bench()
    const id = await opened(b, { private_metadata: 'm', external_id: 'x', notify_on_close: true })
    expect(b.slack.views('U0ANA')).toEqual([
      {
        ...{ id, team_id: 'T0ACME', type: 'modal', callback_id: 'approval.note', private_metadata: 'm', external_id: 'x' },
        ...{ title: text('A note'), submit: text('Deny'), close: null, blocks: modal().blocks, state: { values: {} } },
        ...{ hash: expect.stringMatching(/^\d+\.\d{6}$/), clear_on_close: false, notify_on_close: true },
        ...{ root_view_id: id, previous_view_id: null, app_id: 'A0APP', app_installed_team_id: 'T0ACME', bot_id: 'B0BOT' },
      },
    ])
  })

  test('can be pushed from inside a modal until there are three', async () => {
    await using b = await bench()
    const root = await opened(b, pages)
    expect(await pushed(b, root)).toMatchObject({ ok: true, view: { root_view_id: root, previous_view_id: root } })
    expect(await pushed(b, 'V0002')).toMatchObject({ ok: true, view: { root_view_id: root, previous_view_id: 'V0002' } })
    expect(await pushed(b, 'V0003')).toEqual({ ok: false, error: 'push_limit_reached' })
    expect(ids(b)).toEqual(['V0001', 'V0002', 'V0003'])
  })

  test('cannot be pushed from a message', async () => {
    await using b = await bench()
    expect(await b.api('views.push', { trigger_id: await clicked(b), view: modal() })).toEqual({
      ok: false,
      error: 'invalid_trigger_id',
    })
  })

  test('are updated by id or external id, with a new hash, unless the given hash is an old one', async () => {
    await using b = await bench()
    const id = await opened(b, { external_id: 'x' })
    const hash = b.slack.views('U0ANA')[0]?.hash
    const view = (words: string) => modal({ title: text(words), external_id: 'x' })
    expect(await b.api('views.update', { view_id: id, hash, view: view('one') })).toMatchObject({ ok: true, view: { id } })
    expect(b.slack.views('U0ANA')[0]?.hash).not.toBe(hash)
    expect(await b.api('views.update', { view_id: id, hash, view: view('two') })).toEqual({ ok: false, error: 'hash_conflict' })
    expect(await b.api('views.update', { external_id: 'x', view: view('three') })).toMatchObject({ ok: true })
    expect(b.slack.views('U0ANA')).toMatchObject([{ id, title: text('three') }])
  })

  test('that are closed or unknown cannot be updated', async () => {
    await using b = await bench()
    const id = await opened(b)
    await b.slack.closeView({ user: 'U0ANA', view: id })
    expect(await b.api('views.update', { view_id: id, view: modal() })).toEqual({ ok: false, error: 'not_found' })
    expect(await b.api('views.update', { external_id: '', view: modal() })).toEqual({ ok: false, error: 'not_found' })
    expect(await b.api('views.update', { view_id: 'V9999', view: modal() })).toEqual({ ok: false, error: 'not_found' })
  })

  test('of more than 250 kB, of the wrong type or without a view are refused', async () => {
    await using b = await bench()
    const trigger_id = await clicked(b)
    const block = {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x'.repeat(250_000) }] }],
    }
    expect(await b.api('views.open', { trigger_id, view: modal({ blocks: [block] }) })).toEqual({
      ok: false,
      error: 'view_too_large',
    })
    expect(await b.api('views.open', { trigger_id, view: { type: 'home', blocks: [] } })).toMatchObject({
      error: 'invalid_arguments',
    })
    expect(await b.api('views.open', { trigger_id })).toMatchObject({ error: 'invalid_arguments' })
    expect(b.slack.views('U0ANA')).toEqual([])
  })

  test('of the home tab are kept for each person, and a click in one carries the view', async () => {
    await using b = await bench()
    const view = (id: string) => ({ type: 'home', blocks: [{ type: 'actions', block_id: 'do', elements: [button(id)] }] })
    expect(await b.api('views.publish', { user_id: 'U0ANA', view: view('one') })).toMatchObject({
      ok: true,
      view: { type: 'home' },
    })
    const hash = b.slack.home('U0ANA')?.hash
    expect(await b.api('views.publish', { user_id: 'U0ANA', hash, view: view('two') })).toMatchObject({ ok: true })
    expect(await b.api('views.publish', { user_id: 'U0ANA', hash, view: view('three') })).toEqual({
      ok: false,
      error: 'hash_conflict',
    })
    expect(await b.api('views.publish', { user_id: 'U0NOBODY', view: view('one') })).toEqual({
      ok: false,
      error: 'user_not_found',
    })
    const home = String(b.slack.home('U0ANA')?.id)
    expect(await b.slack.clickInView({ user: 'U0ANA', view: home, action_id: 'two' })).toMatchObject({ status: 200 })
    expect(b.bot.received.at(-1)?.payload).toMatchObject({ container: { type: 'view', view_id: home }, view: { type: 'home' } })
    expect([b.slack.home('U0BOB'), b.slack.views('U0ANA')]).toEqual([undefined, []])
  })
})

describe('a click in a modal', () => {
  test('carries the view in place of channel, message and response_url', async () => {
    await using b = await bench()
    const view = await opened(b, pages)
    await b.slack.clickInView({ user: 'U0ANA', view, action_id: 'more', block_id: 'nav' })
    const payload = b.bot.received.at(-1)?.payload
    expect(payload).toMatchObject({
      ...{ type: 'block_actions', container: { type: 'view', view_id: view }, view: { id: view } },
      actions: [{ type: 'button', action_id: 'more', block_id: 'nav', value: 'v' }],
    })
    for (const field of ['channel', 'message', 'response_url']) expect(payload).not.toHaveProperty(field)
  })

  test('of somebody who has not opened it rejects', async () => {
    await using b = await bench()
    const view = await opened(b, pages)
    await expect(b.slack.clickInView({ user: 'U0BOB', view, action_id: 'more' })).rejects.toThrow('no open view')
  })
})

describe('a submission', () => {
  test('carries the values, and nothing of a conversation', async () => {
    await using b = await bench()
    const view = await opened(b, { private_metadata: 'm' })
    await submit(b, view)
    const payload = b.bot.received.at(-1)?.payload
    expect(payload).toMatchObject({
      ...{
        type: 'view_submission',
        user: { id: 'U0ANA' },
        team: { id: 'T0ACME' },
        response_urls: [],
        trigger_id: 'trigger.0002',
      },
      view: {
        id: view,
        private_metadata: 'm',
        state: { values: { note: { words: { type: 'plain_text_input', value: 'because' } } } },
      },
    })
    for (const field of ['channel', 'message', 'response_url']) expect(payload).not.toHaveProperty(field)
  })

  test('has null for an optional input that is empty, and the initial value for one that was not touched', async () => {
    await using b = await bench()
    const area = (id: string, more: object = {}) => ({
      ...{ type: 'input', block_id: id, optional: true, label: text(id) },
      element: { type: 'plain_text_input', action_id: 'a', ...more },
    })
    const blocks = [area('empty'), area('untouched', { initial_value: 'first' }), area('emptied', { initial_value: 'first' })]
    const view = await opened(b, { blocks })
    await b.slack.submit({ user: 'U0ANA', view, values: { empty: { a: '' }, emptied: { a: null } } })
    expect(b.bot.received.at(-1)?.payload).toMatchObject({
      view: {
        state: {
          values: { empty: { a: { value: null } }, untouched: { a: { value: 'first' } }, emptied: { a: { value: null } } },
        },
      },
    })
  })

  test('is held back by the client while a required input is empty or a text too long, unless unchecked', async () => {
    await using b = await bench()
    const view = await opened(b)
    const sent = b.bot.received.length
    expect(await submit(b, view, '')).toMatchObject({ status: null, trouble: 'not_sent', errors: { note: expect.any(String) } })
    expect(await submit(b, view, 'x'.repeat(11))).toMatchObject({
      trouble: 'not_sent',
      errors: { note: expect.stringContaining('10') },
    })
    expect([b.bot.received.length, ids(b)]).toEqual([sent, [view]])
    const values = { note: { words: 'x'.repeat(11) } }
    expect(await b.slack.submit({ user: 'U0ANA', view, values, unchecked: true })).toMatchObject({ status: 200, trouble: null })
  })

  test('with a value for an input that is not there rejects', async () => {
    await using b = await bench()
    const view = await opened(b)
    await expect(b.slack.submit({ user: 'U0ANA', view, values: { other: { words: 'w' } } })).rejects.toThrow('other/words')
  })

  test('that is answered with nothing closes the modal and shows the one below', async () => {
    await using b = await bench()
    const root = await opened(b, { ...pages, submit: text('Go') })
    await pushed(b, root)
    answer(b, '')
    expect(await b.slack.submit({ user: 'U0ANA', view: 'V0002' })).toMatchObject({ status: 200, trouble: null })
    expect(ids(b)).toEqual([root])
  })

  test('that is answered with errors keeps the modal and shows them', async () => {
    await using b = await bench()
    const view = await opened(b)
    answer(b, { response_action: 'errors', errors: { note: 'Too short.' } })
    expect(await submit(b, view)).toMatchObject({ status: 200, trouble: null, errors: { note: 'Too short.' } })
    expect(ids(b)).toEqual([view])
  })

  test('that is answered with an update shows it in the same place', async () => {
    await using b = await bench()
    const view = await opened(b)
    answer(b, { response_action: 'update', view: modal({ title: text('Next') }) })
    await submit(b, view)
    expect(b.slack.views('U0ANA')).toMatchObject([{ id: view, title: text('Next') }])
  })

  test('that is answered with a push shows another one on top, and with clear none', async () => {
    await using b = await bench()
    const view = await opened(b)
    answer(b, { response_action: 'push', view: modal({ title: text('Next') }) })
    await submit(b, view)
    expect(b.slack.views('U0ANA')).toMatchObject([{ id: view }, { title: text('Next'), previous_view_id: view }])
    answer(b, { response_action: 'clear' })
    await submit(b, 'V0002')
    expect(ids(b)).toEqual([])
  })

  const unusable: [string, object | string][] = [
    ['text', 'OK'],
    ['an unknown action', { response_action: 'open' }],
    ['errors for an input that is not there', { response_action: 'errors', errors: { other: 'No.' } }],
    ['errors without words', { response_action: 'errors', errors: { note: '' } }],
    ['no errors at all', { response_action: 'errors' }],
    ['a view that Slack refuses', { response_action: 'update', view: modal({ title: text('x'.repeat(25)) }) }],
    ['a home view', { response_action: 'push', view: { type: 'home', blocks: [] } }],
  ]
  test.each(unusable)('that is answered with %s is a trouble and changes nothing', async (_name, body) => {
    await using b = await bench()
    const view = await opened(b)
    const before = b.slack.views('U0ANA')
    answer(b, body)
    expect(await submit(b, view)).toMatchObject({ status: 200, trouble: 'invalid_response', errors: {} })
    expect(b.slack.views('U0ANA')).toEqual(before)
    expect(b.slack.deliveries().at(-1)).toMatchObject({ kind: 'view_submission', trouble: 'invalid_response' })
  })

  test('that is not answered keeps the modal', async () => {
    await using b = await bench({ answerWithinMs: 100 })
    const view = await opened(b)
    b.bot.answer = () => 'silent'
    expect(await submit(b, view)).toMatchObject({ status: null, trouble: 'operation_timeout' })
    expect(ids(b)).toEqual([view])
  })
})

describe('closing a modal', () => {
  test('tells the app only when the view says notify_on_close', async () => {
    await using b = await bench()
    const quiet = await opened(b)
    const sent = b.bot.received.length
    expect(await b.slack.closeView({ user: 'U0ANA', view: quiet })).toMatchObject({ status: null, trouble: null })
    expect([b.bot.received.length, ids(b)]).toEqual([sent, []])
    const loud = await opened(b, { notify_on_close: true })
    expect(await b.slack.closeView({ user: 'U0ANA', view: loud })).toMatchObject({ status: 200 })
    const payload = b.bot.received.at(-1)?.payload
    expect(payload).toMatchObject({ type: 'view_closed', is_cleared: false, view: { id: loud, callback_id: 'approval.note' } })
    expect(payload).not.toHaveProperty('trigger_id')
  })

  test('closes all of them when the view says clear_on_close', async () => {
    await using b = await bench()
    const root = await opened(b, pages)
    await b.slack.clickInView({ user: 'U0ANA', view: root, action_id: 'more' })
    const view = modal({ ...pages, clear_on_close: true, notify_on_close: true })
    await b.api('views.push', { trigger_id: b.bot.received.at(-1)?.payload.trigger_id, view })
    await b.slack.closeView({ user: 'U0ANA', view: 'V0002' })
    expect([ids(b), b.bot.received.at(-1)?.payload.is_cleared]).toEqual([[], true])
  })
})

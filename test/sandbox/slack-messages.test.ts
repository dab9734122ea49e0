import { describe, expect, test } from 'vitest'
import { conversation } from '../../src/sandbox/slack/world.ts'
import { type ApiAnswer, type Bench, bench, card, text } from './slack-bot.ts'

const C = 'C0APPROVALS'
const post = (b: Bench, more: object = {}) => b.api('chat.postMessage', { channel: C, text: 'hello', ...more })
const rich = (words: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: words }] }],
})
const tsOf = (answer: ApiAnswer): string => String(answer.ts)

describe('a message', () => {
  test('gets a ts that is unique and greater than the last one while the clock stands still or goes back', async () => {
    await using b = await bench()
    const first = tsOf(await post(b))
    const second = tsOf(await post(b))
    b.clock.forward(-5_000)
    const third = tsOf(await post(b))
    expect([first, second, third]).toEqual(['1767614400.000000', '1767614400.000001', '1767614400.000002'])
  })

  test('comes back with its author and with the missing ids filled in', async () => {
    await using b = await bench()
    const bare = [{ type: 'section', text: text('t'), accessory: { type: 'button', text: text('b') } }, { type: 'divider' }]
    const { message } = await post(b, { blocks: bare })
    expect(message).toMatchObject({
      ...{ type: 'message', user: 'U0BOT', bot_id: 'B0BOT', app_id: 'A0APP', team: 'T0ACME', text: 'hello' },
      blocks: [{ block_id: 'block-0001', accessory: { action_id: 'action-0001' } }, { block_id: 'block-0002' }],
    })
  })

  test('to a person goes into the direct conversation with that person', async () => {
    await using b = await bench()
    const { channel } = await b.api('conversations.open', { users: 'U0ANA' })
    expect(channel).toEqual({ id: 'D0ANA' })
    expect(await post(b, { channel: 'U0ANA' })).toMatchObject({ ok: true, channel: 'D0ANA' })
    expect(b.slack.messages('D0ANA')).toHaveLength(1)
  })

  test('may go to a public conversation without the bot when the token has chat:write.public', async () => {
    const world = { conversations: [conversation('C0PUBLIC', 'public', ['U0ANA'], { is_private: false })] }
    await using b = await bench({ world, scopes: ['chat:write', 'chat:write.public'] })
    expect(await post(b, { channel: 'C0PUBLIC' })).toMatchObject({ ok: true })
  })

  test('that is private reaches that person only, and can be neither updated nor found in history', async () => {
    await using b = await bench()
    const { message_ts: ts } = await b.api('chat.postEphemeral', { channel: C, user: 'U0ANA', text: 'only you' })
    expect(b.slack.privately('U0ANA')).toMatchObject([{ ts, text: 'only you', onlyFor: 'U0ANA', conversation: C }])
    expect(b.slack.privately('U0BOB')).toEqual([])
    expect(b.slack.messages(C)).toEqual([])
    expect(await b.api('chat.update', { channel: C, ts, text: 'new' })).toMatchObject({ error: 'message_not_found' })
    expect(await b.api('conversations.history', { channel: C })).toMatchObject({ messages: [] })
  })

  test('has a link on this server, which leads to the page', async () => {
    await using b = await bench()
    const ts = tsOf(await post(b))
    const { permalink } = await b.api('chat.getPermalink', { channel: C, message_ts: ts })
    expect(permalink).toBe(`${b.slack.url}/archives/${C}/p${ts.replace('.', '')}`)
    const response = await fetch(String(permalink), { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/'])
  })

  test('that is deleted is gone', async () => {
    await using b = await bench()
    const ts = tsOf(await post(b))
    expect(await b.api('chat.delete', { channel: C, ts })).toEqual({ ok: true, channel: C, ts })
    expect(b.slack.messages(C)).toEqual([])
  })
})

describe('an update', () => {
  test('replaces text and blocks and marks the message as edited', async () => {
    await using b = await bench()
    const ts = tsOf(await post(b, { blocks: card('a') }))
    const answer = await b.api('chat.update', { channel: C, ts, text: 'done', blocks: card('b') })
    expect(answer).toMatchObject({
      ok: true,
      channel: C,
      ts,
      text: 'done',
      message: { blocks: card('b'), edited: { user: 'U0BOT' } },
    })
    expect(b.slack.messages(C)).toMatchObject([{ ts, text: 'done', blocks: card('b') }])
  })

  test('without blocks keeps the old ones', async () => {
    await using b = await bench()
    const ts = tsOf(await post(b, { blocks: card('a') }))
    await b.api('chat.update', { channel: C, ts, text: 'done' })
    expect(b.slack.messages(C)).toMatchObject([{ text: 'done', blocks: card('a') }])
  })

  test('without metadata keeps the old one, and with an empty one removes it', async () => {
    await using b = await bench()
    const metadata = { event_type: 'e', event_payload: { a: 1 } }
    const ts = tsOf(await post(b, { metadata }))
    await b.api('chat.update', { channel: C, ts, text: 'one' })
    expect(b.slack.messages(C)).toMatchObject([{ metadata }])
    await b.api('chat.update', { channel: C, ts, text: 'two', metadata: {} })
    expect(b.slack.messages(C)).toMatchObject([{ metadata: null }])
  })

  test('of rich text into none is block_mismatch, also when all blocks are taken away', async () => {
    await using b = await bench()
    const ts = tsOf(await post(b, { blocks: [rich('rm')] }))
    expect(await b.api('chat.update', { channel: C, ts, text: 't', blocks: card('a') })).toMatchObject({
      error: 'block_mismatch',
    })
    expect(await b.api('chat.update', { channel: C, ts, text: 't', blocks: [] })).toMatchObject({ error: 'block_mismatch' })
    expect(await b.api('chat.update', { channel: C, ts, text: 't', blocks: [rich('ls')] })).toMatchObject({ ok: true })
  })

  test('may have 4,000 characters of text and not one more', async () => {
    await using b = await bench()
    const ts = tsOf(await post(b))
    expect(await b.api('chat.update', { channel: C, ts, text: 'x'.repeat(4_000) })).toMatchObject({ ok: true })
    expect(await b.api('chat.update', { channel: C, ts, text: 'y'.repeat(4_001) })).toMatchObject({ error: 'msg_too_long' })
    expect(b.slack.messages(C)[0]?.text).toBe('x'.repeat(4_000))
  })

  test('with nothing left is no_text', async () => {
    await using b = await bench()
    const ts = tsOf(await post(b))
    expect(await b.api('chat.update', { channel: C, ts })).toMatchObject({ error: 'no_text' })
    expect(await b.api('chat.update', { channel: C, ts, blocks: [] })).toMatchObject({ error: 'no_text' })
  })

  test('in an archived conversation is is_inactive, and where the bot has left it is as if it were not there', async () => {
    await using b = await bench()
    const ts = tsOf(await post(b))
    b.slack.world.archive(C)
    expect(await b.api('chat.update', { channel: C, ts, text: 'new' })).toMatchObject({ error: 'is_inactive' })
    b.slack.world.archive(C, false)
    b.slack.world.leave('U0BOT', C)
    expect(await b.api('chat.update', { channel: C, ts, text: 'new' })).toMatchObject({ error: 'channel_not_found' })
    expect(b.slack.messages(C)).toMatchObject([{ text: 'hello', edited: null }])
  })
})

describe('history', () => {
  const three = async (b: Bench) => {
    const all: string[] = []
    for (const words of ['one', 'two', 'three']) all.push(tsOf(await post(b, { text: words })))
    return all
  }
  const texts = (answer: ApiAnswer) => JSON.stringify(answer.messages).match(/(?<="text":")\w+/g)

  test('is newest first, between its bounds, whose ends count only when inclusive', async () => {
    await using b = await bench()
    const [first = '', , third = ''] = await three(b)
    const history = async (args: object) => texts(await b.api('conversations.history', { channel: C, ...args }))
    expect(await history({})).toEqual(['three', 'two', 'one'])
    expect(await history({ oldest: first, latest: third })).toEqual(['two'])
    expect(await history({ oldest: first, latest: third, inclusive: 'true' })).toEqual(['three', 'two', 'one'])
  })

  test('comes in pages', async () => {
    await using b = await bench()
    await three(b)
    const first = await b.api('conversations.history', { channel: C, limit: 2 })
    expect([texts(first), first.has_more]).toEqual([['three', 'two'], true])
    const cursor = JSON.stringify(first.response_metadata).split('"')[3]
    const second = await b.api('conversations.history', { channel: C, limit: '2', cursor })
    expect([texts(second), second.has_more]).toEqual([['one'], false])
  })

  test('shows metadata only when asked for all of it', async () => {
    await using b = await bench()
    const metadata = { event_type: 'countersign_approval', event_payload: { approval_id: 'a1' } }
    await post(b, { metadata })
    expect(JSON.stringify(await b.api('conversations.history', { channel: C }))).not.toContain('metadata')
    expect(await b.api('conversations.history', { channel: C, include_all_metadata: true })).toMatchObject({
      messages: [{ metadata }],
    })
  })

  test('leaves replies to conversations.replies, which begins with the parent', async () => {
    await using b = await bench()
    const parent = tsOf(await post(b, { text: 'parent' }))
    await post(b, { text: 'reply', thread_ts: parent })
    expect(texts(await b.api('conversations.history', { channel: C }))).toEqual(['parent'])
    expect(texts(await b.api('conversations.replies', { channel: C, ts: parent }))).toEqual(['parent', 'reply'])
  })
})

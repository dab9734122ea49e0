import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startSlack } from '../../src/sandbox/slack/stand-in.ts'
import { acme, conversation, person } from '../../src/sandbox/slack/world.ts'
import { type ApiAnswer, answerOf, type Bench, bench, card, TOKEN, text } from './slack-bot.ts'

const C = 'C0APPROVALS'
const post = (b: Bench, more: object = {}) => b.api('chat.postMessage', { channel: C, text: 'hello', ...more })
const rich = (words: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: words }] }],
})
const tsOf = (answer: ApiAnswer): string => String(answer.ts)

test('a bot token that could be real is refused before anything listens', async () => {
  await expect(startSlack({ botToken: 'xoxb-1234', signingSecret: 's' })).rejects.toThrow('xoxb-sandbox-')
})

describe('a call is understood', () => {
  const forms: [string, (api: string) => Promise<Response>][] = [
    [
      'as JSON with the token in the header',
      (api) =>
        fetch(`${api}chat.postMessage`, {
          method: 'POST',
          headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${TOKEN}` },
          body: JSON.stringify({ channel: C, text: 'hello', blocks: card('a') }),
        }),
    ],
    [
      'as JSON with the token in the body',
      (api) =>
        fetch(`${api}chat.postMessage`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token: TOKEN, channel: C, text: 'hello', blocks: card('a') }),
        }),
    ],
    [
      'as a form with nested JSON',
      (api) =>
        fetch(`${api}chat.postMessage`, {
          method: 'POST',
          body: new URLSearchParams({ token: TOKEN, channel: C, text: 'hello', blocks: JSON.stringify(card('a')) }),
        }),
    ],
    [
      'as a query',
      (api) =>
        fetch(
          `${api}chat.postMessage?${new URLSearchParams({ token: TOKEN, channel: C, text: 'hello', blocks: JSON.stringify(card('a')) })}`,
          { method: 'POST' },
        ),
    ],
  ]
  test.each(forms)('%s', async (_name, send) => {
    await using b = await bench()
    const answer = await answerOf(await send(b.slack.apiUrl))
    expect(answer).toMatchObject({ ok: true, channel: C })
    expect(b.slack.messages(C)).toMatchObject([{ text: 'hello', user: 'U0BOT', blocks: card('a') }])
    expect(b.slack.calls()).toMatchObject([
      { n: 1, method: 'chat.postMessage', args: { channel: C, blocks: card('a') }, ok: true, status: 200 },
    ])
    expect(JSON.stringify(b.slack.calls())).not.toContain(TOKEN)
  })
})

describe('the token', () => {
  const rows: [string, Record<string, string>, string][] = [
    ['missing is not_authed', {}, 'not_authed'],
    ['of somebody else is invalid_auth', { authorization: 'Bearer xoxb-sandbox-other' }, 'invalid_auth'],
    ['of an app is not_allowed_token_type', { authorization: 'Bearer xapp-1' }, 'not_allowed_token_type'],
  ]
  test.each(rows)('%s', async (_name, headers, error) => {
    await using b = await bench()
    const response = await fetch(`${b.slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ channel: C, text: 'hello' }),
    })
    expect(response.status).toBe(200)
    expect(await answerOf(response)).toEqual({ ok: false, error })
    expect(response.headers.get('x-oauth-scopes')).toBeNull()
    expect(b.slack.messages(C)).toEqual([])
  })

  test('is not needed for api.test and blocks.validate', async () => {
    await using b = await bench()
    const bare = async (method: string, body: object) =>
      answerOf(
        await fetch(b.slack.apiUrl + method, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    expect(await bare('api.test', { a: '1' })).toEqual({ ok: true, args: { a: '1' } })
    expect(await bare('api.test', { error: 'e' })).toMatchObject({ ok: false, error: 'e' })
    expect(await bare('blocks.validate', { blocks: card('a') })).toEqual({ ok: true })
  })
})

describe('scopes', () => {
  test('are told in the headers of every answer', async () => {
    await using b = await bench({ scopes: ['chat:write', 'users:read'] })
    const response = await b.raw('chat.postMessage', { channel: C, text: 'hello' })
    expect(response.headers.get('x-oauth-scopes')).toBe('chat:write,users:read')
    expect(response.headers.get('x-accepted-oauth-scopes')).toBe('chat:write')
  })

  const rows: [string, object, string][] = [
    ['chat.postMessage', { channel: C, text: 'hello' }, 'chat:write'],
    ['chat.postEphemeral', { channel: C, user: 'U0ANA', text: 'hello' }, 'chat:write'],
    ['users.info', { user: 'U0ANA' }, 'users:read'],
    ['users.lookupByEmail', { email: 'ana@acme.example' }, 'users:read.email'],
    ['usergroups.list', {}, 'usergroups:read'],
    ['usergroups.users.list', { usergroup: 'S0ONCALL' }, 'usergroups:read'],
    ['team.info', {}, 'team:read'],
    ['conversations.open', { users: 'U0ANA' }, 'im:write'],
    ['conversations.join', { channel: 'C0GENERAL' }, 'channels:join'],
    ['conversations.info', { channel: C }, 'channels:read,groups:read,im:read,mpim:read'],
    ['conversations.history', { channel: C }, 'channels:history,groups:history,im:history,mpim:history'],
  ]
  test.each(rows)('%s without its scope is missing_scope', async (method, args, needed) => {
    await using b = await bench({ scopes: ['commands'] })
    expect(await b.api(method, args)).toEqual({ ok: false, error: 'missing_scope', needed, provided: 'commands' })
  })

  test('of public conversations do not open private ones', async () => {
    await using b = await bench({ scopes: ['channels:read', 'channels:history'] })
    expect(await b.api('conversations.info', { channel: C })).toMatchObject({ error: 'missing_scope', needed: 'groups:read' })
    expect(await b.api('conversations.members', { channel: C })).toMatchObject({ error: 'missing_scope', needed: 'groups:read' })
    expect(await b.api('conversations.history', { channel: C })).toMatchObject({
      error: 'missing_scope',
      needed: 'groups:history',
    })
    expect(await b.api('conversations.list', { types: 'private_channel' })).toMatchObject({
      error: 'missing_scope',
      needed: 'groups:read',
    })
    expect(await b.api('conversations.info', { channel: 'C0GENERAL' })).toMatchObject({ ok: true })
  })

  test('users:read.email is what shows an address', async () => {
    await using without = await bench({ scopes: ['users:read'] })
    await using withIt = await bench()
    expect(JSON.stringify(await without.api('users.info', { user: 'U0ANA' }))).not.toContain('ana@acme.example')
    expect(await withIt.api('users.info', { user: 'U0ANA' })).toMatchObject({ user: { profile: { email: 'ana@acme.example' } } })
  })
})

test('an unknown method is 200 unknown_method, never 404', async () => {
  await using b = await bench()
  for (const method of ['chat.nothing', 'constructor', '__proto__']) {
    const response = await b.raw(method)
    expect([response.status, await answerOf(response)]).toEqual([200, { ok: false, error: 'unknown_method', req_method: method }])
  }
})

describe('what Slack refuses leaves nothing behind', () => {
  const rows: [string, string, object, string][] = [
    ['a post to an unknown conversation', 'chat.postMessage', { channel: 'C0NONE', text: 't' }, 'channel_not_found'],
    [
      'a post to a private conversation without the bot',
      'chat.postMessage',
      { channel: 'C0EMPTY', text: 't' },
      'channel_not_found',
    ],
    ['a post to a public conversation without the bot', 'chat.postMessage', { channel: 'C0PUBLIC', text: 't' }, 'not_in_channel'],
    ['a post to an archived conversation', 'chat.postMessage', { channel: 'C0OLD', text: 't' }, 'is_archived'],
    ['a post without anything', 'chat.postMessage', { channel: C }, 'no_text'],
    ['a post that is too long', 'chat.postMessage', { channel: C, text: 'x'.repeat(40_001) }, 'msg_too_long'],
    [
      'a post with too much text in its blocks',
      'chat.postMessage',
      { channel: C, blocks: [rich('x'.repeat(11_001))] },
      'msg_blocks_too_long',
    ],
    ['a post with blocks that are no list', 'chat.postMessage', { channel: C, blocks: 'words' }, 'invalid_blocks_format'],
    ['a post with attachments', 'chat.postMessage', { channel: C, text: 't', attachments: [{}] }, 'invalid_attachments'],
    [
      'a post with metadata of the wrong shape',
      'chat.postMessage',
      { channel: C, text: 't', metadata: { event_type: 1 } },
      'invalid_metadata_format',
    ],
    ['a reply to nothing', 'chat.postMessage', { channel: C, text: 't', thread_ts: '1.000000' }, 'thread_not_found'],
    [
      'a private message to somebody who is not there',
      'chat.postEphemeral',
      { channel: C, user: 'U0DEV', text: 't' },
      'user_not_in_channel',
    ],
    ['a private message without anything', 'chat.postEphemeral', { channel: C, user: 'U0ANA' }, 'no_text'],
    [
      'a private message where the bot is not',
      'chat.postEphemeral',
      { channel: 'C0EMPTY', user: 'U0ANA', text: 't' },
      'channel_not_found',
    ],
    ['an update of nothing', 'chat.update', { channel: C, ts: '1.000000', text: 't' }, 'message_not_found'],
    ['a delete of nothing', 'chat.delete', { channel: C, ts: '1.000000' }, 'message_not_found'],
    ['a link to nothing', 'chat.getPermalink', { channel: C, message_ts: '1.000000' }, 'message_not_found'],
    ['a person who does not exist', 'users.info', { user: 'U0NOBODY' }, 'user_not_found'],
    ['an address of nobody', 'users.lookupByEmail', { email: 'nobody@acme.example' }, 'users_not_found'],
    ['the address of a deactivated person', 'users.lookupByEmail', { email: 'gone@acme.example' }, 'users_not_found'],
    ['a group that does not exist', 'usergroups.users.list', { usergroup: 'S0NONE' }, 'no_such_subteam'],
    ['another team', 'team.info', { team: 'T0OTHER' }, 'team_not_found'],
    ['another bot', 'bots.info', { bot: 'B0OTHER' }, 'bot_not_found'],
    ['to join a private conversation', 'conversations.join', { channel: C }, 'method_not_supported_for_channel_type'],
    ['to join an archived conversation', 'conversations.join', { channel: 'C0PUBLICOLD' }, 'is_archived'],
    ['the history of a public conversation without the bot', 'conversations.history', { channel: 'C0PUBLIC' }, 'not_in_channel'],
    [
      'the members of a private conversation without the bot',
      'conversations.members',
      { channel: 'C0EMPTY' },
      'channel_not_found',
    ],
    ['a thread that does not exist', 'conversations.replies', { channel: C, ts: '1.000000' }, 'thread_not_found'],
    ['a cursor that it never gave', 'conversations.members', { channel: C, cursor: 'bogus' }, 'invalid_cursor'],
    ['a limit that is no number', 'conversations.members', { channel: C, limit: 'many' }, 'invalid_limit'],
    ['a direct conversation with a deactivated person', 'conversations.open', { users: 'U0GONE' }, 'user_disabled'],
    ['a direct conversation with a bot', 'conversations.open', { users: 'U0BOTTY' }, 'cannot_dm_bot'],
    ['a direct conversation with nobody', 'conversations.open', { users: 'U0NOBODY' }, 'user_not_found'],
  ]
  test.each(rows)('%s', async (_name, method, args, error) => {
    const world = {
      conversations: [
        conversation('C0PUBLIC', 'public', ['U0ANA'], { is_private: false }),
        conversation('C0PUBLICOLD', 'public-old', ['U0ANA'], { is_private: false, is_archived: true }),
        conversation('C0OLD', 'old', ['U0BOT', 'U0ANA'], { is_archived: true }),
      ],
    }
    await using b = await bench({ world })
    expect(await b.api(method, args)).toMatchObject({ ok: false, error })
    expect(b.slack.world.conversations.flatMap((place) => b.slack.messages(place.id))).toEqual([])
    expect(b.slack.privately('U0ANA')).toEqual([])
    expect(b.slack.calls()).toMatchObject([{ ok: false, error, status: 200 }])
  })

  test('invalid blocks, with a pointer to each fault', async () => {
    await using b = await bench()
    const answer = await post(b, { blocks: [{ type: 'section', text: text('x'.repeat(3001)) }] })
    expect(answer).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: ['must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
      response_metadata: { messages: ['[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]'] },
    })
  })
})

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

describe('who is who', () => {
  test('auth.test says which app this is', async () => {
    await using b = await bench()
    expect(await b.api('auth.test')).toEqual({
      ...{ ok: true, url: `${b.slack.url}/`, team: 'Acme', team_id: 'T0ACME', user: 'countersign' },
      ...{ user_id: 'U0BOT', bot_id: 'B0BOT', is_enterprise_install: false },
    })
    expect(await b.api('team.info')).toMatchObject({ team: { id: 'T0ACME', domain: 'acme' } })
    expect(await b.api('bots.info')).toMatchObject({ bot: { id: 'B0BOT', app_id: 'A0APP', user_id: 'U0BOT' } })
  })

  const rows: [string, object][] = [
    ['U0ANA', { team_id: 'T0ACME', deleted: false, is_bot: false, is_restricted: false, is_ultra_restricted: false }],
    ['U0GUEST', { is_restricted: true, is_ultra_restricted: true }],
    ['U0GONE', { deleted: true }],
    ['U0BOTTY', { is_bot: true }],
    ['U0OUT', { team_id: 'T0OTHER', is_stranger: true }],
  ]
  test.each(rows)('%s is what the world says', async (user, expected) => {
    await using b = await bench()
    expect(await b.api('users.info', { user })).toMatchObject({ user: { id: user, ...expected } })
  })

  test('the world may be extended, and an entry with a known id takes the place of the old one', async () => {
    const world = { users: [person('U0EVE', 'Eve'), person('U0BOB', 'Robert', { deleted: true })] }
    await using b = await bench({ world })
    expect(await b.api('users.info', { user: 'U0EVE' })).toMatchObject({ user: { real_name: 'Eve' } })
    expect(await b.api('users.info', { user: 'U0BOB' })).toMatchObject({ user: { real_name: 'Robert', deleted: true } })
    expect(b.slack.world.users).toHaveLength(acme().users.length + 1)
  })

  test('changes of the world show at once', async () => {
    await using b = await bench()
    b.slack.world.deactivate('U0ANA')
    b.slack.world.leave('U0BOB', C)
    b.slack.world.removeFromGroup('U0DEV', 'S0ONCALL')
    expect(await b.api('users.info', { user: 'U0ANA' })).toMatchObject({ user: { deleted: true } })
    expect((await b.api('conversations.members', { channel: C })).members).not.toContain('U0BOB')
    expect(await b.api('usergroups.users.list', { usergroup: 'S0ONCALL' })).toMatchObject({ users: ['U0ANA'] })
    b.slack.world.disableGroup('S0ONCALL')
    expect(await b.api('usergroups.users.list', { usergroup: 'S0ONCALL' })).toMatchObject({ error: 'no_such_subteam' })
    expect(await b.api('usergroups.list', { include_users: true })).toMatchObject({ usergroups: [] })
    expect(() => b.slack.world.deactivate('U0NOBODY')).toThrow('U0NOBODY')
  })

  test('members and people come in pages, all of them once', async () => {
    await using b = await bench()
    for (const [method, field] of [
      ['conversations.members', 'members'],
      ['users.list', 'members'],
      ['conversations.list', 'channels'],
    ] as const) {
      const all: unknown[] = []
      let cursor = ''
      do {
        const answer = await b.api(method, { channel: C, types: 'public_channel,private_channel', limit: 2, cursor })
        const page = answer[field]
        expect(Array.isArray(page) && page.length <= 2).toBe(true)
        all.push(...(Array.isArray(page) ? page : []))
        cursor = JSON.stringify(answer.response_metadata).split('"')[3] ?? ''
      } while (cursor !== '')
      const expected = { 'conversations.members': 8, 'users.list': 9, 'conversations.list': 3 }[method]
      expect(new Set(all.map((entry) => JSON.stringify(entry))).size).toBe(expected)
    }
  })

  test('a conversation with somebody of another workspace is shared, and one without is not', async () => {
    await using b = await bench()
    const info = (channel: string) => b.api('conversations.info', { channel, include_num_members: true })
    expect(await info(C)).toMatchObject({ channel: { is_ext_shared: true, is_private: true, is_member: true, num_members: 8 } })
    expect(await info('C0OPS')).toMatchObject({ channel: { is_ext_shared: false, is_archived: false } })
    expect(await info('C0EMPTY')).toMatchObject({ error: 'channel_not_found' })
  })
})

describe('blocks.validate', () => {
  test('answers with a pointer, a code and words for each fault', async () => {
    await using b = await bench()
    expect(await b.api('blocks.validate', { blocks: [{ type: 'header' }] })).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: [{ pointer: '/0', code: 'missing required field', message: 'missing required field: text' }],
      response_metadata: { messages: ['[ERROR] missing required field: text [json-pointer:/0]'] },
    })
  })

  const rows: [string, object, string | undefined][] = [
    ['nothing', {}, 'invalid_arguments'],
    ['two things', { blocks: [], view: {} }, 'invalid_arguments'],
    ['a message with text', { message: { text: 't', blocks: card('a') } }, 'invalid_message'],
    ['a message', { message: { blocks: card('a') } }, undefined],
    ['a view without a title', { view: { type: 'modal', blocks: [] } }, 'invalid_view'],
    ['a home view', { view: { type: 'home', blocks: card('a') } }, undefined],
  ]
  test.each(rows)('%s', async (_name, args, error) => {
    await using b = await bench()
    const answer = await b.api('blocks.validate', args)
    expect([answer.ok, answer.error]).toEqual([error === undefined, error])
  })
})

test('a signature can be made for a forged request', async () => {
  await using b = await bench()
  const headers = b.slack.sign('payload=x')
  const mac = createHmac('sha256', 'a signing secret of the tests').update('v0:1767614400:payload=x').digest('hex')
  expect(headers).toEqual({ 'x-slack-request-timestamp': '1767614400', 'x-slack-signature': `v0=${mac}` })
})

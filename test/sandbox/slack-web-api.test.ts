import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startSlack } from '../../src/sandbox/slack/stand-in.ts'
import { conversation } from '../../src/sandbox/slack/world.ts'
import { answerOf, type Bench, bench, card, TOKEN, text } from './slack-bot.ts'

const C = 'C0APPROVALS'
const post = (b: Bench, more: object = {}) => b.api('chat.postMessage', { channel: C, text: 'hello', ...more })
const rich = (words: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: words }] }],
})

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

test('a signature can be made for a forged request', async () => {
  await using b = await bench()
  const headers = b.slack.sign('payload=x')
  const mac = createHmac('sha256', 'a signing secret of the tests').update('v0:1767614400:payload=x').digest('hex')
  expect(headers).toEqual({ 'x-slack-request-timestamp': '1767614400', 'x-slack-signature': `v0=${mac}` })
})

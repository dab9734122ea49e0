import { describe, expect, test } from 'vitest'
import { acme, person } from '../../src/sandbox/slack/world.ts'
import { bench, card } from './slack-bot.ts'

const C = 'C0APPROVALS'

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

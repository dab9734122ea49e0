import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { manifest } from '../src/channels/slack/manifest.ts'
import { program } from './crash/bot.ts'

const Manifest = z.object({
  display_information: z.object({
    name: z.string().max(35),
    description: z.string().max(140),
    long_description: z.string().min(175).max(4000),
  }),
  features: z.object({
    app_home: z.object({ home_tab_enabled: z.literal(true), messages_tab_enabled: z.literal(false) }),
    bot_user: z.object({ display_name: z.string().regex(/^[a-z0-9_.-]{1,80}$/) }),
    slash_commands: z.array(z.object({ command: z.string(), should_escape: z.boolean(), url: z.url().optional() })),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.tuple([z.literal('app_home_opened')]), request_url: z.url().optional() }),
    interactivity: z.object({ is_enabled: z.literal(true), request_url: z.url().optional() }),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.literal(false),
  }),
})
const inRepository: unknown = parse(readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8'))
const socket = Manifest.parse(manifest({ mode: 'socket' }))
const http = Manifest.parse(manifest({ mode: 'http', url: 'https://countersign.example.com' }))

test('manifest.yml is the one for Socket Mode, which needs no address', () => {
  expect(inRepository).toEqual(manifest({ mode: 'socket' }))
  expect(socket.settings.socket_mode_enabled).toBe(true)
  expect(JSON.stringify(inRepository)).not.toContain('http')
})

test('over HTTP everything that Slack sends comes to one address', () => {
  expect(http.settings.socket_mode_enabled).toBe(false)
  const { interactivity, event_subscriptions } = http.settings
  const addresses = [
    ...http.features.slash_commands.map(({ url }) => url),
    interactivity.request_url,
    event_subscriptions.request_url,
  ]
  expect(addresses).toEqual(Array.from({ length: 3 }, () => 'https://countersign.example.com/slack/events'))
  expect(manifest({ mode: 'http', url: 'https://countersign.example.com/' })).toEqual(
    manifest({ mode: 'http', url: 'https://countersign.example.com' }),
  )
})

test('beside addresses and the mode, the two manifests are the same', () => {
  const bare = (one: typeof socket): unknown => ({
    ...one,
    features: { ...one.features, slash_commands: one.features.slash_commands.map(({ url: _, ...command }) => command) },
    settings: {
      ...one.settings,
      event_subscriptions: { bot_events: one.settings.event_subscriptions.bot_events },
      interactivity: { is_enabled: true },
      socket_mode_enabled: undefined,
    },
  })
  expect(bare(http)).toEqual(bare(socket))
})

test.each([
  ['socket', socket],
  ['http', http],
])('%s: commands come as they were typed', (_mode, { features }) => {
  expect(features.slash_commands.map(({ command, should_escape }) => ({ command, should_escape }))).toEqual([
    { command: '/approvals', should_escape: false },
  ])
})

test('the scopes are those of the methods that are called, no more, and those that can be done without are optional', () => {
  const { bot, bot_optional } = socket.oauth_config.scopes
  expect([...bot].sort()).toEqual(
    [
      'chat:write',
      'commands',
      'users:read',
      'channels:read',
      'groups:read',
      'usergroups:read',
      'channels:history',
      'groups:history',
    ].sort(),
  )
  expect([...bot_optional].sort()).toEqual(['channels:history', 'groups:history', 'usergroups:read'])
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const scope of bot) expect(readme).toContain(`\`${scope}\``)
})

test('the command prints the one for Socket Mode, or with an address the one for HTTP; another address is refused', async () => {
  const run = (...args: readonly string[]) => program(['manifest', ...args], { PATH: process.env.PATH ?? '' }, tmpdir())
  expect(parse((await run()).output)).toEqual(manifest({ mode: 'socket' }))
  const http = await run('--json', '--url', 'https://countersign.example.com')
  expect(JSON.parse(http.output)).toEqual(manifest({ mode: 'http', url: 'https://countersign.example.com' }))
  expect(await run('--url', 'http://countersign.example.com')).toMatchObject({
    code: 1,
    output: expect.stringContaining('must be the https address'),
  })
})

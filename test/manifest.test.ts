import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const Manifest = z.object({
  display_information: z.object({
    name: z.string().max(35),
    description: z.string().max(140),
    long_description: z.string().min(175).max(4000),
  }),
  features: z.object({
    bot_user: z.object({ display_name: z.string().regex(/^[a-z0-9_.-]{1,80}$/) }),
    slash_commands: z.array(z.object({ command: z.string(), should_escape: z.boolean(), url: z.url() })),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }) }),
  settings: z.object({
    interactivity: z.object({ is_enabled: z.literal(true), request_url: z.url() }),
    socket_mode_enabled: z.literal(false),
    token_rotation_enabled: z.literal(false),
  }),
})
const manifest = Manifest.parse(parse(readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')))

test('everything that Slack sends comes to one address, and commands come as they were typed', () => {
  const { slash_commands } = manifest.features
  expect(slash_commands.map(({ command, should_escape }) => ({ command, should_escape }))).toEqual([
    { command: '/approvals', should_escape: false },
  ])
  expect(new Set([...slash_commands.map(({ url }) => url), manifest.settings.interactivity.request_url])).toEqual(
    new Set(['https://countersign.example.com/slack/events']),
  )
})

test('the scopes are those of the methods that are called, no more, and those that can be done without are optional', () => {
  const { bot, bot_optional } = manifest.oauth_config.scopes
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

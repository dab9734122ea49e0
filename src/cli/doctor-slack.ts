/** What only Slack can tell of the tokens: whose they are, and what they may do. */
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { manifest } from '../channels/slack/manifest.ts'
import { fromSettings } from '../channels/slack/safe-text.ts'
import type { Config } from '../config/config.ts'
import { ask, type No, unasked } from './doctor-ask.ts'
import { type Finding, fails, ok, skipped, warning } from './doctor-finding.ts'

const TOKEN = 'slack token'
const SCOPES = 'slack scopes'
const HISTORY = 'slack history scopes'

const Who = z.object({
  team: z.string().default(''),
  team_id: z.string(),
  user: z.string().default(''),
  user_id: z.string(),
  bot_id: z.string(),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
})

export interface TokenSeen {
  readonly findings: readonly Finding[]
  /** Whether the bot token works, so that more can be asked with it. */
  readonly usable: boolean
  /** Whether Slack answered at all. */
  readonly reached: boolean
  /** Scopes that the settings need and the token lacks. */
  readonly missing: readonly string[]
}

export async function lookAtToken(client: WebClient, config: Config): Promise<TokenSeen> {
  const said = await ask(Who, () => client.auth.test())
  if (!said.ok) {
    const reached = !['unreachable', 'no_answer', 'bad_certificate', 'unreadable_answer'].includes(said.code)
    return { findings: [refusedToken(said)], usable: false, reached, missing: [] }
  }
  const { team, team_id, user, user_id, bot_id, response_metadata } = said.value
  const who = `of ${fromSettings(team)} (${team_id}), as ${fromSettings(user)} (${user_id}, ${bot_id}).`
  const scopes = lookAtScopes(response_metadata?.scopes, config)
  return { findings: [ok(TOKEN, who), ...scopes.findings], usable: true, reached: true, missing: scopes.missing }
}

function refusedToken(said: No): Finding {
  switch (said.code) {
    case 'invalid_auth':
    case 'not_authed':
    case 'not_allowed_token_type':
      return fails(
        TOKEN,
        `Slack does not know it (${said.code}).`,
        'Set SLACK_BOT_TOKEN to the “Bot User OAuth Token” that the app shows under “OAuth & Permissions”.',
      )
    case 'token_revoked':
    case 'token_expired':
    case 'account_inactive':
      return fails(
        TOKEN,
        `it is no longer good (${said.code}).`,
        'Install the app to the workspace again, and set SLACK_BOT_TOKEN to its new token.',
      )
    case 'unreadable_answer':
      return fails(TOKEN, 'what answered is not Slack, or the token is not of a bot.', 'Check SLACK_API_URL and SLACK_BOT_TOKEN.')
    default:
      return unasked(TOKEN, said)
  }
}

/** What each is for, as far as a person must know it to add it. */
const PURPOSES: Readonly<Record<string, string>> = {
  'chat:write': 'posting cards',
  commands: 'the command /approvals',
  'users:read': 'refusing guests, outsiders, bots and deactivated people',
  'channels:read': 'reading who is in a public conversation',
  'groups:read': 'reading who is in a private conversation',
  'usergroups:read': 'sets of approvers that name user groups',
}

function lookAtScopes(granted: readonly string[] | undefined, config: Config) {
  if (granted === undefined) {
    const mend = 'Compare them with “countersign manifest” under “OAuth & Permissions”.'
    return { findings: [warning(SCOPES, 'Slack does not say which ones the token has.', mend)], missing: [] }
  }
  const { bot, bot_optional } = manifest({ mode: 'socket' }).oauth_config.scopes
  const optional: readonly string[] = bot_optional
  const needsGroups = [...config.policy.sets.values()].some(({ groups }) => groups.length > 0)
  const needed = bot.filter((scope) => !optional.includes(scope) || (scope === 'usergroups:read' && needsGroups))
  const missing = needed.filter((scope) => !granted.includes(scope))
  const closed = optional.filter((scope) => scope.endsWith(':history') && !granted.includes(scope))
  const findings: readonly Finding[] = [
    missing.length === 0
      ? ok(SCOPES, 'all that the settings need.')
      : fails(
          SCOPES,
          `the token lacks ${missing.map((scope) => `${scope} (${PURPOSES[scope] ?? 'as the manifest says'})`).join(', ')}.`,
          'Add what is missing under “OAuth & Permissions”, and install the app to the workspace again.',
        ),
    closed.length === 0
      ? ok(HISTORY, 'both there.')
      : warning(
          HISTORY,
          `the token lacks ${closed.join(', ')}: a card whose post had no answer cannot be found again there, so a second copy may stand.`,
          'Add them to rule that out.',
        ),
  ]
  return { findings, missing }
}

const Link = z.object({ url: z.string() })

/** How what people do reaches us, as far as it can be told without anybody doing something. */
export async function lookAtIngress({ slack: { ingress } }: Config, app: () => WebClient, reached: boolean): Promise<Finding> {
  if (ingress.mode === 'http') {
    return skipped('signing secret', 'only a request of Slack’s can prove it: --press waits for one.')
  }
  const check = 'app token'
  if (!reached) return skipped(check, 'Slack does not answer.')
  const said = await ask(Link, () => app().apps.connections.open({}))
  if (said.ok) return ok(check, 'Slack opens connections for it.')
  switch (said.code) {
    case 'invalid_auth':
    case 'not_authed':
    case 'token_revoked':
    case 'token_expired':
      return fails(
        check,
        `Slack does not know it (${said.code}).`,
        'Make an app-level token with connections:write under “Basic Information”, and set SLACK_APP_TOKEN to it.',
      )
    case 'missing_scope':
    case 'not_allowed_token_type':
      return fails(
        check,
        `it may not open connections (${said.code}).`,
        'Make an app-level token with connections:write, set SLACK_APP_TOKEN to it, and switch Socket Mode on in the app.',
      )
    default:
      return unasked(check, said)
  }
}

/**
 * The Slack app of Countersign as a manifest, for both ways in which Slack can reach it. manifest.yml in the repository is the
 * Socket Mode one. Source: docs.slack.dev/reference/app-manifest.
 */

export type Reach =
  | { readonly mode: 'socket' }
  /** `url` is the public https address of the installation. */
  | { readonly mode: 'http'; readonly url: string }

/** Beside the scopes, a person makes an app-level token with connections:write for Socket Mode; no manifest can hold it. */
export function manifest(reach: Reach) {
  const events = reach.mode === 'http' ? `${reach.url.replace(/\/+$/, '')}/slack/events` : undefined
  return {
    _metadata: { major_version: 1, minor_version: 1 },
    display_information: {
      name: 'Countersign',
      description: "Puts a person's signature under what an AI agent is about to do.",
      background_color: '#0b6e4f',
      long_description:
        'An agent platform asks before a dangerous tool call fires. Countersign shows the call in Slack, exactly as it would run, ' +
        'with its hash; a teammate approves or denies it; the platform gets that decision, bound to the hash of what was shown. ' +
        'It is self-hosted: the calls stay in your own database and in the conversation that you choose.',
    },
    features: {
      // Nobody writes to Countersign, so there is no tab for it.
      app_home: { home_tab_enabled: true, messages_tab_enabled: false, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'countersign', always_online: false },
      slash_commands: [
        {
          command: '/approvals',
          description: 'What waits for a decision in a run',
          usage_hint: 'RUN',
          should_escape: false,
          ...(events === undefined ? {} : { url: events }),
        },
      ],
    },
    oauth_config: { scopes: { bot: Object.keys(SCOPES), bot_optional: OPTIONAL } },
    settings: {
      // Needs no scope. With it a home tab is drawn when somebody opens it.
      event_subscriptions: { ...(events === undefined ? {} : { request_url: events }), bot_events: ['app_home_opened'] },
      // On in Socket Mode too: without it Slack sends no presses at all.
      interactivity: { is_enabled: true, ...(events === undefined ? {} : { request_url: events }) },
      org_deploy_enabled: false,
      socket_mode_enabled: events === undefined,
      token_rotation_enabled: false,
    },
  }
}

/** What each is for. */
const SCOPES = {
  'chat:write': 'post and rewrite cards, private words to who pressed',
  commands: '/approvals',
  'users:read': 'refuse guests, outsiders, bots and deactivated people',
  'channels:read': 'who is in a public conversation whose members may decide, and whether it is public',
  'groups:read': 'the same for a private one',
  'usergroups:read': 'approver sets that name user groups',
  'channels:history': 'find a card again whose post had no answer; without it a second copy may stand',
  'groups:history': 'the same in a private one',
} as const

/** An installation works without them, and says what it cannot do then. */
const OPTIONAL: readonly (keyof typeof SCOPES)[] = ['usergroups:read', 'channels:history', 'groups:history']

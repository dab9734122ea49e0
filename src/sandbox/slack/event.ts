import type { JsonObject } from './json.ts'
import { TOKEN } from './payload.ts'
import type { Workspace } from './workspace.ts'
import type { Person } from './world.ts'

/** What comes by the Events API. Source: docs.slack.dev/apis/events-api and reference/events/app_home_opened. */

/** Somebody opened the app's home tab. What was published for them goes along. */
export function homeOpened(workspace: Workspace, user: Person, eventId: string): JsonObject {
  const { world, views, clock } = workspace
  const view = views.home(user.id)?.body
  return {
    token: TOKEN,
    team_id: world.team.id,
    context_team_id: world.team.id,
    context_enterprise_id: null,
    api_app_id: world.app.id,
    type: 'event_callback',
    event_id: eventId,
    event_time: clock.seconds(),
    authorizations: [
      { enterprise_id: null, team_id: world.team.id, user_id: world.app.user_id, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: false,
    event_context: `context-${eventId}`,
    event: {
      type: 'app_home_opened',
      user: user.id,
      // The direct conversation with the app has this id; nothing need have been said there.
      channel: `D${user.id.slice(1)}`,
      tab: 'home',
      event_ts: clock.ts(),
      ...(view === undefined ? {} : { view }),
    },
  }
}

/** Slack's question whether an address is the app's own, which is to be answered with the challenge. */
export function urlVerification(challenge: string): JsonObject {
  return { token: TOKEN, challenge, type: 'url_verification' }
}

import type { JsonObject } from './json.ts'
import type { Message } from './messages.ts'
import { asSlack } from './messages.ts'
import type { View } from './views.ts'
import type { Workspace } from './workspace.ts'
import type { Conversation, Person } from './world.ts'

/**
 * The bodies of what Slack sends for clicks, modals and commands.
 * Source: docs.slack.dev/reference/interaction-payloads and interactivity/implementing-slash-commands.
 */

/** The old verification token, which Slack still sends and nobody should trust. */
export const TOKEN = 'sandbox-verification-token'

function common(workspace: Workspace, user: Person): JsonObject {
  const { team, app } = workspace.world
  return {
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
    user: { id: user.id, username: user.name, name: user.name, team_id: user.team_id },
    api_app_id: app.id,
    token: TOKEN,
  }
}

/** What Slack calls a conversation towards apps; private ones all share one name. */
function nameOf(place: Conversation): string {
  if (place.is_im) return 'directmessage'
  return place.is_private ? 'privategroup' : place.name
}

function responseUrl(workspace: Workspace, user: Person, place: Conversation, message: Message | null): string {
  return `${workspace.origin}/respond/${workspace.links.issue({ user: user.id, conversation: place.id, message })}`
}

/** A click in a message. `shown` is the message as the payload has it; one that only one person sees is left out. */
export function messageClick(
  workspace: Workspace,
  user: Person,
  place: Conversation,
  message: Message,
  shown: JsonObject | undefined,
  action: JsonObject,
): JsonObject {
  const ephemeral = message.onlyFor !== null
  const { app, team } = workspace.world
  return {
    type: 'block_actions',
    ...common(workspace, user),
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: place.id,
      is_ephemeral: ephemeral,
      ...(message.thread_ts === null ? {} : { thread_ts: message.thread_ts }),
    },
    trigger_id: workspace.triggers.issue({ user: user.id, view: null }),
    channel: { id: place.id, name: nameOf(place) },
    ...(ephemeral ? {} : { message: shown ?? asSlack(message, app, team.id, true) }),
    state: { values: {} },
    response_url: responseUrl(workspace, user, place, message),
    actions: [{ ...action, action_ts: workspace.clock.ts() }],
  }
}

/** A click in a modal or in the home tab. */
export function viewClick(workspace: Workspace, user: Person, view: View, action: JsonObject): JsonObject {
  return {
    type: 'block_actions',
    ...common(workspace, user),
    container: { type: 'view', view_id: view.id },
    trigger_id: workspace.triggers.issue({ user: user.id, view: view.id }),
    view: view.body,
    actions: [{ ...action, action_ts: workspace.clock.ts() }],
  }
}

/** `values` is the state by block id and action id. */
export function viewSubmission(workspace: Workspace, user: Person, view: View, values: JsonObject): JsonObject {
  return {
    type: 'view_submission',
    ...common(workspace, user),
    trigger_id: workspace.triggers.issue({ user: user.id, view: view.id }),
    view: { ...view.body, state: { values } },
    response_urls: [],
  }
}

export function viewClosed(workspace: Workspace, user: Person, view: View, cleared: boolean): JsonObject {
  return { type: 'view_closed', ...common(workspace, user), view: view.body, is_cleared: cleared }
}

/** `/name the rest` as the fields of a form; every value is a text. */
export function slashCommand(workspace: Workspace, user: Person, place: Conversation, command: string, text: string): JsonObject {
  const { team, app } = workspace.world
  return {
    token: TOKEN,
    team_id: team.id,
    team_domain: team.domain,
    channel_id: place.id,
    channel_name: nameOf(place),
    user_id: user.id,
    user_name: user.name,
    command,
    text,
    api_app_id: app.id,
    is_enterprise_install: 'false',
    response_url: responseUrl(workspace, user, place, null),
    trigger_id: workspace.triggers.issue({ user: user.id, view: null }),
  }
}

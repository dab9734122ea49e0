import { no, refused, yes } from './answer.ts'
import { flagAt, wordAt } from './arguments.ts'
import type { JsonObject } from './json.ts'
import type { Method } from './method.ts'
import { pageOf } from './page-of.ts'
import type { Person, UserGroup } from './world.ts'

/** Who is who: auth.test, users.*, usergroups.*, team.info, bots.info. Source: docs.slack.dev/reference/methods. */

const authTest: Method = {
  scopes: [],
  run: ({ world, origin }) =>
    yes({
      url: `${origin}/`,
      team: world.team.name,
      user: world.user(world.app.user_id)?.name ?? world.app.name,
      team_id: world.team.id,
      user_id: world.app.user_id,
      bot_id: world.app.bot_id,
      is_enterprise_install: false,
    }),
}

const usersInfo: Method = {
  scopes: ['users:read'],
  run: ({ world }, args, scopes) => {
    const user = world.user(wordAt(args, 'user'))
    return user === undefined ? no('user_not_found') : yes({ user: described(user, scopes) })
  },
}

const usersList: Method = {
  scopes: ['users:read'],
  run: ({ world }, args, scopes) => {
    const page = pageOf(world.users, args)
    if (refused(page)) return page
    return yes({ members: page.items.map((user) => described(user, scopes)), response_metadata: page.response_metadata })
  },
}

const lookupByEmail: Method = {
  scopes: ['users:read.email'],
  run: ({ world }, args, scopes) => {
    const email = wordAt(args, 'email')
    const user = world.users.find((entry) => entry.email === email && !entry.deleted)
    return user === undefined ? no('users_not_found') : yes({ user: described(user, scopes) })
  },
}

const groupsList: Method = {
  scopes: ['usergroups:read'],
  run: ({ world }, args) => {
    const listed = world.groups.filter((group) => !group.disabled || flagAt(args, 'include_disabled'))
    const withUsers = flagAt(args, 'include_users')
    return yes({
      usergroups: listed.map((group) => ({
        ...groupDescribed(group, world.team.id),
        ...(withUsers ? { users: group.users } : {}),
        ...(flagAt(args, 'include_count') ? { user_count: group.users.length } : {}),
      })),
    })
  },
}

const groupUsers: Method = {
  scopes: ['usergroups:read'],
  run: ({ world }, args) => {
    const group = world.group(wordAt(args, 'usergroup'))
    if (group === undefined || (group.disabled && !flagAt(args, 'include_disabled'))) return no('no_such_subteam')
    return yes({ users: group.users })
  },
}

const teamInfo: Method = {
  scopes: ['team:read'],
  run: ({ world, origin }, args) => {
    const asked = wordAt(args, 'team') ?? world.team.id
    if (asked !== world.team.id) return no('team_not_found')
    return yes({
      team: { id: world.team.id, name: world.team.name, domain: world.team.domain, url: `${origin}/`, email_domain: '' },
    })
  },
}

const botsInfo: Method = {
  scopes: ['users:read'],
  run: ({ world }, args) => {
    const asked = wordAt(args, 'bot') ?? world.app.bot_id
    if (asked !== world.app.bot_id) return no('bot_not_found')
    return yes({
      bot: { id: world.app.bot_id, deleted: false, name: world.app.name, app_id: world.app.id, user_id: world.app.user_id },
    })
  },
}

/** `profile.email` is there only with its own scope. */
function described(user: Person, scopes: ReadonlySet<string>): JsonObject {
  return {
    id: user.id,
    team_id: user.team_id,
    name: user.name,
    real_name: user.real_name,
    deleted: user.deleted,
    tz: 'Europe/Berlin',
    tz_offset: 3_600,
    is_bot: user.is_bot,
    is_app_user: false,
    updated: 1_700_000_000,
    ...(user.is_stranger ? { is_stranger: true } : {}),
    ...(user.deleted
      ? {}
      : {
          is_admin: user.is_admin,
          is_owner: false,
          is_restricted: user.is_restricted,
          is_ultra_restricted: user.is_ultra_restricted,
        }),
    profile: {
      real_name: user.real_name,
      display_name: user.real_name,
      ...(scopes.has('users:read.email') && !user.is_bot && !user.is_stranger ? { email: user.email } : {}),
    },
  }
}

function groupDescribed(group: UserGroup, team: string): JsonObject {
  return {
    id: group.id,
    team_id: team,
    is_usergroup: true,
    name: group.name,
    handle: group.handle,
    description: '',
    date_delete: group.disabled ? 1_700_000_000 : 0,
  }
}

export const PEOPLE: Readonly<Record<string, Method>> = {
  'auth.test': authTest,
  'users.info': usersInfo,
  'users.list': usersList,
  'users.lookupByEmail': lookupByEmail,
  'usergroups.list': groupsList,
  'usergroups.users.list': groupUsers,
  'team.info': teamInfo,
  'bots.info': botsInfo,
}

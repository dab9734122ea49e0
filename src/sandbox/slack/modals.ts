import { no, noBecause, type Refused, refused, yes } from './answer.ts'
import { wordAt } from './arguments.ts'
import { isObject, type JsonObject } from './json.ts'
import { LIMITS } from './limits.ts'
import type { Method } from './method.ts'
import type { Trigger } from './triggers.ts'
import { validateView, viewBytes } from './validate.ts'
import type { View } from './views.ts'
import type { Workspace } from './workspace.ts'

/** The views.* methods. Source: docs.slack.dev/reference/methods/views.open and its neighbours. */

const open: Method = {
  scopes: [],
  run: (workspace, args) => {
    const given = viewFrom(args, 'modal')
    if (refused(given)) return given
    const trigger = triggerFrom(workspace, args)
    if (refused(trigger)) return trigger
    workspace.triggers.use(wordAt(args, 'trigger_id') ?? '')
    return yes({ view: workspace.views.open(trigger.user, given).body })
  },
}

const push: Method = {
  scopes: [],
  run: (workspace, args) => {
    const given = viewFrom(args, 'modal')
    if (refused(given)) return given
    const trigger = triggerFrom(workspace, args)
    if (refused(trigger)) return trigger
    if (trigger.view === null) return no('invalid_trigger_id')
    if (workspace.views.stack(trigger.user).length >= LIMITS.viewStack) return no('push_limit_reached')
    workspace.triggers.use(wordAt(args, 'trigger_id') ?? '')
    return yes({ view: workspace.views.push(trigger.user, given).body })
  },
}

const update: Method = {
  scopes: [],
  run: (workspace, args) => {
    const id = wordAt(args, 'view_id')
    const external = wordAt(args, 'external_id')
    const view = id === undefined ? workspace.views.findExternal(external ?? '') : workspace.views.find(id)
    const given = viewFrom(args, view?.body.type === 'home' ? 'home' : 'modal')
    if (refused(given)) return given
    if (view === undefined || (id === undefined && external === undefined)) return no('not_found')
    if (stale(view, args)) return no('hash_conflict')
    workspace.views.update(view, given)
    return yes({ view: view.body })
  },
}

const publish: Method = {
  scopes: [],
  run: (workspace, args) => {
    const given = viewFrom(args, 'home')
    if (refused(given)) return given
    const user = workspace.world.user(wordAt(args, 'user_id'))
    if (user === undefined) return no('user_not_found')
    const known = workspace.views.home(user.id)
    if (known !== undefined && stale(known, args)) return no('hash_conflict')
    return yes({ view: workspace.views.publish(user.id, given).body })
  },
}

/** The view of a call, checked; the pointers begin at `/view` as Slack's do. */
function viewFrom(args: JsonObject, type: 'modal' | 'home'): JsonObject | Refused {
  const given = args.view
  if (!isObject(given)) return noBecause('invalid_arguments', [{ pointer: '/view', message: 'must provide an object' }])
  if (viewBytes(given) > LIMITS.viewBytes) return no('view_too_large')
  const found = validateView(given)
  if (given.type !== type && found.length === 0) found.push({ pointer: '/type', message: `must be ${type} here` })
  return found.length > 0 ? noBecause('invalid_arguments', found, '/view') : given
}

function triggerFrom(workspace: Workspace, args: JsonObject): Trigger | Refused {
  const trigger = workspace.triggers.look(wordAt(args, 'trigger_id'))
  return typeof trigger === 'string' ? no(trigger) : trigger
}

function stale(view: View, args: JsonObject): boolean {
  const hash = wordAt(args, 'hash')
  return hash !== undefined && hash !== view.body.hash
}

export const MODALS: Readonly<Record<string, Method>> = {
  'views.open': open,
  'views.push': push,
  'views.update': update,
  'views.publish': publish,
}

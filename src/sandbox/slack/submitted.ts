import { inputIds } from './form.ts'
import { isObject, type JsonObject, parseJson } from './json.ts'
import { LIMITS } from './limits.ts'
import { validateView } from './validate.ts'
import type { View } from './views.ts'
import type { Workspace } from './workspace.ts'

/** What the app's answer to a submission did. */
export interface Submitted {
  /** What the person sees instead of a result; null when the answer was good. */
  readonly trouble: string | null
  readonly errors: Readonly<Record<string, string>>
}

const DONE: Submitted = { trouble: null, errors: {} }
/** Slack shows "We had some trouble connecting" for an answer that it cannot use. */
const UNUSABLE: Submitted = { trouble: 'invalid_response', errors: {} }

/** Applies the answer to a view_submission. Source: docs.slack.dev/surfaces/modals, "Updating and closing after submission". */
export function submitted(workspace: Workspace, user: string, view: View, body: string): Submitted {
  const { views } = workspace
  if (body.trim() === '') {
    views.close(user, view.id)
    return DONE
  }
  const answer = parseJson(body)
  if (!isObject(answer)) return UNUSABLE
  switch (answer.response_action) {
    case undefined:
      views.close(user, view.id)
      return DONE
    case 'clear':
      views.clear(user)
      return DONE
    case 'errors':
      return fieldErrors(view, answer)
    case 'update': {
      const next = usable(answer)
      if (next === undefined) return UNUSABLE
      views.update(view, next)
      return DONE
    }
    case 'push': {
      const next = usable(answer)
      if (next === undefined || views.stack(user).length >= LIMITS.viewStack) return UNUSABLE
      views.push(user, next)
      return DONE
    }
    default:
      return UNUSABLE
  }
}

/** Every error must name the block id of an input in this view, or Slack can show none of them. */
function fieldErrors(view: View, answer: JsonObject): Submitted {
  const errors = answer.errors
  if (!isObject(errors)) return UNUSABLE
  const known = inputIds(view)
  const entries = Object.entries(errors).map(([block, words]): [string, string] => [
    block,
    typeof words === 'string' ? words : '',
  ])
  const good = entries.length > 0 && entries.every(([block, words]) => known.includes(block) && words !== '')
  return good ? { trouble: null, errors: Object.fromEntries(entries) } : UNUSABLE
}

function usable(answer: JsonObject): JsonObject | undefined {
  const view = answer.view
  return isObject(view) && view.type === 'modal' && validateView(view).length === 0 ? view : undefined
}

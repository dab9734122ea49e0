import type { JsonObject } from './json.ts'
import type { Workspace } from './workspace.ts'

/** One Web API method: what it asks for, and what it does and answers. It never throws for a call that Slack would refuse. */
export interface Method {
  /** Any one of these opens it; none means that every token may. */
  readonly scopes: readonly string[]
  /** The token that it works with: `bot` when left out, `app` (xapp-) for Socket Mode, and few work without any. */
  readonly token?: 'bot' | 'app' | 'none'
  run(workspace: Workspace, args: JsonObject, scopes: ReadonlySet<string>): JsonObject
}

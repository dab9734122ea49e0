import type { JsonObject } from './json.ts'
import type { Workspace } from './workspace.ts'

/** One Web API method: what it asks for, and what it does and answers. It never throws for a call that Slack would refuse. */
export interface Method {
  /** Any one of these opens it; none means that every token may. */
  readonly scopes: readonly string[]
  /** False for the few methods that work without a token. */
  readonly needsToken?: boolean
  run(workspace: Workspace, args: JsonObject, scopes: ReadonlySet<string>): JsonObject
}

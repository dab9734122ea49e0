import type { JsonObject } from './json.ts'
import type { Finding } from './shape.ts'

/** A Web API answer that says no. Slack sends these with HTTP status 200. */
export type Refused = JsonObject & { readonly ok: false; readonly error: string }

export function no(error: string, more: JsonObject = {}): Refused {
  return { ...more, ok: false, error }
}

export function yes(more: JsonObject = {}): JsonObject {
  return { ok: true, ...more }
}

export function refused(value: object): value is Refused {
  return 'ok' in value && value.ok === false
}

/** A refusal with what the validator found, in the shape of docs.slack.dev/reference/methods/chat.postMessage's `invalid_blocks`. */
export function noBecause(error: string, found: readonly Finding[], prefix = ''): Refused {
  const lines = found.map(({ pointer, message }) => `${message} [json-pointer:${prefix}${pointer}]`)
  return no(error, { errors: lines, response_metadata: { messages: lines.map((line) => `[ERROR] ${line}`) } })
}

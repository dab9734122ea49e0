import { isList, isObject, type Json, type JsonObject, parseJson } from './json.ts'

/** Arguments that the SDK sends as JSON inside a form field. */
const NESTED = new Set(['attachments', 'blocks', 'message', 'metadata', 'view'])

/** The arguments of one Web API call and the token it came with. */
export interface Arguments {
  readonly token: string | undefined
  /** Without the token, so that a log of calls holds no secret; nested JSON is parsed. */
  readonly args: JsonObject
}

/**
 * Reads a call as Slack does: query, form or JSON body, token in the header or among the arguments.
 * Source: docs.slack.dev/apis/web-api, "Basic call pattern".
 */
export function readArguments(
  query: URLSearchParams,
  contentType: string,
  body: string,
  authorization: string | undefined,
): Arguments {
  const given: Record<string, Json> = Object.fromEntries(query)
  if (contentType.startsWith('application/json')) {
    const parsed = parseJson(body)
    if (isObject(parsed)) Object.assign(given, parsed)
  } else {
    Object.assign(given, Object.fromEntries(new URLSearchParams(body)))
  }
  const { token: inBody, ...args } = given
  const inHeader = /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
  return { token: inHeader ?? (typeof inBody === 'string' ? inBody : undefined), args: unnested(args) }
}

function unnested(args: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (!NESTED.has(name) || typeof value !== 'string') return [name, value]
      return [name, parseJson(value) ?? value]
    }),
  )
}

/** True for `true`, `"true"` and `"1"`, as forms carry booleans. */
export function flagAt(args: JsonObject, name: string): boolean {
  const value = args[name]
  return value === true || value === 'true' || value === '1' || value === 1
}

/** A text argument; numbers are taken as their digits. Empty counts as not given. */
export function wordAt(args: JsonObject, name: string): string | undefined {
  const value = args[name]
  const word = typeof value === 'number' ? String(value) : value
  return typeof word === 'string' && word !== '' ? word : undefined
}

/** A list given as JSON or separated by commas. */
export function wordsAt(args: JsonObject, name: string): string[] {
  const value = args[name]
  if (isList(value)) return value.filter((entry) => typeof entry === 'string')
  return (wordAt(args, name) ?? '').split(',').filter((entry) => entry !== '')
}

/**
 * Three Slack clients, so that one's trouble is not the others': a rate limit pauses a whole client (field report A64), and a
 * trigger lives for 3 s. None retries by itself: after a lost answer a post may stand, and only the record knows how to go on.
 */
import {
  type Logger,
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
} from '@slack/web-api'
import { Failure } from '../../approval/ports.ts'

export interface SlackClients {
  /** Views and private words, while a person waits. */
  readonly interactive: WebClient
  /** Cards. */
  readonly writer: WebClient
  /** People, groups, conversations. */
  readonly lookups: WebClient
}

export interface SlackAccess {
  readonly botToken: string
  readonly apiUrl: string
}

export function slackClients({ botToken, apiUrl }: SlackAccess): SlackClients {
  const client = (timeoutMs: number): WebClient =>
    new WebClient(botToken, {
      slackApiUrl: apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      timeout: timeoutMs,
      logger: SILENT,
    })
  return { interactive: client(2000), writer: client(10_000), lookups: client(2000) }
}

/** The SDK's log holds bodies at some levels, and those hold tool inputs. Each failure is logged once by us, by its code. */
export const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
}

/** Slack says of these that the call may have been carried out in part (docs, "errors" of each method). */
const UNCERTAIN = new Set(['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable'])

/** Everything that the SDK can throw, as one of: refused, not now, or nobody knows. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof WebAPIRateLimitedError)
    return new Failure({ kind: 'passing', code: 'ratelimited' }, 'no', error.retryAfter * 1000)
  if (error instanceof WebAPIPlatformError) {
    const code = error.data.error
    if (code === 'ratelimited') return new Failure({ kind: 'passing', code }, 'no', 1000)
    return UNCERTAIN.has(code) ? new Failure({ kind: 'passing', code }, 'maybe') : new Failure({ kind: 'lasting', code }, 'no')
  }
  if (error instanceof WebAPIHTTPError) {
    const code = `http_${error.statusCode}`
    return error.statusCode >= 500
      ? new Failure({ kind: 'passing', code }, 'maybe')
      : new Failure({ kind: 'lasting', code }, 'no')
  }
  if (error instanceof WebAPIRequestError) {
    const neverSent = causes(error).some((cause) =>
      ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(cause),
    )
    return new Failure({ kind: 'passing', code: neverSent ? 'unreachable' : 'no_answer' }, neverSent ? 'no' : 'maybe')
  }
  throw error
}

/** The codes along an error's chain of causes, aggregates included. */
function causes(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 5) return []
  const inner = error instanceof AggregateError ? error.errors : []
  const original = error instanceof WebAPIRequestError ? [error.original] : []
  return [
    ...('code' in error ? [String(error.code)] : []),
    ...[error.cause, ...original, ...inner].flatMap((cause) => causes(cause, depth + 1)),
  ]
}

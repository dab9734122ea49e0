/** Asking Slack for a check: one attempt, bounded in time, and whatever goes wrong is a code. */
import {
  type FetchFunction,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
} from '@slack/web-api'
import type { z } from 'zod'
import { SILENT } from '../channels/slack/client.ts'
import { type Told, toldBy } from './doctor-clock.ts'
import { type Finding, fails, skipped } from './doctor-finding.ts'
import { CALL_MS, noAnswerOf, noAnswerWords } from './doctor-network.ts'

export interface SlackEnd {
  readonly client: WebClient
  /** The first time that Slack told, whatever else it answered. */
  readonly told: () => Told | undefined
}

/** So many at once: a workspace's own bots share its limits. */
const AT_ONCE = 5

/** @param deadline ends what is under way and whatever would follow */
export function slackEnd(token: string, apiUrl: string, now: () => Date, deadline?: AbortSignal): SlackEnd {
  let told: Told | undefined
  // The SDK's own bound does not cover an answer that never ends, and it keeps the Date header to itself.
  const bounded: FetchFunction = async (url, init) => {
    const bound = AbortSignal.timeout(CALL_MS)
    const answer = await fetch(url, { ...init, signal: deadline === undefined ? bound : AbortSignal.any([bound, deadline]) })
    told ??= toldBy(answer.headers.get('date'), now())
    return answer
  }
  const client = new WebClient(token, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    maxRequestConcurrency: AT_ONCE,
    fetch: bounded,
    logger: SILENT,
  })
  return { client, told: () => told }
}

export interface No {
  readonly ok: false
  readonly code: string
  /** The scope that Slack wants for it. */
  readonly needed: string | undefined
}
export type Said<T> = { readonly ok: true; readonly value: T } | No

export async function ask<Schema extends z.ZodType>(
  schema: Schema,
  call: () => Promise<unknown>,
): Promise<Said<z.infer<Schema>>> {
  try {
    const parsed = schema.safeParse(await call())
    return parsed.success ? { ok: true, value: parsed.data } : no('unreadable_answer')
  } catch (error) {
    return noOf(error)
  }
}

export function noOf(error: unknown): No {
  if (error instanceof WebAPIRateLimitedError) return no('ratelimited')
  if (error instanceof WebAPIHTTPError) return no(`http_${error.statusCode}`)
  if (error instanceof WebAPIRequestError) return no(noAnswerOf(error))
  if (!(error instanceof WebAPIPlatformError)) return no(noAnswerOf(error))
  const needed = 'needed' in error.data ? error.data.needed : undefined
  // Where something else than Slack answers, the SDK gives its page as the code.
  const code = /^[a-z0-9_]{1,64}$/.test(error.data.error) ? error.data.error : 'unreadable_answer'
  return no(code, typeof needed === 'string' && /^[a-z0-9_:.,]{1,200}$/.test(needed) ? needed : undefined)
}

function no(code: string, needed?: string): No {
  return { ok: false, code, needed }
}

/**
 * A finding for a refusal that says nothing of what was asked about.
 * @param missing scopes that the token lacks: they have a line of their own, and are not told twice
 */
export function unasked(check: string, { code, needed }: No, missing: readonly string[] = []): Finding {
  switch (code) {
    case 'unreachable':
    case 'no_answer':
    case 'bad_certificate': {
      const { message, mend } = noAnswerWords(code, 'Slack')
      return fails(check, message, mend)
    }
    case 'missing_scope': {
      const scope = needed ?? missing[0]
      if (scope?.split(',').some((one) => missing.includes(one))) {
        return skipped(check, `needs the scope ${scope}, which the token lacks.`)
      }
      const named = scope ?? 'that it names for this'
      return fails(
        check,
        `Slack wants the scope ${named}.`,
        'Add it under “OAuth & Permissions”, and install the app to the workspace again.',
      )
    }
    case 'ratelimited':
      return fails(check, 'Slack asks us to wait, so this was not looked at.', 'Run doctor again in a minute.')
    case 'unreadable_answer':
      return fails(check, 'what answered is not Slack.', 'Check SLACK_API_URL, and the proxy of this host.')
    default:
      return fails(check, `Slack said no (${code}).`, 'Its documentation tells what that means for this method.')
  }
}

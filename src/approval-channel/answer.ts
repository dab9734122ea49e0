/** What goes back for a signed request (approval-channel section 1): JSON that nobody keeps, but for the one text that says so itself. */
import { type ChannelCode, STATUS_OF } from './code.ts'
import type { RawRequest, Stopped } from './gate.ts'
import { decodePath } from './signature.ts'
import { writeAnswer } from './wire.ts'

export interface RawAnswer<Event> {
  readonly status: number
  readonly contentType: string
  readonly noStore: boolean
  readonly body: string
  /** The body was not read to its end. */
  readonly close: boolean
  /** For observers, once the answer has left. */
  readonly event: Event | undefined
}

/** What observers are told of a refused request (section 8). */
export interface RefusedEvent<Name extends string> {
  readonly event: Name
  readonly method: string
  /** Decoded, and never the query. */
  readonly path: string
  readonly reason: string
  readonly remote: string
  readonly status: number
}

export function success(status: number, body: string): RawAnswer<never> {
  return { status, contentType: 'application/json', noStore: true, body, close: false, event: undefined }
}

export function failure(code: ChannelCode, error: string): RawAnswer<never> {
  return success(STATUS_OF[code], writeAnswer({ code, error }))
}

export function stopAnswer<Name extends string>(
  event: Name,
  { method, target, remote }: RawRequest,
  { code, error, reason, close }: Omit<Stopped, 'ok'>,
): RawAnswer<RefusedEvent<Name>> {
  const path = decodePath(target)?.path.toString('utf8') ?? 'malformed'
  const status = STATUS_OF[code]
  return {
    ...failure(code, error),
    close,
    event: reason === undefined ? undefined : { event, method, path, reason, remote, status },
  }
}

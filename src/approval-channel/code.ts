/** The channel's refusals (approval-channel section 5): the closed list of codes, each with its HTTP status. Texts are never matched. */
import { z } from 'zod'

export const ChannelCode = z.enum([
  'bad_request',
  'unauthorized',
  /** Not of section 5: our own served channel says it where it may show but not decide. */
  'not_an_approver',
  'not_found',
  'run_not_waiting',
  'not_pending',
  'approval_changed',
  'approval_hash',
  'run_finished',
  'expired',
  'body_too_large',
  'rate_limited',
  'internal',
])
export type ChannelCode = z.infer<typeof ChannelCode>

export const STATUS_OF = {
  bad_request: 400,
  unauthorized: 401,
  not_an_approver: 403,
  not_found: 404,
  run_not_waiting: 409,
  not_pending: 409,
  approval_changed: 409,
  approval_hash: 409,
  run_finished: 409,
  expired: 410,
  body_too_large: 413,
  rate_limited: 429,
  internal: 500,
} as const satisfies Record<ChannelCode, number>

/**
 * The approval's hash (approval-channel section 7): what a decision is bound to. It guards against a row that changed, and is no
 * signature. It covers neither the times nor the policy's reason.
 */
import type { ApprovalHash } from '../approval/approval.ts'
import { canonical, hashOf } from '../approval/canonical.ts'
import { type Json, parseJson } from '../approval/json.ts'
import { ChannelApproval } from './wire.ts'

export function approvalHash(approval: Hashed): ApprovalHash {
  return hashOf(hashedText(approval))
}

type Hashed = Pick<ChannelApproval, 'capability' | 'kind' | 'presentation' | 'request'>

/** The text that is hashed: all of an approval that a decision binds. */
export function hashedText({ capability, kind, presentation, request }: Hashed): string {
  const { terminal, ...spec } = request.spec
  return canonical(
    object({
      capability,
      kind,
      presentation,
      request: object({
        run_id: request.run_id,
        step_id: request.step_id,
        spec: object(terminal ? { ...spec, terminal } : spec),
        args: request.args,
      }),
    }),
  )
}

/**
 * Whether an approval, as served, is the whole of what would be decided: what was shown hashes to the hash that it names. Other
 * ends shorten strings and round numbers where they serve; then this is false. False too for text that cannot be read.
 */
export function servedWhole(rawJson: string): boolean {
  let json: Json
  try {
    json = parseJson(rawJson)
  } catch {
    return false
  }
  const served = ChannelApproval.safeParse(json)
  return served.success && approvalHash(served.data) === served.data.hash
}

function object(members: Readonly<Record<string, Json>>): ReadonlyMap<string, Json> {
  return new Map(Object.entries(members))
}

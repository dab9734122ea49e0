/** What a pending approval says beside the call, and what it offers: why it is asked, who may decide, and which buttons. */
import type { Button, RichTextPreformatted, RichTextSection } from '@slack/types'
import type { Approval } from '../../approval/approval.ts'
import { isWhole } from '../../approval/canonical.ts'
import { line, type Part, preformatted } from './block.ts'
import { approveButton, denyButtons } from './button.ts'
import { fromSettings, inert, ours, plainId, type Words } from './safe-text.ts'

/** Who may decide, as the card tells it. Ids and words only. */
export interface WhoMayDecide {
  readonly users: readonly string[]
  readonly groups: readonly string[]
  readonly conversation: string | undefined
}

export type WhoDecides = (set: string) => WhoMayDecide

type Lines = readonly (RichTextSection | RichTextPreformatted)[]

/** Whether anybody can approve it here at all: only what is held whole, and what its source can read. */
export function approvable(approval: Approval): boolean {
  return approval.decodeError === null && (approval.form === 'review' || isWhole(approval))
}

export function asking(approval: Approval, who: WhoDecides): Lines {
  return [
    ...(approval.form === 'channel' ? channelLines(approval) : []),
    ...whyAsked(approval),
    whoLine(approval, who),
    whenLine(approval),
  ]
}

function whenLine({ openedAt, expiresAt }: Approval): RichTextSection {
  return line(
    expiresAt === null
      ? [{ words: ours`Asked ` }, { moment: openedAt, told: 'both' }, { words: ours`.` }]
      : [
          { words: ours`Can be decided until ` },
          { moment: expiresAt, told: 'both' },
          { words: ours`. Asked ` },
          { moment: openedAt, told: 'ago' },
          { words: ours`.` },
        ],
  )
}

/** @param approve whether all of the call stands where the buttons are */
export function decideButtons(approval: Approval, approve: boolean): readonly Button[] {
  if (approval.decodeError !== null) return []
  return [
    ...(approve && approvable(approval) ? [approveButton(approval)] : []),
    ...denyButtons(approval, approval.form === 'channel'),
  ]
}

/** Kind of an approval for a call that had already begun when its process died (approval-channel section 10). */
const INTERRUPTED = 'interrupted_side_effect'

function channelLines(approval: Approval): Lines {
  const endsRun = line([{ words: ours`Deny ends the whole run at this source, and cannot be undone.` }])
  const again =
    approval.kind === INTERRUPTED
      ? [
          line([
            { emoji: 'warning' },
            {
              words: ours` This call had begun once already, and nobody knows whether it took effect. Approve runs it again.`,
              bold: true,
            },
          ]),
        ]
      : []
  if (approval.decodeError !== null) {
    return [
      ...again,
      line([
        {
          words: ours`The source cannot read its own record of this call, so it takes no decision on it. An operator can end its run with “/approvals cancel” and the run's id.`,
          bold: true,
        },
      ]),
    ]
  }
  return isWhole(approval) ? [...again, endsRun] : [...again, ...notWhole(approval), endsRun]
}

function notWhole({ run, id }: Approval): Lines {
  const begin = ours`The source did not serve the whole call: somewhere it shortened a text or rounded a number. So nobody can approve it here; it can be read whole and approved on the source's own host`
  // A line that people paste into a shell holds nothing but plain ids.
  if (!pastable(run) || !pastable(id)) return [line([{ words: ours`${begin}.`, bold: true }])]
  return [
    line([{ words: ours`${begin}:`, bold: true }]),
    preformatted(inert(`agentrt -db <path> approve ${run} -approval ${id}`, 'one line')),
  ]
}

function pastable(id: string): boolean {
  return plainId(id) !== undefined && !id.startsWith('-')
}

/** What a press that wants to approve such a call is told. */
export function notApprovable(approval: Approval): Words {
  return approval.decodeError === null
    ? ours`The source did not serve the whole call, so nobody can approve it here. Nothing was decided; its card says what to run on the source's host.`
    : ours`The source cannot read its own record of this call, so it takes no decision on it. Nothing was decided.`
}

/** A channel source asks for its own reason, which stands with the call: that no rule of ours names the tool adds nothing to it. */
function whyAsked({ ruling, sourceReason }: Approval): Lines {
  if (ruling.ruling !== 'ask') return [line([{ words: ours`Ruled by a rule.` }])]
  if (ruling.rule === null && sourceReason !== null) return []
  const rule = ruling.rule === null ? ours`No rule names this tool.` : ours`Rule “${fromSettings(ruling.rule)}”:`
  return [line([{ words: ours`${rule} ${fromSettings(ruling.reason)}` }])]
}

/** Named people more than this are counted. */
const MOST_NAMED = 8

function whoLine(approval: Approval, who: WhoDecides): RichTextSection {
  if (approval.ruling.ruling !== 'ask') return line([{ words: ours`Nobody is asked.` }])
  const { users, groups, conversation } = who(approval.ruling.approvers)
  const named: Part[][] = users.slice(0, MOST_NAMED).map((user) => [{ user }])
  const clauses: Part[][] = [
    ...named,
    ...(users.length > MOST_NAMED ? [[{ words: ours`${users.length - MOST_NAMED} more by name` }]] : []),
    ...groups.map((group) => [{ group }]),
    ...(conversation === undefined ? [] : [[{ words: ours`the full members of this workspace who are in ` }, { conversation }]]),
  ]
  const parts = clauses.flatMap((clause, index): Part[] => [{ words: index === 0 ? ours`May decide: ` : ours`, ` }, ...clause])
  return line(
    users.length + groups.length > 0 || conversation !== undefined
      ? [...parts, { words: ours`.` }]
      : [{ words: ours`May decide: nobody. The settings no longer name this set.` }],
  )
}

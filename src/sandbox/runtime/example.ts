// The scripted example: an agent that wants to publish a proposal. It publishes once when a person grants that, else its run ends.

import type { Pause, Run } from './runs.ts'
import type { Runtime } from './runtime.ts'
import { sanitise } from './sanitise.ts'

interface Example {
  readonly runtime: Runtime
  /** Gets one line at a time, without control characters. */
  readonly say: (line: string) => void
  /** The id of the run; a new one when absent. */
  readonly run?: string
}

/** What the agent asks for. Its effect is told, not done: nothing on this machine is touched. */
export const PROPOSAL: Pause = {
  tool: 'publish_proposal',
  description: 'Opens a pull request from a prepared branch',
  args: '{"proposal_id":"p-7","head_ref":"agent/refresh-lockfile"}',
  inputSchema:
    '{"type":"object","properties":{"proposal_id":{"type":"string"},"head_ref":{"type":"string"}},"required":["proposal_id","head_ref"],"additionalProperties":false}',
  sideEffect: 'remote_mutation',
  kind: 'publication',
  capability: '{"tool":"publish_proposal","repository":"acme/storefront"}',
  presentation:
    '{"title":"Refresh the lock file","base":"main","head":"agent/refresh-lockfile","files":["package.json","package-lock.json"],"risk":0.2}',
  reason: 'every publication is looked at by a person',
  effect: () => 'Proposal p-7 is published (the agent only plays: nothing left this machine).',
}

/** Resolves when the run has ended. Waits for a person as long as it takes; rejects when the runtime closes. */
export async function runExample({ runtime, say, run: given }: Example): Promise<Run> {
  const { run, approval } = runtime.start(given === undefined ? PROPOSAL : { ...PROPOSAL, run: given })
  const tell = (line: string) => say(sanitise(`${run}  ${line}`))
  const present = (): Run => {
    const found = runtime.run(run)
    if (found === undefined) throw new Error(`${run} is lost`)
    return found
  }
  tell(`The agent asks to use ${PROPOSAL.tool}: ${PROPOSAL.args}`)
  tell(`Waiting for a person: ${PROPOSAL.reason}`)
  const waits = () => present().status === 'WAITING_FOR_APPROVAL' && runtime.approval(approval)?.state.status === 'pending'
  await runtime.until(`approval ${approval} is decided`, () => !waits(), Number.POSITIVE_INFINITY)
  const state = runtime.approval(approval)?.state
  if (state?.status === 'approved') tell(`Granted by ${state.by}${noted(state.note)}. Its owner resumes the run.`)
  if (state?.status === 'rejected') tell(`Rejected by ${state.by}${noted(state.note)}.`)
  const ended = present().status === 'WAITING_FOR_APPROVAL' ? runtime.resume(run) : present()
  tell(outcome(ended))
  tell(`${PROPOSAL.tool} ran ${runtime.effects(approval)} time(s).`)
  return ended
}

function noted(note: string): string {
  return note === '' ? '' : `: "${note}"`
}

function outcome(run: Run): string {
  switch (run.status) {
    case 'COMPLETED':
      return `${run.detail} Run completed.`
    case 'FAILED':
      return `The tool failed: ${run.detail}`
    case 'CANCELLED':
      return `The run is cancelled (${run.reason}). The agent stops here.`
    case 'RUNNING':
    case 'WAITING_FOR_APPROVAL':
    case 'INTERRUPTED':
      return `The run is ${run.status}.`
  }
}

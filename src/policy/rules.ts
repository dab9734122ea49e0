/** From a call to a ruling, purely: the first rule whose tools match decides, and where none does the call is asked about. */
import type { Ruling } from '../approval/approval.ts'
import { matches } from './glob.ts'

export interface Rule {
  readonly name: string
  /** Globs over the platform's canonical tool name. */
  readonly tools: readonly string[]
  readonly verdict:
    | { readonly ruling: 'allow' }
    | { readonly ruling: 'deny'; readonly reason: string }
    | { readonly ruling: 'ask'; readonly approvers: string; readonly reason: string }
}

/** A named set of people. Its parts add up. */
export interface ApproverSet {
  readonly users: readonly string[]
  readonly groups: readonly string[]
  /** Full members of the home workspace in the conversation where the rule asks. */
  readonly conversation: boolean
  /** Says that a public conversation, which anybody can join, is meant. */
  readonly open: boolean
}

export interface Policy {
  readonly rules: readonly Rule[]
  readonly defaults: { readonly approvers: string }
  readonly sets: ReadonlyMap<string, ApproverSet>
}

/** What the platform tells the run, and the card the person, where a rule gives no reason. */
export const ASK_REASON = 'A person must approve this call.'

export function rulingOf(policy: Policy, tool: string): Ruling {
  return ruling(policy, policy.rules, tool)
}

/**
 * Of a source whose own policy has asked already: allow and deny rules skip it (design, section 4), so that the first rule that
 * asks, or the default, says who is asked.
 */
export function askingOf(policy: Policy, tool: string): Ruling {
  return ruling(
    policy,
    policy.rules.filter(({ verdict }) => verdict.ruling === 'ask'),
    tool,
  )
}

function ruling(policy: Policy, rules: readonly Rule[], tool: string): Ruling {
  const rule = rules.find((one) => one.tools.some((glob) => matches(glob, tool)))
  if (rule === undefined) return { ruling: 'ask', rule: null, reason: ASK_REASON, approvers: policy.defaults.approvers }
  switch (rule.verdict.ruling) {
    case 'allow':
      return { ruling: 'allow', rule: rule.name }
    case 'deny':
      return { ruling: 'deny', rule: rule.name, reason: rule.verdict.reason }
    case 'ask':
      return { ruling: 'ask', rule: rule.name, reason: rule.verdict.reason, approvers: rule.verdict.approvers }
  }
}

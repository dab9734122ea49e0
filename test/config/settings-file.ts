/** A settings file that holds, its lines counted from 1, and an environment with it. Every secret in it is marked. */
import { type Config, loadConfig } from '../../src/config/config.ts'
import { Unfit } from '../../src/config/fault.ts'

/** Stands in every secret, and must stand in no fault. */
export const PLANTED = 'PLANTED'

export const VARIABLES: Readonly<Record<string, string | undefined>> = {
  SLACK_BOT_TOKEN: `xoxb-12345678-${PLANTED}`,
  SLACK_SIGNING_SECRET: `signing-${PLANTED}-0123`,
  NOVO_HOOK_SECRET: `tah_${PLANTED}_0123456789`,
  NOVO_API_KEY: `key_${PLANTED}`,
}

const LINES = [
  'slack:',
  '  conversation: C0APPROVALS',
  'hooks:',
  '  - name: novo',
  '    secrets: [env:NOVO_HOOK_SECRET]',
  '    key: env:NOVO_API_KEY',
  'operators: { users: [U0ANA] }',
  'approvers:',
  '  everyone: { conversation: true }',
  '  leads: { users: [U0ANA, U0BOB] }',
  'rules:',
  '  - name: reads',
  '    tools: [read_file]',
  '    allow: {}',
  '  - name: money',
  '    tools: ["pay_*"]',
  '    ask: { approvers: leads }',
  'defaults:',
  '  approvers: everyone',
] as const

/** The file with some of its lines replaced. */
export function fileWith(lines: Readonly<Record<number, string>> = {}): string {
  return LINES.map((line, index) => lines[index + 1] ?? line).join('\n')
}

export function load(text: string = fileWith(), variables: Readonly<Record<string, string | undefined>> = {}): Config {
  return loadConfig({ ...VARIABLES, ...variables }, () => text)
}

/** Every fault, a line each; none when the settings hold. */
export function faults(text?: string, variables?: Readonly<Record<string, string | undefined>>): readonly string[] {
  try {
    load(text, variables)
    return []
  } catch (error) {
    if (error instanceof Unfit) return error.message.split('\n')
    throw error
  }
}

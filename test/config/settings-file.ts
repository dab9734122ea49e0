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
  STEWARD_SECRET: `steward_${PLANTED}_0123456789abcdef0`,
  STEWARD_NUDGE_SECRET: `nudge_${PLANTED}_0123456789abcdef012`,
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

/** Line 6, and a channel below it: its name on line 8, its address on 9, its secret on 10, and whatever else is said from 11 on. */
export function withChannel(said: Readonly<Record<string, string>> = {}): Readonly<Record<number, string>> {
  const members = Object.entries({ name: 'steward', url: 'https://steward.internal', secret: 'env:STEWARD_SECRET', ...said })
  const lines = members.map(([key, value], index) => `  ${index === 0 ? '-' : ' '} ${key}: ${value}`)
  return { 6: ['    key: env:NOVO_API_KEY', 'channels:', ...lines].join('\n') }
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

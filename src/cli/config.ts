import { loadConfig } from '../config/config.ts'

/** `countersign config check`. @throws Unfit with every fault. */
export function checkConfig(variables: NodeJS.ProcessEnv): void {
  const config = loadConfig(variables)
  process.stdout.write(
    `The settings hold: ${config.hooks.length} hooks, ${config.channels.length} channels, ${config.policy.rules.length} rules, ${config.policy.sets.size} sets of approvers.\n`,
  )
}

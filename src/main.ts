#!/usr/bin/env node
/** The process: arguments, environment, signals, exit code. */
import { Command, CommanderError } from 'commander'
import { Unfit } from './config/fault.ts'
import { VERSION } from './version.ts'

const program = new Command('countersign')
  .description("Puts a person's signature under what an AI agent is about to do.")
  .version(VERSION)
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })

program
  .command('serve')
  .description('run the bot')
  .action(async () => (await import('./cli/serve.ts')).serve(process.env))
program
  .command('demo')
  .description('try it here: the bot, a stand-in Slack with a page, and a stand-in agent platform')
  .option('--channel', 'an agent with a signed channel of its own, instead of the platform and its hook')
  .option('--deny', 'the same, and a colleague denies what it asks')
  .action(async (options: object) => (await import('./cli/demo.ts')).demo(process.env, options))
program
  .command('cards', { hidden: true })
  .description('every state of a card side by side, on a page')
  .action(async () => (await import('./cli/cards.ts')).cards(process.env))
program
  .command('config')
  .description('the settings')
  .command('check')
  .description('read settings and environment as serve would, and print every fault')
  .action(async () => (await import('./cli/config.ts')).checkConfig(process.env))
program
  .command('doctor')
  .option('--press', 'also wait for a press of a button in Slack, while the bot is stopped')
  .option('--blocks', 'also show Slack every kind of card')
  .option('--json')
  .description('check what only the outside can tell: tokens, scopes, conversations, people, clocks, sources')
  .action(async (options: object) => (await import('./cli/doctor.ts')).doctor(process.env, options))
program
  .command('manifest')
  .option('--url <url>', 'the https address at which Slack reaches this installation: HTTP mode')
  .option('--json')
  .description('the manifest of the Slack app, for Socket Mode or for HTTP')
  .action(async (options: object) => (await import('./cli/manifest.ts')).printManifest(options))
const approvals = program.command('approvals').description('approvals, in the local database or over a signed channel')
const at = (command: Command): Command =>
  command
    .option('--url <url>', 'a signed channel instead of the local database: what stands before /runs')
    .option('--secret-env <name>', "the environment variable that holds the channel's secret")
    .option('--signed-path <path>', 'what stands before /runs in the signed path')
at(approvals.command('list').argument('<run>', "the run's id, or its root's"))
  .option('--json')
  .description('what waits in a run')
  .action(async (run: string, options: object) => (await import('./cli/approvals.ts')).list(process.env, run, options))
at(approvals.command('show').argument('<run>').argument('<id>', 'as listed'))
  .option('--json')
  .description('one approval, whole')
  .action(async (run: string, id: string, options: object) =>
    (await import('./cli/approvals.ts')).show(process.env, run, id, options),
  )
for (const [name, verb] of [
  ['approve', 'approve'],
  ['deny', 'reject'],
] as const) {
  at(approvals.command(name).argument('<run>').argument('<id>', 'as listed'))
    .requiredOption('--hash <hash>', 'of what you were shown')
    .option('--note <text>', 'recorded; on a deny the model gets it word for word')
    .description(`${name} one approval, as an operator on this host`)
    .action(async (run: string, id: string, options: { hash: string }) =>
      (await import('./cli/approvals.ts')).decide(process.env, verb, run, id, options),
    )
}
const runs = program.command('runs').description('runs: watching those of channel sources, cancelling any')
at(runs.command('watch').argument('<source-or-run>').argument('[run]', "the run's id, after the source's name"))
  .description('show what waits in a run of a channel source; with --url, ask the bot at that address to')
  .action(async (first: string, run: string | undefined, options: object) =>
    (await import('./cli/runs.ts')).watch(process.env, [first, ...(run === undefined ? [] : [run])], options),
  )
runs
  .command('unwatch')
  .argument('<source-or-run>')
  .argument('[run]', "the run's id, after the source's name")
  .description('look at a run no longer')
  .action(async (first: string, run: string | undefined) =>
    (await import('./cli/runs.ts')).unwatch(process.env, [first, ...(run === undefined ? [] : [run])]),
  )
at(runs.command('cancel').argument('<run>', "the run's id"))
  .option('--note <text>', 'recorded with it')
  .description('deny what waits in a run and each later call of it; a run of a channel source ends there')
  .action(async (run: string, options: object) => (await import('./cli/runs.ts')).cancel(process.env, run, options))
approvals
  .command('retry')
  .argument('<run>', "the run's id, or its root's")
  .argument('<id>', "the approval's id")
  .description('send a decision again that could not be delivered')
  .action(async (run: string, id: string) => (await import('./cli/approvals.ts')).retry(process.env, run, id))

try {
  await program.parseAsync(process.argv)
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else if (error instanceof Unfit) {
    process.stderr.write(
      `countersign: not fit to start:\n${error.faults.map(({ where, what }) => `  ${where}: ${what}\n`).join('')}`,
    )
    process.exitCode = 1
  } else {
    process.stderr.write(`countersign: ${error instanceof Error ? error.message : 'failed'}\n`)
    process.exitCode = 1
  }
}

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
  .action(async () => (await import('./cli/demo.ts')).demo(process.env))
program
  .command('config')
  .description('the settings')
  .command('check')
  .description('read settings and environment as serve would, and print every fault')
  .action(async () => (await import('./cli/config.ts')).checkConfig(process.env))
program
  .command('approvals')
  .description('approvals in the local database')
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

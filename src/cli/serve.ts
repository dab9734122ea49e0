/** `countersign serve`: the bot, until a signal ends it. */
import { type App, startApp } from '../app.ts'
import { PACE } from '../approval/sweep.ts'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config/config.ts'
import { makeLog } from '../log.ts'

/** @throws Unfit, UnusableDatabase, or an Error in words: the process is not fit to start. */
export async function serve(variables: NodeJS.ProcessEnv): Promise<void> {
  const config = loadConfig(variables)
  const log = makeLog(config.logLevel)
  const app = await startApp(config, { log, clock: systemClock, pace: PACE, random: Math.random })
  stopOnSignal(app, () => log.info('stopped'))
}

/** The first signal ends what is under way; a second one ends the process. */
function stopOnSignal(app: Pick<App, 'stop'>, stopped: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1))
      app.stop().then(
        () => {
          stopped()
          process.exit(0)
        },
        () => process.exit(1),
      )
    })
  }
}

/** `countersign cards`: every state of a card side by side, on a page of the stand-in Slack. Nothing is asked, and nothing kept. */
import { randomBytes } from 'node:crypto'
import { startSlack } from '../sandbox/slack/stand-in.ts'
import { timesBefore } from './cards-calls.ts'
import { examples } from './cards-examples.ts'

const PAGE_PORT = 3080

/** @throws Error in words */
export async function cards(variables: NodeJS.ProcessEnv): Promise<void> {
  const port = Number(variables.DEMO_PAGE_PORT ?? PAGE_PORT)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('DEMO_PAGE_PORT must be a port number')
  const secret = randomBytes(16).toString('hex')
  const slack = await startSlack({
    port,
    botToken: `xoxb-sandbox-${secret}`,
    signingSecret: secret,
    exhibits: examples(timesBefore(new Date())),
  }).catch((error: unknown) => {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    throw taken
      ? new Error(`port ${port} is taken by another program; stop that one or set DEMO_PAGE_PORT to another port`)
      : error
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void slack.close())
  process.stdout.write(`Every card stands on this page:   ${slack.url}/cards\n\nCtrl-C ends it.\n`)
}

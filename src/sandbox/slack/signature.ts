import { createHmac } from 'node:crypto'

/** Slack's request signature v0. Source: docs.slack.dev/authentication/verifying-requests-from-slack. */
export function signed(secret: string, seconds: number, body: string): Record<string, string> {
  const mac = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${mac}` }
}

/** The stand-in Slack, a process of its own so that what it costs does not show as latency of the load. */
import { startSlack } from '../../src/sandbox/slack/stand-in.ts'

const [state = '', botToken = '', signingSecret = ''] = process.argv.slice(2)

const slack = await startSlack({ botToken, signingSecret })
if (state === 'hangs') slack.fault({ method: '*', kind: 'hang', times: Number.POSITIVE_INFINITY })
if (state === 'unreachable') await slack.goDown()
process.send?.({ port: slack.port })
process.once('disconnect', () => process.exit())

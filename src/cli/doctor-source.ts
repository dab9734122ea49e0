/** Whether the sources can be reached from here, and whether those that are asked take our signature. */
import { Agent } from 'undici'
import { Failure } from '../approval/ports.ts'
import { type ChannelClient, channelClient } from '../approval-channel/client.ts'
import { channelSecret } from '../approval-channel/signature.ts'
import type { ChannelConfig, Config, HookConfig } from '../config/config.ts'
import { newId } from '../new-id.ts'
import { troubleOf } from '../sources/agentrt/trouble.ts'
import { clockFinding, type Told, toldBy } from './doctor-clock.ts'
import { type Finding, fails, ok } from './doctor-finding.ts'
import { CALL_MS, type NoAnswer, noAnswerOf, noAnswerWords } from './doctor-network.ts'

interface Seen {
  readonly finding: Finding
  readonly told: Told | undefined
}

/** Every source's findings, and after each whose clock was told, that. */
export async function lookAtSources(config: Config, now: () => Date): Promise<readonly Finding[]> {
  const seen = await Promise.all([
    ...config.hooks.flatMap((hook) => hook.origins.map((origin) => lookAtOrigin(hook, origin, now))),
    ...config.channels.map((channel) => lookAtChannel(channel, now)),
  ])
  return seen.flatMap(({ finding, told }) => (told === undefined ? [finding] : [finding, clockFinding(finding.check, told)]))
}

/** The origin without the key: nothing that a resolution could be taken for leaves, and any answer shows that the way is there. */
async function lookAtOrigin(hook: HookConfig, origin: string, now: () => Date): Promise<Seen> {
  const check = `hook ${hook.name} at ${origin}`
  const agent = new Agent({ connect: { timeout: CALL_MS }, headersTimeout: CALL_MS, bodyTimeout: CALL_MS })
  try {
    const signal = AbortSignal.timeout(CALL_MS)
    const { statusCode, headers, body } = await agent.request({ origin, path: '/', method: 'GET', signal })
    const told = toldBy(String(headers.date), now())
    body.on('error', () => undefined).destroy()
    return { finding: ok(check, `answers (HTTP ${statusCode}). Its key is proven by the first decision only.`), told }
  } catch (error) {
    return { finding: silent(check, noAnswerOf(error)), told: undefined }
  } finally {
    await agent.destroy()
  }
}

/** A list of a run that cannot be there: only who knows the secret, at the right path and time, is told that. */
async function lookAtChannel(channel: ChannelConfig, now: () => Date): Promise<Seen> {
  const check = `channel ${channel.name} at ${channel.url}`
  const client = channelClient({
    url: channel.url,
    signedPath: channel.signedPath,
    secret: channelSecret(channel.secret),
    now,
    newNonce: newId,
    answerMs: CALL_MS,
  })
  try {
    const answer = await client.list(`countersign-doctor-${newId()}`)
    return answered(check, channel, answer, now())
  } catch (error) {
    const code = error instanceof Failure ? error.trouble.code : 'no_answer'
    return { finding: failed(check, channel, code), told: undefined }
  } finally {
    await client.close()
  }
}

function answered(check: string, channel: ChannelConfig, answer: Awaited<ReturnType<ChannelClient['list']>>, now: Date): Seen {
  if (answer.ok) {
    const message = 'it says that a run is there which cannot be.'
    return { finding: fails(check, message, 'Check that channels[].url leads to the approval channel itself.'), told: undefined }
  }
  const told = answer.theirClock === undefined ? undefined : { theirs: answer.theirClock, ours: now }
  const trouble = troubleOf(answer, now, 'no')
  if (trouble !== undefined) return { finding: failed(check, channel, trouble.trouble.code), told }
  if (answer.code === 'not_found') return { finding: ok(check, 'answers, and takes our signature.'), told }
  const mend = 'Check that channels[].url leads to the approval channel itself.'
  return { finding: fails(check, `it answers otherwise than a channel does (${answer.code}).`, mend), told }
}

function failed(check: string, { secretSetting, signedPath }: ChannelConfig, code: string): Finding {
  switch (code) {
    case 'bad_signature':
      return fails(
        check,
        'it refuses our signature.',
        `Check that ${secretSetting} is its secret, and that signedPath (now “${signedPath}”) is what it sees before /runs.`,
      )
    case 'clocks_differ':
      return fails(
        check,
        'it refuses our signature, for its clock and ours are minutes apart.',
        'Have both hosts set their clocks by a time server.',
      )
    case 'rate_limited':
      return fails(check, 'it asks us to wait, so our signature was not looked at.', 'Run doctor again in a minute.')
    case 'unreachable':
    case 'no_answer':
    case 'bad_certificate':
      return silent(check, code)
    case 'http_404':
      return fails(check, 'there is no approval channel at this address.', 'Check channels[].url: it ends before /runs.')
    default:
      return fails(
        check,
        `what answers is not an approval channel, or it is in trouble (${code}).`,
        'Check channels[].url, what stands between it and this host, and its own log.',
      )
  }
}

function silent(check: string, code: NoAnswer): Finding {
  const { message, mend } = noAnswerWords(code, 'the source')
  return fails(check, message, mend)
}

/**
 * The suite against a channel that runs somewhere already, such as agentrt's own: CHANNEL_URL is what `/runs/…` is appended to,
 * CHANNEL_SECRET its secret, CHANNEL_RUN a run that waits for the approval CHANNEL_APPROVAL. The approval is granted in the end.
 * It takes about a minute, in which nobody else should ask: the suite waits for the rate of the protocol's defaults to refill.
 *
 * Where CI is set and no channel is given, the example runtime is the stranger, so that the way to any other is tried each time.
 */
import { afterAll, describe, test } from 'vitest'
import { PROPOSAL } from '../../src/sandbox/runtime/example.ts'
import { startRuntime } from '../../src/sandbox/runtime/runtime.ts'
import { givenSuite } from './conformance.ts'

const { CHANNEL_URL: url, CHANNEL_SECRET: secret, CHANNEL_RUN: run, CHANNEL_APPROVAL: approval, CI } = process.env

if (url !== undefined && secret !== undefined && run !== undefined && approval !== undefined) {
  givenSuite(`the channel at ${url}`, { url: url.replace(/\/$/, ''), secret }, run, approval)
} else if ((CI ?? '') !== '') {
  const runtime = await startRuntime({ secret: 's'.repeat(32) })
  afterAll(() => runtime.close())
  const paused = runtime.start(PROPOSAL)
  givenSuite('a channel that is given', { url: runtime.url, secret: 's'.repeat(32) }, paused.run, paused.approval)
} else {
  process.stderr.write(
    'Skipped: the conformance suite on a given channel, for CHANNEL_URL, CHANNEL_SECRET, CHANNEL_RUN and CHANNEL_APPROVAL are not all set.\n',
  )
  describe.skip('a given channel', () => test('is not there', () => undefined))
}

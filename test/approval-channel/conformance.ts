/**
 * The conformance suite of the signed approval channel. It speaks the wire by code of its own, so that any implementation can be
 * put in its place: `channelSuite` for one that tests can set up, `givenSuite` for one that runs somewhere already.
 */
import { afterEach, describe, expect, type TestContext, test } from 'vitest'
import { bodyCases } from './conformance-body.ts'
import { boundCases } from './conformance-bound.ts'
import type { Case, ChannelUnderTest, Hook, Need, Paused, Stage, Wish } from './conformance-channel.ts'
import { decideCases } from './conformance-decide.ts'
import { replayCases } from './conformance-replay.ts'
import { routeCases } from './conformance-route.ts'
import { signatureCases } from './conformance-signature.ts'
import { textCases } from './conformance-text.ts'
import { expectOwnVectors, vectorCases } from './conformance-vector.ts'
import { approve, expectRefusal, reject, show } from './conformance-wire.ts'

export type { ChannelUnderTest, Observed, Pause, Paused, Wish } from './conformance-channel.ts'

export interface SuiteOptions {
  /** Where the protocol leaves a choice, the stricter one must have been made: repeated members, absurd timestamps. */
  readonly strict?: boolean
}

const CASES: Readonly<Record<string, readonly Case[]>> = {
  'routes and forms': routeCases,
  vectors: vectorCases,
  signature: signatureCases,
  replay: replayCases,
  'order and bounds': boundCases,
  bodies: bodyCases,
  decisions: decideCases,
  text: textCases,
}

/** Few behaviours are about the rate; the others must not meet it. */
const UNHURRIED: Wish = { rate: 1000, burst: 1000 }

/** Every behaviour, each on a channel of its own. */
export function channelSuite(
  name: string,
  make: (wish: Wish) => Promise<ChannelUnderTest>,
  { strict = false }: SuiteOptions = {},
): void {
  let channel: ChannelUnderTest | undefined
  afterEach(async () => {
    await channel?.close()
    channel = undefined
  })
  describe(name, () => {
    test('the suite signs as the vectors do', expectOwnVectors)
    for (const [area, cases] of Object.entries(CASES)) {
      describe(area, () => {
        for (const one of cases) {
          test(one.name, async (context) => {
            channel = await make({ ...UNHURRIED, ...one.wish })
            await one.run(stageOf(channel, context, strict))
          })
        }
      })
    }
  })
}

/** What can be shown on one paused run of somebody else's; the last behaviour grants it. */
export function givenSuite(
  name: string,
  given: Pick<ChannelUnderTest, 'url' | 'signedPath' | 'secret'>,
  run: string,
  approval: string,
): void {
  let hash = ''
  const channel: ChannelUnderTest = { ...given, pause: () => ({ run, approval, hash }), close: () => undefined }
  const paused = (): Paused => ({ run, approval, hash })
  /** Until the other side's bucket is full again: 20 requests at 10 a second. */
  const rest = () => new Promise<void>((done) => setTimeout(done, 2100))
  describe(name, () => {
    test('the run waits for the approval that is given', async () => {
      const reply = await show(channel, { run, approval })
      expect(reply.status).toBe(200)
      const shown = JSON.parse(reply.text)
      expect(shown).toMatchObject({ id: approval, run_id: run, status: 'pending', hash: expect.any(String) })
      hash = shown.hash
    })
    for (const one of Object.values(CASES).flat()) {
      if (one.untouched !== true) continue
      test(one.name, async (context) => {
        await rest()
        await one.run(stageOf(channel, context, false))
      })
    }
    test('a grant counts once, and nothing but a cancel comes after it', async () => {
      await rest()
      expect((await approve(channel, paused(), { by: 'conformance', note: 'granted by the suite' })).status).toBe(202)
      expectRefusal(await approve(channel, paused()), 409, 'not_pending')
      expectRefusal(await reject(channel, paused()), 409, 'not_pending')
    })
  })
}

function stageOf(channel: ChannelUnderTest, context: TestContext, strict: boolean): Stage {
  const skip = (what: string): never => context.skip(`needs ${what}`)
  const need: Need = (hook) => present(channel[hook], hook, skip)
  const bounds = { rate: 10, burst: 20, maxBody: 16_384, limit: 20, skewSeconds: 300, ...channel.bounds }
  return { channel, strict, bounds, need, skip }
}

function present<T>(hook: T, name: Hook, skip: (what: string) => never): NonNullable<T> {
  return hook ?? skip(`the hook ${name}`)
}

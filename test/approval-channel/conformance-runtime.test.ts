import { startRuntime } from '../../src/sandbox/runtime/runtime.ts'
import type { ChannelUnderTest, Wish } from './conformance.ts'
import { channelSuite } from './conformance.ts'

const SECRET = '0123456789abcdef0123456789abcdef'
const DAY_MS = 86_400_000

async function make({ at, ...wish }: Wish): Promise<ChannelUnderTest> {
  let now = at
  const clock = () => now ?? new Date()
  const advance = (ms: number) => {
    now = new Date(clock().getTime() + ms)
  }
  const runtime = await startRuntime({ secret: SECRET, ...wish, ...(at === undefined ? {} : { now: clock }) })
  return {
    url: runtime.url,
    secret: SECRET,
    bounds: wish,
    ...(at === undefined ? {} : { now: clock, advance }),
    pause: (pause = {}) => runtime.start({ tool: 'publish_proposal', ...pause }),
    resume: runtime.resume,
    represent: (approval, presentation) => runtime.represent(approval, { presentation }).hash,
    corrupt: (approval, presentation) => runtime.corrupt(approval, { presentation }),
    expire: (approval) => runtime.corrupt(approval, { expiresAt: new Date(clock().getTime() - DAY_MS).toISOString() }),
    effects: runtime.effects,
    events: runtime.events,
    close: runtime.close,
  }
}

channelSuite('the example runtime', make)

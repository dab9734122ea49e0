import { onTestFinished } from 'vitest'
import type { Runtime, RuntimeOptions } from '../../src/sandbox/runtime/runtime.ts'
import { startRuntime } from '../../src/sandbox/runtime/runtime.ts'

const SECRET = 's'.repeat(32)

/** A runtime that ends with its test, and its channel as the suite's own signer speaks to it. */
export async function scene(options: Partial<RuntimeOptions> = {}): Promise<{
  runtime: Runtime
  channel: { url: string; secret: string; now: () => Date; pause: Runtime['start']; close: Runtime['close'] }
}> {
  const runtime = await startRuntime({ secret: SECRET, rate: 1000, burst: 1000, ...options })
  onTestFinished(runtime.close)
  const now = options.now ?? (() => new Date())
  return { runtime, channel: { url: runtime.url, secret: SECRET, now, pause: runtime.start, close: runtime.close } }
}

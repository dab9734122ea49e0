import { defineConfig } from 'vitest/config'

const bounds = {
  root: new URL('..', import.meta.url).pathname,
  // Bounds a test that hangs; none of them measures time.
  testTimeout: 30_000,
  hookTimeout: 30_000,
}

/** What people do in Slack, which is the same however Slack reaches us. */
const EITHER_WAY = ['asked-source', 'burst', 'decision', 'home', 'people', 'repeated-call', 'secrets', 'slack-fault', 'thread']

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...bounds, name: 'all', include: ['test/**/*.test.ts'] } },
      {
        test: {
          ...bounds,
          name: 'socket',
          include: EITHER_WAY.map((name) => `test/wire/${name}.test.ts`),
          env: { SLACK_MODE: 'socket' },
        },
      },
    ],
  },
})

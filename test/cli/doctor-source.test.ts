/** A source's fault fails its own line, and nothing that could be taken for a decision is sent. */
import { afterEach, describe, expect, test } from 'vitest'
import { of, type Stage, type StageOptions, stage } from './doctor-stage.ts'

let s: Stage
afterEach(() => s.close())

const ahead = (seconds: number) => (): Date => new Date(Date.now() + seconds * 1000)
const ELSEWHERE = 'another-secret-of-at-least-32-bytes'
const nothing = (): void => undefined

describe('sources', () => {
  const steward = (): string => `channel steward at ${s.channelUrl}`
  const sources: readonly [string, StageOptions, (s: Stage) => unknown, () => string, RegExp][] = [
    [
      'another secret',
      { env: { STEWARD_SECRET: ELSEWHERE } },
      nothing,
      steward,
      /STEWARD_SECRET is its secret, and that signedPath/,
    ],
    ['is down', {}, ({ runtime }) => runtime.goDown(), steward, /it runs/],
    ['asks to wait', {}, ({ runtime }) => runtime.answerNext({ status: 429 }), steward, /again in a minute/],
    [
      'another path',
      { runtime: { prefix: '/hooks' }, channelUrl: (url) => new URL(url).origin },
      nothing,
      steward,
      /channels\[\]\.url/,
    ],
    ['cannot', {}, ({ runtime }) => runtime.answerNext({ status: 503, body: 'no' }), steward, /its own log/],
    ['breaks off', {}, ({ runtime }) => runtime.answerNext({ reset: true }), steward, /stands between/],
    [
      'is a hook’s, down',
      {},
      ({ platform }) => platform.goDown(),
      () => `hook novo at ${s.platform.url}`,
      /its address is right/,
    ],
  ]
  test.each(sources)('one that has or %s fails its line', async (_, options, spoil, check, mend) => {
    s = await stage(options)
    await spoil(s)
    const { code, findings } = await s.look()
    expect(of(findings, 'fails')).toEqual([check()])
    expect(code).toBe(1)
    expect(findings.find((one) => one.check === check())?.mend).toMatch(mend)
    expect(s.platform.resolutions()).toEqual([])
  })

  test('one whose clock is minutes off refuses our signature, and it is the clock that is named', async () => {
    s = await stage({ runtime: { now: ahead(600) } })
    const { findings } = await s.look()
    expect(of(findings, 'fails')).toEqual([steward(), `clock against ${steward()}`])
    expect(findings.find(({ check }) => check === steward())?.mend).toContain('time server')
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PROPOSAL } from '../../src/sandbox/runtime/example.ts'
import { program, type Run } from '../crash/bot.ts'
import { type Scene, scene, standardSettings, withSteward } from '../scene.ts'

let s: Scene
let folder: string
let file: string
beforeEach(async () => {
  s = await scene({ runtime: { rate: 1000, burst: 1000 } })
  folder = mkdtempSync(join(tmpdir(), 'countersign-runs-'))
  file = join(folder, 'countersign.yml')
  writeFileSync(file, standardSettings(s.platform.url) + withSteward(s.runtime.url))
})
afterEach(async () => {
  await s.close()
  rmSync(folder, { recursive: true, force: true })
})

/** With no secret in its environment but the one that is named. */
const runs = (args: readonly string[], secret = ''): Promise<Run> =>
  program(
    ['runs', ...args],
    {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: `sqlite:${s.databasePath}`,
      COUNTERSIGN_CONFIG: file,
      ...(secret === '' ? {} : { SECRET: secret }),
    },
    folder,
  )

const stewardSecret = (): string => s.secrets.find((secret) => secret.startsWith('steward_')) ?? ''
const opened = (run: string): Promise<Readonly<Record<string, unknown>>> =>
  s.slack.until('the approval is opened', () => s.rows('approvals').find((row) => row.run === run))

test('on the host, a run is watched by the running bot, and watched no longer', async () => {
  const { run } = s.runtime.start(PROPOSAL)
  expect(await runs(['watch', run])).toMatchObject({ code: 0, output: expect.stringContaining('Watched') })
  expect(await opened(run)).toMatchObject({ source: 'steward', status: 'pending' })
  expect(s.rows('watches')).toMatchObject([{ run, by: expect.stringMatching(/^cli:/) }])
  expect(await runs(['unwatch', 'steward', run])).toMatchObject({ code: 0 })
  expect(s.rows('watches')).toEqual([])
  expect(await runs(['unwatch', run])).toMatchObject({ code: 1, output: 'countersign: that run was not watched\n' })
})

test('a source that is not there is told with those that are, and nothing is watched', async () => {
  expect(await runs(['watch', 'stewart', 'run_1'])).toMatchObject({
    code: 1,
    output: 'countersign: no such source: steward\n',
  })
  expect(await runs(['watch'])).toMatchObject({ code: 2 })
  expect(s.rows('watches')).toEqual([])
})

test('with --url, a nudge has the bot at that address watch', async () => {
  const { run } = s.runtime.start(PROPOSAL)
  const there = ['--url', `http://127.0.0.1:${s.app().port}`, '--secret-env', 'SECRET']
  const wrong = await runs(['watch', 'steward', run, ...there], 'another-secret-of-at-least-32-bytes')
  expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('check the secret') })
  expect(await runs(['watch', run, ...there], s.nudgeSecret)).toMatchObject({ code: 1 })
  expect(s.rows('watches')).toEqual([])
  expect(await runs(['watch', 'steward', run, ...there], s.nudgeSecret)).toEqual({ code: 0, output: 'Watched.\n' })
  await opened(run)
})

test('cancel on the host: what waits carries it to the source, and the run ends there', async () => {
  const { run, approval } = s.runtime.start(PROPOSAL)
  await runs(['watch', run])
  await opened(run)
  expect(await runs(['cancel', run, '--note', 'wrong branch'])).toEqual({ code: 0, output: 'Cancelled.\n' })
  await s.runtime.until('the run is over', () => s.runtime.run(run)?.status === 'CANCELLED')
  expect(s.runtime.run(run)).toMatchObject({ reason: 'operator_cancelled', detail: 'wrong branch' })
  expect(s.row(approval)).toMatchObject({ outcome: 'cancelled' })
  expect(await runs(['cancel', 'run_none'])).toMatchObject({ code: 1, output: expect.stringContaining('give --url') })
})

test('cancel over the source’s own channel, and what it says when the run is over', async () => {
  const { run } = s.runtime.start(PROPOSAL)
  const there = ['--url', s.runtime.url, '--secret-env', 'SECRET']
  expect(await runs(['cancel', run, ...there], stewardSecret())).toEqual({ code: 0, output: 'Cancelled.\n' })
  expect(s.runtime.run(run)?.status).toBe('CANCELLED')
  expect(await runs(['cancel', run, ...there], stewardSecret())).toMatchObject({
    code: 1,
    output: expect.stringContaining('over already'),
  })
})

test('cancel of a hook’s run denies what waits and each later call', async () => {
  const { id, run } = await s.call('bash', { command: 'ls' })
  expect(await runs(['cancel', run])).toMatchObject({ code: 0 })
  await s.platform.until('it is denied', () => s.platform.interaction(id)?.state === 'denied')
  expect(await s.call('bash', { command: 'pwd' }, { run })).toMatchObject({ state: 'denied' })
})

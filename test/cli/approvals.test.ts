import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { program, type Run } from '../crash/bot.ts'
import { type Scene, scene, standardSettings } from '../scene.ts'

let s: Scene
beforeEach(async () => {
  s = await scene({
    settings: (url) =>
      `${standardSettings(url)}serve:\n  - { name: console, secret: "env:CHANNEL_SECRET", decides: [everyone] }\n`,
  })
})
afterEach(() => s.close())

const onHost = (...args: readonly string[]): Promise<Run> =>
  program(['approvals', ...args], { PATH: process.env.PATH ?? '', DATABASE_URL: `sqlite:${s.databasePath}` }, tmpdir())
const overChannel = (...args: readonly string[]): Promise<Run> =>
  program(
    ['approvals', ...args, '--url', `http://127.0.0.1:${s.app().port}/channel`, '--secret-env', 'SECRET'],
    { PATH: process.env.PATH ?? '', SECRET: s.channelSecret },
    tmpdir(),
  )

test.each([
  ['on the host', onHost, null],
  ['over the signed channel', overChannel, 'channel/console'],
])('%s an operator lists, shows, and decides bound to the hash', async (_where, run, via) => {
  const first = await s.call('bash', { command: 'make \u202e deploy' })
  const second = await s.call('bash', { command: 'rm -rf build' }, { run: first.run })
  const listed = await run('list', first.run)
  expect(listed.code).toBe(0)
  const [[id = '', hash = ''] = [], [other = '', otherHash = ''] = []] = listed.output
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
  expect(id).toBe(s.row(first.id)?.row_id)
  const shown = await run('show', first.run, id)
  expect(shown.output).toContain(`hash    ${hash}`)
  expect(shown.output).toContain('"make \\u{202e} deploy"')
  expect(JSON.parse((await run('list', first.run, '--json')).output).pending).toHaveLength(2)

  const wrong = await run('approve', first.run, id, '--hash', '0'.repeat(64))
  expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('not the one with that hash') })
  expect(s.row(first.id)).toMatchObject({ status: 'pending' })

  expect(await run('approve', first.run, id, '--hash', hash)).toMatchObject({ code: 0, output: 'Approved.\n' })
  expect(await run('deny', first.run, other, '--hash', otherHash, '--note', 'not today')).toMatchObject({ code: 0 })
  await s.platform.until('both are delivered', () => s.platform.effects(first.id) === 1 && s.platform.effects(second.id) === 1)
  expect(s.platform.interaction(second.id)).toMatchObject({ state: 'denied', reason: 'not today' })
  expect(s.row(first.id)).toMatchObject({ outcome: 'approved', via, decided_by: expect.stringMatching(/^cli:/) })
  await s.card(first.id, 'someone outside Slack')
})

test('wrong usage and a wrong secret are told in one line, with what to do', async () => {
  const { run } = await s.call('bash', { command: 'ls' })
  expect(await onHost('approve', run, 'x')).toMatchObject({ code: 2, output: expect.stringContaining('--hash') })
  expect(await onHost('list', run, '--url', 'http://127.0.0.1:1')).toMatchObject({
    code: 1,
    output: expect.stringContaining('--secret-env'),
  })
  expect(await onHost('list', run, '--url', 'http://example.com', '--secret-env', 'PATH')).toMatchObject({ code: 1 })
  const wrong = await program(
    ['approvals', 'list', run, '--url', `http://127.0.0.1:${s.app().port}/channel`, '--secret-env', 'SECRET'],
    { PATH: process.env.PATH ?? '', SECRET: 'another-secret-of-at-least-32-bytes' },
    tmpdir(),
  )
  expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('check the secret') })
  expect(wrong.output).not.toContain('another-secret')
})

test('a note that a source might not take is refused before anything is decided', async () => {
  const { id, run } = await s.call('bash', { command: 'ls' })
  const told = await onHost('deny', run, String(s.row(id)?.row_id), '--hash', String(s.row(id)?.hash), '--note', 'x'.repeat(4001))
  expect(told).toMatchObject({ code: 1, output: expect.stringContaining('at most 4000 characters') })
  expect(s.row(id)).toMatchObject({ status: 'pending' })
})

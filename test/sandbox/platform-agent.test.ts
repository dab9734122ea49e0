import { afterEach, expect, test } from 'vitest'
import { runAgent, visible } from '../../src/sandbox/platform/agent.ts'
import type { Hook, Platform } from '../../src/sandbox/platform/platform.ts'
import { startPlatform } from '../../src/sandbox/platform/platform.ts'
import { demoScript } from '../../src/sandbox/platform/script.ts'
import { hookThat } from './platform-hook.ts'

const cleanup: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo()
})

/** A platform and a hook whose answer follows from the tool. */
async function scene(
  answers: Record<string, unknown>,
): Promise<{ platform: Platform; hook: Hook; lines: string[]; say: (line: string) => void }> {
  const { hook, close } = await hookThat((res, { body }) => {
    res.end(JSON.stringify(answers[JSON.parse(body).toolName] ?? { decision: 'pause', reason: 'the rules ask' }))
  })
  cleanup.push(close)
  const platform = await startPlatform({ apiKey: 'key' })
  cleanup.push(() => platform.close())
  const lines: string[] = []
  return { platform, hook, lines, say: (line) => lines.push(line) }
}

async function decide(platform: Platform, id: string, body: unknown): Promise<void> {
  await platform.until(`${id} waits`, () => platform.interaction(id)?.state === 'waiting')
  const headers = { authorization: 'Bearer key', 'content-type': 'application/json' }
  const url = platform.interaction(id)?.resolveUrl ?? ''
  expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(200)
}

test('one step follows the other only as the platform lets it, and everything is told', async () => {
  const { platform, hook, lines, say } = await scene({ read_file: { decision: 'allow' } })
  const ended = runAgent({ platform, hook, script: demoScript, say, run: 'run_demo' })
  await decide(platform, 'tar_2', { decision: 'allow' })
  await platform.until('the third is asked', () => platform.interaction('tar_3')?.state === 'waiting')
  expect(platform.run('run_demo')?.state).toBe('waiting_for_approval')
  await decide(platform, 'tar_3', { decision: 'deny', reason: 'not\ntoday\u001b[2J' })
  expect(await ended).toMatchObject([{ id: 'run_demo', state: 'completed', interactions: ['tar_1', 'tar_2', 'tar_3'] }])
  expect(['tar_1', 'tar_2', 'tar_3'].map(platform.effects)).toEqual([1, 1, 1])
  expect(lines).toEqual([
    'run_demo  The agent asks to use read_file: {"path":"README.md"}',
    'run_demo  Allowed at once. The agent has read README.md.',
    'run_demo  The agent asks to use bash: Deletes old releases and stale sessions in production, then restarts the gateway.',
    'run_demo  Waiting for a person: the rules ask',
    'run_demo  Approved. The agent has run its six lines of shell (it only plays: nothing was deleted).',
    'run_demo  The agent asks to use apply_patch: Moves the settings of 31 services from version 1 to version 2.',
    'run_demo  Waiting for a person: the rules ask',
    'run_demo  Denied. The model reads: "not\\ntoday\\u{1b}[2J"',
    'run_demo  Run completed.',
  ])
})

test('side by side every step is a run of its own, and all wait at the same time', async () => {
  const { platform, hook, lines, say } = await scene({})
  const ended = runAgent({ platform, hook, script: demoScript, say, sideBySide: true })
  const ids = ['tar_1', 'tar_2', 'tar_3']
  await platform.until('all wait', () => ids.every((id) => platform.interaction(id)?.state === 'waiting'))
  expect(['run_1', 'run_2', 'run_3'].map((id) => platform.run(id)?.state)).toEqual(Array(3).fill('waiting_for_approval'))
  for (const id of ids.toReversed()) await decide(platform, id, { decision: 'allow' })
  expect((await ended).map(({ id, state }) => [id, state])).toEqual([
    ['run_1', 'completed'],
    ['run_2', 'completed'],
    ['run_3', 'completed'],
  ])
  expect(lines.filter((line) => line.endsWith('Run completed.'))).toHaveLength(3)
})

test('an agent whose run fails stops there', async () => {
  const { platform, hook, lines, say } = await scene({ read_file: 'nonsense' })
  const ended = runAgent({ platform, hook: { ...hook, onHookError: 'fail-run' }, script: demoScript, say })
  expect(await ended).toMatchObject([{ state: 'failed', interactions: ['tar_1'] }])
  expect(lines.slice(1)).toEqual([
    'run_1  The hook could not say (its answer makes no sense).',
    'run_1  The call does not happen.',
    'run_1  The run has failed. The agent stops here.',
  ])
})

test('an agent that waits is told when the platform closes', async () => {
  const { platform, hook, say } = await scene({})
  const ended = expect(runAgent({ platform, hook, script: demoScript, say })).rejects.toThrow('closed')
  await platform.until('it waits', () => platform.interaction('tar_1')?.state === 'waiting')
  await platform.close()
  await ended
})

test('control, direction and invisible characters are written out', () => {
  expect(visible('a\n\u001b\u202e\u200b\u2028é🙂')).toBe('a\\n\\u{1b}\\u{202e}\\u{200b}\\u{2028}é🙂')
})

test('the script has something to allow, something to fear and something too long for a card', () => {
  expect(demoScript.map(({ tool }) => tool)).toEqual(['read_file', 'bash', 'apply_patch'])
  expect(demoScript[0]?.input).toEqual({ path: 'README.md' })
  const long = JSON.stringify(demoScript[2]?.input)
  expect(long.length).toBeGreaterThan(28_000)
  expect(long.length).toBeLessThan(34_000)
})

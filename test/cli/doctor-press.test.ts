/** The press that doctor waits for: over HTTP, over a socket, from the wrong button, wrongly signed, and none at all. */
import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { Clock } from '../../src/approval/ports.ts'
import type { Finding } from '../../src/cli/doctor-finding.ts'
import { ACTION, PRESS_MS, waitForPress } from '../../src/cli/doctor-press.ts'
import { systemClock } from '../../src/clock.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { Message } from '../../src/sandbox/slack/messages.ts'
import { holdSole } from '../../src/store/database.ts'
import { type Stage, type StageOptions, stage } from './doctor-stage.ts'

let s: Stage
afterEach(() => s.close())

const PLACE = 'C0APPROVALS'
const button = (): Promise<Message> =>
  s.slack.until('a button', () => s.slack.messages(PLACE).find(({ blocks }) => JSON.stringify(blocks).includes(ACTION)), 20_000)

test.each([false, true])(
  'a press that arrives is told with who pressed, and on its message (Socket Mode: %s)',
  async (socket) => {
    s = await stage({ socket })
    const running = s.run('--press')
    const { ts } = await button()
    expect(() => holdSole(s.databasePath)).toThrow('already served')
    expect(await s.slack.click({ user: 'U0BOB', conversation: PLACE, ts, action_id: ACTION })).toMatchObject({ status: 200 })
    const { code, output } = await running
    expect(output).toContain(`Press the button that now stands in ${PLACE}`)
    expect(output).toContain('ok       press of a button: arrived, by U0BOB.\n')
    expect(output).not.toMatch(/^fails/m)
    expect(code).toBe(0)
    const [message, ...more] = s.slack.messages(PLACE)
    expect(more).toEqual([])
    expect(JSON.stringify(message?.blocks)).toMatch(/It arrived.*U0BOB/)
    expect(JSON.stringify(message?.blocks)).not.toContain(ACTION)
    holdSole(s.databasePath).release()
  },
)

/** The waiting ends when the test says so. */
function waiting(options: { readonly stop?: AbortSignal } = {}): { readonly found: Promise<Finding>; readonly end: () => void } {
  let isOver = false
  let end: () => void = () => {
    isOver = true
  }
  const clock: Clock = {
    now: systemClock.now,
    after(ms, call) {
      if (ms !== PRESS_MS) return systemClock.after(ms, call)
      end = call
      // The message can be seen before its sender has heard that it stands.
      if (isOver) queueMicrotask(call)
      return () => undefined
    },
  }
  const config = loadConfig(s.variables)
  const stop = options.stop ?? new AbortController().signal
  const found = waitForPress(config, false, { clock, random: () => 0.5, prompt: () => undefined, stop })
  return { found, end: () => end() }
}

test.each<[string, StageOptions, RegExp]>([
  ['HTTP', {}, /^Nothing came to 127\.0\.0\.1:\d+\/slack\/events: .*Request URL.*TLS proxy/],
  ['Socket Mode', { socket: true }, /“Interactivity” and “Socket Mode” are on/],
])('no press in time fails, says what to look at, and takes the button away: %s', async (_, options, mend) => {
  s = await stage(options)
  const { found, end } = waiting()
  const { ts } = await button()
  end()
  expect(await found).toMatchObject({ status: 'fails', message: 'none arrived.', mend: expect.stringMatching(mend) })
  expect(JSON.stringify(s.slack.messages(PLACE).find((one) => one.ts === ts)?.blocks)).toContain('No press reached it')
})

test('a press that is signed otherwise does not count, and the signing secret is named', async () => {
  s = await stage({ env: { SLACK_SIGNING_SECRET: 'another-signing-secret' } })
  const { found, end } = waiting()
  const { ts } = await button()
  expect(await s.slack.click({ user: 'U0BOB', conversation: PLACE, ts, action_id: ACTION })).toMatchObject({ status: 401 })
  end()
  expect(await found).toMatchObject({ status: 'fails', mend: expect.stringContaining('SLACK_SIGNING_SECRET') })
})

test('another process on the socket is named, for it takes presses', async () => {
  s = await stage({ socket: true })
  s.slack.socketFault({ kind: 'num_connections', count: 3 })
  const { found, end } = waiting()
  await button()
  end()
  expect(await found).toMatchObject({ mend: expect.stringContaining('Slack counts 3 connections') })
})

test('a press of another button, and a command, decide nothing and are told so', async () => {
  s = await stage()
  const { found } = waiting()
  const { ts } = await button()
  const other = s.slack.say({
    user: 'U0BOT',
    conversation: PLACE,
    text: 'an older card',
    blocks: [
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: 'approval.approve', text: { type: 'plain_text', text: 'Approve' }, value: 'x' }],
      },
    ],
  })
  await s.slack.click({ user: 'U0CAT', conversation: PLACE, ts: other.ts, action_id: 'approval.approve' })
  await s.slack.until('a word to Cat', () => s.slack.privately('U0CAT').length > 0)
  await s.slack.command({ user: 'U0ANA', conversation: PLACE, text: '/approvals run_1' })
  await s.slack.until('a word to Ana', () => s.slack.privately('U0ANA').length > 0)
  expect(JSON.stringify(s.slack.privately('U0CAT'))).toContain('Nothing was decided')
  await s.slack.click({ user: 'U0BOB', conversation: PLACE, ts, action_id: ACTION })
  expect(await found).toMatchObject({ status: 'ok', message: 'arrived, by U0BOB.' })
})

test('who stops waiting leaves no button behind', async () => {
  s = await stage()
  const stop = new AbortController()
  const { found } = waiting({ stop: stop.signal })
  await button()
  stop.abort()
  expect(await found).toMatchObject({ status: 'fails' })
  expect(JSON.stringify(s.slack.messages(PLACE))).not.toContain(ACTION)
})

test('a port that another program has is told, and nothing is posted', async () => {
  s = await stage()
  const taken = createServer().listen(s.port, '127.0.0.1')
  expect(await waiting().found).toMatchObject({ status: 'fails', message: expect.stringContaining('taken by another program') })
  taken.close()
  expect(s.slack.messages(PLACE)).toEqual([])
})

test('a conversation that takes no message is told, and nothing is waited for', async () => {
  s = await stage()
  s.slack.world.archive(PLACE)
  const { output } = await s.run('--press')
  expect(output).toMatch(/^skipped {2}press of a button: nothing can be posted/m)
  expect(output.match(/^fails/gm)).toHaveLength(1)
})

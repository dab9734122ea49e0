/** Each single fault fails its own line, names the mend, and leaves the other lines as they are. */
import { existsSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { noAnswerOf } from '../../src/cli/doctor-network.ts'
import { ALL_SCOPES } from '../../src/sandbox/slack/methods.ts'
import { holdSole, openDatabase } from '../../src/store/database.ts'
import { program } from '../crash/bot.ts'
import { of, type Stage, type StageOptions, stage } from './doctor-stage.ts'

let s: Stage
afterEach(() => s.close())

const without = (...lacking: readonly string[]): StageOptions => ({
  slack: { scopes: ALL_SCOPES.filter((scope) => !lacking.includes(scope)) },
})
const ahead = (seconds: number) => (): Date => new Date(Date.now() + seconds * 1000)

describe('a whole installation', () => {
  test.each([false, true])('has nothing to mend (Socket Mode: %s), a line each', async (socket) => {
    s = await stage({ socket })
    const { code, output } = await s.run()
    expect(output).not.toMatch(/^(fails|warning)/m)
    expect(code).toBe(0)
    expect(output.split('\n')).toHaveLength(18 + 1)
    expect(output).toContain('ok       slack token: of Acme (T0ACME), as countersign (U0BOT, B0BOT).\n')
    expect(output).toMatch(/^skipped {2}press of a button: --press/m)
    expect(output).toMatch(socket ? /^ok {7}app token:/m : /^skipped {2}signing secret:/m)
    // Looking leaves nothing behind.
    expect(existsSync(s.databasePath)).toBe(false)
    expect(existsSync(`${s.databasePath}.lock`)).toBe(false)
    expect(s.slack.calls('chat.postMessage')).toEqual([])
  })

  test('whose database is there is told of its version, and of the bot that runs on it', async () => {
    s = await stage()
    await (await openDatabase(s.databasePath)).destroy()
    const sole = holdSole(s.databasePath)
    const running = await s.look('--press')
    sole.release()
    expect(running.code).toBe(0)
    expect(running.findings.find(({ check }) => check === 'database')?.message).toContain('of this version')
    expect(running.findings.find(({ check }) => check === 'running bot')?.message).toContain('one is running')
    expect(running.findings.at(-1)).toMatchObject({ check: 'press of a button', status: 'skipped' })
    expect(s.slack.calls('chat.postMessage')).toEqual([])
    const stopped = await s.look()
    expect(stopped.findings.find(({ check }) => check === 'running bot')?.message).toContain('none')
  })

  test('shows Slack every kind of card with --blocks, and names one that is refused', async () => {
    s = await stage()
    const good = await s.look('--blocks')
    expect(of(good.findings, 'fails')).toEqual([])
    expect(good.findings.find(({ check }) => check === 'cards')).toMatchObject({ status: 'ok' })
    expect(s.slack.calls('blocks.validate').length).toBeGreaterThan(60)
    s.slack.fault({ method: 'blocks.validate', kind: 'error', error: 'invalid_message' })
    const refused = await s.look('--blocks')
    expect(refused.code).toBe(1)
    expect(of(refused.findings, 'fails')).toEqual([expect.stringMatching(/^card [a-z_-]+ \(/)])
    s.slack.fault({ method: 'blocks.validate', kind: 'error', error: 'unknown_method', times: Infinity })
    const unknown = await s.look('--blocks')
    expect(unknown).toMatchObject({
      code: 0,
      findings: expect.arrayContaining([expect.objectContaining({ check: 'cards', status: 'skipped' })]),
    })
  })
})

/** What is wrong, how it comes about, which line alone fails, and what its mend says. */
type Row = readonly [what: string, options: StageOptions, spoil: (s: Stage) => unknown, check: string, mend: RegExp]
const nothing = (): void => undefined

const ROWS: readonly Row[] = [
  ['a wrong token', { env: { SLACK_BOT_TOKEN: 'xoxb-sandbox-somebody-else' } }, nothing, 'slack token', /Bot User OAuth Token/],
  [
    'a revoked token',
    {},
    ({ slack }) => slack.fault({ method: 'auth.test', kind: 'error', error: 'token_revoked' }),
    'slack token',
    /Install the app to the workspace again/,
  ],
  ['Slack that is not there', {}, ({ slack }) => slack.goDown(), 'slack token', /DNS, firewall and proxy/],
  ['Slack that is not there, for an app token', { socket: true }, ({ slack }) => slack.goDown(), 'slack token', /DNS, firewall/],
  [
    'something else than Slack',
    {},
    ({ slack }) => slack.fault({ method: 'auth.test', kind: 'error', error: '<html>Log in</html>' }),
    'slack token',
    /SLACK_API_URL/,
  ],
  ['a missing scope for people', without('users:read'), nothing, 'slack scopes', /install the app to the workspace again/],
  ['a missing scope for conversations', without('groups:read'), nothing, 'slack scopes', /OAuth & Permissions/],
  ['a missing scope for user groups', without('usergroups:read'), nothing, 'slack scopes', /OAuth & Permissions/],
  ['a missing scope for cards', without('chat:write'), nothing, 'slack scopes', /OAuth & Permissions/],
  [
    'an archived conversation',
    {},
    ({ slack }) => slack.world.archive('C0APPROVALS'),
    'slack.conversation C0APPROVALS',
    /Bring it back/,
  ],
  ['an unknown conversation', { fallback: 'C0NOWHERE' }, nothing, 'slack.fallback C0NOWHERE', /Check its id/],
  ['a private conversation without the bot', { fallback: 'C0EMPTY' }, nothing, 'slack.fallback C0EMPTY', /\/invite @countersign/],
  [
    'a public conversation without the bot',
    { fallback: 'C0GENERAL' },
    ({ slack }) => slack.world.leave('U0BOT', 'C0GENERAL'),
    'slack.fallback C0GENERAL',
    /Say “\/invite @countersign”/,
  ],
  ['a public conversation whose members decide', { conversation: 'C0GENERAL' }, nothing, 'approvers.everyone', /open: true/],
  [
    'an empty user group',
    {},
    ({ slack }) => slack.world.group('S0ONCALL')?.users.splice(0),
    'user group S0ONCALL (approvers.oncall)',
    /Add people to it/,
  ],
  [
    'a disabled user group',
    {},
    ({ slack }) => slack.world.disableGroup('S0ONCALL'),
    'user group S0ONCALL (approvers.oncall)',
    /Enable it/,
  ],
  [
    'an unknown user group',
    {},
    ({ slack }) => slack.world.groups.splice(0),
    'user group S0ONCALL (approvers.oncall)',
    /Check its id/,
  ],
  ['a deactivated approver', {}, ({ slack }) => slack.world.deactivate('U0BOB'), 'person U0BOB (approvers.leads)', /another one/],
  [
    'an operator who is a bot',
    {},
    ({ slack }) => slack.world.change('U0ANA', { is_bot: true }),
    'person U0ANA (approvers.leads, operators)',
    /out of the settings/,
  ],
  [
    'a person nobody knows',
    {},
    ({ slack }) =>
      slack.world.users.splice(
        slack.world.users.findIndex(({ id }) => id === 'U0BOB'),
        1,
      ),
    'person U0BOB (approvers.leads)',
    /out of the settings/,
  ],
  [
    'a rate limit on people',
    {},
    ({ slack }) => slack.fault({ method: 'users.info', kind: 'ratelimited', retryAfter: 30 }),
    'person U0ANA (approvers.leads, operators)',
    /again in a minute/,
  ],
  [
    'an app token that is refused',
    { socket: true, env: { SLACK_APP_TOKEN: 'xapp-sandbox-somebody-else' } },
    nothing,
    'app token',
    /app-level token with connections:write/,
  ],
  [
    'an app token that may not open connections',
    { socket: true },
    ({ slack }) => slack.fault({ method: 'apps.connections.open', kind: 'error', error: 'missing_scope' }),
    'app token',
    /switch Socket Mode on/,
  ],
  ['a clock that is behind', { slack: { now: ahead(290) } }, nothing, 'clock against Slack', /time server/],
  ['a clock that is ahead', { slack: { now: ahead(-290) } }, nothing, 'clock against Slack', /time server/],
]

test.each(ROWS)('%s fails one line, which says what to do', async (_, options, spoil, check, mend) => {
  s = await stage(options)
  await spoil(s)
  const { code, findings } = await s.look()
  expect(of(findings, 'fails')).toEqual([check])
  expect(code).toBe(1)
  expect(findings.find((one) => one.check === check)?.mend).toMatch(mend)
  expect(of(findings, 'warning')).toEqual([])
})

test('missing scopes are named with what they are for, and the lines that need one are skipped', async () => {
  s = await stage(without('users:read', 'usergroups:read'))
  const { findings } = await s.look()
  const told = findings.find(({ check }) => check === 'slack scopes')?.message
  expect(told).toContain('users:read (refusing guests')
  expect(told).toContain('usergroups:read (sets of approvers')
  expect(of(findings, 'skipped')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^person U0ANA/), expect.stringMatching(/^user group S0ONCALL/)]),
  )
})

test.each<[string, StageOptions, string]>([
  ['history scopes that are not there', without('channels:history', 'groups:history'), 'slack history scopes'],
  ['a clock that is minutes off', { slack: { now: ahead(120) } }, 'clock against Slack'],
  ['a clock of a source that is minutes off', { runtime: { now: ahead(-120) } }, 'clock against channel steward at '],
  ['a database in memory', { env: { DATABASE_URL: 'sqlite::memory:' } }, 'database'],
])('%s: a warning, and no no', async (_, options, check) => {
  s = await stage(options)
  const { code, findings } = await s.look()
  expect(code).toBe(0)
  expect(of(findings, 'warning')).toEqual([expect.stringContaining(check)])
})

test('a direct conversation that the token may not look at can be written into all the same', async () => {
  s = await stage({ ...without('im:read'), fallback: 'D0ANA' })
  s.slack.world.direct('U0ANA')
  const { code, findings } = await s.look()
  expect(code).toBe(0)
  expect(of(findings, 'skipped')).toContain('slack.fallback D0ANA')
})

test('a public conversation whose settings say that it is meant, and a guest who is named, are no fault', async () => {
  s = await stage({ conversation: 'C0GENERAL', everyone: 'conversation: true, open: true' })
  s.slack.world.change('U0BOB', { is_restricted: true })
  const { code, findings } = await s.look()
  expect(code).toBe(0)
  expect(findings.find(({ check }) => check.startsWith('person U0BOB'))?.message).toContain('A guest')
})

test('a call that Slack never answers is given up after ten seconds, and is the only one to fail', async () => {
  s = await stage()
  s.slack.fault({ method: 'conversations.info', kind: 'hang', conversation: 'C0OPS' })
  const began = Date.now()
  const { findings } = await s.look()
  expect(of(findings, 'fails')).toEqual(['slack.fallback C0OPS'])
  expect(findings.find(({ check }) => check === 'slack.fallback C0OPS')?.message).toContain('no answer within 10 s')
  expect(Date.now() - began).toBeLessThan(25_000)
})

test('faults of the settings are told as config check tells them; wrong usage is a two', async () => {
  s = await stage({ env: { SLACK_API_URL: 'nowhere' } })
  const [told, checked] = [await s.run(), await program(['config', 'check'], s.variables, '/')]
  expect(told).toEqual(checked)
  expect(told).toMatchObject({ code: 1, output: expect.stringContaining('environment: SLACK_API_URL') })
  expect(await s.run('--presss')).toMatchObject({ code: 2 })
  expect(await s.run('everything')).toMatchObject({ code: 2 })
})

test.each([
  ['a certificate', { cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } }, 'bad_certificate'],
  ['a name that nobody knows', { original: { cause: { code: 'ENOTFOUND' } } }, 'unreachable'],
  ['any of several addresses', { cause: { errors: [{ code: 'EHOSTUNREACH' }] } }, 'unreachable'],
  ['nothing that is known', {}, 'no_answer'],
])('why a call came to nothing is found however deep it stands: %s', (_, shape, told) => {
  expect(noAnswerOf(errorOf(shape))).toBe(told)
})

interface Shape {
  readonly code?: string
  readonly cause?: Shape
  readonly original?: Shape
  readonly errors?: readonly Shape[]
}

function errorOf({ code, cause, original, errors }: Shape): Error {
  const made = errors === undefined ? new Error('failed') : new AggregateError(errors.map(errorOf))
  return Object.assign(made, {
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined ? {} : { cause: errorOf(cause) }),
    ...(original === undefined ? {} : { original: errorOf(original) }),
  })
}

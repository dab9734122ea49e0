import { describe, expect, test } from 'vitest'
import { fileWith, load, VARIABLES, withChannel } from './settings-file.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const hook = (line: string) => load(fileWith({ 6: `    key: env:NOVO_API_KEY\n    ${line}` })).hooks[0]

test('the file is what the bot works with, and what it leaves out has the defaults of the contract', () => {
  const { slack, hooks, operators, policy } = load()
  expect(slack).toMatchObject({ conversation: 'C0APPROVALS', fallback: undefined, home: undefined })
  expect(hooks).toEqual([
    {
      name: 'novo',
      secrets: [Buffer.from(VARIABLES.NOVO_HOOK_SECRET ?? '')],
      key: VARIABLES.NOVO_API_KEY,
      keySetting: 'NOVO_API_KEY',
      origins: ['https://api.novoagents.ai'],
      resolvePath: '/v1/interactions/{id}/resolve',
      resolution: { approve: { decision: 'allow' }, deny: { decision: 'deny', reason: '{note}' } },
      windowSeconds: 300,
      maxBodyBytes: 1024 * 1024,
      giveUpAfterMs: 24 * 60 * 60 * 1000,
    },
  ])
  expect(operators).toEqual(['U0ANA'])
  expect(policy).toEqual({
    rules: [
      { name: 'reads', tools: ['read_file'], verdict: { ruling: 'allow' } },
      {
        name: 'money',
        tools: ['pay_*'],
        verdict: { ruling: 'ask', approvers: 'leads', reason: 'A person must approve this call.' },
      },
    ],
    defaults: { approvers: 'everyone' },
    sets: new Map([
      ['everyone', { users: [], groups: [], conversation: true, open: false }],
      ['leads', { users: ['U0ANA', 'U0BOB'], groups: [], conversation: false, open: false }],
    ]),
  })
})

test('everything that this version knows can be said', () => {
  const config = load(
    fileWith({
      2: '  conversation: C0APPROVALS\n  fallback: G0OPS\n  home: E0ACME',
      5: '    secrets: [env:NOVO_HOOK_SECRET, env:NEXT]',
      6: [
        '    key: env:NOVO_API_KEY',
        '    origins: [https://api.novoagents.ai/, "http://localhost:8080", "http://[::1]:9"]',
        '    resolvePath: /v2/approvals/{id}',
        '    resolution: { approve: { ok: true }, deny: { ok: false, why: ["{note}", null, 1] } }',
        '    window: 1m',
        '    maxBodyBytes: 16777216',
        '    giveUpAfter: 7d',
      ].join('\n'),
      7: '',
      9: '  everyone: { conversation: true, open: true, users: [W0EVE], groups: [S0ONCALL] }',
      14: '    deny: { reason: not here }',
      17: '    ask: { reason: two eyes }',
    }),
    { NEXT: 'tah_the_next_one_0123' },
  )
  expect(config.slack).toMatchObject({ fallback: 'G0OPS', home: 'E0ACME' })
  expect(config.hooks[0]).toMatchObject({
    secrets: [Buffer.from(VARIABLES.NOVO_HOOK_SECRET ?? ''), Buffer.from('tah_the_next_one_0123')],
    origins: ['https://api.novoagents.ai', 'http://localhost:8080', 'http://[::1]:9'],
    resolvePath: '/v2/approvals/{id}',
    resolution: { approve: { ok: true }, deny: { ok: false, why: ['{note}', null, 1] } },
    windowSeconds: 60,
    maxBodyBytes: 16_777_216,
    giveUpAfterMs: 7 * 24 * 60 * 60 * 1000,
  })
  expect(config.operators).toEqual([])
  expect(config.policy.sets.get('everyone')).toEqual({ users: ['W0EVE'], groups: ['S0ONCALL'], conversation: true, open: true })
  expect(config.policy.rules.map(({ verdict }) => verdict)).toEqual([
    { ruling: 'deny', reason: 'not here' },
    { ruling: 'ask', approvers: 'everyone', reason: 'two eyes' },
  ])
})

describe('a channel', () => {
  const channel = (said: Readonly<Record<string, string>> = {}) => load(fileWith(withChannel(said))).channels[0]

  test('is none unless one is said', () => expect(load().channels).toEqual([]))

  test('that says no more than it must has the defaults of the contract', () => {
    expect(channel()).toEqual({
      name: 'steward',
      url: 'https://steward.internal',
      signedPath: '',
      secret: VARIABLES.STEWARD_SECRET,
      secretSetting: 'STEWARD_SECRET',
      nudgeSecret: VARIABLES.STEWARD_SECRET,
      watchRuns: [],
      watchForMs: DAY_MS,
      giveUpAfterMs: DAY_MS,
    })
  })

  test('may say everything', () => {
    const said = {
      url: 'https://steward.internal/hooks/',
      signedPath: '/v1/a b',
      nudgeSecret: 'env:STEWARD_NUDGE_SECRET',
      watch: `{ runs: [run-1, "${'r'.repeat(256)}"], for: 1m }`,
      giveUpAfter: '7d',
    }
    expect(channel(said)).toEqual({
      name: 'steward',
      url: 'https://steward.internal/hooks',
      signedPath: '/v1/a b',
      secret: VARIABLES.STEWARD_SECRET,
      secretSetting: 'STEWARD_SECRET',
      nudgeSecret: VARIABLES.STEWARD_NUDGE_SECRET,
      watchRuns: ['run-1', 'r'.repeat(256)],
      watchForMs: 60_000,
      giveUpAfterMs: 7 * DAY_MS,
    })
  })

  test('may name one secret for its calls and its nudges', () => {
    expect(channel({ nudgeSecret: 'env:STEWARD_SECRET' })).toMatchObject({ nudgeSecret: VARIABLES.STEWARD_SECRET })
  })

  test('has the default for the part of its watch that is not said', () => {
    expect(channel({ watch: '{ runs: [run-1] }' })).toMatchObject({ watchRuns: ['run-1'], watchForMs: DAY_MS })
    expect(channel({ watch: '{ for: 2h }' })).toMatchObject({ watchRuns: [], watchForMs: 2 * 60 * 60 * 1000 })
  })

  test.each([
    ['https://steward.internal/', 'https://steward.internal'],
    ['https://steward.internal:8443/a/b/', 'https://steward.internal:8443/a/b'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://127.1.2.3/hooks', 'http://127.1.2.3/hooks'],
    ['http://localhost:1', 'http://localhost:1'],
    ['"http://[::1]:1"', 'http://[::1]:1'],
  ])('may be called at %s, which is kept without a trailing slash', (url, kept) => {
    expect(channel({ url })?.url).toBe(kept)
  })

  test('is enough of a source: no hook is needed beside it', () => {
    const said = withChannel()[6]?.split('\n').slice(1).join('\n') ?? ''
    const { hooks, channels } = load(fileWith({ 3: said, 4: '', 5: '', 6: '' }))
    expect([hooks.length, channels.length]).toEqual([0, 1])
    expect(load(fileWith({ 3: `hooks: []\n${said}`, 4: '', 5: '', 6: '' })).channels).toEqual(channels)
  })
})

describe('a duration', () => {
  test.each([
    ['1s', 1],
    ['90s', 90],
    ['30m', 30 * 60],
    ['24h', 24 * 3600],
    ['7d', 7 * 86_400],
    ['366d', 366 * 86_400],
    ['9999999s', 9_999_999],
  ])('%s is %i seconds', (text, seconds) => expect(hook(`window: ${text}`)?.windowSeconds).toBe(seconds))
})

describe('a resolution', () => {
  test.each([
    ['the approve alone is given', '{ approve: { a: 1 } }', { approve: { a: 1 }, deny: { decision: 'deny', reason: '{note}' } }],
    ['the deny alone is given', '{ deny: { a: 1 } }', { approve: { decision: 'allow' }, deny: { a: 1 } }],
    ['nothing is given', '{}', { approve: { decision: 'allow' }, deny: { decision: 'deny', reason: '{note}' } }],
    ['an empty body is given', '{ deny: {} }', { approve: { decision: 'allow' }, deny: {} }],
  ])('has the defaults for the rest when %s', (_name, text, expected) => {
    expect(hook(`resolution: ${text}`)?.resolution).toEqual(expected)
  })
})

test('one anchor may stand for several sets', () => {
  const { policy } = load(fileWith({ 9: '  everyone: &all { users: [U0ANA] }', 10: '  leads: *all' }))
  expect(policy.sets.get('leads')).toEqual(policy.sets.get('everyone'))
})

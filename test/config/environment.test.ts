import { afterEach, describe, expect, test } from 'vitest'
import { databasePath } from '../../src/config/config.ts'
import { faults, fileWith, load, PLANTED, VARIABLES } from './settings-file.ts'

let told: readonly string[] = []
afterEach(() => {
  expect(told.join('\n')).not.toContain(PLANTED)
})
function tell(variables: Readonly<Record<string, string | undefined>>, text?: string): readonly string[] {
  told = faults(text, variables)
  return told
}

describe('a fault in the environment is told by name and without its value', () => {
  const PORT = 'must be a port number'
  const TOKEN = 'must be a bot token (xoxb-…)'
  const SIGNING = 'must be the signing secret of the Slack app: at least 16 characters, no blanks'
  const API = 'must be an https address that ends in /api/ (plain http only for this machine)'
  const DATABASE = 'must be sqlite:PATH (postgres is not supported yet)'
  test.each([
    ['PORT', 'http', PORT],
    ['PORT', '', PORT],
    ['PORT', '-1', PORT],
    ['PORT', '80.5', PORT],
    ['PORT', '0x50', PORT],
    ['PORT', '65536', PORT],
    ['ADMIN_PORT', '99999', PORT],
    ['HOST', '', 'Too small: expected string to have >=1 characters'],
    ['DATABASE_URL', `postgres://u:${PLANTED}@db/countersign`, DATABASE],
    ['DATABASE_URL', 'countersign.db', DATABASE],
    ['DATABASE_URL', 'sqlite:', DATABASE],
    ['SLACK_BOT_TOKEN', undefined, 'is missing: the bot token of the Slack app (xoxb-…)'],
    ['SLACK_BOT_TOKEN', '', TOKEN],
    ['SLACK_BOT_TOKEN', `xoxp-${PLANTED}`, TOKEN],
    ['SLACK_BOT_TOKEN', `xoxb-12345678-${PLANTED}\n`, TOKEN],
    ['SLACK_BOT_TOKEN', `Bearer xoxb-${PLANTED}`, TOKEN],
    ['SLACK_BOT_TOKEN', `xoxb-sandbox-${PLANTED}`, 'is a token of the stand-in Slack, and SLACK_API_URL is the real one'],
    [
      'SLACK_SIGNING_SECRET',
      undefined,
      'is missing, and so is SLACK_APP_TOKEN: set the app token (xapp-…) for Socket Mode, or the signing secret for HTTP',
    ],
    ['SLACK_SIGNING_SECRET', PLANTED, SIGNING],
    ['SLACK_SIGNING_SECRET', `signing ${PLANTED} 0123`, SIGNING],
    ['SLACK_SIGNING_SECRET', VARIABLES.SLACK_BOT_TOKEN, 'is the same secret as SLACK_BOT_TOKEN; each needs its own'],
    [
      'SLACK_APP_TOKEN',
      `xapp-1-${PLANTED}-012345`,
      'and SLACK_SIGNING_SECRET are both set: keep the app token for Socket Mode, or the signing secret for HTTP',
    ],
    ['CACHE_URL', `redis://:${PLANTED}@cache`, 'a shared cache is not supported yet; unset it'],
    ['COUNTERSIGN_RECEIPT_KEY', PLANTED, 'signing receipts is not supported yet; unset it'],
    ['SLACK_API_URL', PLANTED, API],
    ['SLACK_API_URL', 'http://slack.com/api/', API],
    ['SLACK_API_URL', `https://slack.com/api/?x=${PLANTED}`, API],
    ['SLACK_API_URL', `https://slack.com/api/#${PLANTED}`, API],
    ['SLACK_API_URL', 'file:///etc/passwd', API],
    ['LOG_LEVEL', 'loud', "must be one of pino's levels"],
    ['LOG_LEVEL', 'INFO', "must be one of pino's levels"],
  ])('%s as %j', (name, value, fault) => {
    expect(tell({ [name]: value })).toEqual([`environment: ${name}: ${fault}`])
  })

  test('a token of the stand-in beside a spoilt address of Slack is no more than that', () => {
    expect(tell({ SLACK_BOT_TOKEN: 'xoxb-sandbox-12345678', SLACK_API_URL: 'nonsense' })).toEqual([
      `environment: SLACK_API_URL: ${API}`,
    ])
  })
})

describe('a secret that the file names', () => {
  const SHORT = 'hooks[0].secrets[0]: NOVO_HOOK_SECRET is too short: at least 16 bytes'
  const HEADER = 'hooks[0].key: NOVO_API_KEY holds a blank, a line break or a character that no header carries'
  test.each([
    ['NOVO_HOOK_SECRET', undefined, ':5: hooks[0].secrets[0]: needs the environment variable NOVO_HOOK_SECRET, which is not set'],
    ['NOVO_HOOK_SECRET', '', ':5: hooks[0].secrets[0]: needs the environment variable NOVO_HOOK_SECRET, which is empty'],
    ['NOVO_HOOK_SECRET', `${PLANTED}01234567`, `:5: ${SHORT}`],
    ['NOVO_HOOK_SECRET', `tah_${PLANTED}_0123456789\n`, ':5: hooks[0].secrets[0]: NOVO_HOOK_SECRET holds a line break'],
    [
      'NOVO_HOOK_SECRET',
      VARIABLES.SLACK_SIGNING_SECRET,
      ':5: hooks[0].secrets[0]: is the same secret as SLACK_SIGNING_SECRET; each needs its own',
    ],
    ['NOVO_API_KEY', undefined, ':6: hooks[0].key: needs the environment variable NOVO_API_KEY, which is not set'],
    ['NOVO_API_KEY', '', ':6: hooks[0].key: needs the environment variable NOVO_API_KEY, which is empty'],
    ['NOVO_API_KEY', `key_${PLANTED}\r\nx: y`, `:6: ${HEADER}`],
    ['NOVO_API_KEY', `key ${PLANTED}`, `:6: ${HEADER}`],
    ['NOVO_API_KEY', `kéy_${PLANTED}`, `:6: ${HEADER}`],
    [
      'NOVO_API_KEY',
      VARIABLES.NOVO_HOOK_SECRET,
      ':6: hooks[0].key: is the same secret as hooks[0].secrets[0]; each needs its own',
    ],
  ])('%s as %j is a fault', (name, value, fault) => {
    expect(tell({ [name]: value })).toEqual([`countersign.yml${fault}`])
  })

  test.each(['0123456789abcdef', 'éééééééé', 'a secret with blanks'])(
    '%s is long enough for a hook, counted in bytes',
    (secret) => {
      expect(load(fileWith(), { NOVO_HOOK_SECRET: secret }).hooks[0]?.secrets).toEqual([Buffer.from(secret, 'utf8')])
    },
  )
})

test.each([
  ['SLACK_API_URL', 'http://127.0.0.1:8080/api', 'http://127.0.0.1:8080/api/'],
  ['SLACK_API_URL', 'http://[::1]:8080/api/', 'http://[::1]:8080/api/'],
  ['SLACK_API_URL', 'https://slack.example/api/', 'https://slack.example/api/'],
])('%s may be %s', (name, value, expected) => {
  expect(load(fileWith(), { [name]: value }).slack.apiUrl).toBe(expected)
})

test('the environment of the contract is taken over, and its defaults are those of the contract', () => {
  expect(load()).toMatchObject({
    listen: { host: '0.0.0.0', port: 3000 },
    admin: { host: '127.0.0.1', port: 9464 },
    databasePath: 'countersign.db',
    logLevel: 'info',
    slack: {
      botToken: VARIABLES.SLACK_BOT_TOKEN,
      ingress: { mode: 'http', signingSecret: VARIABLES.SLACK_SIGNING_SECRET },
      apiUrl: 'https://slack.com/api/',
    },
  })
  const given = {
    HOST: '::1',
    PORT: '0',
    ADMIN_HOST: '10.0.0.1',
    ADMIN_PORT: '65535',
    DATABASE_URL: 'sqlite:/var/c.db',
    LOG_LEVEL: 'silent',
  }
  expect(load(fileWith(), given)).toMatchObject({
    listen: { host: '::1', port: 0 },
    admin: { host: '10.0.0.1', port: 65_535 },
    databasePath: '/var/c.db',
    logLevel: 'silent',
  })
})

test('variables that are not ours are left alone', () => {
  expect(tell({ PATH: '/bin', SLACK_TOKEN: PLANTED, NODE_ENV: 'production' })).toEqual([])
})

test('a command that needs the database only asks for nothing else', () => {
  expect(databasePath({})).toBe('countersign.db')
  expect(databasePath({ DATABASE_URL: 'sqlite:x.db' })).toBe('x.db')
  expect(() => databasePath({ DATABASE_URL: 'postgres://x' })).toThrow('environment: DATABASE_URL: must be sqlite:PATH')
})

test('with an app token instead of a signing secret, Slack is spoken to in Socket Mode', () => {
  const token = `xapp-1-${PLANTED}-012345`
  expect(load(fileWith(), { SLACK_SIGNING_SECRET: undefined, SLACK_APP_TOKEN: token }).slack.ingress).toEqual({
    mode: 'socket',
    appToken: token,
  })
})

test.each([
  [`xapx-${PLANTED}-012345`, {}, 'must be an app-level token (xapp-…)'],
  [
    `xapp-sandbox-${PLANTED}`,
    { SLACK_API_URL: 'https://slack.com/api/' },
    'is a token of the stand-in Slack, and SLACK_API_URL is the real one',
  ],
])('the app token %s is a fault', (token, more, fault) => {
  const variables = { SLACK_SIGNING_SECRET: undefined, SLACK_APP_TOKEN: token, ...more }
  expect(faults(fileWith(), variables)).toEqual([expect.stringContaining(`environment: SLACK_APP_TOKEN: ${fault}`)])
})

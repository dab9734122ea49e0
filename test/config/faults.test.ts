import { afterEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { Unfit } from '../../src/config/fault.ts'
import { faults, fileWith, PLANTED, VARIABLES } from './settings-file.ts'

let told: readonly string[] = []
afterEach(() => {
  expect(told.join('\n')).not.toContain(PLANTED)
})
function tell(text?: string, variables?: Readonly<Record<string, string | undefined>>): readonly string[] {
  told = faults(text, variables)
  return told
}

const NO_SOURCE = 'settings: needs at least one source: hooks or channels'

test('the settings that the tables below spoil hold', () => expect(tell()).toEqual([]))

describe('a fault in the file is told with its line, its place and no value', () => {
  const WORD = 'of lower-case letters, digits, _ and -'
  const ENV = 'must name an environment variable as env:NAME; secrets do not stand in this file'
  const ORIGIN = 'must be an origin such as https://api.novoagents.ai, without a path'
  const HTTPS = 'must be https (plain http only for 127.0.0.1, localhost or [::1])'
  const PLAIN = 'must be plain: no query, fragment, dot segments, or what a URL writes otherwise'
  const PATH = 'must be a path that holds {id} once'
  const TIME = 'must be a duration such as 90s, 30m, 24h or 7d'
  const NOTE = '{note} fills a whole value; no text may stand around it'
  const SET = 'names a set that does not stand under approvers'
  const ONE = 'needs exactly one of allow, deny and ask'
  const hook = (line: string) => ({ 6: `    key: env:NOVO_API_KEY\n    ${line}` })

  test.each<[Readonly<Record<number, string>>, string]>([
    [
      { 2: '  conversation: approvals' },
      ':2: slack.conversation: must be a Slack conversation id such as C0APPROVALS, not a name',
    ],
    [
      { 2: '  conversation: "#approvals"' },
      ':2: slack.conversation: must be a Slack conversation id such as C0APPROVALS, not a name',
    ],
    [{ 1: 'slack: {}', 2: '' }, ':1: slack.conversation: is required'],
    [
      { 2: '  conversation: C0A\n  fallback: ops' },
      ':3: slack.fallback: must be a Slack conversation id such as C0APPROVALS, not a name',
    ],
    [{ 2: '  conversation: C0A\n  home: acme' }, ':3: slack.home: must be a workspace or enterprise id such as T0ACME'],
    [{ 2: `  conversation: C0A\n  token: xoxb-${PLANTED}` }, ':3: slack.token: is not a setting'],
    [{ 1: '', 2: '' }, ': slack: is required'],
    [{ 3: 'hooks: []', 4: '', 5: '', 6: '' }, `: ${NO_SOURCE}`],
    [{ 3: 'hooks: []\nchannels: []', 4: '', 5: '', 6: '' }, `: ${NO_SOURCE}`],
    [{ 3: '', 4: '', 5: '', 6: '' }, `: ${NO_SOURCE}`],
    [{ 3: 'hooks: {}', 4: '', 5: '', 6: '' }, ':3: hooks: expected array, received object'],
    [{ 4: '  - name: Novo' }, `:4: hooks[0].name: must be a name ${WORD}`],
    [{ 4: '  - name: no/vo' }, `:4: hooks[0].name: must be a name ${WORD}`],
    [{ 5: '    secrets: []' }, ':5: hooks[0].secrets: needs at least one secret'],
    [{ 5: '' }, ':4: hooks[0].secrets: is required'],
    [{ 5: '    secrets: env:NOVO_HOOK_SECRET' }, ':5: hooks[0].secrets: expected array, received string'],
    [{ 5: `    secrets: [tah_${PLANTED}]` }, `:5: hooks[0].secrets[0]: ${ENV}`],
    [{ 5: '    secrets: ["env:"]' }, `:5: hooks[0].secrets[0]: ${ENV}`],
    [{ 5: '    secrets: [12345678901234567890]' }, `:5: hooks[0].secrets[0]: ${ENV}`],
    [
      { 5: '    secrets:\n      - env:NOVO_HOOK_SECRET\n      - env:NOVO_HOOK_SECRET' },
      ':7: hooks[0].secrets[1]: is the same secret as hooks[0].secrets[0]; each needs its own',
    ],
    [
      { 5: '    secrets: [env:NOT_THERE]' },
      ':5: hooks[0].secrets[0]: needs the environment variable NOT_THERE, which is not set',
    ],
    [{ 6: `    key: key_${PLANTED}` }, `:6: hooks[0].key: ${ENV}`],
    [{ 6: '    key: env:NOT_THERE' }, ':6: hooks[0].key: needs the environment variable NOT_THERE, which is not set'],
    [{ 6: '    key: env:NOVO_HOOK_SECRET' }, ':6: hooks[0].key: is the same secret as hooks[0].secrets[0]; each needs its own'],
    [{ 6: '    key: env:SLACK_BOT_TOKEN' }, ':6: hooks[0].key: is the same secret as SLACK_BOT_TOKEN; each needs its own'],
    [hook('origins: []'), ':7: hooks[0].origins: Too small: expected array to have >=1 items'],
    [hook('origins: [api.novoagents.ai]'), `:7: hooks[0].origins[0]: ${ORIGIN}`],
    [hook('origins: [https://api.novoagents.ai/v1]'), `:7: hooks[0].origins[0]: ${ORIGIN}`],
    [hook(`origins: ["https://u:${PLANTED}@api.novoagents.ai"]`), `:7: hooks[0].origins[0]: ${ORIGIN}`],
    [hook('origins: ["https://api.novoagents.ai?x"]'), `:7: hooks[0].origins[0]: ${ORIGIN}`],
    [hook('origins: [https://a.example, http://b.example]'), `:7: hooks[0].origins[1]: ${HTTPS}`],
    [hook('origins: [http://127.0.0.1.evil.example]'), `:7: hooks[0].origins[0]: ${HTTPS}`],
    [hook('resolvePath: v1/{id}'), `:7: hooks[0].resolvePath: ${PATH}`],
    [hook('resolvePath: /v1/resolve'), `:7: hooks[0].resolvePath: ${PATH}`],
    [hook('resolvePath: /v1/{id}/{id}'), `:7: hooks[0].resolvePath: ${PATH}`],
    ...[
      '/v1/{id}?a=1',
      '/v1/{id}#a',
      '/v1/../{id}',
      '/./{id}',
      '/v1/%2e%2E/{id}',
      '/v1/.%2e/{id}',
      '/v1//{id}',
      '/v1\\\\{id}',
      '/a b/{id}',
      '/a\\tb/{id}',
      '/{run}/{id}',
      '/ä/{id}',
    ].map((path): [Readonly<Record<number, string>>, string] => [
      hook(`resolvePath: "${path}"`),
      `:7: hooks[0].resolvePath: ${PLAIN}`,
    ]),
    [hook('resolution: { deny: { reason: "no: {note}" } }'), `:7: hooks[0].resolution.deny.reason: ${NOTE}`],
    [hook('resolution: { deny: { a: { b: [1, "{note}{note}"] } } }'), `:7: hooks[0].resolution.deny.a.b[1]: ${NOTE}`],
    [hook('resolution: { deny: "{note}" }'), ':7: hooks[0].resolution.deny: must be a mapping'],
    [hook('resolution: { reject: {} }'), ':7: hooks[0].resolution.reject: is not a setting'],
    ...['0s', '10', '1.5h', '-1h', '1w', '1 h', '24H', '367d', '9999999d', '01h', ''].map(
      (time): [Readonly<Record<number, string>>, string] => [hook(`window: "${time}"`), `:7: hooks[0].window: ${TIME}`],
    ),
    [hook('giveUpAfter: 24'), ':7: hooks[0].giveUpAfter: must be a duration such as 30m or 24h'],
    [hook('maxBodyBytes: 1023'), ':7: hooks[0].maxBodyBytes: Too small: expected number to be >=1024'],
    [hook('maxBodyBytes: 1MiB'), ':7: hooks[0].maxBodyBytes: expected number, received string'],
    [hook('secret: env:X'), ':7: hooks[0].secret: is not a setting'],
    [
      { 6: '    key: env:NOVO_API_KEY\n  - { name: novo, secrets: [env:SECOND_SECRET], key: env:SECOND_KEY }' },
      ':7: hooks[1].name: is used twice',
    ],
    [{ 7: 'operators: { users: [] }' }, ':7: operators.users: names nobody'],
    [{ 7: 'operators: { users: [ana] }' }, ':7: operators.users[0]: must be a Slack user id such as U0ANA'],
    [{ 7: 'operators: { groups: [S0OPS], users: [U0ANA] }' }, ':7: operators.groups: is not a setting'],
    [{ 9: '  everyone: {}' }, ':9: approvers.everyone: names nobody: needs users, groups or conversation'],
    [{ 9: '  everyone: { conversation: false }' }, ':9: approvers.everyone.conversation: can only be true'],
    [
      { 9: '  everyone: { users: [U0ANA], open: true }' },
      ':9: approvers.everyone: open says something only beside conversation: true',
    ],
    [{ 9: '  everyone: { users: [] }' }, ':9: approvers.everyone.users: names nobody'],
    [{ 9: '  everyone: { groups: [] }' }, ':9: approvers.everyone.groups: names no group'],
    [
      { 9: '  everyone: { groups: [U0ANA] }' },
      ':9: approvers.everyone.groups[0]: must be a Slack user group id such as S0ONCALL',
    ],
    [{ 9: '  everyone: { conversation: true, self: false }' }, ':9: approvers.everyone.self: is not supported yet'],
    [{ 10: '  Leads: { users: [U0ANA] }\n  leads: { users: [U0ANA] }' }, `:10: approvers.Leads: must be a name ${WORD}`],
    [{ 10: '  leads: { users: [U0ANA] }\n  __proto__: { users: [U0BOB] }' }, ':11: __proto__ is not a setting'],
    [{ 12: '  - name: ""' }, ':12: rules[0].name: Too small: expected string to have >=1 characters'],
    [{ 15: '  - name: reads' }, ':15: rules[1].name: is used twice'],
    [{ 13: '    tools: []' }, ':13: rules[0].tools: needs at least one tool name or glob'],
    [{ 13: '    tools: read_file' }, ':13: rules[0].tools: expected array, received string'],
    [{ 14: '' }, `:12: rules[0]: ${ONE}`],
    [{ 14: '    allow: {}\n    ask: {}' }, `:12: rules[0]: ${ONE}`],
    [{ 14: '    allow: true' }, ':14: rules[0].allow: expected object, received boolean'],
    [{ 14: '    deny: {}' }, ':14: rules[0].deny.reason: is required'],
    [{ 14: '    deny: { reason: "" }' }, ':14: rules[0].deny.reason: Too small: expected string to have >=1 characters'],
    [{ 17: '    ask: { approvers: lead }' }, `:17: rules[1].ask.approvers: ${SET}`],
    [{ 17: '    ask: { approvers: constructor }' }, `:17: rules[1].ask.approvers: ${SET}`],
    [{ 19: '  approvers: all' }, `:19: defaults.approvers: ${SET}`],
    [{ 18: '', 19: '' }, ': defaults: is required'],
    [
      { 18: 'defaults: {}', 19: '' },
      ':18: defaults.approvers: is required: it names the set that is asked when no rule says otherwise',
    ],
    [{ 19: '  approvers: everyone\nfrobnicate: 1' }, ':20: frobnicate: is not a setting'],
  ])('%j', (lines, fault) => {
    const more = { SECOND_SECRET: `tah_${PLANTED}_second_012`, SECOND_KEY: `key_${PLANTED}_second` }
    expect(tell(fileWith(lines), more)).toEqual([`countersign.yml${fault}`])
  })
})

describe('a key of a later version is called not supported yet, never ignored', () => {
  test.each([
    ...['redact', 'journal', 'retention', 'owners'].map((key) => [19, `  approvers: everyone\n${key}: {}`, 20, key] as const),
    ...['when', 'sources'].map((key) => [14, `    allow: {}\n    ${key}: x`, 15, `rules[0].${key}`] as const),
    ...['quorum', 'conversation', 'note', 'confirm', 'expires', 'remind', 'escalate', 'grant'].flatMap(
      (key) =>
        [
          [17, `    ask:\n      ${key}: x`, 18, `rules[1].ask.${key}`],
          [19, `  approvers: everyone\n  ${key}: x`, 20, `defaults.${key}`],
        ] as const,
    ),
    [9, '  everyone:\n    conversation: true\n    sets: [leads]', 11, 'approvers.everyone.sets'] as const,
  ])('line %i as %j', (line, text, at, place) => {
    expect(tell(fileWith({ [line]: text }))).toEqual([`countersign.yml:${at}: ${place}: is not supported yet`])
  })
})

describe('what is not YAML, or not a settings file, is told with its line', () => {
  const QUOTES = 'a pattern that begins with * needs quotes'
  test.each([
    ['a tab', fileWith({ 2: '\tconversation: C0A' }), ':2: is not valid YAML (TAB_AS_INDENT)'],
    ['a key twice', fileWith({ 7: 'slack: {}' }), ':7: is not valid YAML (DUPLICATE_KEY)'],
    ['two documents', `${fileWith()}\n---\na: 1`, ':20: is not valid YAML (MULTIPLE_DOCS)'],
    ['a glob without quotes', fileWith({ 13: '    tools: [*]' }), `:13: is not valid YAML (BAD_ALIAS); ${QUOTES}`],
    ['a pattern without quotes', fileWith({ 13: `    tools: [*_${PLANTED}]` }), `:13: is an alias of nothing; ${QUOTES}`],
    ['a list', '- a', ': settings: expected object, received array'],
    ['a text', PLANTED, ': settings: expected object, received string'],
  ])('%s', (_name, text, fault) => {
    expect(tell(text)).toEqual([`countersign.yml${fault}`])
  })

  test('an empty file lacks everything that is required', () => {
    const required = ['slack', 'approvers', 'defaults'].map((key) => `countersign.yml: ${key}: is required`)
    const lacking = [...required, `countersign.yml: ${NO_SOURCE}`]
    expect(tell('')).toEqual(lacking)
    expect(tell('# nothing yet\n')).toEqual(lacking)
  })

  test('aliases that grow without end', () => {
    const text = 'a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]'
    expect(tell(`${text}\n${fileWith()}`)).toEqual(['countersign.yml: holds aliases of aliases without end'])
  })

  test('an alias of what it stands in', () => {
    const resolution = 'resolution:\n      deny: &deny\n        more: [*deny]'
    expect(tell(fileWith({ 6: `    key: env:NOVO_API_KEY\n    ${resolution}` }))).toEqual([
      'countersign.yml:9: is an alias of what it stands in',
    ])
  })

  test('a member is told at the line of its key, not of what stands below it', () => {
    expect(tell(fileWith({ 19: '  approvers:\n    - everyone\n\ncolours:\n\n  - name: red' }))).toEqual([
      'countersign.yml:19: defaults.approvers: is required: it names the set that is asked when no rule says otherwise',
      'countersign.yml:22: colours: is not a setting',
    ])
  })

  test('a fault below an alias is told at the anchor', () => {
    expect(tell(fileWith({ 9: '  everyone: &all { users: [bob] }', 10: '  leads: *all' }))).toEqual([
      'countersign.yml:9: approvers.everyone.users[0]: must be a Slack user id such as U0ANA',
      'countersign.yml:9: approvers.leads.users[0]: must be a Slack user id such as U0ANA',
    ])
  })

  test('a file that is not there is named, with the variable that names it', () => {
    const variables = { ...VARIABLES, COUNTERSIGN_CONFIG: '/nowhere/settings.yml' }
    expect(() => loadConfig(variables)).toThrow(
      new Unfit([
        { where: '/nowhere/settings.yml', what: 'cannot be read (ENOENT); COUNTERSIGN_CONFIG names the settings file' },
      ]),
    )
    expect(() => loadConfig({ ...VARIABLES, COUNTERSIGN_CONFIG: '/' })).toThrow('/: cannot be read (EISDIR)')
  })
})

test('all faults of file and environment are told together, whatever else is wrong', () => {
  const file = fileWith({
    2: '  conversation: approvals\n  colour: red',
    9: '  everyone: {}',
    13: '    tools: []',
    15: '  - name: reads',
    17: '    ask: { approvers: lead, quorum: 2 }',
  })
  const variables = {
    PORT: 'x',
    SLACK_BOT_TOKEN: PLANTED,
    SLACK_SIGNING_SECRET: VARIABLES.NOVO_HOOK_SECRET,
    NOVO_API_KEY: undefined,
  }
  expect(tell(file, variables)).toEqual([
    'environment: PORT: must be a port number',
    'environment: SLACK_BOT_TOKEN: must be a bot token (xoxb-…)',
    'countersign.yml:2: slack.conversation: must be a Slack conversation id such as C0APPROVALS, not a name',
    'countersign.yml:3: slack.colour: is not a setting',
    'countersign.yml:10: approvers.everyone: names nobody: needs users, groups or conversation',
    'countersign.yml:14: rules[0].tools: needs at least one tool name or glob',
    'countersign.yml:18: rules[1].ask.quorum: is not supported yet',
    'countersign.yml:16: rules[1].name: is used twice',
    'countersign.yml:18: rules[1].ask.approvers: names a set that does not stand under approvers',
    'countersign.yml:6: hooks[0].secrets[0]: is the same secret as SLACK_SIGNING_SECRET; each needs its own',
    'countersign.yml:7: hooks[0].key: needs the environment variable NOVO_API_KEY, which is not set',
  ])
})

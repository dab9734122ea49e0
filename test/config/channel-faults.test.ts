import { afterEach, describe, expect, test } from 'vitest'
import { faults, fileWith, PLANTED, VARIABLES, withChannel } from './settings-file.ts'

let told: readonly string[] = []
afterEach(() => {
  expect(told.join('\n')).not.toContain(PLANTED)
})
type Said = Readonly<Record<string, string>>
function tell(said: Said, variables: Readonly<Record<string, string | undefined>> = {}): readonly string[] {
  told = faults(fileWith(withChannel(said)), variables)
  return told
}
/** One member of the channel, written in several ways that are all the same fault. */
const each = (key: string, values: readonly string[], fault: string): [Said, string][] =>
  values.map((value) => [{ [key]: value }, fault])
/** A second channel, on line 12. */
const second = (members: string): Said => ({ signedPath: `""\n  - { url: "https://second.internal", ${members} }` })
const LONG = `long_${PLANTED}_0123456789abcdef0123456789`

test('the channel that the tables below spoil holds', () => expect(tell({})).toEqual([]))

describe('a fault in a channel is told with its line, its place and no value', () => {
  const ADDRESS = 'must be an address such as https://steward.internal/hooks'
  const MORE = 'holds a user, a query or a fragment: take it out, the secret is a setting of its own'
  const OPEN = 'must be https, for decisions would travel in the open (plain http only for 127.0.0.0/8, localhost or [::1])'
  const SIGNED = 'must be nothing, or a path that starts with / and does not end with it, without a query'
  const TIME = 'must be a duration such as 90s, 30m, 24h or 7d'
  const ENV = 'must name an environment variable as env:NAME; secrets do not stand in this file'

  test.each<[Said, string]>([
    [{ name: 'Steward' }, ':8: channels[0].name: must be a name of lower-case letters, digits, _ and -'],
    [{ name: 'novo' }, ':8: channels[0].name: is used twice'],
    [second('name: steward, secret: env:LONG'), ':12: channels[1].name: is used twice'],
    ...each('url', ['steward.internal', '/hooks', '""', '"https://"'], `:9: channels[0].url: ${ADDRESS}`),
    [{ url: '1' }, ':9: channels[0].url: expected string, received number'],
    ...each('url', [`https://u:${PLANTED}@h`, `https://${PLANTED}@h`, `https://:${PLANTED}@h`], `:9: channels[0].url: ${MORE}`),
    ...each('url', [`https://h?a=${PLANTED}`, 'https://h/?', `https://h#${PLANTED}`], `:9: channels[0].url: ${MORE}`),
    ...each('url', ['http://h', 'ftp://localhost', 'http://128.0.0.1'], `:9: channels[0].url: ${OPEN}`),
    ...each('url', ['http://127.0.0.1.evil.example', 'http://localhost.evil.example'], `:9: channels[0].url: ${OPEN}`),
    ...each('signedPath', ['hooks', '/', '/hooks/', '/hooks?a=1', '/hooks#a'], `:11: channels[0].signedPath: ${SIGNED}`),
    [{ secret: `steward_${PLANTED}` }, `:10: channels[0].secret: ${ENV}`],
    [{ nudgeSecret: `nudge_${PLANTED}` }, `:11: channels[0].nudgeSecret: ${ENV}`],
    [{ watch: '{ runs: run-1 }' }, ':11: channels[0].watch.runs: expected array, received string'],
    [{ watch: '{ runs: [1] }' }, ':11: channels[0].watch.runs[0]: expected string, received number'],
    [{ watch: '{ runs: [a, ""] }' }, ':11: channels[0].watch.runs[1]: Too small: expected string to have >=1 characters'],
    [
      { watch: `{ runs: [${'r'.repeat(257)}] }` },
      ':11: channels[0].watch.runs[0]: Too big: expected string to have <=256 characters',
    ],
    [{ watch: '\n      runs:\n        - a\n        - b\n        - a' }, ':15: channels[0].watch.runs[2]: is used twice'],
    [{ watch: '{ for: 59s }' }, ':11: channels[0].watch.for: must be at least 1m'],
    [{ watch: '{ for: 1w }' }, `:11: channels[0].watch.for: ${TIME}`],
    [{ watch: '{ until: 1h }' }, ':11: channels[0].watch.until: is not a setting'],
    [{ giveUpAfter: '367d' }, `:11: channels[0].giveUpAfter: ${TIME}`],
    [{ giveUpAfter: '24' }, ':11: channels[0].giveUpAfter: must be a duration such as 30m or 24h'],
    [{ key: 'env:NOVO_API_KEY' }, ':11: channels[0].key: is not a setting'],
  ])('%j', (said, fault) => {
    expect(tell(said, { LONG })).toEqual([`countersign.yml${fault}`])
  })

  test.each([
    ['name', 'is required'],
    ['url', 'is required'],
    ['secret', ENV],
  ])('a channel without %s', (key, fault) => {
    const text = fileWith({ 6: withChannel()[6]?.replace(` ${key}: `, ' giveUpAfter: 1h #') ?? '' })
    told = faults(text)
    expect(told).toEqual([`countersign.yml:8: channels[0].${key}: ${fault}`])
  })

  test('a list that is none is one fault, not a lack of sources as well', () => {
    told = faults(fileWith({ 3: 'channels: {}', 4: '', 5: '', 6: '' }))
    expect(told).toEqual(['countersign.yml:3: channels: expected array, received object'])
  })
})

describe('a secret of a channel that is not there, too short or used for something else is a fault', () => {
  const NEEDS = 'needs the environment variable X, which is'
  const SHORT = 'X is too short: at least 32 bytes'
  test.each([
    ['secret', ':10', undefined, `${NEEDS} not set`],
    ['secret', ':10', '', `${NEEDS} empty`],
    ['secret', ':10', `${PLANTED}_0123456789abcdef0123456`, SHORT],
    ['secret', ':10', `${LONG}\n`, 'X holds a line break'],
    ['nudgeSecret', ':11', undefined, `${NEEDS} not set`],
    ['nudgeSecret', ':11', '', `${NEEDS} empty`],
    ['nudgeSecret', ':11', `${PLANTED}_0123456789abcdef0123456`, SHORT],
    ['nudgeSecret', ':11', `${LONG}\n`, 'X holds a line break'],
  ])('%s on line %s as %j', (key, line, value, fault) => {
    expect(tell({ [key]: 'env:X' }, { X: value })).toEqual([`countersign.yml${line}: channels[0].${key}: ${fault}`])
  })

  const SAME = 'is the same secret as channels[0].secret; each needs its own'
  test.each<[Said, string]>([
    [
      { secret: 'env:SLACK_SIGNING_SECRET' },
      ':10: channels[0].secret: is the same secret as SLACK_SIGNING_SECRET; each needs its own',
    ],
    [
      { nudgeSecret: 'env:NOVO_HOOK_SECRET' },
      ':11: channels[0].nudgeSecret: is the same secret as hooks[0].secrets[0]; each needs its own',
    ],
    [second('name: second, secret: env:STEWARD_SECRET'), `:12: channels[1].secret: ${SAME}`],
    [second('name: second, secret: env:LONG, nudgeSecret: env:STEWARD_SECRET'), `:12: channels[1].nudgeSecret: ${SAME}`],
    [{ signedPath: '""\nserve: [{ name: console, secret: env:STEWARD_SECRET }]' }, `:12: serve[0].secret: ${SAME}`],
  ])('%j', (said, fault) => {
    const variables = { LONG, SLACK_SIGNING_SECRET: `signing_${LONG}`, NOVO_HOOK_SECRET: `tah_${LONG}` }
    expect(tell(said, variables)).toEqual([`countersign.yml${fault}`])
  })

  test('short is counted in bytes', () => {
    expect(tell({ secret: 'env:X' }, { X: 'é'.repeat(16) })).toEqual([])
    expect(tell({ secret: 'env:X' }, { X: VARIABLES.STEWARD_SECRET?.slice(0, 32) })).toEqual([])
  })
})

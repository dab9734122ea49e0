import { describe, expect, test } from 'vitest'
import { isPinned } from '../../../src/sources/novo/resolve-url.ts'

const ORIGIN = 'https://api.novoagents.ai'
const pins = { origins: [ORIGIN], resolvePath: '/v1/interactions/{id}/resolve' }
const ID = 'tar_1'

test.each([
  ['an ordinary id', ID, `${ORIGIN}/v1/interactions/tar_1/resolve`],
  ['an id with a slash', 'a/b', `${ORIGIN}/v1/interactions/a%2Fb/resolve`],
  ['an id with blanks and marks', 'a b?c#d%e', `${ORIGIN}/v1/interactions/a%20b%3Fc%23d%25e/resolve`],
  ['an id beyond ASCII', 'tär_🙂', `${ORIGIN}/v1/interactions/t%C3%A4r_%F0%9F%99%82/resolve`],
  ['an id that climbs inside its segment', '../../admin', `${ORIGIN}/v1/interactions/..%2F..%2Fadmin/resolve`],
  ['an id of three dots', '...', `${ORIGIN}/v1/interactions/.../resolve`],
  ['an id that is an encoded dot segment', '%2e%2e', `${ORIGIN}/v1/interactions/%252e%252e/resolve`],
  ['an id that a replacement would expand', "$&$'$`$1", `${ORIGIN}/v1/interactions/%24%26%24'%24%60%241/resolve`],
  ['an id that is the placeholder', '{id}', `${ORIGIN}/v1/interactions/%7Bid%7D/resolve`],
])('the address of %s holds, and a URL parser leaves it as it is', (_name, id, url) => {
  expect(isPinned(url, id, pins)).toBe(true)
  expect(new URL(url).href).toBe(url)
})

describe('refused is', () => {
  const path = '/v1/interactions/tar_1/resolve'
  test.each([
    ['another origin', `https://evil.example${path}`],
    ['a subdomain', `https://x.api.novoagents.ai${path}`],
    ['an origin that only begins alike', `https://api.novoagents.ai.evil.example${path}`],
    ['an origin without its first letters', `https://novoagents.ai${path}`],
    ['an origin with a dot at its end', `https://api.novoagents.ai.${path}`],
    ['plain http', `http://api.novoagents.ai${path}`],
    ['another scheme', `ftp://api.novoagents.ai${path}`],
    ['no scheme', `//api.novoagents.ai${path}`],
    ['a path alone', path],
    ['a user', `https://user@api.novoagents.ai${path}`],
    ['a user and a password', `https://user:pw@api.novoagents.ai${path}`],
    ['our origin as the user of another', `https://api.novoagents.ai@evil.example${path}`],
    ['a backslash before another host', `https://api.novoagents.ai\\@evil.example${path}`],
    ['the port that https has anyway', `https://api.novoagents.ai:443${path}`],
    ['another port', `https://api.novoagents.ai:8443${path}`],
    ['an empty port', `https://api.novoagents.ai:${path}`],
    ['a query', `${ORIGIN}${path}?x=1`],
    ['an empty query', `${ORIGIN}${path}?`],
    ['a fragment', `${ORIGIN}${path}#x`],
    ['an empty fragment', `${ORIGIN}${path}#`],
    ['a trailing slash', `${ORIGIN}${path}/`],
    ['two slashes', `${ORIGIN}//v1/interactions/tar_1/resolve`],
    ['a dot segment that leads back', `${ORIGIN}/v1/x/../interactions/tar_1/resolve`],
    ['a dot segment that stays', `${ORIGIN}/v1/./interactions/tar_1/resolve`],
    ['an encoded dot segment', `${ORIGIN}/v1/x/%2e%2e/interactions/tar_1/resolve`],
    ['a dot segment to another id', `${ORIGIN}/v1/interactions/tar_1/../tar_2/resolve`],
    ["another interaction's id", `${ORIGIN}/v1/interactions/tar_2/resolve`],
    ['an id that only begins alike', `${ORIGIN}/v1/interactions/tar_10/resolve`],
    ['the id in another case', `${ORIGIN}/v1/interactions/TAR_1/resolve`],
    ['another path', `${ORIGIN}/v1/interactions/tar_1/cancel`],
    ['the path in another case', `${ORIGIN}/V1/interactions/tar_1/resolve`],
    ['the host in another case', `https://API.novoagents.ai${path}`],
    ['the scheme in another case', `HTTPS://api.novoagents.ai${path}`],
    ['the id encoded where it need not be', `${ORIGIN}/v1/interactions/%74ar_1/resolve`],
    ['the path encoded where it need not be', `${ORIGIN}/v%31/interactions/tar_1/resolve`],
    ['backslashes', `https:\\\\api.novoagents.ai${path}`],
    ['a blank before', ` ${ORIGIN}${path}`],
    ['a line break after', `${ORIGIN}${path}\n`],
    ['a tab inside, which a URL parser drops', `${ORIGIN}/v1/inter\tactions/tar_1/resolve`],
    ['a host in letters that look alike', `https://аpi.novoagents.ai${path}`],
    ['the placeholder', `${ORIGIN}/v1/interactions/{id}/resolve`],
    ['nothing', ''],
  ])('%s', (_name, url) => expect(isPinned(url, ID, pins)).toBe(false))

  test.each([
    ['a raw slash', 'a/b', '/v1/interactions/a/b/resolve'],
    ['the encoding in lower case', 'a/b', '/v1/interactions/a%2fb/resolve'],
    ['a blank as a plus', 'a b', '/v1/interactions/a+b/resolve'],
    ['raw letters beyond ASCII', 'tär', '/v1/interactions/tär/resolve'],
    ['an encoding other than UTF-8', 'tär', '/v1/interactions/t%E4r/resolve'],
    ['letters normalised otherwise', 't\u00e4r', '/v1/interactions/ta%CC%88r/resolve'],
    ['an id encoded twice', 'a/b', '/v1/interactions/a%252Fb/resolve'],
    ['the id ..', '..', '/v1/interactions/../resolve'],
    ['the id .. encoded', '..', '/v1/interactions/%2E%2E/resolve'],
    ['the id .', '.', '/v1/interactions/./resolve'],
    ['half a pair of surrogates', '\ud800', '/v1/interactions/%EF%BF%BD/resolve'],
    ['an id that climbs, raw', '../../admin', '/v1/interactions/../../admin/resolve'],
  ])('for another id: %s', (_name, id, path) => expect(isPinned(ORIGIN + path, id, pins)).toBe(false))
})

test('each allowed origin holds, with its port, and none beside them', () => {
  const both = { ...pins, origins: [ORIGIN, 'http://127.0.0.1:8080'] }
  const path = '/v1/interactions/tar_1/resolve'
  expect(isPinned(ORIGIN + path, ID, both)).toBe(true)
  expect(isPinned(`http://127.0.0.1:8080${path}`, ID, both)).toBe(true)
  expect(isPinned(`http://127.0.0.1:8081${path}`, ID, both)).toBe(false)
  expect(isPinned(`http://127.0.0.1${path}`, ID, both)).toBe(false)
  expect(isPinned(`http://localhost:8080${path}`, ID, both)).toBe(false)
  expect(isPinned(`https://127.0.0.1:8080${path}`, ID, both)).toBe(false)
  expect(isPinned(ORIGIN + path, ID, { ...pins, origins: [] })).toBe(false)
})

test('the path is the one of the setting', () => {
  const other = { ...pins, resolvePath: '/api/approvals/{id}' }
  expect(isPinned(`${ORIGIN}/api/approvals/tar_1`, ID, other)).toBe(true)
  expect(isPinned(`${ORIGIN}/v1/interactions/tar_1/resolve`, ID, other)).toBe(false)
})

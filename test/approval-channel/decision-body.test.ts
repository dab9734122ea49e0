import { describe, expect, test } from 'vitest'
import { readCancel, readDecision, writeCancel, writeDecision } from '../../src/approval-channel/decision-body.ts'

const ids = '"run_id":"r1","approval_id":"a1"'
const full = `{${ids},"hash":"h","by":"slack:U1","note":"ship it"}`
const read = (body: string) => readDecision(Buffer.from(body, 'utf8'), 'r1', 'a1')
const cancel = (body: string) => readCancel(Buffer.from(body, 'utf8'), 'r1')

describe('a decision is read', () => {
  test.each([
    ['with all its fields', full, { hash: 'h', by: 'slack:U1', note: 'ship it' }],
    ['without a note', `{${ids},"hash":"h","by":"b"}`, { hash: 'h', by: 'b', note: '' }],
    ['with a note of null', `{${ids},"hash":"h","by":"b","note":null}`, { hash: 'h', by: 'b', note: '' }],
    ['with a blank for a name', `{${ids},"hash":"h","by":" "}`, { hash: 'h', by: ' ', note: '' }],
    ['with fields that nobody knows', `{${ids},"hash":"h","by":"b","x":{"y":[1]}}`, { hash: 'h', by: 'b', note: '' }],
    ['with blanks around', ` \n${full}\r\n\t `, { hash: 'h', by: 'slack:U1', note: 'ship it' }],
    ['with escapes', String.raw`{${ids},"hash":"\u0068","b\u0079":"b"}`, { hash: 'h', by: 'b', note: '' }],
  ])('%s', (_name, body, value) => {
    expect(read(body)).toEqual({ ok: true, value })
  })
})

describe('is no decision:', () => {
  const notOne = 'body is not a JSON decision'
  test.each([
    ['nothing', ''],
    ['blanks', '  \n'],
    ['a list', '[]'],
    ['text', '"approve"'],
    ['a number', '5'],
    ['true', 'true'],
    ['cut off', full.slice(0, -1)],
    ['more after the end', `${full}{}`],
    ['a byte order mark', `\ufeff${full}`],
    ['a comma at the end', `{${ids},"hash":"h","by":"b",}`],
    ['a raw control character', `{${ids},"hash":"h","by":"b\n"}`],
    ['a note that is a number', `{${ids},"hash":"h","by":"b","note":5}`],
    ['an id that is a list', '{"run_id":["r1"],"approval_id":"a1","hash":"h","by":"b"}'],
    ['a repeated key', `{${ids},"hash":"h","by":"b","by":"b"}`],
    ['a repeated key inside what nobody knows', `{${ids},"hash":"h","by":"b","x":{"y":1,"y":2}}`],
    ['a key in capitals', `{${ids},"HASH":"h","by":"b"}`],
    ['a key in capitals beside its own', `{${ids},"hash":"h","by":"b","By":"c"}`],
    ['a key with the long s', `{${ids},"hash":"h","by":"b","haſh":"i"}`],
    ['half a character', String.raw`{${ids},"hash":"h","by":"\ud800"}`],
  ])('%s', (_name, body) => {
    expect(read(body)).toEqual({ ok: false, error: notOne })
    expect(cancel(body)).toEqual({ ok: false, error: notOne })
  })

  test('bytes that are not UTF-8', () => {
    const body = Buffer.from(full.replace('ship', '\xff'), 'latin1')
    expect(readDecision(body, 'r1', 'a1')).toEqual({ ok: false, error: notOne })
  })
})

describe('the ids come first, then hash and name:', () => {
  test.each([
    ['null for the whole', 'null', 'body must name the run and approval of the path'],
    ['an empty object', '{}', 'body must name the run and approval of the path'],
    ['another run', '{"run_id":"r2","approval_id":"a1"}', 'body must name the run and approval of the path'],
    [
      'another approval',
      '{"run_id":"r1","approval_id":"A1","hash":"h","by":"b"}',
      'body must name the run and approval of the path',
    ],
    [
      'a run of null',
      '{"run_id":null,"approval_id":"a1","hash":"h","by":"b"}',
      'body must name the run and approval of the path',
    ],
    ['no hash', `{${ids},"by":"b"}`, 'hash and by are required'],
    ['an empty hash', `{${ids},"hash":"","by":"b"}`, 'hash and by are required'],
    ['no name', `{${ids},"hash":"h"}`, 'hash and by are required'],
    ['a name of null', `{${ids},"hash":"h","by":null}`, 'hash and by are required'],
  ])('%s', (_name, body, error) => {
    expect(read(body)).toEqual({ ok: false, error })
  })
})

describe('a cancel', () => {
  test('needs its run and a name, and ignores a hash and an approval', () => {
    expect(cancel('{"run_id":"r1","by":"b","note":"stop"}')).toEqual({ ok: true, value: { by: 'b', note: 'stop' } })
    expect(cancel(`{"run_id":"r1","approval_id":"zz","hash":"zz","by":"b"}`)).toEqual({ ok: true, value: { by: 'b', note: '' } })
  })

  test.each([
    ['another run', '{"run_id":"r2","by":"b"}'],
    ['no name', '{"run_id":"r1"}'],
    ['null', 'null'],
  ])('with %s is refused', (_name, body) => {
    expect(cancel(body)).toEqual({ ok: false, error: 'body must name the run of the path and an identity' })
  })

  test('with a hash that is no text is no decision', () => {
    expect(cancel('{"run_id":"r1","by":"b","hash":1}')).toEqual({ ok: false, error: 'body is not a JSON decision' })
  })
})

describe('what is written', () => {
  test('reads back as it was, whatever it holds', () => {
    const value = { hash: 'h', by: 'slack:Žofie', note: 'не\n"сейчас" <🙂>\u2028' }
    expect(readDecision(Buffer.from(writeDecision('r/1', 'ä', value)), 'r/1', 'ä')).toEqual({ ok: true, value })
    expect(readCancel(Buffer.from(writeCancel('r/1', value)), 'r/1')).toEqual({
      ok: true,
      value: { by: value.by, note: value.note },
    })
  })

  test('has the fields in the order of the protocol, and no note where there is none', () => {
    expect(writeDecision('r1', 'a1', { hash: 'h', by: 'slack:U1', note: 'ship it' })).toBe(full)
    expect(writeDecision('r1', 'a1', { hash: 'h', by: 'b', note: '' })).toBe(`{${ids},"hash":"h","by":"b"}`)
    expect(writeCancel('r1', { by: 'b', note: '' })).toBe('{"run_id":"r1","by":"b"}')
  })
})

test('a note of marks that the canonical form escapes takes no more room than it has characters', () => {
  const note = '<b>&'.repeat(1000)
  expect(Buffer.byteLength(writeDecision('run_1', 'appr_1', { hash: 'h', by: 'b', note }))).toBeLessThan(note.length + 100)
})

import { describe, expect, test } from 'vitest'
import { RowId } from '../../../src/approval/approval.ts'
import { hashOf } from '../../../src/approval/canonical.ts'
import { parseJson } from '../../../src/approval/json.ts'
import { answerOf, asked, type Review, readReview, resolutionBody } from '../../../src/sources/novo/wire.ts'

/** A review's members as JSON text, so that a number can be written as it must not be. */
const WHOLE: Readonly<Record<string, string>> = {
  type: '"tool_execution_review"',
  id: '"tar_1"',
  runId: '"run_1"',
  rootRunId: '"run_0"',
  workerRef: '"wkr_9"',
  threadId: '"thread_1"',
  agentId: '"agent_1"',
  stepNumber: '3',
  toolName: '"bash"',
  toolCallId: '"tc_1"',
  input: '{"command":"ls"}',
  preview: '{"summary":"Lists files."}',
  resolveUrl: '"https://api.novoagents.ai/v1/interactions/tar_1/resolve"',
}

/** Undefined leaves a member out. */
const textOf = (members: Readonly<Record<string, string | undefined>>): string =>
  `{${Object.entries({ ...WHOLE, ...members })
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`
const read = (members: Readonly<Record<string, string | undefined>> = {}) => readReview(parseJson(textOf(members)))
const review = (members: Readonly<Record<string, string | undefined>> = {}): Review => {
  const one = read(members)
  if (!one.ok) throw new Error(one.error)
  return one.review
}
const ROW = RowId.parse('0123456789abcdef0123456789abcdef')
const PENDING = { ruling: 'ask', rule: null, reason: 'wait', approvers: 'everyone' } as const
const hashed = (members: Readonly<Record<string, string | undefined>>): string =>
  asked(review(members), 'novo', ROW, PENDING, new Date(0)).hash

describe('a review', () => {
  test('becomes what is asked, with the step as it was written', () => {
    const at = new Date(1_790_000_000_000)
    expect(asked(review(), 'novo', ROW, PENDING, at)).toEqual({
      rowId: ROW,
      source: 'novo',
      id: 'tar_1',
      hash: hashOf(review().call),
      form: 'review',
      run: 'run_1',
      rootRun: 'run_0',
      worker: 'wkr_9',
      agent: 'agent_1',
      thread: 'thread_1',
      step: '3',
      tool: 'bash',
      toolCall: 'tc_1',
      kind: null,
      sourceReason: null,
      decodeError: null,
      call: review().call,
      resolveUrl: 'https://api.novoagents.ai/v1/interactions/tar_1/resolve',
      ruling: PENDING,
      openedAt: at,
      expiresAt: null,
    })
  })

  test('keeps every member in its canonical text, known or not', () => {
    expect(review({ extra: '{"b":1.0,"a":9007199254740993}', __proto__x: 'null' }).call).toBe(
      '{"__proto__x":null,"agentId":"agent_1","extra":{"a":9007199254740993,"b":1.0},"id":"tar_1","input":{"command":"ls"},"preview":{"summary":"Lists files."},"resolveUrl":"https://api.novoagents.ai/v1/interactions/tar_1/resolve","rootRunId":"run_0","runId":"run_1","stepNumber":3,"threadId":"thread_1","toolCallId":"tc_1","toolName":"bash","type":"tool_execution_review","workerRef":"wkr_9"}',
    )
  })

  test.each([
    ['without what may be missing', { workerRef: undefined, preview: undefined }],
    ['with a preview of more members', { preview: '{"summary":"","risk":0.5,"files":["a"]}' }],
    ['at step 0', { stepNumber: '0' }],
    ['at the last step that 15 digits write', { stepNumber: '999999999999999' }],
    ['with ids of 256 characters', { id: `"${'i'.repeat(256)}"`, runId: `"${'r'.repeat(256)}"` }],
    ['with ids of other forms', { id: '"interaction-7"', runId: '"🙂"' }],
  ])('is read %s', (_name, members) => expect(read(members).ok).toBe(true))

  test.each([
    ['null', 'null'],
    ['a string', '"ls"'],
    ['a number', '1e400'],
    ['false', 'false'],
    ['an array', '[1,2]'],
    ['an empty object', '{}'],
  ])('may have the input %s', (_name, input) => {
    expect(review({ input }).call).toContain(`"input":${input}`)
  })
})

describe('a member that changes the call changes the hash', () => {
  test.each([
    ['an unknown member', { extra: '1' }],
    ['an unknown member that is null', { extra: 'null' }],
    ['another preview', { preview: '{"summary":"Lists  files."}' }],
    ['a preview with one more member', { preview: '{"summary":"Lists files.","x":1}' }],
    ['no worker', { workerRef: undefined }],
    ['another input', { input: '{"command":"ls "}' }],
    ['another step', { stepNumber: '4' }],
    ['another tool call', { toolCallId: '"tc_2"' }],
  ])('%s', (_name, members) => expect(hashed(members)).not.toBe(hashed({})))

  test('and a number written otherwise is another call', () => {
    expect(hashed({ input: '{"n":1.0}' })).not.toBe(hashed({ input: '{"n":1}' }))
    expect(hashed({ input: '{"n":9007199254740993}' })).not.toBe(hashed({ input: '{"n":9007199254740992}' }))
  })

  test('but blanks, the order of members and escapes are the same call', () => {
    expect(hashed({ input: ' { "b" : "\\u0061" , "a" : 1 } ' })).toBe(hashed({ input: '{"a":1,"b":"a"}' }))
  })
})

describe('what is not a review is refused, naming the field', () => {
  test.each([['null'], ['[]'], ['"tool_execution_review"'], ['1'], ['true']])('%s', (text) => {
    expect(readReview(parseJson(text))).toEqual({ ok: false, code: 'not_a_review', error: 'The body is not a JSON object.' })
  })

  test.each([undefined, '"PLANTED"', '"Tool_execution_review"', 'null', '["tool_execution_review"]'])('the type %s', (type) => {
    expect(read({ type })).toEqual({ ok: false, code: 'not_a_review', error: 'The field type is not tool_execution_review.' })
  })

  const required = [
    'id',
    'runId',
    'rootRunId',
    'threadId',
    'agentId',
    'stepNumber',
    'toolName',
    'toolCallId',
    'input',
    'resolveUrl',
  ]
  test.each(required)('no %s', (field) => {
    expect(read({ [field]: undefined })).toEqual({ ok: false, code: 'not_a_review', error: `The field ${field} is missing.` })
  })

  const strings = ['id', 'runId', 'rootRunId', 'workerRef', 'threadId', 'agentId', 'toolName', 'toolCallId', 'resolveUrl']
  const notText = ['null', '1', 'true', '["PLANTED"]', '{"PLANTED":1}', '""', `"${'PLANTED'.repeat(300)}"`]
  test.each(strings.flatMap((field) => notText.map((text) => [field, text.slice(0, 20), text] as const)))(
    'the field %s as %s',
    (field, _short, text) => {
      expect(read({ [field]: text })).toEqual({
        ok: false,
        code: 'not_a_review',
        error: `The field ${field} is not of the right type or size.`,
      })
    },
  )

  test.each(['null', '"3"', 'true', '[3]', '{}', '-1', '-0', '3.0', '3e0', '0.5', '1000000000000000', '1e400'])(
    'the step %s',
    (stepNumber) => {
      expect(read({ stepNumber })).toMatchObject({ ok: false, error: 'The field stepNumber is not of the right type or size.' })
    },
  )

  test.each([
    'null',
    '"PLANTED"',
    '1',
    '[]',
    '{}',
    '{"summary":1}',
    '{"summary":null}',
    '{"summary":["PLANTED"]}',
    '{"Summary":"x"}',
  ])('the preview %s', (preview) => {
    expect(read({ preview })).toMatchObject({ ok: false, error: 'The field preview is not of the right type or size.' })
  })

  test('members that every object inherits do not count as sent', () => {
    expect(readReview(parseJson('{"type":"tool_execution_review","input":1,"__proto__":{"id":"tar_1"}}'))).toMatchObject({
      error: 'The field id is missing.',
    })
  })
})

test('the answer says allow without a reason, and deny and pause with theirs', () => {
  expect(answerOf({ ruling: 'allow', rule: 'reads' })).toEqual({ decision: 'allow' })
  expect(answerOf({ ruling: 'deny', rule: 'wipes', reason: 'destructive' })).toEqual({ decision: 'deny', reason: 'destructive' })
  expect(answerOf(PENDING)).toEqual({ decision: 'pause', reason: 'wait' })
})

describe('the body of a resolution', () => {
  const note = 'Not on a Friday.\n"{note}" $& <!channel> 🙂'
  test.each<[string, unknown, string | null, unknown]>([
    ['an allow has no note in it', { decision: 'allow' }, note, { decision: 'allow' }],
    ['the note fills its value word for word', { decision: 'deny', reason: '{note}' }, note, { decision: 'deny', reason: note }],
    ['without a note its member is left out', { decision: 'deny', reason: '{note}' }, null, { decision: 'deny' }],
    ['a note inside objects', { a: { b: { c: '{note}', d: 1 } } }, 'x', { a: { b: { c: 'x', d: 1 } } }],
    ['without a note only its own member goes', { a: { b: { c: '{note}', d: 1 } } }, null, { a: { b: { d: 1 } } }],
    ['a note in a list', { list: ['{note}', 'b'] }, 'x', { list: ['x', 'b'] }],
    ['without a note its place in a list goes', { list: ['{note}', 'b'] }, null, { list: ['b'] }],
    ['two places for one note', { a: '{note}', b: '{note}' }, 'x', { a: 'x', b: 'x' }],
    ['an empty note is a note', { reason: '{note}' }, '', { reason: '' }],
    ['other values stay', { a: null, b: false, c: 0, d: '', e: [] }, 'x', { a: null, b: false, c: 0, d: '', e: [] }],
    ['a note that looks like the placeholder is not filled again', { reason: '{note}' }, '{note}', { reason: '{note}' }],
    ['keys are never filled', { '{note}': 'a' }, 'x', { '{note}': 'a' }],
  ])('%s', (_name, template, given, expected) => {
    expect(JSON.parse(JSON.stringify(resolutionBody(template, { note: given })))).toEqual(expected)
  })
})

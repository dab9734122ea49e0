import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Approval, ApprovalHash, ApprovalId, RowId } from '../../../src/approval/approval.ts'
import { type Platform, startPlatform } from '../../../src/sandbox/platform/platform.ts'
import { novoSource } from '../../../src/sources/novo/resolve.ts'

const ANSWER_MS = 60
const KEY = 'key_0123456789abcdef'

let platform: Platform
beforeEach(async () => {
  platform = await startPlatform({ apiKey: KEY })
})
afterEach(() => platform.close())

function decided(resolveUrl: string): Approval & { status: 'decided' } {
  const at = new Date(Date.now() - 60_000)
  return {
    rowId: RowId.parse('0'.repeat(32)),
    source: 'novo',
    id: ApprovalId.parse('tar_1'),
    hash: ApprovalHash.parse('a'.repeat(64)),
    form: 'review',
    run: 'run_1',
    rootRun: 'run_1',
    worker: null,
    agent: 'agent_1',
    thread: 'thread_1',
    step: '0',
    tool: 'bash',
    toolCall: 'tc_1',
    kind: null,
    call: '{}',
    resolveUrl,
    ruling: { ruling: 'ask', rule: null, reason: 'why', approvers: 'everyone' },
    sourceReason: null,
    decodeError: null,
    openedAt: at,
    expiresAt: null,
    status: 'decided',
    decision: { verdict: 'approve', outcome: 'approved', by: 'slack:T0ACME/U0ANA', via: null, note: null, at },
    trouble: null,
    giveUpAt: at,
  }
}

const source = (origins: readonly string[]) =>
  novoSource(
    {
      name: 'novo',
      key: KEY,
      origins,
      resolvePath: '/v1/interactions/{id}/resolve',
      resolution: { approve: { decision: 'allow' }, deny: { decision: 'deny', reason: '{note}' } },
    },
    () => new Date(),
    ANSWER_MS,
  )

test('an answer that does not come in time is passing, and the decision may have landed', async () => {
  platform.answerNext({ hang: true })
  const novo = source([platform.url])
  await expect(novo.resolve(decided(`${platform.url}/v1/interactions/tar_1/resolve`), false)).rejects.toMatchObject({
    trouble: { kind: 'passing', code: 'no_answer' },
    landed: 'maybe',
  })
  await novo.close()
})

test('an address that the settings no longer allow gets nothing: no decision, and no key', async () => {
  const novo = source(['https://api.novoagents.ai'])
  await expect(novo.resolve(decided(`${platform.url}/v1/interactions/tar_1/resolve`), false)).rejects.toMatchObject({
    trouble: { kind: 'lasting', code: 'resolve_url_refused' },
    landed: 'no',
  })
  expect(platform.resolutions()).toEqual([])
  await novo.close()
})

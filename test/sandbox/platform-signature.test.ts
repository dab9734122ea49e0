import { expect, test } from 'vitest'
import { reviewText } from '../../src/sandbox/platform/review.ts'
import { sign } from '../../src/sandbox/platform/signature.ts'

const SECRET = 'tah_secret_0123456789abcdef0123456789'

const first = reviewText({
  id: 'tar_1',
  runId: 'run_1',
  rootRunId: 'run_1',
  threadId: 'thread_1',
  agentId: 'agent_1',
  stepNumber: 0,
  toolName: 'bash',
  toolCallId: 'tc_1',
  inputText: '{"command":"rm -rf /"}',
  preview: { summary: 'Will delete the workspace.' },
  resolveUrl: 'https://api.novoagents.ai/v1/interactions/tar_1/resolve',
})

const second = reviewText({
  id: 'tar_2',
  runId: 'run_w',
  rootRunId: 'run_1',
  workerRef: 'wkr_9',
  threadId: 'thread_1',
  agentId: 'agent_1',
  stepNumber: 3,
  toolName: 'send_email',
  toolCallId: 'tc_2',
  inputText: '{"to":"ana@example.com","body":"naïve 🙂","chat":9007199254740993}',
  resolveUrl: 'https://api.novoagents.ai/v1/interactions/tar_2/resolve',
})

test.each([
  ['a root call', first, 329, 1790000000, 'c5b85749a3b7884d32c65ee7f42095279ae15c1066465e8ca8e6d7ad6a64d927'],
  ['a worker call', second, 351, 1790000001, '06339481cf454b52e5fbde90a7e1bfe32bb98d66dc33b014f9bb0d55df021a16'],
  ['no body', '', 0, 1790000002, 'cb3d9d7b3a1634e0eabba2a23102435a359d6f89508580eb54bcb573e12b5908'],
])('%s is written and signed byte for byte as the published vector', (_name, body, bytes, t, v1) => {
  expect(Buffer.byteLength(body)).toBe(bytes)
  expect(sign(SECRET, body, t)).toBe(`t=${t},v1=${v1}`)
  expect(sign(SECRET, Buffer.from(body), t)).toBe(`t=${t},v1=${v1}`)
})

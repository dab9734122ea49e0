/** Hook calls as the platform sends them: each with an id of its own, a body of 2 KiB that a rule asks about, and a signature that holds. */
import { createHmac } from 'node:crypto'

export const BODY_BYTES = 2048
const HOOK_PATH = '/hooks/novo'
/** Nothing listens there and nothing is sent there: nobody decides. */
export const PLATFORM = 'http://127.0.0.1:9'

/** What a person would be asked about: a command with line breaks, quotes and a letter beyond ASCII. */
const COMMAND = `set -euo pipefail
cd "$WORKSPACE/service"
git fetch --tags && git checkout "v$(cat VERSION)"
docker build --pull --tag registry.internal/service:"$(git rev-parse --short HEAD)" .
psql "$DATABASE" -c 'update jobs set state = '"'held'"' where owner = '"'Zoë'"''
kubectl --context production rollout restart deployment/service
`

/** Whole HTTP requests, made before the clock starts so that signing costs the server's side only. */
export function requests(prefix: string, count: number, secret: string): readonly Buffer[] {
  const t = String(Math.floor(Date.now() / 1000))
  return Array.from({ length: count }, (_, n) => {
    const body = review(`tar_${prefix}_${n}`)
    const v1 = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
    const head = `POST ${HOOK_PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nNovo-Signature: t=${t},v1=${v1}\r\n\r\n`
    return Buffer.concat([Buffer.from(head, 'latin1'), body])
  })
}

function review(id: string): Buffer {
  const text = (command: string): string =>
    JSON.stringify({
      type: 'tool_execution_review',
      id,
      runId: `run_${id}`,
      rootRunId: `run_${id}`,
      threadId: 'thread_5f1c9b7a2e',
      agentId: 'agent_release',
      stepNumber: 7,
      toolName: 'bash',
      toolCallId: `tc_${id}`,
      input: { command, timeoutMs: 600_000, background: false, environment: { WORKSPACE: '/srv/work' } },
      preview: { summary: 'Will build the service and restart it in production.' },
      resolveUrl: `${PLATFORM}/v1/interactions/${id}/resolve`,
    })
  const command = COMMAND.repeat(2)
  const missing = BODY_BYTES - Buffer.byteLength(text(command))
  if (missing < 0) throw new Error(`the body is ${-missing} bytes over ${BODY_BYTES}`)
  return Buffer.from(text(`${command}${'#'.repeat(missing)}`))
}

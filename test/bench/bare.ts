/**
 * What the bot is measured against, a process of its own: the least that a hook could do. It reads the body, checks the same
 * signature, parses, and commits one row of the same size with the same durability before it answers; one commit a call.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import Sqlite from 'better-sqlite3'

const [path = '', secret = ''] = process.argv.slice(2)

const sqlite = new Sqlite(path)
sqlite.pragma('page_size = 8192')
sqlite.pragma('journal_mode = WAL')
sqlite.pragma('synchronous = FULL')
const COLUMNS = [
  ...['row_id', 'source', 'id', 'hash', 'run', 'root_run', 'agent', 'thread', 'step', 'tool', 'tool_call', 'call'],
  ...['resolve_url', 'ruling', 'rule', 'reason', 'approvers', 'opened_at', 'status'],
]
sqlite.exec(`create table approvals (${COLUMNS.map((name) => (name === 'row_id' ? 'row_id primary key' : name)).join(', ')})`)
const insert = sqlite.prepare(`insert into approvals values (${COLUMNS.map(() => '?').join(', ')})`)
const REASON = 'A shell command changes this machine.'

/** The same header, the same window, the same compare. */
function holds(header: string, body: Buffer): boolean {
  const [, t, v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (t === undefined || v1 === undefined || Math.abs(Date.now() / 1000 - Number(t)) > 300) return false
  return timingSafeEqual(Buffer.from(v1, 'hex'), createHmac('sha256', secret).update(`${t}.`).update(body).digest())
}

function keep(text: string): void {
  const call = JSON.parse(text)
  insert.run(
    ...[
      randomBytes(16).toString('hex'),
      'novo',
      call.id,
      randomBytes(32).toString('hex'),
      call.runId,
      call.rootRunId,
      call.agentId,
    ],
    ...[call.threadId, String(call.stepNumber), call.toolName, call.toolCallId, text, call.resolveUrl, 'ask', 'shell', REASON],
    ...['everyone', Date.now(), 'pending'],
  )
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    if (!holds(String(request.headers['novo-signature']), body)) return void response.writeHead(401).end()
    keep(body.toString())
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ decision: 'pause', reason: REASON }))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
})
process.once('disconnect', () => process.exit())

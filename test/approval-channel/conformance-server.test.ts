import { createServer } from 'node:http'
import type { SignatureBook } from '../../src/approval/ports.ts'
import { channelSecret } from '../../src/approval-channel/signature.ts'
import { BOUNDS, type ChannelEvent, channelServer } from '../../src/channels/webhook/server.ts'
import { readBody } from '../../src/http/body.ts'
import { Committer } from '../../src/store/commit.ts'
import { openDatabase } from '../../src/store/database.ts'
import { signatureBook } from '../../src/store/signatures.ts'
import type { ChannelUnderTest, Observed, Wish } from './conformance.ts'
import { channelSuite } from './conformance.ts'
import { scriptedApprover } from './scripted-approver.ts'

const SECRET = '0123456789abcdef0123456789abcdef'

/** Our server over an approver with agentrt's run semantics, its signatures in a database of its own. */
async function make(wish: Wish): Promise<ChannelUnderTest> {
  let at = wish.at
  const now = (): Date => at ?? new Date()
  const { approver, pause, resume, represent, corrupt, expire, effects } = scriptedApprover(now)
  const db = await openDatabase(':memory:')
  const signatures: SignatureBook = signatureBook(new Committer(db))
  const bounds = {
    ...BOUNDS,
    perSecond: wish.rate ?? BOUNDS.perSecond,
    burst: wish.burst ?? BOUNDS.burst,
    maxBodyBytes: wish.maxBody ?? BOUNDS.maxBodyBytes,
    limit: wish.limit ?? BOUNDS.limit,
  }
  const serve = channelServer({
    approver,
    channels: [{ name: 'console', secret: channelSecret(SECRET) }],
    signatures,
    now,
    bounds,
  })
  const events: Observed[] = []
  const prefix = wish.prefix ?? ''
  const server = createServer((request, response) => {
    const target = request.url ?? ''
    if (!target.startsWith(prefix)) return void response.writeHead(404).end()
    void serve({
      method: request.method ?? '',
      target: target.slice(prefix.length),
      headers: request.headersDistinct,
      remote: 'test',
      read: (maxBytes) => readBody(request, request.headers['content-length'], { maxBytes, deadlineMs: 5000 }),
    }).then((answer) => {
      if (answer.close) response.setHeader('connection', 'close')
      if (answer.noStore) response.setHeader('cache-control', 'no-store')
      response.writeHead(answer.status, { 'content-type': answer.contentType }).end(request.method === 'HEAD' ? '' : answer.body)
      if (answer.event !== undefined) events.push(observed(answer.event))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    secret: SECRET,
    bounds: { rate: bounds.perSecond, burst: bounds.burst, maxBody: bounds.maxBodyBytes, limit: bounds.limit },
    ...(at === undefined
      ? {}
      : {
          now,
          advance: (ms: number) => {
            at = new Date(now().getTime() + ms)
          },
        }),
    pause: (paused = {}) => pause(paused, wish.approvalTtlMs),
    resume,
    represent,
    corrupt,
    expire,
    effects,
    events: () => events,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await db.destroy()
    },
  }
}

function observed(event: ChannelEvent): Observed {
  if (event.event === 'webhook.refused') return { type: event.event, run: '', payload: { ...event } }
  return { type: event.event, run: event.run, payload: { ...event, approval_id: event.approval } }
}

channelSuite('our server', make, { strict: true })

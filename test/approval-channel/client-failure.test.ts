import { createServer, type ServerResponse } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { APPROVAL, EXAMPLE, RUN } from './example.ts'
import { calls, closed, DECISION, decided, failure, ID, listening, type ScriptedEnd, says, scriptedEnd } from './scripted-end.ts'

/** Whether a decision may have been made although no answer came. */
const maybe = (name: string): string => (name === 'list' || name === 'show' ? 'no' : 'maybe')
/** What a read cannot read is there to stay; what a decision cannot read may have been taken, and is looked up. */
const kind = (name: string): string => (maybe(name) === 'maybe' ? 'passing' : 'lasting')

let end: ScriptedEnd
beforeEach(async () => {
  end = await scriptedEnd()
})
afterEach(() => end.close())

describe.each(calls)('%s ends in a failure', (name, call, status, yes) => {
  test.each([
    ['is empty', ''],
    ['is cut off', yes.slice(0, -1)],
    ['is not JSON', '<html>'],
    ['is not UTF-8', Buffer.from([0xff])],
    ['says a thing twice', yes.replace('{', '{"run_id":"x",')],
    ['is of another run', yes.replaceAll(RUN, 'r2')],
    ['is an error', '{"code":"not_found","error":""}'],
    ['is about something else', '{"status":"ok"}'],
  ])('when a yes %s', async (_name, body) => {
    end.answer = says(status, body)
    expect(await failure(call(end.client()))).toEqual({ code: 'answer_unreadable', kind: kind(name), landed: maybe(name) })
    expect(end.seen).toHaveLength(1)
  })

  test.each([
    [204, 'lasting', maybe(name)],
    [301, 'lasting', maybe(name)],
    [307, 'lasting', maybe(name)],
    [401, 'lasting', 'no'],
    [404, 'lasting', 'no'],
    [408, 'passing', maybe(name)],
    [409, 'lasting', 'no'],
    [429, 'passing', 'no'],
    [500, 'passing', maybe(name)],
    [502, 'passing', maybe(name)],
    [503, 'passing', maybe(name)],
  ])('when %i comes without a code of the list, and nothing is followed or tried again', async (other, kind, landed) => {
    end.answer = (res) => {
      if (end.seen.length > 1) says(status, yes)(res)
      else says(other, other === 204 ? '' : '{"code":"unheard_of","error":"x"}', { location: `${end.url}/elsewhere` })(res)
    }
    expect(await failure(call(end.client()))).toEqual({ code: `http_${other}`, kind, landed })
    expect(end.seen).toHaveLength(1)
  })

  test('when the answer is over eight megabytes, and no more of it is taken', async () => {
    let sent = 0
    end.answer = (res) => {
      res.writeHead(status, { 'content-type': 'application/json' })
      const more = (): void => {
        while (!res.destroyed && sent < 64 * 2 ** 20) {
          sent += 2 ** 20
          if (!res.write(' '.repeat(2 ** 20))) return void res.once('drain', more)
        }
      }
      more()
    }
    expect(await failure(call(end.client()))).toEqual({ code: 'answer_too_large', kind: kind(name), landed: maybe(name) })
    expect(sent).toBeLessThan(32 * 2 ** 20)
    expect(end.seen).toHaveLength(1)
  })

  test.each([
    ['nothing comes', () => undefined],
    ['the answer stops in the middle', (res: ServerResponse) => void res.writeHead(status).write('{')],
    [
      'the answer drips',
      (res: ServerResponse) => {
        res.writeHead(status)
        const drip = setInterval(() => res.write(' '), 20)
        res.on('close', () => clearInterval(drip))
      },
    ],
    ['the connection is cut', (res: ServerResponse) => void res.destroy()],
    ['the connection is cut in the middle', (res: ServerResponse) => void res.writeHead(status).write('{', () => res.destroy())],
  ])('when the request was taken and then %s, and is sent once', async (_name, hole) => {
    end.answer = hole
    expect(await failure(call(end.client({ answerMs: 400 })))).toEqual({
      code: 'no_answer',
      kind: 'passing',
      landed: maybe(name),
    })
    expect(end.seen).toHaveLength(1)
  })

  test('when nobody listens: then surely nothing was decided', async () => {
    const gone = createServer()
    const nobody = await listening(gone)
    await closed(gone)
    expect(await failure(call(end.client({ url: nobody })))).toEqual({ code: 'unreachable', kind: 'passing', landed: 'no' })
  })
})

test('an answer to another decision is none to this one', async () => {
  for (const other of [{ approval_id: 'a2' }, { hash: '0'.repeat(64) }, { status: 'rejected' }]) {
    end.answer = says(202, decided('approved', other))
    expect(await failure(end.client().approve(RUN, ID, DECISION))).toMatchObject({ code: 'answer_unreadable', landed: 'maybe' })
  }
  end.answer = says(200, decided('approved'))
  expect(await failure(end.client().reject(RUN, ID, DECISION))).toMatchObject({ code: 'answer_unreadable', landed: 'maybe' })
  expect(await failure(end.client().approve(RUN, ID, DECISION))).toMatchObject({ code: 'http_200', landed: 'maybe' })
  end.answer = says(200, EXAMPLE.replace(`"id":"${APPROVAL}"`, '"id":"a2"'))
  expect(await failure(end.client().show(RUN, ID))).toMatchObject({ code: 'answer_unreadable', landed: 'no' })
})

test('a hole behind the other end does not hide that it took the decision', async () => {
  let taken = ''
  const front = createTcpServer((socket) => {
    const { hostname, port } = new URL(end.url)
    const behind = connect(Number(port), hostname)
    socket.pipe(behind)
    behind.on('data', (chunk) => {
      taken += chunk.toString('utf8')
    })
    for (const one of [socket, behind]) one.on('error', () => undefined)
    socket.on('close', () => behind.destroy())
  })
  const lossy = await listening(front)
  end.answer = says(202, decided('approved'))
  expect(await failure(end.client({ url: lossy, answerMs: 400 }).approve(RUN, ID, DECISION))).toEqual({
    code: 'no_answer',
    kind: 'passing',
    landed: 'maybe',
  })
  expect(end.seen).toHaveLength(1)
  expect(taken).toContain('202 Accepted')
  await closed(front)
})

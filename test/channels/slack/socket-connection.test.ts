import { once } from 'node:events'
import { expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { Answers } from '../../../src/channels/slack/socket-mode-answers.ts'
import { Connection } from '../../../src/channels/slack/socket-mode-connection.ts'
import { ackOf, frameOf } from '../../../src/channels/slack/socket-mode-frame.ts'
import { HandClock } from './socket-bot.ts'

test('pings and pongs are life', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const address = server.address()
  const joined = once(server, 'connection')
  const clock = new HandClock()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const connection = new Connection(`ws://127.0.0.1:${port}/`, clock, () => undefined)
  const other: WebSocket = (await joined)[0]
  const pong = (): Promise<unknown> => {
    other.ping()
    return once(other, 'pong')
  }
  await pong()
  for (let beats = 0; beats < 10; beats += 1) {
    const pinged = once(other, 'ping')
    clock.forward(6000)
    await pinged
    await pong()
  }
  expect(connection.send('still here')).toBe(true)
  expect(String((await once(other, 'message'))[0])).toBe('still here')
  other.pause()
  clock.forward(24_000)
  await connection.ended
  expect(connection.send('gone')).toBe(false)
  other.terminate()
  await new Promise((resolve) => server.close(resolve))
})

test('the ids that are remembered are bounded, and a copy waits for the first acknowledgement', async () => {
  const answers = new Answers(2)
  const say = answers.await('one')
  const copy = answers.of('one')
  say('done')
  expect(await copy).toBe('done')
  answers.await('two')
  answers.await('three')
  expect(answers.of('one')).toBeUndefined()
  expect(answers.of('two')).toBeInstanceOf(Promise)
})

test('frames of any shape are read or passed over', () => {
  expect(frameOf('{"type":"hello","num_connections":2}')).toEqual({ kind: 'hello', connections: 2 })
  expect(frameOf('{"type":"hello"}')).toEqual({ kind: 'hello', connections: undefined })
  expect(frameOf('{"type":"disconnect"}')).toEqual({ kind: 'goodbye', reason: 'unknown' })
  expect(frameOf('{"type":"events_api","envelope_id":"e","payload":{}}')?.kind).toBe('envelope')
  for (const odd of ['', 'hello', 'null', '[]', '7', '{"type":"events_api"}', '{"type":"x","envelope_id":"","payload":{}}'])
    expect(frameOf(odd)).toBeUndefined()
})

test('an acknowledgement says what it may, and never more than Slack takes in a frame', () => {
  const envelope = { type: 'interactive', envelope_id: 'e', payload: {}, accepts_response_payload: true }
  expect(ackOf(envelope, undefined)).toBe('{"envelope_id":"e"}')
  expect(ackOf(envelope, 'words')).toBe('{"envelope_id":"e","payload":{"text":"words"}}')
  expect(ackOf({ ...envelope, accepts_response_payload: false }, 'words')).toBe('{"envelope_id":"e"}')
  expect(ackOf(envelope, 'ä'.repeat(10_000))).toBeUndefined()
})

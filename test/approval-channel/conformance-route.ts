/** Routes, methods, headers and forms of answers: sections 1 and 2 of the protocol. */
import { expect } from 'vitest'
import type { Case } from './conformance-channel.ts'
import type { Reply } from './conformance-wire.ts'
import {
  approve,
  BY,
  cancel,
  expectPending,
  expectRefusal,
  json,
  list,
  listPath,
  reject,
  show,
  showPath,
  speak,
} from './conformance-wire.ts'

const NEVER_SENT = ['www-authenticate', 'retry-after', 'allow', 'access-control-allow-origin']

function expectJson(reply: Reply, status: number): void {
  expect(reply.status).toBe(status)
  expect(reply.headers['content-type']).toBe('application/json')
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.text.endsWith('}\n')).toBe(true)
  expect(NEVER_SENT.filter((name) => name in reply.headers)).toEqual([])
}

export const routeCases: readonly Case[] = [
  {
    name: 'a list answers with what waits and the run, as compact JSON that no cache keeps',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const reply = await list(channel, paused.run)
      expectJson(reply, 200)
      expect(Object.keys(JSON.parse(reply.text))).toEqual(['pending', 'run_id'])
      expect(json(reply)).toMatchObject({
        run_id: paused.run,
        pending: [{ id: paused.approval, hash: paused.hash, status: 'pending' }],
      })
      expect(reply.text.startsWith('{"pending":[{"id":')).toBe(true)
    },
  },
  {
    name: 'show answers with the approval itself, its members in the order of the protocol',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const reply = await show(channel, paused)
      expectJson(reply, 200)
      const shown = JSON.parse(reply.text)
      const order =
        'id run_id step_id kind capability presentation request hash status created_at expires_at decided_at decided_by note decode_error reason expired'
      const optional = ['expires_at', 'decided_at', 'decided_by', 'note', 'decode_error', 'reason', 'expired']
      expect(Object.keys(shown)).toEqual(order.split(' ').filter((key) => !optional.includes(key) || key in shown))
      expect(Object.keys(shown.request)).toEqual(['run_id', 'step_id', 'spec', 'args'])
      const spec = ['name', 'description', 'input_schema', 'side_effect', 'timeout']
      expect(Object.keys(shown.request.spec)).toEqual('terminal' in shown.request.spec ? [...spec, 'terminal'] : spec)
      expect(shown).toMatchObject({ id: paused.approval, run_id: paused.run, hash: paused.hash, status: 'pending' })
      expect(shown.hash).toMatch(/^[0-9a-f]{64}$/)
      expect(shown.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{0,8}[1-9])?Z$/)
      expect(Number.isInteger(shown.request.spec.timeout)).toBe(true)
    },
  },
  {
    name: 'list and show give what the policy and the tool call hold',
    async run({ channel }) {
      const paused = await channel.pause({
        tool: 'deploy',
        kind: 'deployment',
        args: '{"env":"prod","note":"a <b> & c","replicas":3}',
        presentation: '{"title":"Deploy build 42 to prod","files":["a.yaml","b.yaml"],"risk":0.5}',
      })
      const shown = await show(channel, paused)
      const what = {
        kind: 'deployment',
        presentation: { files: ['a.yaml', 'b.yaml'], risk: 0.5, title: 'Deploy build 42 to prod' },
        request: { spec: { name: 'deploy' }, args: { env: 'prod', note: 'a <b> & c', replicas: 3 } },
      }
      expect(json(shown)).toMatchObject(what)
      expect(shown.text).toContain('"args":{"env":"prod","note":"a \\u003cb\\u003e \\u0026 c","replicas":3}')
      expect(json(await list(channel, paused.run))).toMatchObject({ pending: [what] })
    },
  },
  {
    name: 'a decision is answered with what was decided and not with the note: 202 for a grant, 200 for a rejection',
    async run({ channel }) {
      const granted = await channel.pause()
      const yes = await approve(channel, granted, { note: 'ship it' })
      expectJson(yes, 202)
      expect(yes.text).toBe(
        `{"approval_id":"${granted.approval}","by":"${BY}","hash":"${granted.hash}","run_id":"${granted.run}","status":"approved"}\n`,
      )
      const refused = await channel.pause()
      const no = await reject(channel, refused, { note: 'not now' })
      expectJson(no, 200)
      expect(no.text).toBe(
        `{"approval_id":"${refused.approval}","by":"${BY}","hash":"${refused.hash}","run_id":"${refused.run}","status":"rejected"}\n`,
      )
    },
  },
  {
    name: 'a cancel is answered with the run and by whom',
    async run({ channel }) {
      const { run } = await channel.pause()
      const reply = await cancel(channel, run)
      expectJson(reply, 200)
      expect(reply.text).toBe(`{"by":"${BY}","run_id":"${run}","status":"cancelled"}\n`)
    },
  },
  {
    name: 'text comes for the first format or an Accept that starts with text/plain, and only from show',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const path = showPath(paused)
      const isText = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
        const reply = await speak(channel, { path, query, headers })
        expect(reply.status).toBe(200)
        const text = reply.headers['content-type'] === 'text/plain; charset=utf-8'
        expect(reply.headers['cache-control']).toBe(text ? undefined : 'no-store')
        expect(reply.text.startsWith(text ? 'APPROVAL PENDING  ' : '{"id":')).toBe(true)
        return text
      }
      expect(await isText('')).toBe(false)
      expect(await isText('?format=text')).toBe(true)
      expect(await isText('?format=json&format=text')).toBe(false)
      expect(await isText('?format=TEXT')).toBe(false)
      expect(await isText('', { accept: 'text/plain' })).toBe(true)
      expect(await isText('', { accept: 'text/plain;q=0' })).toBe(true)
      expect(await isText('', { accept: 'application/json, text/plain' })).toBe(false)
      expect(await isText('', { accept: '*/*' })).toBe(false)
      expectJson(await speak(channel, { path: listPath(paused.run), query: '?format=text' }), 200)
      const missing = await speak(channel, { path: `${path}0`, headers: { accept: 'text/plain' } })
      expectRefusal(missing, 404, 'not_found')
    },
  },
  {
    name: 'HEAD is signed as HEAD and has the status and the headers of GET, on both reads and nowhere else',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      for (const path of [listPath(paused.run), showPath(paused)]) {
        const head = await speak(channel, { method: 'HEAD', path })
        const get = await speak(channel, { path })
        expect([head.status, head.text]).toEqual([get.status, ''])
        for (const name of ['content-type', 'cache-control']) expect(head.headers[name]).toBe(get.headers[name])
        expect((await speak(channel, { method: 'HEAD', path, signed: { method: 'GET' } })).status).toBe(401)
      }
      expect((await speak(channel, { method: 'HEAD', path: `/runs/${paused.run}/cancel` })).status).toBe(404)
      expect((await speak(channel, { method: 'HEAD', path: `${showPath(paused)}/approve` })).status).toBe(404)
    },
  },
  {
    name: 'another method on a known path is 404, never 405',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const wrong: readonly (readonly [string, string])[] = [
        ['POST', listPath(paused.run)],
        ['PUT', listPath(paused.run)],
        ['OPTIONS', listPath(paused.run)],
        ['DELETE', showPath(paused)],
        ['PATCH', showPath(paused)],
        ['GET', `${showPath(paused)}/approve`],
        ['PUT', `${showPath(paused)}/reject`],
        ['GET', `/runs/${paused.run}/cancel`],
      ]
      for (const [method, path] of wrong) {
        const reply = await speak(channel, { method, path })
        expectRefusal(reply, 404, 'not_found')
        expect(NEVER_SENT.filter((name) => name in reply.headers)).toEqual([])
      }
      await expectPending(channel, paused)
    },
  },
  {
    name: 'a path that is no route is 404 once it is signed, a trailing slash included, and 401 before',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const elsewhere = [
        '/runs',
        '/runs/',
        '/approvals',
        '/',
        `${listPath(paused.run)}/`,
        `${showPath(paused)}/`,
        `${showPath(paused)}/grant`,
      ]
      for (const path of elsewhere) expectRefusal(await speak(channel, { path }), 404, 'not_found')
      const unsigned = await speak(channel, { path: '/nowhere', without: ['timestamp', 'nonce', 'signature'] })
      expectRefusal(unsigned, 401, 'unauthorized')
    },
  },
  {
    name: 'an id may be sent with escapes, and is signed without',
    untouched: true,
    async run({ channel }) {
      const paused = await channel.pause()
      const escaped = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
      const path = `/runs/${escaped(paused.run)}/approvals`
      expect(json(await speak(channel, { path }))).toMatchObject({ run_id: paused.run, pending: [{ id: paused.approval }] })
      expect(json(await speak(channel, { path: `${path}/${escaped(paused.approval)}` }))).toMatchObject({ id: paused.approval })
      expectRefusal(await speak(channel, { path, signed: { path: `${channel.signedPath ?? ''}${path}` } }), 401, 'unauthorized')
      expectRefusal(await speak(channel, { path: '/runs/%2e%2e/approvals' }), 404, 'not_found')
      expectRefusal(await speak(channel, { path: '/runs/%FF/approvals' }), 404, 'not_found')
    },
  },
  {
    name: 'an id with a slash, a space, a plus and letters beyond ASCII is one segment',
    async run({ channel, skip }) {
      const run = 'team é/1+2;x'
      const paused = await channel.pause({ run, approval: 'a b/🙂' })
      if (paused.run !== run) return skip('ids of the suite’s own choice')
      expect(json(await list(channel, run))).toMatchObject({ run_id: run, pending: [{ id: paused.approval }] })
      expect(json(await show(channel, paused))).toMatchObject({ id: paused.approval, run_id: run })
      expect((await approve(channel, paused)).status).toBe(202)
    },
  },
]

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { APPROVAL, EXAMPLE, HASH, RUN } from './example.ts'
import { calls, DECISION, decided, ID, type ScriptedEnd, says, scriptedEnd, signatureOf } from './scripted-end.ts'

let end: ScriptedEnd
beforeEach(async () => {
  end = await scriptedEnd()
})
afterEach(() => end.close())

describe('what is sent', () => {
  test.each([
    ['list', 'GET', `/runs/${RUN}/approvals`, ''],
    ['show', 'GET', `/runs/${RUN}/approvals/${APPROVAL}`, ''],
    [
      'approve',
      'POST',
      `/runs/${RUN}/approvals/${APPROVAL}/approve`,
      `{"run_id":"${RUN}","approval_id":"${APPROVAL}","hash":"${HASH}","by":"slack:U024BE7LH","note":"ship it"}`,
    ],
    [
      'reject',
      'POST',
      `/runs/${RUN}/approvals/${APPROVAL}/reject`,
      `{"run_id":"${RUN}","approval_id":"${APPROVAL}","hash":"${HASH}","by":"slack:U024BE7LH","note":"ship it"}`,
    ],
    ['cancel', 'POST', `/runs/${RUN}/cancel`, `{"run_id":"${RUN}","by":"slack:U024BE7LH","note":"ship it"}`],
  ])('by %s is its route, its body and its signature at this second', async (name, method, path, body) => {
    const [, call, status, yes] = calls.find(([one]) => one === name) ?? []
    end.answer = says(status ?? 0, yes ?? '')
    await call?.(end.client())
    expect(end.seen).toMatchObject([{ method, target: path, body }])
    const [one] = end.seen
    expect(one?.headers).toMatchObject({
      'x-approval-timestamp': '1791288000',
      'x-approval-nonce': 'n-1',
      accept: 'application/json',
    })
    expect(one?.headers['content-type']).toBe(body === '' ? undefined : 'application/json')
    expect(one?.headers['x-approval-signature']).toBe(one && signatureOf(one, path))
  })

  test('has a nonce of its own each time, and no note where there is none', async () => {
    end.answer = says(202, decided('approved'))
    const one = end.client()
    await one.approve(RUN, ID, { ...DECISION, note: null })
    await one.approve(RUN, ID, { ...DECISION, note: null })
    expect(end.seen.map(({ headers }) => headers['x-approval-nonce'])).toEqual(['n-1', 'n-2'])
    expect(end.seen[0]?.body).toBe(`{"run_id":"${RUN}","approval_id":"${APPROVAL}","hash":"${HASH}","by":"slack:U024BE7LH"}`)
  })

  test.each([
    ['nothing signed before it', '/hooks', undefined, '/hooks', ''],
    ['a slash at its end', '/hooks/', '', '/hooks', ''],
    ['all of it signed', '/hooks', '/hooks', '/hooks', '/hooks'],
    ['an escape in it', '/a%20b', '/a b', '/a%20b', '/a b'],
  ])('to an address with a prefix and %s', async (_name, prefix, signedPath, sent, signed) => {
    end.answer = says(200, `{"pending":[],"run_id":"r"}`)
    await end.client({ url: end.url + prefix, ...(signedPath === undefined ? {} : { signedPath }) }).list('r')
    const [one] = end.seen
    expect(one?.target).toBe(`${sent}/runs/r/approvals`)
    expect(one?.headers['x-approval-signature']).toBe(one && signatureOf(one, `${signed}/runs/r/approvals`))
  })

  test.each([
    ['a slash and a letter beyond ASCII', 'team é/1', 'team%20%C3%A9%2F1'],
    ['what an address would read', 'a?b#c%d', 'a%3Fb%23c%25d'],
    ['two dots', '..', '%2E%2E'],
    ['one dot', '.', '%2E'],
    ['a climb inside', '../../x', '..%2F..%2Fx'],
  ])('for a run with %s in its id is escaped on the way and signed as it is', async (_name, run, escaped) => {
    end.answer = says(200, JSON.stringify({ pending: [], run_id: run }))
    expect(await end.client().list(run)).toEqual({ ok: true, value: [] })
    const [one] = end.seen
    expect(one?.target).toBe(`/runs/${escaped}/approvals`)
    expect(one?.headers['x-approval-signature']).toBe(one && signatureOf(one, `/runs/${run}/approvals`))
  })

  test.each(['', '\ud800'])('for an id that no address carries is nothing (%j)', async (run) => {
    await expect(end.client().list(run)).rejects.toThrow(RangeError)
    expect(end.seen).toEqual([])
  })
})

describe('a yes', () => {
  test('to list gives the approvals, and null gives none', async () => {
    end.answer = says(200, `{"pending":[${EXAMPLE.replace('"reason"', '"expired":true,"reason"')}],"run_id":"${RUN}"}\n`)
    expect(await end.client().list(RUN)).toMatchObject({
      ok: true,
      value: [{ id: ID, hash: HASH, expired: true, decode_error: '' }],
    })
    end.answer = says(200, `{"pending":null,"run_id":"${RUN}"}\n`)
    expect(await end.client().list(RUN)).toEqual({ ok: true, value: [] })
  })

  test('to show gives the approval and its text as served', async () => {
    const raw = `${EXAMPLE.replace('"status":"pending"', '"status":"approved"').replace('"reason"', '"decode_error":"x","reason"')}\n`
    end.answer = says(200, raw)
    expect(await end.client().show(RUN, ID)).toMatchObject({
      ok: true,
      value: { raw, approval: { status: 'approved', decode_error: 'x', expired: false } },
    })
  })

  test('to a decision gives what became of it', async () => {
    end.answer = says(202, decided('approved'))
    expect(await end.client().approve(RUN, ID, DECISION)).toEqual({ ok: true, value: 'approved' })
    end.answer = says(202, decided('pending'))
    expect(await end.client().approve(RUN, ID, DECISION)).toEqual({ ok: true, value: 'pending' })
    end.answer = says(200, decided('rejected'))
    expect(await end.client().reject(RUN, ID, DECISION)).toEqual({ ok: true, value: 'rejected' })
    end.answer = says(200, `{"by":"x","run_id":"${RUN}","status":"cancelled"}`)
    expect(await end.client().cancel(RUN, DECISION)).toEqual({ ok: true, value: 'cancelled' })
  })
})

describe('a no', () => {
  test.each([
    ['bad_request', 400],
    ['unauthorized', 401],
    ['not_an_approver', 403],
    ['not_found', 404],
    ['run_not_waiting', 409],
    ['not_pending', 409],
    ['approval_changed', 409],
    ['approval_hash', 409],
    ['run_finished', 409],
    ['expired', 410],
    ['body_too_large', 413],
    ['rate_limited', 429],
    ['internal', 500],
  ])('of %s is returned by each call, with the words and the clock of the other end, and asked once', async (code, status) => {
    end.answer = says(status, `{"code":"${code}","error":"some words"}\n`, { date: 'Tue, 06 Oct 2026 12:06:00 GMT' })
    for (const [, call] of calls) {
      expect(await call(end.client())).toEqual({
        ok: false,
        code,
        status,
        error: 'some words',
        theirClock: new Date('2026-10-06T12:06:00Z'),
      })
    }
    expect(end.seen).toHaveLength(calls.length)
  })

  test('without a clock has none', async () => {
    end.answer = (res) => {
      res.sendDate = false
      says(404, '{"code":"not_found","error":""}')(res)
    }
    expect(await end.client().list(RUN)).toMatchObject({ ok: false, code: 'not_found', theirClock: undefined })
  })
})

describe('an address', () => {
  test.each([
    'https://steward.internal/hooks',
    'https://10.0.0.1',
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://127.1.2.3:1/x',
    'http://[::1]:9',
  ])('of %s is taken', (address) => {
    expect(() => end.client({ url: address })).not.toThrow()
  })

  test.each([
    ['http://steward.internal', /Use https, or a tunnel/],
    ['http://10.0.0.1/hooks', /Use https, or a tunnel/],
    ['http://127.0.0.1.evil.example', /Use https, or a tunnel/],
    ['http://localhost.evil.example', /Use https, or a tunnel/],
    ['http://[::2]', /Use https, or a tunnel/],
    ['ftp://127.0.0.1', /Use https, or a tunnel/],
    ['http://u:hidden@127.0.0.1', /take it out/],
    ['https://steward.internal/?a=b', /take it out/],
    ['https://steward.internal/#a', /take it out/],
    ['steward.internal', /write it like https/],
    ['', /write it like https/],
  ])('of %s is refused at once, with what to do and nothing told', (address, words) => {
    expect(() => end.client({ url: address })).toThrow(RangeError)
    expect(() => end.client({ url: address })).toThrow(words)
    expect(() => end.client({ url: address })).not.toThrow(/hidden/)
  })
})

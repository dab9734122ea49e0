import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { retry } from '../../src/cli/approvals.ts'
import { type Scene, scene } from '../scene.ts'

const PARKED_MS = 11_000
const A_DAY_MS = 25 * 3_600_000

const Reasons = z.object({ degraded: z.array(z.string()) })

let s: Scene
beforeEach(async () => {
  s = await scene()
})
afterEach(() => s.close())

/** A decided call whose run has been parked for long, so that nothing passes for an early click. */
async function approved(): Promise<string> {
  const { id } = await s.call('bash', { command: 'make deploy' })
  await s.card(id)
  s.advance(PARKED_MS)
  await s.press('U0ANA', id, 'approval.approve')
  return id
}

async function reasons(): Promise<readonly string[]> {
  const answer = await fetch(`http://127.0.0.1:${s.app().adminPort}/readyz`)
  return Reasons.parse(await answer.json()).degraded
}

test('a resolution carries the key, its own idempotency key and the hook words, and no note where none was written', async () => {
  const id = await approved()
  await s.card(id, 'The agent platform has it')
  const [one] = s.platform.resolutions(id)
  expect(one).toMatchObject({ authorized: true, body: '{"decision":"allow"}', applied: true })
  expect(one?.idempotencyKey).toBe(`${id}:${s.row(id)?.hash}`)
  expect(one?.headers['content-type']).toBe('application/json')
})

test('a deny without a note leaves the reason out', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  await s.press('U0ANA', id, 'approval.deny')
  await s.card(id, 'The agent platform has it: the call does not run.')
  expect(s.platform.resolutions(id).map(({ body }) => body)).toEqual(['{"decision":"deny"}'])
})

describe('an answer for good ends the approval with its own words', () => {
  test.each([
    [404, 'unknown_approval', 'the agent no longer knows this approval'],
    [409, 'resolved_elsewhere', 'was already resolved elsewhere'],
    [410, 'expired', 'has expired'],
    [400, 'refused', 'refused it (HTTP 400)'],
    [422, 'refused', 'refused it (HTTP 422)'],
  ])('%i', async (status, why, words) => {
    s.platform.answerNext({ status })
    const id = await approved()
    await s.card(id, words)
    expect(s.row(id)).toMatchObject({
      status: 'resolved',
      outcome: 'approved',
      resolution: 'refused',
      refused_why: why,
      refused_status: status,
    })
    expect(s.platform.resolutions(id)).toHaveLength(1)
    expect(s.platform.effects(id)).toBe(0)
  })
})

describe('a passing answer is tried again until it is taken, once in effect', () => {
  test.each([
    [{ status: 408 }],
    [{ status: 425 }],
    [{ status: 429, retryAfter: 0 }],
    [{ status: 500 }],
    [{ status: 503, retryAfter: 0 }],
    [{ reset: true as const }],
    [{ status: 500, after: true }],
    [{ reset: true as const, after: true }],
  ])('%j', async (fault) => {
    s.platform.answerNext({ ...fault, times: 3 })
    const id = await approved()
    await s.card(id, 'The agent platform has it')
    const posts = s.platform.resolutions(id)
    expect(posts.length).toBeGreaterThan(1)
    expect(new Set(posts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(s.platform.effects(id)).toBe(1)
    expect(s.row(id)).toMatchObject({ status: 'resolved', resolution: 'done' })
  })
})

test('Retry-After is honoured: nothing is sent before, and the card says that it is tried again', async () => {
  s.platform.answerNext({ status: 429, retryAfter: 60 })
  const id = await approved()
  await s.card(id, 'Trying again')
  const [task] = s.rows('tasks').filter((one) => one.step === 'settle')
  const answered = s.platform.resolutions(id)[0]?.at.getTime() ?? 0
  expect(Number(task?.due_at)).toBeGreaterThanOrEqual(answered + PARKED_MS + 59_000)
  expect(s.platform.resolutions(id)).toHaveLength(1)
  s.advance(61_000)
  await s.card(id, 'The agent platform has it')
})

test('a platform that is down takes the decision when it comes back', async () => {
  const { id } = await s.call('bash', { command: 'ls' })
  await s.card(id)
  await s.platform.goDown()
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'does not take it at the moment (unreachable)')
  await s.platform.comeBack()
  await s.card(id, 'The agent platform has it')
  expect(s.platform.effects(id)).toBe(1)
})

test('a 404 or 409 right after the hook was answered is an early click, and passes', async () => {
  s.platform.answerNext({ status: 404 })
  s.platform.answerNext({ status: 409 })
  const { id } = await s.call('bash', { command: 'ls' })
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
  expect(s.platform.resolutions(id).map(({ status }) => status)).toEqual([404, 409, 200])
})

test('a 409 after an attempt whose answer was lost says that it may have been ours', async () => {
  s.platform.answerNext({ reset: true, after: true })
  s.platform.answerNext({ status: 409 })
  const id = await approved()
  await s.card(id, 'so that may have been this decision')
  expect(s.platform.effects(id)).toBe(1)
})

describe('a refused key', () => {
  test.each([401, 403])('%i names the setting, waits, and is delivered after a restart', async (status) => {
    s.platform.answerNext({ status })
    const id = await approved()
    await s.card(id, 'Check the setting NOVO_API_KEY')
    expect(s.row(id)).toMatchObject({ status: 'decided', trouble_kind: 'lasting' })
    expect(await reasons()).toContain('stuck: 1 decisions could not be delivered')
    expect(s.platform.resolutions(id)).toHaveLength(1)
    await s.restart()
    await s.card(id, 'The agent platform has it')
    expect(await reasons()).toEqual([])
    expect(s.platform.effects(id)).toBe(1)
  })

  test('is delivered on command', async () => {
    s.platform.answerNext({ status: 401 })
    const id = await approved()
    await s.card(id, 'Check the setting NOVO_API_KEY')
    await retry({ DATABASE_URL: `sqlite:${s.databasePath}` }, String(s.row(id)?.run), id)
    await s.card(id, 'The agent platform has it')
  })
})

test('after a day of passing answers the decision is undeliverable, listed as stuck, and sent again on command', async () => {
  s.platform.answerNext({ status: 503, times: Number.POSITIVE_INFINITY })
  const id = await approved()
  await s.card(id, 'Trying again')
  s.advance(A_DAY_MS)
  await s.card(id, 'was given up')
  expect(s.row(id)).toMatchObject({ status: 'resolved', outcome: 'approved', resolution: 'undeliverable' })
  expect(await reasons()).toContain('stuck: 1 decisions could not be delivered')
  s.platform.clearFaults()
  await retry({ DATABASE_URL: `sqlite:${s.databasePath}` }, String(s.row(id)?.root_run), id)
  await s.card(id, 'The agent platform has it')
  expect(await reasons()).toEqual([])
  expect(s.platform.effects(id)).toBe(1)
})

test('a redirect is not followed, and neither is the key sent on', async () => {
  s.platform.answerNext({ status: 307, headers: { location: `${s.platform.url}/elsewhere` } })
  const id = await approved()
  await s.card(id, 'Could not be delivered (http_307)')
  expect(s.platform.resolutions()).toHaveLength(1)
})

test('there is nothing to send again of what is resolved, waits or is not known', async () => {
  const variables = { DATABASE_URL: `sqlite:${s.databasePath}` }
  const { id, run } = await s.call('bash', { command: 'ls' })
  await expect(retry(variables, run, id)).rejects.toThrow('not decided')
  await s.press('U0ANA', id, 'approval.approve')
  await s.card(id, 'The agent platform has it')
  await expect(retry(variables, run, id)).rejects.toThrow('is resolved')
  await expect(retry(variables, run, 'tar_none')).rejects.toThrow('no approval of that id')
  expect(s.platform.resolutions(id)).toHaveLength(1)
})

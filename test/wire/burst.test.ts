/** Many calls of one run at once: ten cards, one digest, nothing lost, and each decided by itself. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Message } from '../../src/sandbox/slack/messages.ts'
import { CONVERSATION, type Scene, scene } from '../scene.ts'

const LONG_MS = 60_000

let s: Scene
beforeEach(async () => {
  s = await scene()
})
afterEach(() => s.close())

const text = (message: Message | undefined): string => JSON.stringify(message?.blocks)
const cards = (): readonly Message[] => s.slack.messages(CONVERSATION).filter((one) => text(one).includes('Approval needed'))
const digests = (): readonly Message[] =>
  s.slack.messages(CONVERSATION).filter((one) => JSON.stringify(one.metadata).includes('countersign_digest'))
const digest = (words: string): Promise<Message> =>
  s.slack.until(`the digest saying ${words}`, () => digests().find((one) => text(one).includes(words)), 30_000)

async function burst(count: number): Promise<{ readonly run: string; readonly ids: readonly string[] }> {
  const first = await s.call('bash', { command: 'step 0' })
  const others = await Promise.all(
    Array.from({ length: count - 1 }, (_, n) => s.call('bash', { command: `step ${n + 1}` }, { run: first.run })),
  )
  return { run: first.run, ids: [first.id, ...others.map(({ id }) => id)] }
}

const viewOf = (user: string, words: string) =>
  s.slack.until(`a view of ${user} with ${words}`, () => s.slack.views(user).find((view) => JSON.stringify(view).includes(words)))

test(
  'two hundred calls of one run in a second: ten have cards, the others one digest, and nothing is lost',
  async () => {
    const { ids, run } = await burst(200)
    await digest('190 more calls of this run to decide')
    await s.slack.until('ten cards', () => cards().length === 10, 30_000)
    expect(digests()).toHaveLength(1)
    expect(text(digests()[0])).toContain('and 175 more.')
    expect(s.rows('approvals')).toHaveLength(200)
    expect(new Set(ids).size).toBe(200)
    await s.toldNext('U0ANA', () =>
      s.slack.command({ user: 'U0ANA', conversation: CONVERSATION, text: `/approvals cancel ${run}` }),
    )
    const asked = s.slack.privately('U0ANA').at(-1)
    await s.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts: asked?.ts ?? '', action_id: 'run.cancel' })
    await digest('Nothing more waits here')
    await s.platform.until('all are denied', () => ids.every((id) => s.platform.interaction(id)?.state === 'denied'), 30_000)
    expect(ids.filter((id) => s.platform.effects(id) !== 1)).toEqual([])
    expect(digests()).toHaveLength(1)
  },
  LONG_MS,
)

test('a card that was decided makes room: the oldest of the digest gets a card', async () => {
  const { ids } = await burst(12)
  await digest('2 more calls')
  const [first = '', ...rest] = ids
  const carded = await s.slack.until('ten cards', () => (cards().length === 10 ? cards() : undefined))
  const waiting = rest.filter((id) => s.row(id)?.home === 'digest')
  expect(waiting).toHaveLength(2)
  await s.press('U0ANA', first, 'approval.approve')
  await digest('1 more call')
  await s.slack.until(
    'another card',
    () => cards().length === 10 && cards().some(({ ts }) => !carded.some((one) => one.ts === ts)),
  )
  expect(waiting.filter((id) => s.row(id)?.home === 'card')).toHaveLength(1)
})

test('the digest decides one by one: each is bound to its own hash, and what comes next is another press away', async () => {
  await burst(12)
  const { ts } = await digest('2 more calls')
  await s.slack.click({ user: 'U0BOB', conversation: CONVERSATION, ts, action_id: 'digest.open' })
  const opened = await viewOf('U0BOB', 'Approval needed')
  const [first, second] = s.rows('approvals').filter((row) => row.home === 'digest')
  expect(JSON.stringify(opened)).toContain(String(first?.hash))
  await s.slack.clickInView({ user: 'U0BOB', view: String(opened.id), action_id: 'approval.approve' })
  const told = await viewOf('U0BOB', 'You approved this call')
  expect(JSON.stringify(told)).not.toContain('approval.approve')
  await s.slack.clickInView({ user: 'U0BOB', view: String(told.id), action_id: 'digest.open' })
  const next = await viewOf('U0BOB', String(second?.hash))
  await s.slack.clickInView({ user: 'U0BOB', view: String(next.id), action_id: 'approval.deny' })
  await digest('Nothing more waits here')
  const over = await viewOf('U0BOB', 'You denied this call')
  expect(JSON.stringify(over)).not.toContain('digest.open')
  expect(s.rows('approvals').filter((row) => row.decided_by === 'slack:T0ACME/U0BOB')).toMatchObject([
    { row_id: first?.row_id, outcome: 'approved' },
    { row_id: second?.row_id, outcome: 'denied' },
  ])
})

test('who may not decide is shown nothing of a digest', async () => {
  await burst(11)
  const { ts } = await digest('1 more call')
  const told = await s.toldNext('U0GUEST', () =>
    s.slack.click({ user: 'U0GUEST', conversation: CONVERSATION, ts, action_id: 'digest.open' }),
  )
  expect(told).toContain('Guests may not decide')
  expect(s.slack.views('U0GUEST')).toEqual([])
})

test('a digest whose post had no answer is found again and stands once, also after a restart', async () => {
  const { run } = await burst(10)
  await s.slack.until('ten cards', () => cards().length === 10)
  s.slack.fault({ method: 'chat.postMessage', kind: 'reset', after: true })
  await s.call('bash', { command: 'one more' }, { run })
  await s.slack.until('the digest stands', () => digests().length === 1)
  await s.restart()
  s.advance(3100)
  await s.call('bash', { command: 'and one' }, { run })
  await digest('2 more calls')
  expect(digests()).toHaveLength(1)
})

/** `kill -9` of the built program while it speaks with a source that is asked. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PROPOSAL } from '../../src/sandbox/runtime/example.ts'
import type { Message } from '../../src/sandbox/slack/messages.ts'
import { CONVERSATION } from '../scene.ts'
import { type Bot, bot } from './bot.ts'

const LONG_MS = 60_000

let b: Bot
beforeEach(async () => {
  b = await bot()
  await b.start()
})
afterEach(() => b.close())

const card = (id: string, showing: string): Promise<Message> =>
  b.slack.until(
    `one card showing ${showing}`,
    () => {
      if (b.row(id) === undefined) return undefined
      const [one, ...more] = b.cards(id)
      return more.length === 0 && one !== undefined && JSON.stringify(one.blocks).includes(showing) ? one : undefined
    },
    20_000,
  )

const watch = async (run: string): Promise<void> => {
  const watched = await b.run('runs', 'watch', 'steward', run)
  expect(watched).toEqual({ code: 0, output: 'Watched: the running bot looks at it within a few seconds.\n' })
}

async function pressApprove(id: string): Promise<void> {
  const { ts } = await card(id, 'approval.approve')
  await b.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts, action_id: 'approval.approve' })
}

test(
  'after the source took a decision and before we knew it: it is looked up, and was taken once',
  async () => {
    const { run, approval } = b.runtime.start(PROPOSAL)
    await watch(run)
    b.runtime.answerNext({ action: 'approve', hang: true, after: true })
    await pressApprove(approval)
    await b.runtime.until('the decision is there', () => b.runtime.approval(approval)?.state.status === 'approved', 20_000)
    await b.kill()
    b.runtime.release()
    await b.start()
    await card(approval, 'has granted it')
    expect(b.runtime.requests().filter(({ path }) => path.endsWith('/approve'))).toHaveLength(1)
    expect(b.runtime.resume(run).status).toBe('COMPLETED')
    expect(b.runtime.effects(approval)).toBe(1)
  },
  LONG_MS,
)

test(
  'before the source was told: it is told after the start, and the watch goes on',
  async () => {
    const { run, approval } = b.runtime.start(PROPOSAL)
    await watch(run)
    await card(approval, 'approval.approve')
    await b.runtime.goDown()
    await pressApprove(approval)
    await card(approval, 'does not take it at the moment')
    await b.kill()
    await b.runtime.comeBack()
    await b.start()
    await card(approval, 'has granted it')
    expect(b.runtime.approval(approval)?.state).toMatchObject({ status: 'approved', by: 'slack:T0ACME/U0ANA' })
    b.runtime.resume(run, 'asks again')
    const next = b.runtime.run(run)?.approvals.at(-1) ?? ''
    expect(next).not.toBe(approval)
    await card(next, 'Approval needed')
  },
  LONG_MS,
)

/** A source that is asked, whole: the example runtime on one side, the stand-in Slack on the other, the bot between them. */
import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApprovalHash, ApprovalId } from '../../src/approval/approval.ts'
import { type ChannelClient, channelClient } from '../../src/approval-channel/client.ts'
import { nudgeClient } from '../../src/approval-channel/nudge.ts'
import { channelSecret } from '../../src/approval-channel/signature.ts'
import { PROPOSAL } from '../../src/sandbox/runtime/example.ts'
import type { Paused } from '../../src/sandbox/runtime/runtime.ts'
import type { Message } from '../../src/sandbox/slack/messages.ts'
import { CONVERSATION, QUICK_WATCH, type Scene, type SceneOptions, scene } from '../scene.ts'

const NEVER = { ...QUICK_WATCH, soonMs: 3_600_000, waitingMs: 3_600_000, emptyMs: 3_600_000 }

let s: Scene
let client: ChannelClient
let runtimeOffsetMs: number

async function opened(options: SceneOptions = {}): Promise<void> {
  runtimeOffsetMs = 0
  s = await scene({ runtime: { now: () => new Date(Date.now() + runtimeOffsetMs), rate: 1000, burst: 1000 }, ...options })
  client = channelClient({
    url: s.runtime.url,
    secret: channelSecret(s.secrets.find((secret) => secret.startsWith('steward_')) ?? ''),
    now: () => new Date(Date.now() + runtimeOffsetMs),
    newNonce: () => randomBytes(16).toString('hex'),
  })
}
beforeEach(() => opened())
afterEach(async () => {
  await client.close()
  await s.close()
})

/** As an operator would. */
const watch = (run: string): Promise<string> =>
  s.toldNext('U0ANA', () => s.slack.command({ user: 'U0ANA', conversation: CONVERSATION, text: `/approvals watch ${run}` }))

const rowOf = ({ approval, hash }: Paused) => s.rows('approvals').find((row) => row.id === approval && row.hash === hash)

function cardsOf(paused: Paused): readonly Message[] {
  const row = rowOf(paused)?.row_id
  return s.slack
    .messages(CONVERSATION)
    .filter((message) => row !== undefined && JSON.stringify(message.metadata).includes(String(row)))
}

const shows = (paused: Paused, text: string, which = 0): Promise<Message> =>
  s.slack.until(`card ${which} of ${paused.approval} showing ${text}`, () => {
    const card = cardsOf(paused)[which]
    return card !== undefined && JSON.stringify(card.blocks).includes(text) ? card : undefined
  })

const press = async (card: Message, action: string, user = 'U0ANA'): Promise<void> => {
  const { status, trouble } = await s.slack.click({ user, conversation: CONVERSATION, ts: card.ts, action_id: action })
  expect([status, trouble]).toEqual([200, null])
}

const actionsOf = (card: Message): readonly string[] =>
  [...JSON.stringify(card.blocks).matchAll(/"action_id":"([^"]+)"/g)].map(([, action]) => action ?? '')

async function pausedAndShown(pause = PROPOSAL): Promise<{ readonly paused: Paused; readonly card: Message }> {
  const paused = s.runtime.start(pause)
  await watch(paused.run)
  return { paused, card: await shows(paused, 'Approval needed') }
}

const requestsTo = (part: string): number => s.runtime.requests().filter(({ path }) => path.endsWith(part)).length

describe('an approval of a watched run', () => {
  test('gets a card with its source, its arguments and its hash as served; approved, it runs once when its owner resumes it', async () => {
    const { paused, card } = await pausedAndShown()
    const text = JSON.stringify(card.blocks)
    for (const part of ['Source steward', `Run ${paused.run}`, 'Kind publication', 'agent/refresh-lockfile', paused.hash])
      expect(text).toContain(part)
    expect(text).toContain('every publication is looked at by a person')
    await press(card, 'approval.approve')
    await shows(paused, 'The run goes on when its owner resumes it')
    expect(s.runtime.approval(paused.approval)?.state).toMatchObject({ status: 'approved', by: 'slack:T0ACME/U0ANA' })
    expect(s.runtime.run(paused.run)?.status).toBe('WAITING_FOR_APPROVAL')
    expect(s.runtime.resume(paused.run).status).toBe('COMPLETED')
    expect(s.runtime.effects(paused.approval)).toBe(1)
    expect(cardsOf(paused)).toHaveLength(1)
  })

  test('says that a deny ends the whole run and asks before it; denied with a note, the run is cancelled and the note kept', async () => {
    const { paused, card } = await pausedAndShown()
    expect(JSON.stringify(card.blocks)).toContain('Deny ends the whole run')
    expect(JSON.stringify(card.blocks)).toContain('End the whole run?')
    await press(card, 'approval.note')
    const view = await s.slack.until('the note view', () => s.slack.views('U0ANA')[0])
    expect(JSON.stringify(view)).toContain('This ends the whole run')
    await s.slack.submit({ user: 'U0ANA', view: String(view.id), values: { note: { 'note.text': 'not today' } } })
    await shows(paused, 'cancelled the whole run')
    expect(s.runtime.run(paused.run)).toMatchObject({ status: 'CANCELLED', reason: 'approval_rejected', detail: 'not today' })
  })

  test('is asked about for every rule: an allow for its tool is not for it', async () => {
    await s.close()
    await opened()
    const { paused } = await pausedAndShown({ ...PROPOSAL, tool: 'read_file' })
    expect(rowOf(paused)).toMatchObject({ ruling: 'ask', status: 'pending' })
    const wiping = await pausedAndShown({ ...PROPOSAL, tool: 'wipe_disk' })
    expect(rowOf(wiping.paused)).toMatchObject({ ruling: 'ask', approvers: 'everyone' })
  })

  test('that asks to run again what may have run already says so', async () => {
    const paused = s.runtime.interrupt(PROPOSAL)
    await watch(paused.run)
    const card = await shows(paused, 'This call had begun once already')
    expect(actionsOf(card)).toContain('approval.approve')
  })
})

describe('what was not served whole cannot be approved here, only denied', () => {
  test.each([
    ['a text that the source shortens', JSON.stringify({ body: 'x'.repeat(5000) })],
    ['a number that the source rounds', '{"amount":9007199254740993}'],
    ['a number that the source writes otherwise', '{"amount":1.0}'],
  ])('%s', async (_, args) => {
    const { paused, card } = await pausedAndShown({ ...PROPOSAL, args })
    expect(actionsOf(card)).toEqual(['approval.deny', 'approval.note'])
    expect(JSON.stringify(card.blocks)).toContain('did not serve the whole call')
    expect(JSON.stringify(card.blocks)).toContain(`approve ${paused.run} -approval ${paused.approval}`)
    const forged = JSON.parse(JSON.stringify(card).replaceAll('approval.deny', 'approval.approve'))
    const told = await s.toldNext('U0ANA', () =>
      s.slack.click({
        user: 'U0ANA',
        conversation: CONVERSATION,
        ts: card.ts,
        action_id: 'approval.approve',
        message_json_override: forged,
      }),
    )
    expect(told).toContain('nobody can approve it here')
    expect(rowOf(paused)).toMatchObject({ status: 'pending', verdict: null })
    await press(card, 'approval.deny')
    await shows(paused, 'cancelled the whole run')
  })

  test('a record that the source itself cannot read takes no decision at all', async () => {
    const paused = s.runtime.start(PROPOSAL)
    const shown = await client.show(paused.run, ApprovalId.parse(paused.approval))
    const body = shown.ok ? shown.value.raw.replace('"reason":', '"decode_error":"request: unexpected end","reason":') : ''
    s.runtime.answerNext({ action: 'show', status: 200, body })
    await watch(paused.run)
    const card = await shows(paused, 'cannot read its own record')
    expect(actionsOf(card)).toEqual([])
    expect(JSON.stringify(card.blocks)).toContain('request: unexpected end')
  })
})

describe('an approval that changes between the card and the press', () => {
  const CHANGE = { ...PROPOSAL, args: '{"proposal_id":"p-8","head_ref":"evil"}' }

  test('and is looked at first: the old card is struck out, a new one asks, and a press on the old one decides nothing', async () => {
    const { paused, card } = await pausedAndShown()
    const changed = s.runtime.represent(paused.approval, CHANGE)
    const old = await shows(paused, 'This is not what is asked any more')
    expect(JSON.stringify(old.blocks)).toContain('"strike":true')
    expect(actionsOf(old)).toEqual([])
    const fresh = await shows(changed, 'evil')
    expect(actionsOf(fresh)).toContain('approval.approve')
    const told = await s.toldNext('U0ANA', () =>
      s.slack.click({
        user: 'U0ANA',
        conversation: CONVERSATION,
        ts: card.ts,
        action_id: 'approval.approve',
        message_json_override: JSON.parse(JSON.stringify(card)),
      }),
    )
    expect(told).toContain('Nothing was decided here; its new card')
    expect(s.runtime.approval(paused.approval)?.state.status).toBe('pending')
    await press(fresh, 'approval.approve')
    await shows(changed, 'its owner resumes it')
    expect(s.runtime.resume(paused.run).status).toBe('COMPLETED')
  })

  test('and is pressed first: the source takes nothing, the card says so, and the new one asks', async () => {
    await s.close()
    await client.close()
    await opened({ watchPace: NEVER })
    const again = await pausedAndShown()
    const changed = s.runtime.represent(again.paused.approval, CHANGE)
    await press(again.card, 'approval.approve')
    await shows(again.paused, 'Nothing was decided there; its new card')
    await shows(changed, 'evil')
    expect(s.runtime.approval(changed.approval)?.state.status).toBe('pending')
    expect(rowOf(again.paused)).toMatchObject({ status: 'resolved', resolution: 'refused', refused_why: 'changed' })
    expect(rowOf(changed)).toMatchObject({ status: 'pending' })
  })

  test('back to what it was: that row is pending again, its first card is retired and a new one asks', async () => {
    const { paused } = await pausedAndShown()
    const changed = s.runtime.represent(paused.approval, CHANGE)
    await shows(changed, 'evil')
    s.runtime.represent(paused.approval, { ...PROPOSAL })
    await shows(paused, 'a newer card stands for it', 0)
    const second = await shows(paused, 'Approval needed', 1)
    expect(actionsOf(second)).toContain('approval.approve')
    await shows(changed, 'This is not what is asked any more')
    expect(rowOf(paused)).toMatchObject({ status: 'pending' })
  })
})

test('what changed before a press on a run that nobody watches is asked anew all the same', async () => {
  await s.close()
  await client.close()
  await opened({ watchPace: NEVER })
  const again = s.runtime.start(PROPOSAL)
  await s.toldNext('U0BOB', () => s.slack.command({ user: 'U0BOB', conversation: CONVERSATION, text: `/approvals ${again.run}` }))
  const old = await shows(again, 'Approval needed')
  const changed = s.runtime.represent(again.approval, { ...PROPOSAL, args: '{"proposal_id":"p-9"}' })
  await press(old, 'approval.approve')
  await shows(changed, 'p-9')
  await shows(again, 'Nothing was decided there; its new card')
})

test('an answer that cannot be read is looked up like one that was lost', async () => {
  const { paused, card } = await pausedAndShown()
  s.runtime.answerNext({ action: 'approve', status: 202, body: '<html>a proxy says hello</html>', after: true })
  await press(card, 'approval.approve')
  await shows(paused, 'has granted it')
  expect(requestsTo('/approve')).toBe(1)
})

test('a clock of ours that is ahead of the source’s ends nothing early', async () => {
  s.advance(100_000)
  const { paused, card } = await pausedAndShown({ ...PROPOSAL, expiresAt: new Date(Date.now() + 60_000).toISOString() })
  const looks = requestsTo('/approvals')
  await s.runtime.until('it is looked at again', () => requestsTo('/approvals') > looks + 2)
  expect(rowOf(paused)).toMatchObject({ status: 'pending' })
  await press(card, 'approval.approve')
  await shows(paused, 'has granted it')
})

test('one 404 ends neither the watch nor, for good, the card', async () => {
  const { paused } = await pausedAndShown()
  const body = '{"code":"not_found","error":"agentrt: not found"}\n'
  s.runtime.answerNext({ run: paused.run, action: 'list', status: 404, body })
  s.runtime.answerNext({ run: paused.run, action: 'show', status: 404, body })
  await shows(paused, 'a newer card stands for it', 0)
  const second = await shows(paused, 'Approval needed', 1)
  await press(second, 'approval.approve')
  await shows(paused, 'has granted it', 1)
  expect(s.rows('watches')).toHaveLength(1)
})

test('what changed and was decided there before we looked promises no new card', async () => {
  await s.close()
  await client.close()
  await opened({ watchPace: { ...QUICK_WATCH, waitingMs: 3000 } })
  const { paused } = await pausedAndShown()
  const changed = s.runtime.represent(paused.approval, { ...PROPOSAL, args: '{"proposal_id":"p-9"}' })
  await client.approve(paused.run, ApprovalId.parse(changed.approval), {
    hash: ApprovalHash.parse(changed.hash),
    by: 'somebody',
    note: null,
  })
  const ended = await shows(paused, 'no longer waits for a decision')
  expect(JSON.stringify(ended.blocks)).not.toContain('new card')
})

describe('each other end has its words on the card', () => {
  const decision = (paused: Paused) => ({ hash: ApprovalHash.parse(paused.hash), by: 'somebody <!channel>', note: null })

  test.each([
    ['approve', 'Approved there by:'],
    ['reject', 'Rejected there by:'],
  ] as const)('decided elsewhere (%s)', async (verb, words) => {
    const { paused, card } = await pausedAndShown()
    await client[verb](paused.run, ApprovalId.parse(paused.approval), decision(paused))
    const ended = await shows(paused, words)
    expect(JSON.stringify(ended.blocks)).toContain('somebody <!channel>')
    expect(actionsOf(ended)).toEqual([])
    expect(rowOf(paused)).toMatchObject({ status: 'closed', closed_because: 'decided_elsewhere' })
    expect(card.ts).toBe(ended.ts)
  })

  test('cancelled at the source: it lists nothing and still shows it pending', async () => {
    const { paused } = await pausedAndShown()
    await client.cancel(paused.run, { by: 'somebody', note: null })
    await shows(paused, 'no longer waits for a decision')
    expect(rowOf(paused)).toMatchObject({ status: 'closed', closed_because: 'withdrawn' })
  })

  test('expired by the source’s clock', async () => {
    const { paused } = await pausedAndShown({ ...PROPOSAL, expiresAt: new Date(Date.now() + 120_000).toISOString() })
    runtimeOffsetMs = 180_000
    await shows(paused, 'Its time ran out')
    expect(rowOf(paused)).toMatchObject({ status: 'closed', closed_because: 'expired' })
  })

  test('expired by ours, when the source does not answer: nothing is sent, and a late press is told', async () => {
    const { paused, card } = await pausedAndShown({ ...PROPOSAL, expiresAt: new Date(Date.now() + 60_000).toISOString() })
    expect(JSON.stringify(card.blocks)).toContain('Can be decided until')
    await s.runtime.goDown()
    s.advance(61_000)
    const ended = await shows(paused, 'Nothing was sent to the source')
    expect(actionsOf(ended)).toEqual([])
    const told = await s.toldNext('U0ANA', () =>
      s.slack.click({
        user: 'U0ANA',
        conversation: CONVERSATION,
        ts: card.ts,
        action_id: 'approval.approve',
        message_json_override: JSON.parse(JSON.stringify(card)),
      }),
    )
    expect(told).toContain('Its time ran out')
    expect(requestsTo('/approve') + requestsTo('/reject')).toBe(0)
  })

  test('gone: the source knows the run no longer, and it is watched no longer', async () => {
    const { paused } = await pausedAndShown()
    const body = '{"code":"not_found","error":"agentrt: not found"}\n'
    s.runtime.answerNext({ run: paused.run, status: 404, body, times: Number.POSITIVE_INFINITY })
    await shows(paused, 'no longer waits for a decision')
    while (s.rows('watches').length > 0) await client.list(paused.run)
  })

  test('withdrawn and listed again: pending again, with a new card', async () => {
    const { paused } = await pausedAndShown()
    const body = `{"pending":[],"run_id":"${paused.run}"}\n`
    s.runtime.answerNext({ run: paused.run, action: 'list', status: 200, body })
    await shows(paused, 'a newer card stands for it', 0)
    const second = await shows(paused, 'Approval needed', 1)
    await press(second, 'approval.approve')
    await shows(paused, 'its owner resumes it', 1)
    expect(cardsOf(paused)).toHaveLength(2)
  })

  test('missing from a list that is full, and pending when asked after: it stays', async () => {
    const { paused } = await pausedAndShown()
    const other = s.runtime.start(PROPOSAL)
    const shown = await client.show(other.run, ApprovalId.parse(other.approval))
    const body = `{"pending":[${shown.ok ? shown.value.raw.trim() : ''}],"run_id":"${paused.run}"}\n`
    const before = requestsTo(`/approvals/${paused.approval}`)
    s.runtime.answerNext({ run: paused.run, action: 'list', status: 200, body })
    await s.runtime.until('it is asked after', () => requestsTo(`/approvals/${paused.approval}`) > before)
    expect(rowOf(paused)).toMatchObject({ status: 'pending' })
  })
})

describe('a decision whose answer was lost', () => {
  test.each(['approve', 'reject'] as const)(
    '%s: is looked up before anything is sent again, and was taken once',
    async (verb) => {
      const { paused, card } = await pausedAndShown()
      s.runtime.answerNext({ action: verb, reset: true, after: true })
      await press(card, verb === 'approve' ? 'approval.approve' : 'approval.deny')
      await shows(paused, verb === 'approve' ? 'has granted it' : 'has rejected it')
      expect(requestsTo(`/${verb}`)).toBe(1)
      expect(rowOf(paused)).toMatchObject({ status: 'resolved', resolution: 'done' })
    },
  )

  test('and that was not taken is sent again', async () => {
    const { paused, card } = await pausedAndShown()
    s.runtime.answerNext({ action: 'approve', reset: true })
    await press(card, 'approval.approve')
    await shows(paused, 'has granted it')
    expect(requestsTo('/approve')).toBe(2)
  })

  test('a hole of ten seconds after the source took it: one decision in the end, and the card right', async () => {
    const { paused, card } = await pausedAndShown()
    s.runtime.answerNext({ action: 'approve', hang: true, after: true })
    await press(card, 'approval.approve')
    await shows(paused, 'Sending')
    await s.slack.until('the source is known to have it', () => rowOf(paused)?.resolution === 'done', 20_000)
    await shows(paused, 'has granted it')
    expect(requestsTo('/approve')).toBe(1)
  }, 30_000)

  test('and that somebody else made meanwhile is not ours', async () => {
    const { paused, card } = await pausedAndShown()
    s.runtime.answerNext({ action: 'approve', reset: true })
    s.runtime.answerNext({ action: 'show', status: 503, times: 3 })
    await press(card, 'approval.approve')
    await s.slack.until('it was tried', () => requestsTo('/approve') === 1)
    await client.approve(paused.run, ApprovalId.parse(paused.approval), {
      hash: ApprovalHash.parse(paused.hash),
      by: 'slack:T0ACME/U0BOB',
      note: null,
    })
    await shows(paused, 'it was already decided at the source')
    expect(requestsTo('/approve')).toBe(2)
  })
})

describe('operators', () => {
  const command = (user: string, text: string): Promise<string> =>
    s.toldNext(user, () => s.slack.command({ user, conversation: CONVERSATION, text: `/approvals ${text}` }))

  test('alone may watch, unwatch and cancel', async () => {
    const { run } = s.runtime.start(PROPOSAL)
    for (const verb of ['watch', 'unwatch', 'cancel'])
      expect(await command('U0BOB', `${verb} ${run}`)).toContain('That is for operators')
    expect(s.rows('watches')).toEqual([])
    expect(s.runtime.requests()).toEqual([])
  })

  test('watch by the source’s name, are told of a wrong one, and unwatch', async () => {
    expect(await command('U0ANA', 'watch nobody run_1')).toContain('These can be watched: steward')
    expect(await command('U0ANA', 'watch')).toContain('Type “/approvals watch”')
    expect(await command('U0ANA', 'watch steward `run_1`')).toContain('is watched')
    expect(s.rows('watches')).toMatchObject([{ source: 'steward', run: 'run_1', by: 'slack:T0ACME/U0ANA' }])
    expect(await command('U0ANA', 'unwatch run_1')).toMatch(/no longer watched|was not watched/)
    expect(s.rows('watches')).toEqual([])
  })

  test('cancel a run of the source after a confirmation: what waited says so, and the run is over', async () => {
    const { paused } = await pausedAndShown()
    expect(await command('U0ANA', `cancel ${paused.run}`)).toContain('This cannot be undone')
    expect(s.runtime.run(paused.run)?.status).toBe('WAITING_FOR_APPROVAL')
    const asked = s.slack.privately('U0ANA').at(-1)
    await s.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts: asked?.ts ?? '', action_id: 'run.cancel' })
    await shows(paused, 'has cancelled the run')
    expect(s.runtime.run(paused.run)).toMatchObject({ status: 'CANCELLED', reason: 'operator_cancelled' })
    await s.slack.until('the watch ends', () => s.rows('watches').length === 0)
  })

  test('cancel a run that was granted and waits for its owner', async () => {
    const { paused, card } = await pausedAndShown()
    await press(card, 'approval.approve')
    await shows(paused, 'its owner resumes it')
    await command('U0ANA', `cancel ${paused.run}`)
    const asked = s.slack.privately('U0ANA').at(-1)
    const told = await s.toldNext('U0ANA', () =>
      s.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts: asked?.ts ?? '', action_id: 'run.cancel' }),
    )
    expect(told).toContain('is being cancelled')
    expect(s.runtime.run(paused.run)?.status).toBe('CANCELLED')
  })

  test('a confirmation that was held up for minutes cancels nothing', async () => {
    const { id, run } = await s.call('bash', { command: 'ls' })
    await s.card(id)
    await command('U0ANA', `cancel ${run}`)
    const asked = s.slack.privately('U0ANA').at(-1)
    s.advance(180_000)
    const told = await s.toldNext('U0ANA', () =>
      s.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts: asked?.ts ?? '', action_id: 'run.cancel' }),
    )
    expect(told).toContain('minutes late')
    expect(s.row(id)).toMatchObject({ status: 'pending' })
  })

  test('cancel a hook’s run: what waits is denied, and so is each later call', async () => {
    const { id, run } = await s.call('bash', { command: 'ls' })
    await s.card(id)
    await command('U0ANA', `cancel ${run}`)
    const asked = s.slack.privately('U0ANA').at(-1)
    await s.slack.click({ user: 'U0ANA', conversation: CONVERSATION, ts: asked?.ts ?? '', action_id: 'run.cancel' })
    await s.card(id, 'Cancelled with its run')
    expect(await s.call('bash', { command: 'pwd' }, { run })).toMatchObject({
      state: 'denied',
      reason: 'An operator cancelled this run. None of its calls may run.',
    })
  })
})

test('“/approvals RUN” asks the sources too: what waits there is opened where the rules say, and can be decided', async () => {
  const paused = s.runtime.start(PROPOSAL)
  const told = await s.toldNext('U0BOB', () =>
    s.slack.command({ user: 'U0BOB', conversation: 'C0GENERAL', text: `/approvals ${paused.run}` }),
  )
  expect(told).toContain('Read and decide')
  await shows(paused, 'Approval needed')
  expect(s.rows('watches')).toEqual([])
  await client.cancel(paused.run, { by: 'somebody', note: null })
  await shows(paused, 'no longer waits for a decision')
})

test('“/approvals RUN” says which source did not answer', async () => {
  await s.runtime.goDown()
  const told = await s.toldNext('U0BOB', () =>
    s.slack.command({ user: 'U0BOB', conversation: CONVERSATION, text: '/approvals run_9' }),
  )
  expect(told).toContain('The source steward did not answer')
})

test('a nudge from the agent’s own process has its run watched', async () => {
  const paused = s.runtime.start(PROPOSAL)
  const nudging = nudgeClient({
    url: `http://127.0.0.1:${s.app().port}`,
    secret: channelSecret(s.nudgeSecret),
    now: () => new Date(),
    newNonce: () => randomBytes(16).toString('hex'),
  })
  expect(await nudging.nudge('steward', paused.run)).toEqual({ ok: true, value: 'watching' })
  await nudging.close()
  await shows(paused, 'Approval needed')
})

test('a watch is kept over a restart, and what was asked meanwhile is shown', async () => {
  const { paused, card } = await pausedAndShown()
  await press(card, 'approval.approve')
  await shows(paused, 'its owner resumes it')
  await s.stop()
  s.runtime.resume(paused.run, 'asks again')
  await s.restart()
  const next = await s.slack.until('another row', () => s.rows('approvals').find((row) => row.id !== paused.approval))
  expect(next).toMatchObject({ run: paused.run, status: 'pending' })
})

test('readiness says what is wrong with a source, and what to do', async () => {
  const reasons = async (): Promise<string> => (await request(`http://127.0.0.1:${s.app().adminPort}/readyz`)).body.text()
  await watch(s.runtime.start(PROPOSAL).run)
  const until = async (words: string): Promise<void> => {
    for (let asked = ''; !asked.includes(words); ) asked = await reasons()
  }
  runtimeOffsetMs = 360_000
  await until('its clock and ours are more than 5 minutes apart: set both by a time server')
  runtimeOffsetMs = 0
  await s.runtime.goDown()
  await until('nothing answers at http://127.0.0.1')
  await s.runtime.comeBack()
  await until('"degraded":[]')
})

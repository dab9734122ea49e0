/** The page of examples: what it is given, and what it refuses to show. */
import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import type { Exhibit } from '../../src/sandbox/slack/page-exhibits.ts'
import { type SlackStandIn, startSlack } from '../../src/sandbox/slack/stand-in.ts'

const TOKENS = { botToken: 'xoxb-sandbox-cards', signingSecret: 'cards' }
const words = (text: string) => ({ type: 'section', text: { type: 'plain_text', text } })
const message = (id: string, text = 'hello'): Exhibit => ({
  id,
  group: 'Some',
  title: 'One',
  shown: { message: { text: 'hello', blocks: [words(text)] } },
})
const VIEW: Exhibit = {
  id: 'view',
  group: 'Some',
  title: 'A window',
  shown: { view: { type: 'modal', title: { type: 'plain_text', text: 'Read' }, blocks: [words('all of it')] } },
}

let slack: SlackStandIn | undefined
afterEach(() => slack?.close())
const started = async (...exhibits: readonly Exhibit[]): Promise<SlackStandIn> =>
  (slack = await startSlack({ ...TOKENS, exhibits }))

test('it is served with its own module and policy, and gives the examples in their order', async () => {
  const { url } = await started(message('a'), VIEW, message('b'))
  const page = await fetch(`${url}/cards`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(await page.text()).toContain('/page/cards.js')
  const given = await (await fetch(`${url}/page/exhibits`)).json()
  expect(given).toMatchObject({ exhibits: [{ id: 'a', title: 'One' }, { id: 'view', view: { type: 'modal' } }, { id: 'b' }] })
  expect(given).toMatchObject({ exhibits: [{ message: { blocks: [words('hello')] } }, {}, {}] })
})

test('without examples there are none, and the page is there all the same', async () => {
  const { url } = await started()
  expect(await (await fetch(`${url}/page/exhibits`)).json()).toEqual({ exhibits: [] })
  expect((await fetch(`${url}/cards`)).status).toBe(200)
})

describe('the stand-in does not start with', () => {
  test.each<[string, readonly Exhibit[], RegExp]>([
    ['two examples of one name', [message('a'), message('a')], /two exhibits are called a/],
    ['a message that Slack would refuse', [message('a', 'x'.repeat(3001))], /would refuse the exhibit a: \/blocks\/0/],
    [
      'a window that Slack would refuse',
      [{ ...VIEW, shown: { view: { type: 'modal', blocks: [] } } }],
      /would refuse the exhibit view/,
    ],
  ])('%s', async (_, exhibits, words) => {
    await expect(startSlack({ ...TOKENS, exhibits })).rejects.toThrow(words)
  })
})

test('a list in a window is picked from on the page, and the app hears which', async () => {
  const heard: string[] = []
  const app = createServer((req, res) => {
    req.setEncoding('utf8').on('data', (part: string) => heard.push(part))
    req.on('end', () => res.end())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => app.once('listening', resolve))
  const address = app.address()
  const { url, say, deliverTo } = await started()
  deliverTo(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
  const option = (value: string) => ({ text: { type: 'plain_text', text: `Page ${value}` }, value })
  const list = { type: 'static_select', action_id: 'pick', options: [option('1'), option('2')] }
  const { ts } = say({
    user: 'U0BOT',
    conversation: 'C0APPROVALS',
    text: 'pages',
    blocks: [{ ...words('Page 1'), block_id: 'p', accessory: list }],
  })
  const body = { as: 'U0ANA', conversation: 'C0APPROVALS', ts, view: null, block_id: 'p', action_id: 'pick', chosen: '2' }
  const answer = await fetch(`${url}/page/click`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  })
  expect(await answer.json()).toEqual({ ok: true })
  const payload = JSON.parse(new URLSearchParams(heard.join('')).get('payload') ?? '{}')
  expect(payload.actions).toMatchObject([{ action_id: 'pick', selected_option: option('2') }])
  app.close()
})

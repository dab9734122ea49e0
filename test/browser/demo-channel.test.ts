import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.ts'
import { button, card, FREE } from './demo.ts'
import { type Program, startProgram } from './program.ts'

const LONG = { timeout: 90_000 }
const path = chromiumPath(process.env)
const skipped = path === undefined && (process.env.CI ?? '') === ''

let program: Program
const open = async (...args: readonly string[]): Promise<string> => {
  program = startProgram(['demo', ...args], FREE)
  const [, address = ''] = await program.said(/Open this page and decide: +(http:\/\/127\.0\.0\.1:\d+\/)$/)
  await program.said(/Waiting for a person/)
  return address
}
afterEach(() => program?.discard())

test('the try-out over a signed channel takes the refusing path by itself when told to', LONG, async () => {
  await open('--deny')
  await program.said(/presses Deny in Slack/)
  await program.said(/The run is cancelled \(approval_rejected\)/)
  await program.said(/publish_proposal ran 0 time\(s\)/)
  await program.said(/^Every run has ended/)
  program.send('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, err: [], left: [] })
})

test('the try-out over a signed channel that is ended while a person is waited for ends well', LONG, async () => {
  await open('--channel')
  program.send('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, err: [], left: [] })
})

describe.skipIf(skipped)('on the page of the try-out over a signed channel', LONG, () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    if (path === undefined) throw new Error('no Chromium was found here, and where CI is set a skip is a failure')
    browser = await launch(path)
  }, LONG.timeout)
  afterAll(() => browser?.close())

  const look = async (): Promise<void> => {
    const address = await open('--channel')
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(20_000)
    await page.goto(`${address}#U0ANA/C0APPROVALS`)
  }

  test('Approve grants it, the run is resumed, and the card says that the run goes on by its owner', async () => {
    await look()
    const asked = card(page, 'publish_proposal')
    await button(asked, 'approval.approve').click()
    await asked.getByText('The run goes on when its owner resumes it').waitFor()
    await program.said(/Granted by slack:T0ACME\/U0ANA\. Its owner resumes the run\./)
    await program.said(/publish_proposal ran 1 time\(s\)/)
  })

  test('Deny asks first; gone back from, nothing is decided; confirmed, the run is cancelled', async () => {
    await look()
    const asked = card(page, 'publish_proposal')
    await button(asked, 'approval.deny').click()
    const question = page.locator('dialog', { hasText: 'End the whole run?' })
    await question.getByText('Go back').click()
    await question.waitFor({ state: 'detached' })
    await button(asked, 'approval.deny').click()
    await question.getByText('Deny and end the run').click()
    await asked.getByText('cancelled the whole run').waitFor()
    await program.said(/The run is cancelled \(approval_rejected\)/)
  })
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.ts'
import { actionsIn, become, button, card, type Demo, lookAs, modal, startDemo } from './demo.ts'

const LONG = { timeout: 90_000 }

const path = chromiumPath(process.env)
const skipped = path === undefined && (process.env.CI ?? '') === ''
if (skipped)
  process.stderr.write('Skipped: home tabs in a browser, for no Chromium was found here. CHROMIUM_PATH can name one.\n')

describe.skipIf(skipped)('the home tab on the page of the try-out', LONG, () => {
  let browser: Browser
  let demo: Demo
  let page: Page
  beforeAll(async () => {
    if (path === undefined) throw new Error('no Chromium was found here, and where CI is set a skip is a failure')
    browser = await launch(path)
  }, LONG.timeout)
  afterAll(() => browser?.close())
  beforeEach(async () => {
    demo = await startDemo()
    page = await lookAs(browser, demo, 'U0ANA')
    await card(page, 'bash').waitFor()
    await page.locator('[data-conversation="home"]').click()
  }, LONG.timeout)
  afterEach(async () => {
    await page?.close()
    await demo?.discard()
  })

  const tab = () => page.locator('.messages')

  test('lists what waits, opens a call over itself, and says what was decided', async () => {
    await tab().getByText('Approval needed: apply_patch').waitFor()
    expect(await actionsIn(tab())).toEqual(['approval.open', 'approval.open'])
    await button(tab(), 'approval.open').first().click()
    await modal(page).getByText('Page 1 of 1').waitFor()
    await button(modal(page), 'approval.approve').click()
    await demo.said(/^run_2 {2}Approved/)
    await page.getByTestId('modal-close').click()
    await tab().getByText('The agent platform has it').waitFor()
    expect(await actionsIn(tab())).toEqual(['approval.open'])
    expect(await tab().textContent()).not.toContain('Approval needed: bash')
  })

  test('is each person’s own, and the tab stays open with the switch to somebody else', async () => {
    await tab().getByText('Waiting for you').waitFor()
    await become(page, 'U0GUEST')
    await tab().getByText('Guests decide nothing here').waitFor()
    expect(await actionsIn(tab())).toEqual([])
    await page.locator('[data-conversation="C0APPROVALS"]').click()
    await card(page, 'bash').waitFor()
    expect(await page.locator('.home').count()).toBe(0)
  })
})

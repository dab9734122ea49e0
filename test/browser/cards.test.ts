import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timesBefore } from '../../src/cli/cards-calls.ts'
import { examples } from '../../src/cli/cards-examples.ts'
import { chromiumPath, launch } from './chromium.ts'
import { type Program, startProgram } from './program.ts'

const LONG = { timeout: 90_000 }
const path = chromiumPath(process.env)
const skipped = path === undefined && (process.env.CI ?? '') === ''

const PHONE = { width: 390, height: 844 }
/** What the client's own bar and composer take of a phone's height. */
const CHROME = 54 + 92

const EXAMPLES = examples(timesBefore(new Date()))

test('a port that is none ends the program with one line', async () => {
  const wrong = startProgram(['cards'], { DEMO_PAGE_PORT: 'x' })
  expect(await wrong.ended).toMatchObject({ code: 1, out: [], err: ['countersign: DEMO_PAGE_PORT must be a port number'] })
  await wrong.discard()
})

describe.skipIf(skipped)('on the page of all cards', LONG, () => {
  let program: Program
  let address = ''
  let browser: Browser
  beforeAll(async () => {
    if (path === undefined) throw new Error('no Chromium was found here, and where CI is set a skip is a failure')
    program = startProgram(['cards'], { DEMO_PAGE_PORT: '0' })
    address = (await program.said(/(http:\/\/127\.0\.0\.1:\d+\/cards)$/))[1] ?? ''
    browser = await launch(path)
  }, LONG.timeout)
  afterAll(async () => {
    await browser?.close()
    await program?.discard()
  })

  const open = async (viewport: { width: number; height: number }): Promise<Page> => {
    const page = await browser.newPage({ viewport })
    page.setDefaultTimeout(10_000)
    await page.goto(address)
    await page.locator('[data-card]').first().waitFor()
    return page
  }

  test('each state stands once, in its order, and nothing of it is left undrawn', async () => {
    const page = await open({ width: 1280, height: 900 })
    const cards = await page.locator('[data-card]').evaluateAll((all) => all.map((one) => one.getAttribute('data-card')))
    expect(cards).toEqual(EXAMPLES.map(({ id }) => id))
    expect(new Set(cards).size).toBe(cards.length)
    expect(await page.locator('.not-drawn').count()).toBe(0)
    for (const [id, words] of [
      ['pending-short', 'Can be decided until'],
      ['sending-hook-none', 'Sending to the agent platform'],
      ['resolved-hook-approved', 'The agent platform has it: the call may run.'],
      ['resolved-channel-denied', 'cancelled the whole run'],
      ['closed-expired', 'Nothing was sent to the source'],
      ['retired', 'a newer card stands for it'],
    ])
      expect(await page.locator(`[data-card="${id}"]`).textContent(), id).toContain(words)
    await page.close()
  })

  test('on a phone a short call and its buttons stand on one screen, and so do a payment and what was decided', async () => {
    const page = await open(PHONE)
    for (const id of ['pending-short', 'pending-payment']) {
      const card = page.locator(`[data-card="${id}"] .message`)
      const top = (await card.boundingBox())?.y ?? 0
      for (const action of ['approval.approve', 'approval.deny', 'approval.note']) {
        const box = await card.locator(`[data-action-id="${action}"]`).boundingBox()
        expect((box?.y ?? Number.NaN) + (box?.height ?? 0) - top, `${id} ${action}`).toBeLessThan(PHONE.height - CHROME)
        expect(box?.height, 'as large as a finger').toBeGreaterThanOrEqual(44)
      }
    }
    const decided = await page.locator('[data-card="resolved-hook-approved"] .message').boundingBox()
    expect(decided?.height).toBeLessThan(PHONE.height - CHROME)
    await page.close()
  })

  test('nothing is wider than a phone, and the switch shows each that wide on a large screen', async () => {
    const phone = await open(PHONE)
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width)
    const wide = await phone
      .locator('[data-card] *')
      .evaluateAll((all, width) => all.filter((one) => one.getBoundingClientRect().right > width + 0.5).length, PHONE.width)
    expect(wide).toBe(0)
    await phone.close()

    const page = await open({ width: 1280, height: 900 })
    await page.getByTestId('phone-width').click()
    const widths = await page.locator('[data-card]').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
    expect(Math.max(...widths)).toBeLessThanOrEqual(PHONE.width)
    const over = await page
      .locator('[data-card]')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.id))
    expect(over).toEqual([])
    await page.close()
  })

  test('only the last page of a long call can be approved, and each page lists them all', async () => {
    const page = await open(PHONE)
    const actions = (id: string) =>
      page
        .locator(`[data-card="${id}"] [data-action-id]`)
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-action-id')))
    expect(await actions('modal-first')).not.toContain('approval.approve')
    expect(await actions('modal-middle')).not.toContain('approval.approve')
    expect(await actions('modal-last')).toContain('approval.approve')
    for (const id of ['modal-first', 'modal-middle', 'modal-last']) expect(await actions(id)).toContain('approval.page.pick')
    await page.close()
  })

  test('ends well when it is told to', async () => {
    program.send('SIGINT')
    expect(await program.ended).toMatchObject({ code: 0, err: [], left: [] })
  })
})

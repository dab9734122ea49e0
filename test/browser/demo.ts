/** The try-out, started, with every port that is not named free, and what one sees of it on its page. */
import type { Browser, Locator, Page } from 'playwright-core'
import { type Program, startProgram } from './program.ts'

export interface Demo extends Program {
  readonly address: string
  readonly pagePort: number
  readonly botPort: number
}

export const FREE = { PORT: '0', ADMIN_PORT: '0', DEMO_PAGE_PORT: '0' } as const

/** Waits until the agent has asked everything and two of its runs wait for people. */
export async function startDemo(variables: Readonly<Record<string, string>> = {}): Promise<Demo> {
  const program = startProgram(['demo'], { ...FREE, ...variables })
  try {
    const [, address = '', page] = await program.said(/Open this page and decide: +(http:\/\/127\.0\.0\.1:(\d+)\/)$/)
    const [, bot] = await program.said(/^The bot answers hooks on port (\d+)\./)
    await Promise.all([program.said(/^run_2 {2}Waiting/), program.said(/^run_3 {2}Waiting/)])
    return { ...program, address, pagePort: Number(page), botPort: Number(bot) }
  } catch (error) {
    await program.discard()
    throw error
  }
}

/** The conversation of the approvals, as one person sees it. */
export async function lookAs(browser: Browser, demo: Demo, person: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.setDefaultTimeout(10_000)
  await page.goto(`${demo.address}#${person}/C0APPROVALS`)
  return page
}

/** Becomes somebody else, in the page's own list of people. */
export async function become(page: Page, person: string): Promise<void> {
  await page.locator(`[data-person="${person}"]`).click()
  await page.locator(`[data-person="${person}"][aria-checked="true"]`).waitFor()
}

/** The card of the call of a tool, whatever became of it. */
export function card(page: Page, tool: string): Locator {
  return page
    .locator('article[data-ts]:not(.ephemeral)')
    .filter({ has: page.getByRole('heading', { name: new RegExp(`: ${tool}$`) }) })
}

/** What only this person sees. */
export function privately(page: Page, words: string | RegExp): Locator {
  return page.locator('article.ephemeral').filter({ hasText: 'Only visible to you' }).filter({ hasText: words })
}

export function modal(page: Page): Locator {
  return page.locator('dialog[data-view]')
}

export function button(within: Locator, action: string): Locator {
  return within.locator(`[data-action-id="${action}"]`)
}

/** The actions of all buttons in a card or a modal. */
export function actionsIn(within: Locator): Promise<readonly string[]> {
  return within
    .locator('[data-action-id]')
    .evaluateAll((buttons) => buttons.map((one) => one.getAttribute('data-action-id') ?? ''))
}

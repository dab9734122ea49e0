import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumPath, launch } from './chromium.ts'
import { actionsIn, become, button, card, type Demo, FREE, lookAs, modal, privately, startDemo } from './demo.ts'
import { startProgram } from './program.ts'

const LONG = { timeout: 90_000 }
const HAS_IT = 'The agent platform has it'

const path = chromiumPath(process.env)
const skipped = path === undefined && (process.env.CI ?? '') === ''
if (skipped)
  process.stderr.write('Skipped: the try-out in a browser, for no Chromium was found here. CHROMIUM_PATH can name one.\n')

/** How long ago something was goes on by itself. */
function withoutTimes(html: string): string {
  return html.replace(/<time[^>]*>[^<]*<\/time>/g, '')
}

describe.skipIf(skipped)('on the page of the try-out', LONG, () => {
  let browser: Browser
  let demo: Demo
  let page: Page
  beforeAll(async () => {
    if (path === undefined) throw new Error('no Chromium was found here, and where CI is set a skip is a failure')
    browser = await launch(path)
  }, LONG.timeout)
  afterAll(() => browser?.close())

  describe('where nothing is decided', () => {
    beforeAll(async () => {
      demo = await startDemo()
    }, LONG.timeout)
    afterAll(() => demo?.discard())
    beforeEach(async () => {
      page = await lookAs(browser, demo, 'U0ANA')
    })
    afterEach(() => page?.close())

    test('both calls that wait have a card, and only the one that is shown whole can be approved there', async () => {
      const bash = card(page, 'bash')
      await bash.waitFor()
      expect(await bash.getByRole('heading').textContent()).toBe('Approval needed: bash')
      expect(await actionsIn(bash)).toEqual(['approval.approve', 'approval.deny', 'approval.note'])
      expect(await bash.locator('pre').allTextContents()).toEqual([
        'command',
        expect.stringMatching(/^set -euo pipefail\n(.+\n){4}sudo systemctl restart acme-gateway$/),
        'cwd: "/srv/acme"\ntimeout_seconds: 120',
        'Deletes old releases and stale sessions in production, then restarts the gateway.',
      ])
      const patch = card(page, 'apply_patch')
      await patch.waitFor()
      expect(await patch.getByRole('heading').textContent()).toBe('Approval needed: apply_patch')
      expect(await actionsIn(patch)).toEqual(['approval.open', 'approval.deny', 'approval.note'])
      expect(await patch.textContent()).toMatch(/… [\d,]+ bytes left out here …/)
      expect(await page.locator('article[data-ts]').count()).toBe(2)
    })

    test('a note of blanks is refused in its window, and nothing is decided', async () => {
      const bash = card(page, 'bash')
      await button(bash, 'approval.note').click()
      await modal(page).locator('.input-text[data-block-id="note"]').fill('  \n ')
      await page.getByTestId('modal-submit').click()
      await modal(page).getByText('Write why, or close this window and press Deny.').waitFor()
      await page.getByTestId('modal-close').click()
      await modal(page).waitFor({ state: 'detached' })
      expect(await actionsIn(bash)).toEqual(['approval.approve', 'approval.deny', 'approval.note'])
      expect(demo.out.at(-1)).toMatch(/Waiting/)
    })

    test('a guest who presses is refused privately, and nothing changes', async () => {
      const bash = card(page, 'bash')
      await bash.waitFor()
      await become(page, 'U0GUEST')
      const [before, printed] = [withoutTimes(await bash.innerHTML()), demo.out.length]
      for (const [count, action] of ['approval.approve', 'approval.deny', 'approval.note'].entries()) {
        await button(bash, action).click()
        await privately(page, 'Guests may not decide').nth(count).waitFor()
      }
      await page.locator('article [aria-busy]').waitFor({ state: 'detached' })
      expect(withoutTimes(await bash.innerHTML())).toBe(before)
      expect(await modal(page).count()).toBe(0)
      expect(demo.out).toHaveLength(printed)

      await become(page, 'U0ANA')
      await bash.waitFor()
      expect(await page.locator('article.ephemeral').count()).toBe(0)
      expect(await actionsIn(bash)).toEqual(['approval.approve', 'approval.deny', 'approval.note'])
    })

    test('a press right after the switch to somebody else is never one of the person before', async () => {
      const bash = card(page, 'bash')
      await bash.waitFor()
      let letGo = (): void => undefined
      const held = new Promise<void>((resolve) => {
        letGo = resolve
      })
      await page.route('**/page/state?as=U0GUEST', async (route) => {
        await held
        await route.continue()
      })
      await button(bash, 'approval.approve').scrollIntoViewIfNeeded()
      const { x, y, width, height } = (await button(bash, 'approval.approve').boundingBox()) ?? {
        x: 0,
        y: 0,
        width: 0,
        height: 0,
      }
      await page.locator('[data-person="U0GUEST"]').click()
      const pressed: unknown[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/page/click')) pressed.push(request.postDataJSON())
      })
      await page.mouse.click(x + width / 2, y + height / 2)
      letGo()
      await button(bash, 'approval.deny').click()
      await privately(page, 'Guests may not decide').first().waitFor()
      expect(pressed).toMatchObject([{ as: 'U0GUEST', action_id: 'approval.deny' }])
      expect(await actionsIn(bash)).toEqual(['approval.approve', 'approval.deny', 'approval.note'])
    })
  })

  describe('newly started', () => {
    beforeEach(async () => {
      demo = await startDemo()
      page = await lookAs(browser, demo, 'U0ANA')
    }, LONG.timeout)
    afterEach(async () => {
      await page?.close()
      await demo?.discard()
    })

    test('Approve lets the run complete, and the card loses its buttons and says that the platform has it', async () => {
      const bash = card(page, 'bash')
      await button(bash, 'approval.approve').click()
      await demo.said(/^run_2 {2}Approved\. The agent has run its six lines of shell/)
      await demo.said(/^run_2 {2}Run completed\.$/)
      await bash.filter({ hasText: `${HAS_IT}: the call may run.` }).waitFor()
      expect(await bash.getByRole('heading').textContent()).toBe('Approved: bash')
      expect(await bash.textContent()).toContain('Approved by @Ana')
      expect(await actionsIn(bash)).toEqual([])
      await privately(page, 'You approved this call.').waitFor()
      expect(demo.out.filter((line) => line.startsWith('run_3'))).toHaveLength(2)
      expect(await actionsIn(card(page, 'apply_patch'))).toContain('approval.open')
    })

    test('Deny with a note gives the model the note word for word', async () => {
      const bash = card(page, 'bash')
      await button(bash, 'approval.note').click()
      const note = 'Not on a Friday.\n*Please* ask <!channel> & me on Monday: naïve 🙂'
      await modal(page).locator('.input-text[data-block-id="note"]').fill(note)
      await page.getByTestId('modal-submit').click()
      const [line] = await demo.said(/^run_2 {2}Denied\..*/)
      expect(line).toBe(`run_2  Denied. The model reads: "${note.replace('\n', '\\n')}"`)
      await demo.said(/^run_2 {2}Run completed\.$/)
      await modal(page).waitFor({ state: 'detached' })
      await bash.filter({ hasText: `${HAS_IT}: the call does not run.` }).waitFor()
      expect(await bash.getByRole('heading').textContent()).toBe('Denied: bash')
      expect(await bash.locator('pre').first().textContent()).toBe(note)
      expect(await actionsIn(bash)).toEqual([])
    })

    test('the long call is read page by page, and only its last page can approve it', async () => {
      const patch = card(page, 'apply_patch')
      await button(patch, 'approval.open').click()
      const pages = Number(
        /Page 1 of (\d+)/.exec(
          (await modal(page)
            .getByText(/Page 1 of \d+/)
            .textContent()) ?? '',
        )?.[1],
      )
      expect(pages).toBeGreaterThan(1)
      const read: string[] = []
      for (let at = 1; at < pages; at += 1) {
        await modal(page).getByText(`Page ${at} of ${pages}`).waitFor()
        expect(await actionsIn(modal(page)), `page ${at}`).not.toContain('approval.approve')
        read.push(...(await modal(page).locator('pre').allTextContents()))
        await button(modal(page), `approval.page.${at}`).click()
      }
      await button(modal(page), 'approval.approve').waitFor()
      read.push(...(await modal(page).locator('pre').allTextContents()))
      const whole = read.slice(1, -1).join('')
      expect(whole).toMatch(/^\*\*\* Begin Patch\n/)
      expect(whole).toMatch(/\n\*\*\* End Patch\n$/)
      expect(whole.match(/^\*\*\* Update File: /gm)).toHaveLength(31)

      await button(modal(page), 'approval.page.pick').selectOption({ index: pages - 2 })
      await button(modal(page), 'approval.approve').waitFor({ state: 'detached' })
      await button(modal(page), `approval.page.${pages - 1}`).click()
      await button(modal(page), 'approval.approve').click()
      await demo.said(/^run_3 {2}Approved\. The agent has patched 31 files/)
      await demo.said(/^run_3 {2}Run completed\.$/)
      await modal(page).getByText('You approved this call.').waitFor()
      await page.getByTestId('modal-close').click()
      await patch.filter({ hasText: `${HAS_IT}: the call may run.` }).waitFor()
      expect(await actionsIn(patch)).toEqual(['approval.open'])
      await button(patch, 'approval.open').click()
      await modal(page).getByText('Page 1 of').waitFor()
      expect(await actionsIn(modal(page))).toEqual(['approval.page.pick', 'approval.page.1', `approval.page.${pages - 1}`])
    })

    test('the command lists what a run waits for to the asker alone, and its entry opens the call', async () => {
      await card(page, 'bash').waitFor()
      await page.getByTestId('composer').fill('/approvals run_2')
      await page.getByTestId('send').click()
      const list = privately(page, 'Waiting in run_2, oldest first:')
      await list.waitFor()
      expect(await list.textContent()).toContain('Approval needed: bash')
      expect(await list.textContent()).not.toContain('apply_patch')
      expect(await actionsIn(list)).toEqual(['approval.open'])
      await become(page, 'U0BOB')
      await card(page, 'bash').waitFor()
      expect(await page.locator('article.ephemeral').count()).toBe(0)
      await become(page, 'U0ANA')
      await button(list, 'approval.open').click()
      await modal(page).getByText('Page 1 of 1').waitFor()
      expect(await modal(page).locator('pre').nth(1).textContent()).toMatch(/^set -euo pipefail\n/)
      await button(modal(page), 'approval.deny').click()
      await demo.said(/^run_2 {2}Denied/)
      await card(page, 'bash').filter({ hasText: 'Denied by @Ana' }).waitFor()
    })

    test('Ctrl-C ends it, and it starts again at once on the same ports, where the open page finds it', async () => {
      await button(card(page, 'bash'), 'approval.approve').click()
      await card(page, 'bash').filter({ hasText: HAS_IT }).waitFor()
      demo.send('SIGINT')
      expect(await demo.ended).toMatchObject({ code: 0, err: [], left: [] })
      expect(demo.out.slice(-2)).toEqual(['', 'Stopping. Nothing of this try-out is kept.'])
      await page.getByText('The line to the stand-in is down.').waitFor()
      const { pagePort, botPort } = demo
      await demo.discard()
      demo = await startDemo({ PORT: String(botPort), DEMO_PAGE_PORT: String(pagePort) })
      expect(demo).toMatchObject({ pagePort, botPort })
      await button(card(page, 'bash'), 'approval.approve').click()
      await demo.said(/^run_2 {2}Run completed\.$/)
    })
  })
})

describe('a port that another program holds', () => {
  let holder: Server
  let taken: number
  beforeEach(async () => {
    holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const address = holder.address()
    taken = typeof address === 'object' && address !== null ? address.port : 0
  })
  afterEach(() => holder.close())

  test.each([['DEMO_PAGE_PORT'], ['PORT'], ['ADMIN_PORT']])(
    'ends the try-out with one line that names it and %s',
    async (setting) => {
      const program = startProgram(['demo'], { ...FREE, [setting]: String(taken) })
      try {
        expect(await program.ended).toEqual({
          code: 1,
          signal: null,
          out: [],
          err: [`countersign: port ${taken} is taken by another program; stop that one or set ${setting} to another port`],
          left: [],
        })
      } finally {
        await program.discard()
      }
    },
  )
})

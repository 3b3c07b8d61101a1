import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import type { Plan } from '../../../src/plan/plan.js'
import { renderPlanHtml } from '../../../src/report/plan-html.js'
import { openBrowser, testInBrowser } from '../../support/browser.js'
import { lowContrasts } from '../../support/contrast.js'
import { planOf, plansOfAllKinds } from '../../support/hostile-plan.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

type Media = Parameters<Page['emulateMedia']>[0]

let page: Page | undefined
let address = ''
const complaints: string[] = []

/** Opens the page that all tests share, since opening one takes longer than most checks. */
async function aPage(): Promise<Page> {
  const page = await (await openBrowser()).newPage()
  page.on('console', message => complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('request', request => request.url() !== address && complaints.push(request.url()))
  return page
}

/** Opens the page of a plan in a browser. `complaints` has its console messages, errors and requests to other addresses. */
async function opened(plan: Plan, width = 1100, media: Media = {}) {
  const file = join(await temporaryFolder(), 'plan.html')
  writeFileSync(file, renderPlanHtml(plan))
  page ??= await aPage()
  complaints.length = 0
  address = pathToFileURL(file).href
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ media: 'screen', colorScheme: 'light', ...media })
  await page.goto(address)
  return { page, complaints }
}

/** A script for a page that lists pairs of overlapping texts. */
const overlaps = `(() => {
  const lines = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    if (text.data.trim() === '' || text.parentElement.closest('.unseen')) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    for (const { left, right, top, bottom } of range.getClientRects())
      lines.push({ left, right, top, bottom, text: text.data })
  }
  return lines.flatMap((one, at) =>
    lines
      .slice(at + 1)
      .filter(
        other =>
          Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 6,
      )
      .map(other => [one.text, other.text]),
  )
})()`

describe.each(plansOfAllKinds)('the page of a plan with %s', (_kind, plan) => {
  testInBrowser.each(['light', 'dark'] as const)(
    'has no errors and is legible in %s colours',
    async colorScheme => {
      for (const width of [1100, 360]) {
        const { page, complaints } = await opened(plan, width, { colorScheme })
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
        expect(await page.evaluate(lowContrasts)).toEqual([])
        expect(complaints).toEqual([])
      }
    },
  )

  testInBrowser('prints completely, and in light colours', async () => {
    const { page } = await opened(plan, 1100, { media: 'print', colorScheme: 'dark' })
    const isHidden = `[...document.querySelectorAll('td, th')].filter(one =>
      one.getBoundingClientRect().height === 0 || !one.checkVisibility({ contentVisibilityAuto: true })).length`
    expect(await page.evaluate(isHidden)).toBe(0)
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(27, 33, 30)')
    expect((await page.pdf()).byteLength).toBeGreaterThan(1000)
  })

  // Columns break like printed pages, and their texts can be measured.
  testInBrowser.each([500, 600, 700, 800, 1000])(
    'prints no overlapping text on pages of %i pixels',
    async height => {
      const { page } = await opened(plan, 718, { media: 'print' })
      await page.evaluate(
        `document.body.style.cssText = 'columns: 718px; column-fill: auto; height: ${height}px; width: 718px'`,
      )
      expect(await page.evaluate('document.body.scrollWidth > 718')).toBe(true)
      expect(await page.evaluate(overlaps)).toEqual([])
    },
  )
})

testInBrowser('long foreign words stay inside a narrow page', async () => {
  const [, plan] = plansOfAllKinds[1] as (typeof plansOfAllKinds)[number]
  const { page } = await opened(planOf(plan, 'x'.repeat(2000)), 360)
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

testInBrowser('the keyboard reaches everything that can be opened', async () => {
  const [, plan] = plansOfAllKinds[1] as (typeof plansOfAllKinds)[number]
  const { page } = await opened(plan)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.className')).toBe('skip')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('plan')
  const summaries = await page.locator('summary').count()
  for (let at = 0; at < summaries; at += 1) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY')
  }
  const wasOpen = await page.evaluate('document.activeElement.parentElement.open')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.parentElement.open')).toBe(!wasOpen)
})

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { browsers, browserPath as executablePath } from '../../scripts/pictures/browsers.js'

/** A test that needs a browser of this machine; without one it is skipped, and says so. */
export const testInBrowser: typeof test.skip = executablePath === undefined ? test.skip : test
if (executablePath === undefined)
  process.stderr.write(`\nSKIPPED: the tests in a browser, for there is none of ${browsers.join(', ')}\n\n`)

/**
 * A browser that reaches this machine and nothing else: whatever it asks others for goes to a port without anybody. The names
 * lead to this machine, too.
 */
export function openBrowser(names: readonly string[] = []): Promise<Browser> {
  const proxy = { server: 'http://127.0.0.1:9', bypass: ['127.0.0.1', ...names].join(',') }
  const rules = names.map(name => `MAP ${name} 127.0.0.1`).join(',')
  const args = ['--no-sandbox', ...(rules === '' ? [] : [`--host-resolver-rules=${rules}`])]
  return chromium.launch({ ...(executablePath && { executablePath }), proxy, args })
}

/** A page that hears of what changes, with everything that a page should not do. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const opened = await openPageAt(browser, url, options)
  await opened.page.getByText('live', { exact: true }).waitFor()
  return opened
}

/** The same, as soon as it is there. */
async function openPageAt(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const opened = await blankPage(browser, options)
  await opened.visit(url)
  return opened
}

/** A page for one address after another, with everything that those should not do. */
export async function blankPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  let origin = ''
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  page.on('dialog', dialog => {
    complaints.push(`dialog: ${dialog.message()}`)
    dialog.dismiss()
  })
  page.on('request', request => {
    const asked = request.url()
    if (!asked.startsWith(`${origin}/`) && !asked.startsWith('data:image/svg')) complaints.push(asked)
  })
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', event =>
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`)
  return {
    page,
    complaints,
    /** Goes there as somebody who was nowhere before. */
    async visit(url: string) {
      await context.clearCookies()
      origin = new URL(url).origin
      await page.goto(url)
    },
    /** Leaves the address, with what it complained of. */
    async leave() {
      await page.goto('about:blank')
      await page.emulateMedia({ colorScheme: null, reducedMotion: null })
      complaints.length = 0
    },
  }
}

/** Waits until an element shows a text. */
export async function shows(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).filter({ hasText: text }).first().waitFor()
}

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { browsers, browserPath as executablePath } from '../../scripts/pictures/browsers.js'
import { atEnd } from './at-end.js'

/** Runs a test in an installed browser; without one the test is skipped, and stderr lists the browsers. */
export const testInBrowser: typeof test.skip = executablePath === undefined ? test.skip : test
if (executablePath === undefined)
  process.stderr.write(`\nSKIPPED: the tests in a browser, for there is none of ${browsers.join(', ')}\n\n`)

/** Starts a browser that reaches only this machine, to which `names` also resolve. All other requests fail. */
export async function openBrowser(names: readonly string[] = []): Promise<Browser> {
  const proxy = { server: 'http://127.0.0.1:9', bypass: ['127.0.0.1', ...names].join(',') }
  const rules = names.map(name => `MAP ${name} 127.0.0.1`).join(',')
  const args = ['--no-sandbox', ...(rules === '' ? [] : [`--host-resolver-rules=${rules}`])]
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), proxy, args })
  atEnd(() => browser.close(), 'file')
  return browser
}

/** Opens a page and waits until it receives updates. `complaints` has its errors, warnings and requests to other origins. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const opened = await openPageAt(browser, url, options)
  await opened.page.getByText('live', { exact: true }).waitFor()
  return opened
}

/** Opens a page without waiting for updates. */
async function openPageAt(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const opened = await blankPage(browser, options)
  await opened.visit(url)
  return opened
}

/** Returns a page for several addresses in turn, with its errors, warnings and requests to other origins as `complaints`. */
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
    /** Opens an address as a new visitor. */
    async visit(url: string) {
      await context.clearCookies()
      origin = new URL(url).origin
      await page.goto(url)
    },
    /** Leaves the address, and clears `complaints`. */
    async leave() {
      await page.goto('about:blank')
      await page.emulateMedia({ colorScheme: null, reducedMotion: null })
      complaints.length = 0
    },
  }
}

/** Waits until an element contains a text. */
export async function shows(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).filter({ hasText: text }).first().waitFor()
}

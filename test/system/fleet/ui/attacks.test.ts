import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import type { FleetPageOptions } from '../../../../packages/fleet/src/ui/server.js'
import { aFleet, aRun } from '../../../fleet/ui/a-fleet.js'
import { closePages, served, token } from '../../../fleet/ui/served.js'
import { openBrowser, testInBrowser } from '../../../support/browser.js'

/* What people and pages with bad intent do to the page of a fleet, in a real browser; each test names its figure. */

/** A name that leads to this machine, as an attacker lets one of theirs do. */
const evilName = 'evil.example.org'
let browser: Browser | undefined
let evil: Server | undefined

afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close()
  await closePages()
})
afterAll(async () => {
  await browser?.close()
  evil?.close()
})

async function newPage(): Promise<Page> {
  browser ??= await openBrowser([evilName])
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(15_000)
  return page
}

const guarded = (options: Partial<FleetPageOptions> = {}) =>
  served(aFleet([aRun(1)]), { isGuarded: true, ...options })

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.fill('#token', token)
  await page.click('#sign-in button')
  await page.locator('#link.live').waitFor()
}

testInBrowser(
  'of 6 ways in which a page of another site can ask, each is refused, and the reader stays signed in',
  async () => {
    const { page: fleet } = await guarded()
    const page = await newPage()
    await signIn(page, fleet.url)
    const attacker = await page.context().newPage()
    await attacker.goto(await evilPage(fleet.url))
    expect(await attacker.evaluate('attack()')).toEqual({
      read: 'refused',
      'read without looking': 'refused',
      'sign out': 'refused',
      listen: 'refused',
      'run the script': 'refused',
      'sign out by a form': '',
    })
    // The reader would have to sign in again if one of the two had been heard.
    await page.reload()
    await page.locator('#rows tr').waitFor()
  },
)

testInBrowser('a name of somebody else that leads to the page gets nothing: 421', async () => {
  const { page: fleet } = await served(aFleet([aRun(1)]))
  const page = await newPage()
  const { port } = new URL(fleet.url)
  for (const path of ['/', '/api/fleet', '/events', '/page.js'])
    expect((await page.goto(`http://${evilName}:${port}${path}`))?.status()).toBe(421)
})

testInBrowser.each([
  "' or 1=1 --",
  "x'; drop table landform.run; --",
  '$1',
  '\0',
  '<img src=x onerror=alert(1)>',
])('an address with %j for a site shows that there is none', async name => {
  const { page: fleet } = await served(aFleet([aRun(1)]))
  const page = await newPage()
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto(`${fleet.url}#/site/${encodeURIComponent(name)}`)
  await page.locator('#one-next .problem').waitFor()
  expect(await page.locator('#one-title').textContent()).toBe(name)
  expect([await page.locator('#one img').count(), dialogs]).toEqual([0, []])
})

/** A page of another site that asks the page of the fleet in every way that a page can. */
async function evilPage(target: string): Promise<string> {
  const html = `<!doctype html><iframe name="frame"></iframe>
    <form method="post" action="${target}sign-out" target="frame"></form>
    <script>
      const settled = (event, element) => new Promise(done => { element['on' + event] = done })
      const ask = (path, more) => fetch('${target}' + path, { credentials: 'include', ...more })
        .then(({ type }) => type, () => 'refused')
      async function attack() {
        const stream = new EventSource('${target}events', { withCredentials: true })
        await settled('error', stream)
        const script = Object.assign(document.createElement('script'), { src: '${target}page.js' })
        document.body.append(script)
        const ran = Promise.race([settled('error', script).then(() => 'refused'), settled('load', script)])
        const frame = document.querySelector('iframe')
        document.querySelector('form').submit()
        await settled('load', frame)
        let framed = ''
        try { framed = frame.contentDocument?.body.textContent ?? '' } catch {}
        return {
          read: await ask('api/fleet'),
          'read without looking': await ask('api/fleet', { mode: 'no-cors' }),
          'sign out': await ask('sign-out', { method: 'POST', mode: 'no-cors' }),
          listen: stream.readyState === EventSource.CLOSED ? 'refused' : 'open',
          'run the script': await ran,
          'sign out by a form': framed,
        }
      }
    </script>`
  evil ??= createServer()
  evil.removeAllListeners('request').on('request', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  if (!evil.listening) await once(evil.listen(0, '127.0.0.1'), 'listening')
  return `http://${evilName}:${(evil.address() as AddressInfo).port}/`
}

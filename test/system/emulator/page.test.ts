import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import type { EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import { begin, configureValues } from '../../emulator/service/builders.js'
import { blankPage, openBrowser, openPage, shows, testInBrowser } from '../../support/browser.js'
import { lowContrasts } from '../../support/contrast.js'
import { anEmulator } from '../../support/emulator.js'
import { root } from '../../support/manifests.js'

let browser: Promise<Browser> | undefined
afterEach(async () => {
  // An open page would continue to draw.
  for (const context of (await browser)?.contexts() ?? []) await context.close()
})

const clock = { now: begin }

/** Starts an emulator with a stopped clock, and opens its page. */
const open = async (options: EmulatorOptions = {}, viewport = { width: 1280, height: 900 }) => {
  clock.now = begin
  const emulator = await anEmulator({
    now: () => clock.now,
    stageMs: 1000,
    basePath: '/gis/admin',
    ...options,
  })
  browser ??= openBrowser()
  return { emulator, ...(await openPage(await browser, emulator.pageUrl, { viewport })) }
}

const configure = (url: string, more: Readonly<Record<string, string>> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...configureValues(), ...more }))
    form.append(name, typeof value === 'string' ? value : new File([value], 'license.json'))
  return fetch(`${url}/configure`, { method: 'POST', body: form })
}

testInBrowser('the page shows that it is live only after it shows the data', async () => {
  browser ??= openBrowser()
  const { page, visit } = await blankPage(await browser)
  const emulator = await anEmulator({ basePath: '/gis/admin' })
  let before: string | null = null
  await page.route('**/state.json', async route => {
    before = await page.locator('#link').textContent()
    await route.continue()
  })
  await visit(emulator.pageUrl)
  await shows(page, '#link.live', 'live')
  expect(before).toBe('connecting')
  expect(await page.locator('#url').textContent()).toBe(emulator.url)
})

test('the served page is built from the current sources', async () => {
  const checked = promisify(execFile)(process.execPath, [join(root, 'scripts', 'page.mjs'), '--check'])
  await expect(checked.then(() => 'fresh')).resolves.toBe('fresh')
})

testInBrowser('the stages change during configuration, and no other server is contacted', async () => {
  const { emulator, page, complaints } = await open()
  await shows(page, '#url', emulator.url)
  await shows(page, '#state', 'not configured')
  await configure(emulator.url)
  await shows(page, '#state', 'being configured')
  clock.now += 1000
  await shows(page, '#stages li:nth-child(1).completed', 'License validation')
  await shows(page, '#stages li:nth-child(2).in_progress', 'Configuration store')
  await shows(page, '#stages li:nth-child(4).not_applicable', 'Cloud Native Storage')
  await shows(page, '#through', '2 of 14 stages complete')
  clock.now += 60_000
  await shows(page, '#state', 'ready')
  await shows(page, '#through', '14 of 14 stages complete')
  expect(await page.locator('#state[role=status], #through[role=status]').count()).toBe(2)
  expect(complaints).toEqual([])
})

testInBrowser(
  'requests appear as they arrive, rejected ones with the message, and show their parameters',
  async () => {
    const { emulator, page, complaints } = await open()
    await configure(emulator.url, { username: 'ab' })
    await configure(emulator.url)
    for (let count = 0; count < 3; count += 1) await fetch(emulator.url)
    await shows(page, '#log li:nth-child(1)', 'GET root × 3')
    await shows(page, '#log li:nth-child(2)', 'accepted 200')
    await shows(page, '#log li:nth-child(3)', 'username must have at least 6 characters.')
    await page.locator('#log li:nth-child(2) summary').click()
    await shows(page, '#log li:nth-child(2) dd', 'siteadmin')
    await shows(page, '#log li:nth-child(2) dd', '[secret, 15 bytes]')
    await shows(page, '#log li:nth-child(2) dd', 'license.json, 3 bytes')
    expect(await page.content()).not.toContain('correct-horse')
    await shows(page, '#counters tr:nth-child(2)', 'configure21')
    await page.locator('#polls').check()
    await shows(page, '#log li:nth-child(3)', 'GET root')
    expect(complaints).toEqual([])
  },
)

testInBrowser('faults are named, and polls with the same fault share a line', async () => {
  const words = ['configure=html', 'root@2-3=status:503']
  const { emulator, page, complaints } = await open({
    faults: parseBuiltInRules(words),
    scenario: 'mine.yaml',
  })
  await shows(page, '#facts', 'scenariomine.yaml')
  await shows(page, '#facts', `faults${words.join('; ')}`)
  for (let count = 0; count < 3; count += 1) await fetch(emulator.url)
  await configure(emulator.url)
  await shows(page, '#log li:nth-child(1)', 'lost 200met the fault html')
  await shows(page, '#log li:nth-child(2)', 'GET root × 2lost 503')
  await shows(page, '#log li:nth-child(3)', 'accepted 200')
  expect(await page.locator('#log > li').count()).toBe(3)
  expect(complaints).toEqual([])
})

testInBrowser('a resource that the service does not have is not shown as a mistake', async () => {
  const { emulator, page, complaints } = await open({}, { width: 390, height: 800 })
  await fetch(`${emulator.url}/orgs/0123456789ABCDEF/license/validateLicense`, { method: 'POST' })
  await shows(page, '#log .absent', 'not found 404There is no such resource.')
  const colours = `['#log .problem', '#log time'].map(one => getComputedStyle(document.querySelector(one)).color)`
  const [problem, time] = await page.evaluate<readonly string[]>(colours)
  expect(problem).toBe(time)
  expect(complaints).toEqual([])
})

testInBrowser('foreign text stays text', async () => {
  const { emulator, page, complaints } = await open()
  const markup = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
  const bidi = '\u202egnp.exe\u2066'
  const values = { username: markup, description: bidi, fullName: '</pre></dd></dl><h1>x</h1>' }
  await configure(emulator.url, values)
  await fetch(emulator.url, { headers: { 'user-agent': 'x'.repeat(10_000) } })
  await fetch(`${emulator.url}/${encodeURIComponent(markup)}?${'n'.repeat(10_000)}=1`)
  await configure(emulator.url, { [markup]: markup, ['x'.repeat(10_000)]: '' })
  await page.locator('#log > li').nth(3).waitFor()
  for (const summary of await page.locator('#log summary').all()) await summary.click()
  await shows(page, '#log pre', markup)
  await shows(page, '#log pre', bidi)
  expect(await page.locator('img, h1:not(.title h1), #log script').count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(complaints).toEqual([])
})

testInBrowser('one of a thousand sites is shown, chosen with the arrow keys or a filter', async () => {
  const { emulator, page, complaints } = await open({ sites: 1000 })
  await shows(page, '#tally', '1000 not configured')
  await shows(page, '#url', emulator.url)
  await page.locator('#grid input').first().focus()
  await page.keyboard.press('ArrowRight')
  await shows(page, '#site-title', 'site-2')
  await shows(page, '#url', `${emulator.sites[1]?.url}`)
  await page.locator('#filter').fill('site-77')
  expect(await page.locator('#grid label:visible').count()).toBe(11)
  await page.getByText('site-777', { exact: false }).click()
  await shows(page, '#site-title', 'site-777')
  await configure(`${emulator.sites[776]?.url}`)
  await shows(page, '#tally', '1 being configured')
  await shows(page, '#state', 'being configured')
  await configure(`${emulator.sites[3]?.url}`)
  await shows(page, '#tally', '2 being configured')
  expect(await page.locator('#log li').count()).toBe(1)
  const below =
    'document.documentElement.scrollHeight - document.querySelector("footer").getBoundingClientRect().bottom'
  expect(await page.evaluate<number>(below)).toBeLessThan(100)
  await page.locator('#filter').fill('being')
  expect(await page.locator('#grid label:visible').count()).toBe(2)
  expect(complaints).toEqual([])
})

testInBrowser('everything can be reached and used with the keyboard alone', async () => {
  const { emulator, page, complaints } = await open()
  await configure(emulator.url)
  await shows(page, '#log li', 'POST configure')
  const reached: string[] = []
  for (let count = 0; count < 6; count += 1) {
    await page.keyboard.press('Tab')
    reached.push(
      await page.evaluate<string>('document.activeElement.textContent || document.activeElement.id'),
    )
    if (reached.at(-1)?.includes('configure')) break
  }
  expect(reached).toEqual([
    'Skip to the requests',
    'Copy',
    'polls',
    expect.stringContaining('POST configure'),
  ])
  await page.keyboard.press('Enter')
  await shows(page, '#log dd', 'siteadmin')
  expect(complaints).toEqual([])
})

testInBrowser('a page shows that it lost its emulator', async () => {
  const { emulator, page } = await open()
  await emulator.close()
  await shows(page, '#link', 'no connection')
})

testInBrowser('a page whose emulator was replaced shows the new one', async () => {
  const { emulator, page } = await open({ sites: 2 })
  await page.getByText('site-2', { exact: false }).click()
  await fetch(`${emulator.sites[1]?.url}`)
  await shows(page, '#log li', 'GET root')
  await emulator.close()
  await shows(page, '#link', 'no connection')
  const port = Number(new URL(emulator.url).port)
  const other = await anEmulator({ port, basePath: '/gis/admin', now: () => clock.now })
  await shows(page, '#url', other.url)
  await shows(page, '#link.live', 'live')
  expect(await page.locator('#log li').count()).toBe(0)
  expect(await page.locator('#many').isHidden()).toBe(true)
})

testInBrowser('a page requests one document a second, and nothing else', async () => {
  const { page, complaints } = await open()
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  for (let count = 0; count < 3; count += 1) await page.waitForRequest('**/state.json?site=*')
  expect(new Set(asked)).toEqual(new Set(['/_emulator/state.json']))
  expect(asked.length).toBeLessThan(6)
  expect(complaints).toEqual([])
})

testInBrowser.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('everything is legible in %s colours at %i pixels', async (colorScheme, width) => {
  const { emulator, page, complaints } = await open({}, { width, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await configure(emulator.url)
  await fetch(`${emulator.url}/x`)
  clock.now += 3500
  await shows(page, '#stages li.in_progress', 'Queue store')
  for (const summary of await page.locator('#log summary').all()) await summary.click()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await page.evaluate(lowContrasts)).toEqual([])
  expect(complaints).toEqual([])
})

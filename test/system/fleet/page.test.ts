import type { Browser, ViewportSize } from 'playwright-core'
import type { Run } from '../../../packages/fleet/src/model/run.js'
import { blankPage, openBrowser, shows, testInBrowser } from '../../support/browser.js'
import { lowContrasts } from '../../support/contrast.js'
import { http, httpDouble } from '../../support/http-double.js'
import { aFleet, aRun, begin, type FakeFleet, served, stagesOf, token } from '../../support/served-fleet.js'

/** A script for a page that lists unnamed controls, duplicate ids, skipped heading levels, and cells not exposed as such. */
const pageFaults = `(() => {
  const seen = node => node.checkVisibility()
  const nameOf = node =>
    node.ariaLabel || [...(node.labels ?? [])].map(label => label.textContent).join('') || node.textContent.trim() || node.alt
  const unnamed = [...document.querySelectorAll('a, button, input, summary, [role=img]')]
    .filter(node => seen(node) && !nameOf(node))
    .map(node => 'no name: ' + node.outerHTML.slice(0, 80))
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at).map(id => 'twice: ' + id)
  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].filter(seen).map(({ tagName }) => Number(tagName[1]))
  const jumps = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1).map(level => 'a jump to h' + level)
  const loose = [...document.querySelectorAll('td, th')]
    .filter(cell => seen(cell) && !cell.closest('[aria-hidden=true]') && !/cell|header/.test(cell.role ?? '') && getComputedStyle(cell).display !== 'table-cell')
    .map(cell => 'a cell that is none: ' + cell.textContent.slice(0, 40))
  return [...unnamed, ...twice, ...jumps, ...loose]
})()`

/** A host name that resolves to this machine, as in a DNS rebinding attack. */
const evilName = 'evil.example.org'
let browser: Promise<Browser> | undefined
let blank: ReturnType<typeof blankPage> | undefined
afterEach(async () => (await blank)?.leave())

/** Returns the page that all tests share, since opening another takes as long as a test. */
const blankly = () => {
  browser ??= openBrowser([evilName])
  blank ??= browser.then(opened => blankPage(opened))
  return blank
}

/** Opens the page of a fleet in the browser. */
const open = async (fleet: FakeFleet, viewport: ViewportSize = { width: 1280, height: 900 }) => {
  const world = await served(fleet)
  const { page, complaints, visit } = await blankly()
  await page.setViewportSize(viewport)
  await visit(world.url)
  await page.locator('#link.live').waitFor()
  return { ...world, page, complaints }
}

/** Returns a run in each of several states. */
const someRuns = () => [
  aRun(5, { state: 'ambiguous', message: 'the outcome is unknown', exitCode: 4, endedAt: begin }),
  aRun(4, { state: 'failed', message: 'the service reports a failure', warnings: ['Low on space'] }),
  aRun(2, { state: 'running', phase: 'wait', stages: stagesOf(7), worker: 'worker-1', retries: 2 }),
  aRun(3, { state: 'waiting', wave: 2 }),
  aRun(1, { stages: stagesOf(14) }),
]

testInBrowser('it shows every site with its progress, and updates within two seconds', async () => {
  const { page, fleet, complaints } = await open(aFleet(someRuns()))
  await shows(page, '#counts', '5 sites: 1 ambiguous, 1 failed, 1 running, 1 waiting, 1 done.')
  await shows(page, '#lines li:nth-child(1)', 'Rollout spring by ada@ci-17: wave 1 of 2 is running')
  await shows(page, '#lines li:nth-child(2)', 'Worker worker-1: alive')
  await shows(page, '#rows tr:nth-child(1)', 'the outcome is unknown')
  await shows(page, '#rows tr:nth-child(3)', 'wait 7/14')
  await shows(page, '#rows tr:nth-child(3)', 'retry 2')
  await shows(page, '#rows tr:nth-child(2)', 'warning: Low on space')
  await shows(page, '#rows tr:nth-child(2)', 'landform fleet history site-4')
  const changed = await page.locator('#rows tr:nth-child(1) td:nth-child(5)').textContent()
  expect(changed).toMatch(/\d\d:\d\d:\d\d .+/)
  fleet.runs = fleet.runs.map(run => (run.name === 'site-2' ? { ...run, state: 'refused' } : run))
  await shows(page, '#counts', '1 refused')
  fleet.workers = []
  fleet.runs = []
  await shows(page, '#counts', 'No sites have been submitted.')
  await shows(page, '#lines', 'No worker is running: landform fleet worker')
  expect(complaints).toEqual([])
})

testInBrowser(
  'the number of sites in a state is a filter, and a stopped rollout shows its commands',
  async () => {
    const { page, fleet, complaints } = await open(aFleet(someRuns()))
    fleet.rollouts = fleet.rollouts.map(one => ({ ...one, state: 'stopped' }))
    await shows(page, '#lines li:nth-child(1)', 'landform fleet resume --rollout spring --skip-failed')
    await page.getByRole('button', { name: '1 failed' }).click()
    await shows(page, '#none', '1 of 5 sites are shown')
    await page.getByRole('button', { name: '1 ambiguous' }).click()
    await shows(page, '#none', '2 of 5 sites are shown')
    expect(await page.locator('#chips [aria-pressed="true"]').allTextContents()).toEqual([
      '1 ambiguous',
      '1 failed',
    ])
    await page.getByRole('button', { name: '5 sites' }).click()
    await shows(page, '#rows tr:nth-child(5)', 'site-1')
    // Addresses stay on one line, and words are not broken.
    const heights = await page
      .locator('.address, .chip')
      .evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().height)))
    expect(Math.max(...heights)).toBeLessThan(32)
    expect(complaints).toEqual([])
  },
)

testInBrowser('of ten thousand sites the first are shown, and the others can be found', async () => {
  const { page, complaints } = await open(aFleet(Array.from({ length: 10_000 }, (_, at) => aRun(at + 1))))
  await shows(page, '#none', '500 of 10000 sites are shown')
  await page.getByLabel('Search').fill('site-9999')
  await shows(page, '#none', '1 of 10000 sites are shown')
  await shows(page, '#rows tr:only-child', 'site-9999')
  expect(complaints).toEqual([])
})

testInBrowser('foreign text stays text', async () => {
  const markup = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
  const bidi = '\u202egnp.exe\u2066 [click](javascript:alert(3))'
  const hostile: Partial<Run> = {
    name: `${markup}${bidi}`,
    site: 'https://x.example.org/"><h1>x</h1>',
    state: 'failed',
    message: `${markup} ${'m'.repeat(5000)}`,
    worker: markup,
    rollout: markup,
    warnings: [markup, 'w'.repeat(5000)],
    stages: [
      { name: markup, state: 'in_progress' },
      { name: 'n'.repeat(3000), state: 'failed' },
      { name: 'x', state: '__proto__' },
    ],
  }
  const fleet = aFleet([aRun(1, hostile)])
  fleet.workers = [markup]
  fleet.rollouts = fleet.rollouts.map(one => ({ ...one, id: markup, submittedBy: bidi }))
  const { page, complaints } = await open(fleet)
  for (const part of ['#rows td:nth-child(1)', '#rows td:nth-child(4)', '#lines li:nth-child(1)'])
    await shows(page, part, markup)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await page.locator('main img, main h1, main script').count()).toBe(0)
  expect(complaints).toEqual([])
})

testInBrowser(
  'a page shows that it lost its server or its database, and continues once they are back',
  async () => {
    const { page, fleet, close } = await open(aFleet([aRun(1)]))
    fleet.trouble = 'ECONNREFUSED'
    await shows(page, '#link', 'The fleet cannot be read: the database cannot be reached. Last update:')
    await shows(page, '#rows tr', 'site-1')
    fleet.trouble = undefined
    await page.locator('#link.live').waitFor()
    const { port } = new URL(page.url())
    await close()
    await shows(page, '#link', 'The page has no connection to its server. Last update:')
    fleet.runs = [...fleet.runs, aRun(2)]
    await served(fleet, { listen: { host: '127.0.0.1', port: Number(port) } })
    await shows(page, '#rows', 'site-2')
    await page.locator('#link.live').waitFor()
  },
)

testInBrowser('the token is requested once, or is in the link, and is not stored in the page', async () => {
  const { url } = await served(aFleet([aRun(1, { name: 'athens' })]), { isGuarded: true })
  const { page, visit } = await blankly()
  await visit(url)
  await shows(page, '#link', 'token required')
  expect(await page.evaluate(pageFaults)).toEqual([])
  await page.getByLabel('Token').fill('wrong')
  await page.keyboard.press('Enter')
  await shows(page, '#link', 'wrong token')
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button').click()
  await shows(page, '#rows', 'athens')
  await page.reload()
  await shows(page, '#rows', 'athens')
  expect(await page.content()).not.toContain(token)
  await page.evaluate('sessionStorage.clear()')
  await page.goto('about:blank')
  await page.goto(`${url}#token=${token}`)
  await shows(page, '#rows', 'athens')
  expect(page.url()).toBe(url)
  expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).toBe('{}')
  await page.evaluate('sessionStorage.clear()')
})

testInBrowser(
  'a page of another site can read nothing, not even through a name that resolves to this machine',
  async () => {
    const { url } = await served(aFleet([aRun(1)]))
    const { page } = await blankly()
    const evil = await httpDouble([
      { reply: http(200, '<!doctype html><p>evil', 'content-type: text/html\r\n') },
    ])
    await page.goto(`http://${evilName}:${evil.port}/`)
    const read = `(path, mode) => fetch('${url}' + path, { credentials: 'include', mode })
      .then(({ type }) => type, () => 'refused')`
    expect(await page.evaluate(`(${read})('api/fleet', 'cors')`)).toBe('refused')
    expect(await page.evaluate(`(${read})('api/fleet', 'no-cors')`)).toBe('refused')
    expect((await page.goto(`http://${evilName}:${new URL(url).port}/api/fleet`))?.status()).toBe(421)
  },
)

testInBrowser.each([
  ['light', 1440],
  ['dark', 800],
  ['dark', 360],
] as const)('everything is legible in %s colours at %i pixels', async (colorScheme, width) => {
  const { page, complaints } = await open(aFleet(someRuns()), { width, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  expect([
    await page.evaluate(lowContrasts),
    await page.evaluate(pageFaults),
    await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
  ]).toEqual([[], [], true])
  expect(complaints).toEqual([])
})

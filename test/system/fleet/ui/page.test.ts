import type { Browser, Page, ViewportSize } from 'playwright-core'
import type { Run } from '../../../../packages/fleet/src/model/run.js'
import { runStates } from '../../../../src/plan/run-state.js'
import {
  aFleet,
  aRollout,
  aRun,
  aWorker,
  begin,
  type FakeFleet,
  stagesOf,
} from '../../../fleet/ui/a-fleet.js'
import { closePages, served, token } from '../../../fleet/ui/served.js'
import { blankPage, openBrowser, shows, testInBrowser } from '../../../support/browser.js'
import { lowContrasts } from '../../../support/contrast.js'
import { pageFaults } from '../../../support/page-faults.js'

afterEach(closePages)

let browser: Promise<Browser> | undefined
let blank: ReturnType<typeof blankPage> | undefined
afterEach(async () => (await blank)?.leave())
afterAll(async () => (await browser)?.close())

const wide = { width: 1440, height: 900 }

/** The page of the browser, which all tests use in turn: to open another takes as long as a test. */
const blankly = () => {
  browser ??= openBrowser()
  blank ??= browser.then(opened =>
    blankPage(opened, { viewport: wide, permissions: ['clipboard-read', 'clipboard-write'] }),
  )
  return blank
}

/** A browser that looks at a fleet; the path may lead to a site or to a filter. */
const open = async (fleet: FakeFleet, path = '', viewport: ViewportSize = wide) => {
  const world = await served(fleet)
  const { page, complaints, visit } = await blankly()
  await page.setViewportSize(viewport)
  await visit(world.page.url + path)
  // What changes before it listens comes with its next look only, seconds later.
  await page.locator('#link.live').waitFor()
  return { ...world, page, complaints, close: () => world.page.close() }
}

const siteOf = (run: Run) => `#/site/${encodeURIComponent(run.site)}`
const names = (page: Page) => page.locator('#rows .name').allTextContents()
/** Waits for the title of the window. */
const title = async (page: Page, text: string) => {
  while ((await page.title()) !== text) await page.evaluate('new Promise(requestAnimationFrame)')
}

/** Scrolls as long as the page grows, for it measures rows as it draws them; the last one is then this site. */
const scrollsTo = async (page: Page, site: string) => {
  const last = page.locator('#rows tr:last-child .name')
  while ((await last.textContent()) !== site)
    await page.evaluate(
      'new Promise(done => { scrollTo(0, document.documentElement.scrollHeight); requestAnimationFrame(done) })',
    )
}

/** One run in each of the states that tell most. */
const someRuns = () => [
  aRun(1, { state: 'done', stages: stagesOf(14), endedAt: begin + 60_000 }),
  aRun(2, {
    state: 'running',
    phase: 'wait',
    message: '',
    stages: stagesOf(7),
    worker: 'worker-1',
    startedAt: begin,
    retries: 2,
  }),
  aRun(3, { state: 'waiting', wave: 2 }),
  aRun(4, {
    state: 'failed',
    message: 'The service reports a failure.',
    warnings: ['Low on space'],
    endedAt: begin,
  }),
  aRun(5, {
    state: 'ambiguous',
    message: 'Nobody knows whether configure arrived.',
    exitCode: 4,
    endedAt: begin,
  }),
  aRun(10, { state: 'running', phase: 'observe', worker: 'gone', startedAt: begin }),
]

testInBrowser('the page says that it is live once it has the data, not before', async () => {
  const world = await served(aFleet([aRun(1)]))
  const { page, visit } = await blankly()
  let before: string | null = null
  // The page asks for its data once the stream of events is open.
  await page.route('**/api/fleet', async route => {
    before = await page.locator('#link').textContent()
    await route.continue()
  })
  await visit(world.page.url)
  await page.locator('#link.live').waitFor()
  expect(before).toBe('connecting')
  await page.unroute('**/api/fleet')
})

testInBrowser.each([1440, 1280, 800, 390])(
  'at %i pixels the reason that a site needs a person is shown in full',
  async width => {
    const message = `the service reports that the configuration failed: ${'no volume could be bound '.repeat(20)}at all`
    const runs = (['ambiguous', 'failed', 'refused', 'unfinished'] as const).map((state, at) =>
      aRun(at + 1, { state, message, stages: at % 2 === 0 ? [] : stagesOf(7) }),
    )
    const { page } = await open(aFleet([...runs, aRun(9)]), '', { width, height: 900 })
    await shows(page, '#rows tr:nth-child(4)', 'at all')
    const readable = `[...document.querySelectorAll('#rows .needy')].map(row => {
    const range = new Range()
    range.selectNodeContents(row.querySelector('td .second'))
    const [text, whole] = [range.getBoundingClientRect(), row.getBoundingClientRect()]
    const below = row.querySelector('.name').getBoundingClientRect().bottom
    const points = [[text.left + 2, text.top + 4], [text.left + 2, text.bottom - 4]]
    return text.right <= whole.right && text.bottom <= whole.bottom && text.top >= below - 1 &&
      points.every(([x, y]) => y > innerHeight || document.elementFromPoint(x, y).closest('tr') === row)
  })`
    expect(await page.evaluate(readable)).toEqual([true, true, true, true])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  },
)

testInBrowser('what needs a person comes first, and what changes is shown at once', async () => {
  const some = aFleet(someRuns())
  some.rollouts = [aRollout('spring', { waves: 2 })]
  const { page, fleet, second, complaints } = await open(some)
  await shows(page, '#rows tr:nth-child(1)', 'site-5')
  expect(await names(page)).toEqual(['site-5', 'site-4', 'site-2', 'site-10', 'site-3', 'site-1'])
  await shows(page, '#rows tr:nth-child(1)', 'Nobody knows whether configure arrived.')
  await shows(page, '#rows tr:nth-child(3)', 'wait')
  await shows(page, '#rows tr:nth-child(3)', '7/14')
  await shows(page, '#rows tr:nth-child(3)', 'Spatiotemporal and index store')
  await shows(page, '#rows tr:nth-child(4)', 'silent')
  await shows(page, '#need', '2 sites need a person')
  await shows(page, '#workers li', '1 of 20 sites')
  await shows(page, '#rollouts li', '1 of 6 done, wave 1 of 2')
  await title(page, '(2) Landform fleet')
  fleet.put(aRun(2, { state: 'refused', message: 'A secret is missing.' }))
  second()
  await title(page, '(3) Landform fleet')
  await shows(page, '#counts [aria-pressed]', 'refused 1')
  expect((await names(page)).slice(0, 3)).toEqual(['site-5', 'site-4', 'site-2'])
  expect(await page.locator('#news').textContent()).toBe('3 sites need a person.')
  expect(complaints).toEqual([])
})

testInBrowser('one site tells its stages, what happened, what it left behind and what to type', async () => {
  const run = aRun(5, {
    state: 'ambiguous',
    generation: 2,
    message: 'Nobody knows whether configure arrived.',
    stages: stagesOf(5),
    warnings: ['Low on space'],
    endedAt: begin,
  })
  const fleet = aFleet([run, aRun(5, { state: 'failed' }), aRun(6)])
  const about = { site: run.site, generation: 2, at: begin }
  fleet.views.set(run.site, {
    events: [{ ...about, number: 7, type: 'retry', message: 'It is tried again in two minutes.' }],
    receipts: {
      kind: 'read',
      receipts: [
        {
          serial: 4,
          startedAt: new Date(begin).toISOString(),
          finishedAt: new Date(begin).toISOString(),
          outcome: 'unknown',
          manifest: run.digest,
          actions: [{ operation: 'configure', change: 'create' }],
        },
      ],
    },
    next: [{ command: 'landform state show sites/site-5.yaml', why: 'See what is known:' }],
  })
  const { page, complaints } = await open(fleet, siteOf(run))
  await shows(page, '#one-title', 'site-5')
  await title(page, '(1) site-5 · Landform fleet')
  expect(await page.locator('#stages li').count()).toBe(14)
  await shows(page, '#stages li:nth-child(1).completed', 'completed: License validation')
  await shows(page, '#stages li:nth-child(2) .time', '30.0 s')
  await shows(page, '#stages li:nth-child(4)', 'does not apply')
  await shows(page, '#stages li:nth-child(6).in_progress', '1 min 50 s so far')
  await shows(page, '#one-through', '5 of 14 complete')
  await shows(page, '#warnings li', 'Low on space')
  await shows(page, '#events li', 'It is tried again in two minutes.')
  await shows(page, '#receipts li', 'configure: create; version 4 of the state')
  await shows(page, '#one-next .message', 'Nobody knows whether configure arrived.')
  await page.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('landform state show sites/site-5.yaml')
  await page.getByRole('link', { name: 'run 1' }).click()
  await shows(page, '#one-state', 'failed')
  expect(await page.locator('#warnings-box').isVisible()).toBe(false)
  await page.keyboard.press('Escape')
  await shows(page, '#rows tr:nth-child(1)', 'site-5')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('site-5')
  expect(complaints).toEqual([])
})

testInBrowser('a site that moves is shown again as it moves, with its events', async () => {
  const run = aRun(2, { state: 'running', phase: 'configure', worker: 'worker-1' })
  const { page, fleet, second, complaints } = await open(aFleet([run]), siteOf(run))
  await shows(page, '#one-state', 'running, configure')
  await shows(page, '#one-through', 'none reported yet')
  expect(await page.locator('#stages li').count()).toBe(14)
  const event = { site: run.site, generation: 1, number: 1, at: begin, type: 'stage', message: 'It moves.' }
  fleet.views.set(run.site, { events: [event] })
  fleet.put({ ...run, phase: 'wait', stages: stagesOf(2) })
  second()
  await shows(page, '#one-state', 'running, wait')
  await shows(page, '#stages li:nth-child(3).in_progress', 'Relational store')
  await shows(page, '#events li', 'It moves.')
  expect(complaints).toEqual([])
})

testInBrowser('texts of others stay texts wherever they are shown', async () => {
  const markup = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
  const bidi = '\u202egnp.exe\u2066 [click](javascript:alert(3))'
  const hostile: Partial<Run> = {
    name: `${markup}${bidi}`,
    site: 'https://x.example.org/"><h1>x</h1>#/site/%',
    state: 'failed',
    message: `${markup} ${'m'.repeat(5000)}`,
    worker: markup,
    manifest: `${markup}.yaml`,
    commit: markup,
    rollout: markup,
    warnings: [markup, 'w'.repeat(5000)],
    stages: [
      ...stagesOf(3),
      { name: markup, state: 'constructor', startTime: begin, lastUpdated: begin },
      { name: 'n'.repeat(3000), state: '__proto__' },
    ],
  }
  const run = aRun(1, hostile)
  const fleet = aFleet([run, aRun(2, { stages: [{ name: markup, state: 'in_progress' }], state: 'running' })])
  fleet.rollouts = [aRollout(markup, { submittedBy: bidi, state: 'stopped' })]
  fleet.workers = [aWorker(markup, { version: markup })]
  const event = {
    site: run.site,
    generation: 1,
    number: 1,
    at: begin,
    type: markup,
    message: `${markup}${bidi}`,
  }
  fleet.views.set(run.site, {
    events: [event],
    receipts: { kind: 'unreadable', reason: markup },
    next: [{ command: `landform '${markup}'`, why: bidi }],
  })
  const { page, complaints } = await open(fleet)
  await shows(page, '#rows tr:nth-child(1) .name', markup)
  await shows(page, '#rollouts li', markup)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.locator('#rows tr:nth-child(1) .name').click()
  for (const part of ['#one-title', '#one-next', '#stages', '#warnings', '#events', '#receipts', '#facts'])
    await shows(page, part, markup)
  await shows(page, '#stages li.odd', 'constructor')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await page.locator('img, main h1, main script').count()).toBe(0)
  expect(complaints).toEqual([])
})

testInBrowser('everything can be reached and worked with the keyboard alone', async () => {
  const { page, complaints } = await open(aFleet(someRuns()))
  await shows(page, '#rows tr:nth-child(1)', 'site-5')
  const focused = () =>
    page.evaluate<string>('document.activeElement.textContent || document.activeElement.id')
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    return focused()
  }
  expect(await press('Tab')).toBe('Skip to the sites')
  expect(await press('Enter')).toBe('site-5')
  expect(await press('j', 'ArrowDown', 'j', 'k')).toBe('site-2')
  expect(await press('/')).toBe('search')
  await page.keyboard.type('site-1')
  await shows(page, '#shown', '2 of 6')
  expect(await press('ArrowDown', 'ArrowDown', 'ArrowDown')).toBe('site-1')
  await press('Enter')
  await shows(page, '#one-title', 'site-1')
  await press('k')
  await shows(page, '#one-title', 'site-10')
  await press('Escape')
  // The browser tells the page of its new address a moment later.
  await page.locator('#all').waitFor()
  expect(await focused()).toBe('site-10')
  expect(await press('/', 'Escape', 'Escape')).not.toBe('search')
  await page.locator('#shown').getByText('6', { exact: true }).waitFor()
  await press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await press('j', 'Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(complaints).toEqual([])
})

testInBrowser('a filter is pressed, searched, sorted and kept in the address', async () => {
  const { page, complaints } = await open(aFleet(someRuns()), '#/?state=failed,running')
  await shows(page, '#shown', '3 of 6')
  expect(await names(page)).toEqual(['site-4', 'site-2', 'site-10'])
  await page.getByRole('button', { name: 'failed 1' }).click()
  expect(await names(page)).toEqual(['site-2', 'site-10'])
  await page.getByRole('button', { name: 'Site', exact: true }).click()
  await page.getByRole('button', { name: 'Site', exact: true }).click()
  expect(await names(page)).toEqual(['site-10', 'site-2'])
  expect(await page.locator('th[aria-sort=descending]').textContent()).toBe('Site')
  await page.locator('#search').fill('WORKER-1 spatio')
  expect(await names(page)).toEqual(['site-2'])
  expect(new URL(page.url()).hash).toBe('#/?state=running&search=WORKER-1+spatio')
  await page.reload()
  await shows(page, '#shown', '1 of 6')
  await page.locator('#search').fill('nothing is like that')
  await shows(page, '#none', 'No sites match the filter.')
  await page.locator('#search').fill('')
  await page.locator('#rollouts a').click()
  await shows(page, '#of-rollout', 'Only rollout spring')
  await page.getByRole('button', { name: 'Show all' }).click()
  expect(new URL(page.url()).hash).toBe('#/')
  expect(complaints).toEqual([])
})

testInBrowser('of ten thousand sites those are rows that the window shows', async () => {
  const runs = Array.from({ length: 10_000 }, (_, index) => aRun(index + 1, { state: 'waiting' }))
  const { page, fleet, second, complaints } = await open(aFleet(runs))
  await shows(page, '#shown', '10000')
  const rows = page.locator('#rows tr')
  expect(await page.locator('#table').getAttribute('aria-rowcount')).toBe('10001')
  expect(await rows.count()).toBeLessThan(50)
  await scrollsTo(page, 'site-10000')
  expect(await rows.last().getAttribute('aria-rowindex')).toBe('10001')
  expect(await rows.count()).toBeLessThan(50)
  await rows.last().locator('a').focus()
  fleet.put(aRun(10_000, { state: 'ambiguous' }))
  second()
  await shows(page, '#need', 'One site needs a person')
  await page.evaluate('scrollTo(0, 0)')
  await shows(page, '#rows tr:first-child .name', 'site-10000')
  await page.setViewportSize({ width: 360, height: 800 })
  await scrollsTo(page, 'site-9999')
  expect(await rows.count()).toBeLessThan(50)
  await page.locator('#search').fill('site-77')
  await shows(page, '#shown', '111 of 10000')
  await page.keyboard.press('ArrowDown')
  for (let count = 0; count < 110; count += 1) await page.keyboard.press('j')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('site-7799')
  expect(await page.locator('#rows :focus').isVisible()).toBe(true)
  expect(complaints).toEqual([])
})

testInBrowser('a page that lost its server says so, and goes on once it is back', async () => {
  const fleet = aFleet([aRun(1)])
  const { page, close } = await open(fleet)
  const { port } = new URL(page.url())
  await shows(page, '#shown', '1')
  await close()
  await shows(page, '#link.lost', 'no connection')
  await shows(page, '#trouble', 'Connection lost; reconnecting. The data is from')
  fleet.put(aRun(2))
  await served(fleet, { listen: { host: '127.0.0.1', port: Number(port) } })
  await shows(page, '#link.live', 'live')
  await shows(page, '#shown', '2')
  expect(await page.locator('#trouble').isVisible()).toBe(false)
})

testInBrowser('a database that is away is told above what was seen last', async () => {
  const { page, fleet, second, complaints } = await open(aFleet([aRun(1)]))
  await shows(page, '#rows tr', 'site-1')
  fleet.trouble = 'ECONNREFUSED'
  second()
  await shows(page, '#trouble', 'The data may be out of date: the database cannot be reached.')
  await shows(page, '#rows tr', 'site-1')
  fleet.trouble = undefined
  second()
  await page.locator('#trouble').waitFor({ state: 'hidden' })
  expect(complaints).toEqual([])
})

testInBrowser('a fleet without sites or without workers says how to get some', async () => {
  const fleet = aFleet()
  fleet.rollouts = []
  fleet.workers = []
  const { page, second, complaints } = await open(fleet)
  await shows(page, '#none', 'landform fleet submit sites/')
  fleet.put(aRun(1, { state: 'queued' }))
  second()
  await shows(page, '#workers', 'landform fleet worker')
  expect(complaints).toEqual([])
})

testInBrowser('a rollout that is over is not called done where a site is not', async () => {
  const fleet = aFleet([aRun(1, { state: 'done' }), aRun(2, { state: 'failed', rollout: 'autumn' })])
  fleet.rollouts = [aRollout('spring', { state: 'done' }), aRollout('autumn', { state: 'done' })]
  const { page, complaints } = await open(fleet)
  await shows(page, '#rollouts .rollout:nth-child(1) .pill', 'done')
  await shows(page, '#rollouts .rollout:nth-child(2) .pill', 'ended')
  expect(complaints).toEqual([])
})

testInBrowser.each([1440, 1280, 1000])('every state can be read at %i pixels', async width => {
  const runs = runStates.map((state, at) => aRun(at + 1, { state, stages: stagesOf(14) }))
  const { page } = await open(aFleet(runs), '', { width, height: 900 })
  await shows(page, '#rows', 'unfinished')
  const clipped = `[...document.querySelectorAll('#rows td:nth-child(2) .first')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)`
  expect(await page.evaluate(clipped)).toEqual([])
})

testInBrowser('who knows the token signs in once and gets to where the link led', async () => {
  const run = aRun(1, { name: 'athens' })
  const { page: server } = await served(aFleet([run]), { isGuarded: true, wait: async () => undefined })
  const { page, visit } = await blankly()
  await visit(server.url + siteOf(run))
  await shows(page, '#link', 'not signed in')
  expect(await page.content()).not.toContain('athens')
  await page.getByLabel('Token').fill('wrong')
  await page.keyboard.press('Enter')
  await shows(page, '#wrong', 'Wrong token.')
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await shows(page, '#one-title', 'athens')
  expect(page.url()).toBe(server.url + siteOf(run))
  const kept = await page.evaluate(
    'document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)',
  )
  expect(kept).toBe('{}{}')
  expect(await page.content()).not.toContain(token)
  await page.reload()
  await shows(page, '#one-title', 'athens')
})

testInBrowser.each([
  ['light', 1440],
  ['dark', 800],
  ['dark', 360],
] as const)('in %s colours and %i pixels wide everything can be read', async (colorScheme, width) => {
  const runs = someRuns()
  const fleet = aFleet(runs)
  const failed = runs[3] ?? aRun(4)
  fleet.views.set(failed.site, {
    next: [{ command: `landform fleet resume ${'x'.repeat(200)}`, why: 'Go on:' }],
  })
  fleet.rollouts = [aRollout('spring', { waves: 2, state: 'stopped' })]
  const { page, complaints } = await open(fleet, '#/?state=failed', { width, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate('document.querySelectorAll("details").forEach(details => { details.open = true })')
  await page.getByRole('button', { name: 'running 2' }).click()
  const faults = async () => [
    await page.evaluate(lowContrasts),
    await page.evaluate(pageFaults),
    await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
  ]
  expect(await faults()).toEqual([[], [], true])
  await page.locator('#rows .name').first().click()
  await shows(page, '#warnings', 'Low on space')
  await shows(page, '#one-next', 'landform fleet resume')
  expect(await faults()).toEqual([[], [], true])
  expect(complaints).toEqual([])
})

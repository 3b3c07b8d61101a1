import type { ApplyEvent } from '../../src/apply/generated/event.js'
import {
  type FleetRun,
  fleetDocument,
  formatFleetRun,
  formatFleetRunMarkdown,
  type SiteResult,
  suggestRerun,
} from '../../src/report/fleet.js'
import { formatFleetView, type RunningSite, updateRunning } from '../../src/report/live-view.js'
import { plain } from '../../src/report/terminal.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const fresh: RunningSite = { startedMs: 0, words: '', stages: [] }
const stages = ['completed', 'in_progress', 'not_started'].map((state, at) => ({
  name: `Stage ${at + 1}`,
  state,
}))
const changed: ApplyEvent = { type: 'stages-changed', changed: [], stages, elapsedMs: 0 }

describe('the live view of many sites', () => {
  test.each([120, 80, 40])('has a row for each site, and none wider than %i columns', columns => {
    const running = new Map(
      Array.from({ length: 14 }, (_, at) => [`a-site-with-a-long-name-${at}`, updateRunning(fresh, changed)]),
    )
    const view = formatFleetView({ running, ended: 3, all: 20 }, 65_000, { paint: plain, columns, rows: 0 })
    const rows = [...view]
    expect(rows).toHaveLength(12)
    expect(Math.max(...rows.map(row => row.length))).toBeLessThanOrEqual(columns)
    expect(rows[0]).toContain('1m 05s  1 of 3')
    expect(rows.slice(-2)).toEqual(['  … and 4 more', '  3 of 20 finished, 14 in progress'])
  })

  test('leaves room on a low screen', () => {
    const running = new Map(Array.from({ length: 14 }, (_, at) => [`site-${at}`, fresh]))
    const view = formatFleetView({ running, ended: 0, all: 14 }, 0, { paint: plain, columns: 80, rows: 8 })
    expect(view).toHaveLength(6)
  })

  test('shows the last thing heard of a site, and signs of life change nothing', () => {
    const begun = updateRunning(fresh, changed)
    expect(begun.words).toBe('1 of 3 stages complete, now Stage 2')
    expect(updateRunning(begun, { type: 'heartbeat', stages: [], elapsedMs: 9 })).toBe(begun)
    expect(updateRunning(begun, { type: 'configure-begun' }).words).toBe(
      'configure: the site reports that configuration has started',
    )
  })
})

const hostile = '::error::x\n\u001b[2J##vso[task]|`<b>@all'
const site = (result: Partial<SiteResult>): SiteResult => ({
  site: 'one',
  file: 'one.yaml',
  url: 'https://gis.example.org/admin',
  outcome: 'done',
  state: 'done',
  exitCode: 0,
  message: 'done',
  diagnostics: [],
  ...result,
})
const run: FleetRun = {
  exitCode: 5,
  halt: 'interrupted',
  sites: [
    site({}),
    site({ site: hostile, outcome: 'site-failed', state: 'failed', exitCode: 5, message: hostile }),
    site({ site: 'three' }),
    site({
      site: 'four',
      outcome: 'not-begun',
      state: 'waiting',
      exitCode: null,
      message: 'not begun',
    }),
  ],
}

describe('how a run over many sites ended', () => {
  test('is a table, in which texts of others can do nothing', () => {
    const text = formatFleetRun(run, plain)
    expect(text.split('\n')).toHaveLength(9)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f]|##vso\[/)
    expect(text.split('\n').filter(line => line.startsWith('::'))).toEqual([])
    expect(text).toContain('4 sites: 1 failed, 1 waiting, 2 done; interrupted.\n')
    const markdown = formatFleetRunMarkdown(run)
    expect(markdown.split('\n').filter(line => line.startsWith('| `'))).toHaveLength(4)
    expect(markdown).not.toContain('\u001b')
  })

  test('is one document', () => {
    const document = fleetDocument(run)
    expect(listSchemaErrors('fleet', JSON.parse(JSON.stringify(document)))).toEqual([])
    expect(document.summary).toEqual({ sites: 4, done: 2, notDone: 1, notBegun: 1 })
  })
})

test.each([
  [
    ['failed', 'done'],
    'fix the sites that failed, then run the same command again: it skips those that are done',
  ],
  [
    ['waiting', 'cancelled'],
    'fix the sites that failed, then run the same command again: it skips those that are done',
  ],
  [
    ['ambiguous', 'done'],
    'decide about 1 ambiguous site, as shown above, then run the same command again: it skips those that are done',
  ],
  [
    ['ambiguous', 'ambiguous', 'refused'],
    'decide about 2 ambiguous sites, as shown above, fix the others, then run the same command again: it skips those that are done',
  ],
] as const)('after a run that left sites %j a person goes on as after `fleet resume`', (states, next) => {
  expect(suggestRerun({ ...run, sites: states.map(state => site({ state })) })).toBe(next)
})

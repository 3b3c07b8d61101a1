import {
  formatSites,
  formatSitesMarkdown,
  type SiteResult,
  sitesDocument,
  suggestRerun,
} from '../../src/report/sites.js'
import { plain } from '../../src/report/terminal.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const hostile = '::error::x\n\u001b[2J##vso[task]|`<b>@all'
const site = (result: Partial<SiteResult>): SiteResult => ({
  site: 'one',
  file: 'one.yaml',
  url: 'https://gis.example.org/admin',
  exitCode: 0,
  group: 'done',
  summary: 'done',
  ...result,
})
const results = [
  site({}),
  site({ site: hostile, group: 'failed', exitCode: 5, summary: hostile }),
  site({ site: 'three' }),
  site({
    site: 'four',
    group: 'not started',
    exitCode: 130,
    summary: 'not started',
    failure: { exitCode: 130, message: 'not started' },
  }),
]
const view = { kind: 'apply', column: 'exit' } as const

describe('the result of a run over many sites', () => {
  test('is a table in which texts of others are escaped', () => {
    const text = formatSites(results, 'exit', { paint: plain, isShort: false })
    expect(text.split('\n')).toHaveLength(9)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f]|##vso\[/)
    expect(text.split('\n').filter(line => line.startsWith('::'))).toEqual([])
    expect(text).toContain('4 sites: 1 failed, 1 not started, 2 done.\n')
    const markdown = formatSitesMarkdown(results, view)
    expect(markdown.split('\n').filter(line => line.startsWith('| `'))).toHaveLength(4)
    expect(markdown).toContain('### 4 sites: 1 failed, 1 not started, 2 done\n')
    expect(markdown).not.toContain('\u001b')
  })

  test('shows addresses if nothing was done yet, and the exit codes of failures', () => {
    const text = formatSites(results, 'address', { paint: plain, isShort: false })
    expect(text).toContain('one    ')
    expect(text).toContain('https://gis.example.org/admin')
    expect(text).toContain('error (130): not started')
  })

  test('omits the sites without changes in the short form', () => {
    const quiet = site({ site: 'quiet', group: 'without changes', summary: 'no changes' })
    const short = (some: readonly SiteResult[]) => formatSites(some, 'exit', { paint: plain, isShort: true })
    expect(short([...results, quiet])).toContain(
      '5 sites: 1 failed, 1 not started, 2 done, 1 without changes.',
    )
    expect(short([...results, quiet])).not.toContain('quiet')
    expect(short([{ ...quiet, exitCode: 7 }])).toContain('quiet')
    expect(short([quiet])).toBe('1 site: 1 without changes.\n')
  })

  test('is one document', () => {
    const document = sitesDocument(results, 5)
    expect(listSchemaErrors('sites', JSON.parse(JSON.stringify(document)))).toEqual([])
    expect(document).toMatchObject({ exitCode: 5, message: '4 sites: 1 failed, 1 not started, 2 done' })
  })
})

test.each([
  [['done', 'done'], []],
  [
    ['failed', 'done'],
    ['fix the sites that failed, then run the same command again: it skips the sites that are done'],
  ],
  [
    ['not started', 'cancelled', 'unfinished'],
    ['run the same command again: it skips the sites that are done'],
  ],
  [
    ['ambiguous', 'done'],
    [
      'decide about 1 ambiguous site, as shown above, then run the same command again: it skips the sites that are done',
    ],
  ],
  [
    ['ambiguous', 'ambiguous', 'refused'],
    [
      'decide about 2 ambiguous sites, as shown above, fix the others, then run the same command again: it skips the sites that are done',
    ],
  ],
] as const)('after a run that left sites %j the next step is as for `fleet resume`', (groups, next) => {
  const results = groups.map(group => site({ group, exitCode: group === 'done' ? 0 : 4 }))
  expect(suggestRerun(results, false)).toEqual(next)
  const used = /a failed plan cannot be applied again/
  expect(suggestRerun(results, true)).toEqual(/fix/.test(`${next}`) ? [expect.stringMatching(used)] : next)
})

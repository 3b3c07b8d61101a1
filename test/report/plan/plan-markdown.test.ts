import { noSettings } from '../../../src/plan/observation.js'
import { buildFieldRows } from '../../../src/report/field-rows.js'
import { formatPlanMarkdown } from '../../../src/report/plan-markdown.js'
import { aManifest, aPolicy } from '../../support/a-manifest.js'
import { aPlan, ready } from '../../support/a-plan.js'
import { anOrganization } from '../../support/an-organization.js'
import { isAtLength } from '../../support/cases.js'
import { planOf, plansOfAllKinds } from '../../support/hostile-plan.js'
import { htmlOf, treeOf } from '../../support/markup-tree.js'

const manyFields = (count: number, value: string) =>
  aPlan({
    desired: aManifest({
      organization: anOrganization({
        systemProperties: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`p${at}`, [value, { at }]]),
        ),
      }),
      policy: aPolicy(),
    }),
  })

/** What a site, a manifest and a command line can make long outside of tables. */
function longWords(mark: string) {
  const long = mark.repeat(3_000)
  const kept = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${long}${at}`, 1]))
  return aPlan({
    desired: aManifest({ name: long, file: long, policy: aPolicy() }),
    observed: { ...ready, version: long },
    settings: {
      ...noSettings('not-offered'),
      upgradeConfig: { kind: 'read', value: { podPlacementPolicy: {}, ...kept } },
    },
    tool: long,
  })
}

test.each([
  ...['\u200b', '\u{e0001}', '`', '|', '\\|', '😀'].map(
    mark => [`long words of ${JSON.stringify(mark)}`, longWords(mark)] as const,
  ),
  ['many short fields', manyFields(1_500, 'x')],
  ['many long fields', manyFields(600, 'x'.repeat(5_000))],
  ['many fields beyond the first plane', manyFields(600, '😀'.repeat(2_000))],
  ['many fields of three bytes a character', manyFields(600, '字'.repeat(2_000))],
  ['many fields to escape', manyFields(600, '\u202e|`'.repeat(2_000))],
  // In the short form each sign is in some kinds.
  ...plansOfAllKinds.flatMap(([kind, plan], turn) =>
    ['`', '|', '\u{e0001}', '<']
      .filter((_, at) => isAtLength || at === (turn + 2) % 4)
      .map(
        mark =>
          [`${kind} and ${JSON.stringify(mark)} everywhere`, planOf(plan, mark.repeat(70_000))] as const,
      ),
  ),
])('a plan with %s fits into a comment, with whole rows only', (_what, plan) => {
  const markdown = formatPlanMarkdown(plan)
  expect(markdown.length).toBeLessThan(65_536)
  expect(Buffer.byteLength(markdown) / 4).toBeLessThan(65_536)
  const { elements } = treeOf(htmlOf(markdown))
  const depth = (line: string) => line.length - line.trimStart().length
  // Every row of a table has the cells of its head.
  const wrong: number[] = []
  let columns = 0
  let cells = 0
  for (const line of [...elements, 'end']) {
    const name = line.trim().split(' ')[0]
    if (name === 'thead') columns = -1
    else if (name === 'tr' || depth(line) < 3) {
      if (columns === -1 && cells > 0) columns = cells
      else if (cells > 0 && cells !== columns) wrong.push(cells)
      cells = 0
    } else if (name === 'td' || name === 'th') cells += 1
  }
  expect(wrong).toEqual([])
})

test('what does not fit is counted outside the table', () => {
  const plan = manyFields(2_000, 'x')
  const [before = '', more = ''] = formatPlanMarkdown(plan).split(/\n\n… and (\d+) more\n\n/)
  const [configure] = plan.actions
  const all = configure?.change === 'create' ? buildFieldRows(configure.fields).length : 0
  const shown = before.match(/^\| `\+` /gm)?.length ?? 0
  expect(shown).toBeGreaterThan(500)
  expect(shown + Number(more)).toBe(all)
})

test('the first line is the same for every plan of one name, and for no other name', () => {
  const first = (name: string) => formatPlanMarkdown(aPlan({ desired: aManifest({ name }) })).split('\n')[0]
  expect(first('production')).toBe('<!-- landform-plan: production -->')
  expect(
    formatPlanMarkdown(aPlan({ observed: { kind: 'ready', warnings: [], stages: [] } })).split('\n')[0],
  ).toBe(first('production'))
  expect(new Set(['a b', 'a  b', 'a-b', 'a--b', '-a-b', 'a/b'].map(first)).size).toBe(6)
})

test('what stops a plan comes before its steps, with the words that let it pass', () => {
  const [, plan] = plansOfAllKinds.find(([kind]) => kind === 'edits that stop it') ?? []
  const markdown = formatPlanMarkdown(plan as NonNullable<typeof plan>)
  expect(markdown).toMatch(/> \[!CAUTION\]\n> This plan cannot be applied/)
  expect(markdown).toContain('`--ignore-immutable spec.')
  expect(markdown.indexOf('blocks the apply')).toBeLessThan(markdown.indexOf('#### `configure`'))
})

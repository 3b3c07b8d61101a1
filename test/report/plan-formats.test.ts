import { type PlanFormat, planFormats } from '../../src/cli/command-options.js'
import { planReports } from '../../src/cli/plan/plan-output.js'
import { stageNames } from '../../src/contract/responses.js'
import { noSettings } from '../../src/plan/observation.js'
import type { Plan } from '../../src/plan/plan.js'
import { buildFieldRows } from '../../src/report/field-rows.js'
import { phrase } from '../../src/report/phrase.js'
import { renderPlanHtml } from '../../src/report/plan-html.js'
import { formatPlanMarkdown, formatPlanOutputs, formatPlanSection } from '../../src/report/plan-markdown.js'
import { formatSitesMarkdown, planTable } from '../../src/report/sites.js'
import { plain } from '../../src/report/terminal.js'
import { aManifest, aPolicy } from '../support/a-manifest.js'
import { aPlan, ready } from '../support/a-plan.js'
import { anOrganization } from '../support/an-organization.js'
import { isAtLength } from '../support/cases.js'
import { hostileMarkup } from '../support/hostile-markup.js'
import { planOf, plansOfAllKinds } from '../support/hostile-plan.js'
import { unprintable } from '../support/hostile-texts.js'
import { htmlOf, treeOf } from '../support/markup-tree.js'

const rendered = (plan: Plan, format: PlanFormat, text: string) =>
  planReports[format](plan, {
    paint: plain,
    verbose: true,
    sections: [
      {
        title: 'More',
        tone: 'bad',
        lead: phrase`It is ${text}.`,
        columns: ['a', 'b'],
        rows: [{ sign: '!', cells: [phrase`${text}`, phrase`b`] }],
      },
    ],
  })

/** Returns the structure of a rendering, without the texts of others. */
const shapes: Readonly<Record<PlanFormat, (document: string) => unknown>> = {
  text: document => document.split('\n').length,
  json: document => typeof JSON.parse(document),
  gitlab: document => JSON.parse(document),
  markdown: document => treeOf(htmlOf(document)),
  html: document => treeOf(document).elements,
}

test('there are more than two hundred hostile texts', () => {
  expect(hostileMarkup.length).toBeGreaterThan(200)
})

describe.each(plansOfAllKinds)('a plan with %s', (kind, plan) => {
  // Parsing HTML and Markdown takes long, and the first two kinds have every part.
  const turn = plansOfAllKinds.findIndex(([name]) => name === kind)
  const isSlow = (format: PlanFormat) => format === 'html' || format === 'markdown'
  const formats = planFormats.filter(format => turn < 2 || !isSlow(format))
  const hostile = hostileMarkup.map(text => [text, planOf(plan, text)] as const)
  // In the short form, the texts are spread over the kinds and formats if parts are repeated or parsing takes long.
  const isDue = (at: number, format: PlanFormat) => {
    if (isAtLength) return true
    if (isSlow(format)) return at % 12 === turn * 2 + (format === 'html' ? 1 : 0)
    return turn < 2 || at % 3 === turn % 3
  }
  test.each(formats)(
    'as %s escapes hostile texts, contains no command of a runner, and has the same structure as with harmless ones',
    format => {
      const harmless = shapes[format](rendered(planOf(plan, 'harmless'), format, 'harmless'))
      const same = JSON.stringify(harmless)
      for (const [text, made] of hostile.filter((_, at) => isDue(at, format))) {
        const document = rendered(made, format, text)
        for (const line of document.split('\n'))
          if (unprintable.test(line) || /##\w*\[|^\s*::/.test(line))
            throw new Error(`${JSON.stringify(text)} stands raw in ${JSON.stringify(line)}`)
        const shape = shapes[format](document)
        // Comparing texts is much faster; only a difference is worth showing.
        if (JSON.stringify(shape) !== same) expect({ text, shape }).toEqual({ text, shape: harmless })
      }
    },
  )

  test("writes only Landform's own outputs for a workflow", () => {
    const ours = /^(?:[a-z-]+=(?:true|false|\d+|sha256:[0-9a-f]{64})\n){8}$/
    expect(hostile.map(([, made]) => formatPlanOutputs(made, 0)).filter(told => !ours.test(told))).toEqual([])
  })

  test('begins with a comment of one line that no name can end', () => {
    const marks = hostile.map(([, made]) => formatPlanMarkdown(made).split('\n')[0])
    const ours = /^<!-- landform-plan: [\w.-]{1,120} -->$/
    expect(marks.filter(mark => !ours.test(mark ?? ''))).toEqual([])
    expect(new Set(marks).size).toBe(hostileMarkup.length)
  })
})

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

/** A plan whose long texts from a site, a manifest and a command line are outside of tables. */
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
  ['many fields outside the Basic Multilingual Plane', manyFields(600, '😀'.repeat(2_000))],
  ['many fields with three-byte characters', manyFields(600, '字'.repeat(2_000))],
  ['many fields to escape', manyFields(600, '\u202e|`'.repeat(2_000))],
  // In the short form, each sign is used with some kinds.
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
  // Every row of a table has as many cells as its head.
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

test('omitted rows are counted outside the table', () => {
  const plan = manyFields(2_000, 'x')
  const [before = '', more = ''] = formatPlanMarkdown(plan).split(/\n\n… and (\d+) more\n\n/)
  const [configure] = plan.actions
  const all = configure?.change === 'create' ? buildFieldRows(configure.fields).length : 0
  const shown = before.match(/^\| `\+` /gm)?.length ?? 0
  expect(shown).toBeGreaterThan(500)
  expect(shown + Number(more)).toBe(all)
})

test.each(['x', '`', '|', '\u{e0001}'])(
  'sixty sites with %j in all texts fit, with whole sections only',
  mark => {
    const [, small] = plansOfAllKinds[1] as (typeof plansOfAllKinds)[number]
    const sites = Array.from({ length: 60 }, (_, at) => {
      const plan = at % 3 === 0 ? planOf(small, mark.repeat(at === 0 ? 70_000 : 9)) : small
      return {
        ...({
          site: plan.name,
          file: plan.manifest,
          url: plan.url,
          exitCode: 0,
          group: 'with changes',
        } as const),
        summary: 'changes',
        section: () => formatPlanSection(plan),
      }
    })
    const markdown = formatSitesMarkdown(sites, planTable)
    expect(markdown.length).toBeLessThanOrEqual(64_000)
    const shown = markdown.match(/^### Plan for/gm)?.length ?? 0
    const [, rest] = markdown.match(/… and (\d+) more sections; .* has every site\.$/m) ?? []
    expect(shown + Number(rest)).toBe(60)
    expect(shown).toBeGreaterThan(3)
    expect(markdown.match(/^Plan `/gm)).toHaveLength(shown)
  },
)

test('the first line is the same for every plan of a site name, and different for any other name', () => {
  const first = (name: string) => formatPlanMarkdown(aPlan({ desired: aManifest({ name }) })).split('\n')[0]
  expect(first('production')).toBe('<!-- landform-plan: production -->')
  expect(
    formatPlanMarkdown(aPlan({ observed: { kind: 'ready', warnings: [], stages: [] } })).split('\n')[0],
  ).toBe(first('production'))
  expect(new Set(['a b', 'a  b', 'a-b', 'a--b', '-a-b', 'a/b'].map(first)).size).toBe(6)
})

test('blocking edits come before the actions, with the options that ignore them', () => {
  const [, plan] = plansOfAllKinds.find(([kind]) => kind === 'edits that stop it') ?? []
  const markdown = formatPlanMarkdown(plan as NonNullable<typeof plan>)
  expect(markdown).toMatch(/> \[!CAUTION\]\n> This plan cannot be applied/)
  expect(markdown).toContain('`--ignore-immutable spec.')
  expect(markdown.indexOf('blocks the apply')).toBeLessThan(markdown.indexOf('#### `configure`'))
})

describe.each(plansOfAllKinds)('the page of a plan with %s', (_kind, plan) => {
  test('has no script, loads nothing, and allows only its own style', () => {
    const { elements } = treeOf(renderPlanHtml(plan))
    const names = new Set(elements.map(line => line.trim().split(' ')[0]))
    for (const name of ['script', 'img', 'link', 'iframe', 'a'])
      expect(name !== 'a' && names.has(name)).toBe(false)
    expect(elements.filter(line => /\b(?:src|on\w+|style|action|srcset)="/.test(line))).toEqual([])
    expect(elements.filter(line => line.includes('href='))).toEqual([expect.stringContaining('href="#plan"')])
    expect(renderPlanHtml(plan)).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; /,
    )
  })

  test('has headings in order, tables with heads, and unique ids', () => {
    const { elements } = treeOf(renderPlanHtml(plan))
    const levels = elements.flatMap(line => /^ *h(\d)/.exec(line)?.[1] ?? []).map(Number)
    expect(levels[0]).toBe(1)
    expect(levels.slice(1).every((level, at) => level > 1 && level <= (levels[at] ?? 0) + 1)).toBe(true)
    const ids = elements.flatMap(line => /\bid="([^"]*)"/.exec(line)?.[1] ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    const labels = elements.flatMap(line => /aria-labelledby="([^"]*)"/.exec(line)?.[1] ?? [])
    expect(labels.filter(label => !ids.includes(label))).toEqual([])
    const of = (name: string) => elements.filter(line => line.trim().startsWith(name)).length
    expect(of('caption')).toBe(of('table'))
  })
})

test('a creation shows the stages in their order, between configure and update', () => {
  const [, plan] = plansOfAllKinds.find(([kind]) => kind === 'a creation') ?? []
  const page = renderPlanHtml(plan as Plan)
  const places = ['>configure<', ...stageNames.map(name => `<li>${name}</li>`), '>update<'].map(text =>
    page.indexOf(text),
  )
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
})

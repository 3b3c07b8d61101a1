import { parseFields } from '../../src/cli/options.js'
import { noSettings } from '../../src/plan/observation.js'
import { listBlockingEdits, type Plan } from '../../src/plan/plan.js'
import { emptyRecord } from '../../src/plan/situation.js'
import { capitalize } from '../../src/report/phrase.js'
import { renderPlanHtml } from '../../src/report/plan-html.js'
import { formatPlanMarkdown } from '../../src/report/plan-markdown.js'
import { formatPlan } from '../../src/report/plan-text.js'
import { classifyPlan, describeDecision, formatIgnoreOptions, listLeft } from '../../src/report/plan-words.js'
import { plain } from '../../src/report/terminal.js'
import { aManifest } from '../support/a-manifest.js'
import { aPlan, ready } from '../support/a-plan.js'
import { anOrganization } from '../support/an-organization.js'
import { plansOfAllKinds } from '../support/hostile-plan.js'

const planWith = (kind: string) => plansOfAllKinds.find(([name]) => name === kind)?.[1] as Plan

test.each([
  [
    'a creation',
    'create',
    'creates the organization, which cannot be undone, and then sets the upgrade policy',
  ],
  ['an attachment', 'resume', 'waits for the configuration in progress, and then sets the upgrade policy'],
  ['edits that stop it', 'blocked', 'cannot be applied: 4 edits of immutable fields'],
  ['edits that are ignored', 'update', 'sets the upgrade placement policy'],
  ['nothing that is known', 'unrecorded', 'nothing to apply, and 31 of 33 fields cannot be compared'],
])(
  'a plan with %s is classified as %s, and its summary comes first in every rendering',
  (kind, decision, words) => {
    const plan = planWith(kind)
    expect(classifyPlan(plan)).toBe(decision)
    expect(describeDecision(plan)).toBe(words)
    expect(formatPlanMarkdown(plan).split('\n')[2]).toBe(`### Plan for \`production\`: ${words}`)
    expect(renderPlanHtml(plan)).toContain(`<span>${capitalize(words)}</span></p>`)
  },
)

test('a plan without actions never hides that fields differ', () => {
  const { actions, ...rest } = planWith('edits that are ignored')
  const plan = { ...rest, actions: actions.filter(({ change }) => change === 'no-op') }
  expect(classifyPlan(plan)).toBe('differs')
  expect(describeDecision(plan)).toMatch(/^nothing to apply, although \d+ fields differ from /)
})

test('an earlier request that the site does not show is watched, and not called in progress', () => {
  const { actions, ...rest } = planWith('an attachment')
  const open = {
    operation: 'configure',
    change: 'resume',
    reason: 'submitted-before',
    irreversible: false,
    fields: [],
  } as const
  const plan = { ...rest, actions: [open, ...actions.slice(1)] }
  expect(describeDecision(plan)).toBe('watches an earlier request, and sends nothing again')
})

const record = {
  ...emptyRecord,
  organization: { appliedAt: '2026-03-04T05:06:07.089Z', manifest: '', value: anOrganization() },
}
const [volume] = Object.values(anOrganization().volumes)
const volumes = { ...anOrganization().volumes, BLOB: { ...volume, size: '99Gi', labels: { 'a.b/c': 'd' } } }

test.each([
  ['a field', { profile: 'development' }, '--ignore-immutable spec.profile'],
  [
    'fields of a volume',
    { volumes },
    '--ignore-immutable spec.volumes.BLOB.size --ignore-immutable spec.volumes.BLOB.labels',
  ],
  [
    'a simple property name',
    { systemProperties: { timeout: 1 } },
    '--ignore-immutable spec.systemProperties.timeout',
  ],
  [
    'a special property name',
    { systemProperties: { 'a.b c;': 1 } },
    '--ignore-immutable spec.systemProperties',
  ],
  ['a parameter name', { extra: { '$(id)': 1 } }, '--ignore-immutable spec.extra'],
  ['an element of a list', { dataStores: [{ clientPath: '/a', type: 'folder' }] }, undefined],
  ['a simple list', { folders: ['/a', '/b'] }, '--ignore-immutable spec.folders'],
])('the options that ignore %s are accepted, and unblock it', (_what, changes, expected) => {
  const desired = aManifest({ organization: anOrganization(changes as never) })
  const edits = listBlockingEdits(aPlan({ desired, observed: ready, record }))
  expect(edits.length).toBeGreaterThan(0)
  const options = formatIgnoreOptions(edits)
  if (expected !== undefined) expect(options).toBe(expected)
  const words = options.replaceAll("'", '').split(' ')
  const ignored = parseFields(
    'ignore-immutable',
    words.filter(word => word !== '--ignore-immutable'),
  )
  expect(listBlockingEdits(aPlan({ desired, observed: ready, record, ignored }))).toEqual([])
})

test.each(['/spec/folders/$(id)', '/spec/folders/0`id`', '/spec/folders/a b'] as const)(
  'the options for %s contain nothing that a shell interprets',
  pointer => {
    const edit = { pointer, parameter: 'p', file: 'site.yaml', line: 1 }
    expect(formatIgnoreOptions([{ ...edit, because: 'no-operation', ignored: false }])).toBe(
      '--ignore-immutable spec.folders',
    )
  },
)

test('a value that changed on the site is listed with both values and the next step', () => {
  const desired = aManifest({ organization: anOrganization({ logLevel: 'INFO' }) })
  const recorded = { ...record, organization: { ...record.organization, value: desired.organization } }
  const settings = { ...noSettings('not-offered'), logLevel: { kind: 'read', value: 'DEBUG' } } as const
  const plan = aPlan({ desired, observed: ready, record: recorded, settings })
  expect(listLeft(plan, 'landform adopt site.yaml')).toMatchObject([
    {
      title: '1 immutable field differs on the site',
      fields: [{ pointer: '/spec/logLevel' }],
    },
  ])
  for (const text of [
    formatPlan(plan, plain, { adopt: 'landform adopt site.yaml' }),
    formatPlanMarkdown(plan, { adopt: 'x' }),
    renderPlanHtml(plan, { adopt: 'x' }),
  ])
    expect(text).toMatch(/DEBUG[\s\S]*INFO[\s\S]*landform explain spec\.logLevel/)
})

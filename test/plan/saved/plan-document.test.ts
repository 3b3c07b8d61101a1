import { noSettings } from '../../../src/plan/observation.js'
import type { Plan } from '../../../src/plan/plan.js'
import { buildPlanDocument } from '../../../src/plan/saved/plan-document.js'
import { formatSavedPlan, parsePlan } from '../../../src/plan/saved/saved-plan.js'
import { emptyRecord, type Situation } from '../../../src/plan/situation.js'
import { aManifest, aPolicy, onOneLine } from '../../support/a-manifest.js'
import { aPlan, inProgress, ready } from '../../support/a-plan.js'
import { anOrganization } from '../../support/an-organization.js'
import { boundFacts } from '../../support/bound-facts.js'
import { listSchemaErrors } from '../../support/schema-errors.js'

const url = 'https://gis.example.org/arcgis/admin'
const desired = aManifest({ policy: aPolicy() })
const record = {
  ...emptyRecord,
  serial: 3,
  policy: { appliedAt: '2026-03-04T05:06:07.089Z', value: aPolicy('old') },
}

const situations: readonly [string, Partial<Situation>][] = [
  ['a creation', {}],
  ['a creation and an update', { desired }],
  ['a resume and an update', { desired, observed: inProgress }],
  ['no changes', { observed: ready }],
  ['an update of an unreadable policy', { desired, observed: ready }],
  ['a changed policy', { desired, observed: ready, record }],
  ...(['no-token', 'not-allowed', 'upgrading', 'not-understood', 'no-answer'] as const).map(
    (because): [string, Partial<Situation>] => [
      `settings that the site does not tell: ${because}`,
      { desired, observed: ready, settings: noSettings(because) },
    ],
  ),
  ['a site without a version', { observed: { kind: 'not-configured', warnings: [], stages: [] } }],
  [
    'every kind of field',
    {
      desired: aManifest({
        organization: anOrganization({
          folders: ['/a'],
          cloudStorage: [],
          systemProperties: { a: null, 'b/~c': [1, { d: 'e' }] },
          extra: { x: false },
        }),
      }),
    },
  ],
]

describe('the machine form of a plan', () => {
  test.each(situations)('satisfies its published schema: %s', (_what, changes) => {
    expect(listSchemaErrors('plan', buildPlanDocument(aPlan(changes)))).toEqual([])
  })

  test.each(situations)('is unchanged as JSON: %s', (_what, changes) => {
    const document = buildPlanDocument(aPlan(changes))
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  test.each(situations)('contains the plan that it was made from: %s', (_what, changes) => {
    const made = aPlan(changes)
    const parsed = parsePlan(formatSavedPlan(buildPlanDocument(made)))
    expect(parsed).toMatchObject({ ok: true })
    expect(parsed.ok && parsed.value.plan).toEqual(made)
  })

  test('has the form that pipelines rely on', () => {
    const { id, actions, ...rest } = buildPlanDocument(aPlan({ desired }))
    expect(id).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(rest).toEqual({
      formatVersion: 1,
      name: 'production',
      url,
      createdAt: '2026-03-04T05:06:07.089Z',
      expiresAt: '2026-03-05T05:06:07.089Z',
      binds: boundFacts(0),
      manifest: 'site.yaml',
      settles: [
        { pointer: '/spec/administrator', what: 'the initial administrator' },
        { pointer: '/spec/license', what: 'the license it is created with' },
        { pointer: '/spec/volumes', what: 'the eight volumes: sizes, storage classes, labels' },
        { pointer: '/spec/profile', what: 'the architecture profile' },
      ],
      immutable: [],
      fields: [],
      coverage: { equal: 0, different: 0, recorded: 0, asserted: 0, unknowable: 0, unrecorded: 0, total: 0 },
      summary: { create: 1, update: 1, resume: 0, noOp: 0 },
    })
    expect(
      actions.map(({ operation, change, reason, irreversible }) => ({
        operation,
        change,
        reason,
        irreversible,
      })),
    ).toEqual([
      { operation: 'configure', change: 'create', reason: 'not-configured', irreversible: true },
      { operation: 'update', change: 'update', reason: 'never-applied', irreversible: false },
    ])
    expect(actions[1]?.fields[1]).toEqual({
      pointer: '/spec/upgrade/podPlacementPolicy/tolerations/0/key',
      parameter: 'upgradeConfig',
      after: 'dedicated',
      file: 'site.yaml',
      line: 7,
    })
  })

  test('has no fields if nothing is set', () => {
    expect(buildPlanDocument(aPlan({ observed: inProgress })).actions).toEqual([
      {
        operation: 'configure',
        change: 'resume',
        reason: 'configuration-in-progress',
        irreversible: false,
        fields: [],
      },
    ])
  })
})

describe('the id of a plan', () => {
  const made = aPlan({ desired })
  const { binds } = made

  test('is the same for the same plan', () => {
    expect(buildPlanDocument(aPlan({ desired })).id).toBe(buildPlanDocument(made).id)
  })

  test.each<[string, Plan]>([
    ['the name', { ...made, name: 'other' }],
    ['the address', { ...made, url: `${url}/x` }],
    ['the time of creation', { ...made, createdAt: '2026-03-04T05:06:07.090Z' }],
    ['the expiry', { ...made, expiresAt: '2027-03-04T05:06:07.090Z' }],
    ['the manifest', { ...made, binds: { ...binds, manifest: `sha256:${'f'.repeat(64)}` } }],
    ['a file', { ...made, binds: { ...binds, files: { 'licenses/site.json': `sha256:${'f'.repeat(64)}` } } }],
    ['the number of files', { ...made, binds: { ...binds, files: {} } }],
    ['the origin', { ...made, binds: { ...binds, origin: 'https://other.example.org' } }],
    ['the state', { ...made, binds: { ...binds, site: { ...binds.site, state: 'ready' } } }],
    ['the version', { ...made, binds: { ...binds, site: { ...binds.site, version: null } } }],
    ['the record', { ...made, binds: { ...binds, record: 1 } }],
    ['the tool', { ...made, binds: { ...binds, tool: 'landform 0.1.1' } }],
    ['the order of actions', { ...made, actions: made.actions.toReversed() }],
    ['the number of actions', { ...made, actions: made.actions.slice(0, 1) }],
    ['a field', aPlan({ desired: aManifest({ policy: aPolicy('other') }) })],
    [
      'the position of a field',
      aPlan({ desired: { ...desired, places: { known: { '': onOneLine('site.yaml', 99) } } } }),
    ],
  ])('changes with %s', (_what, other) => {
    expect(buildPlanDocument(other).id).not.toBe(buildPlanDocument(made).id)
  })
})

import { stripVTControlCharacters } from 'node:util'
import { noSettings } from '../../src/plan/observation.js'
import type { FieldChange } from '../../src/plan/plan.js'
import { emptyRecord, type Situation } from '../../src/plan/situation.js'
import { buildFieldRows, splitVolumes } from '../../src/report/field-rows.js'
import { renderPlanHtml } from '../../src/report/plan-html.js'
import { formatPlanMarkdown } from '../../src/report/plan-markdown.js'
import { formatFieldTable, formatPlan, formatVolumeTable } from '../../src/report/plan-text.js'
import { coloured, plain } from '../../src/report/terminal.js'
import { formatIndices, type JsonPointer } from '../../src/schema/pointer.js'
import { aManifest, aPolicy } from '../support/a-manifest.js'
import { aPlan, inProgress, ready } from '../support/a-plan.js'
import { anOrganization } from '../support/an-organization.js'
import { plansOfAllKinds } from '../support/hostile-plan.js'

const desired = aManifest({ policy: aPolicy() })
const record = {
  ...emptyRecord,
  policy: { appliedAt: '2026-03-04T05:06:07.089Z', value: aPolicy('old') },
}

describe('a plan as text', () => {
  test.each<[string, Partial<Situation>, string]>([
    ['a creation', { desired }, 'Plan: 1 to create, 1 to update, 0 to resume, 0 unchanged.'],
    ['a resume', { observed: inProgress }, 'Plan: 0 to create, 0 to update, 1 to resume, 0 unchanged.'],
    ['no changes', { observed: ready }, 'Plan: 0 to create, 0 to update, 0 to resume, 1 unchanged.'],
  ])('ends with its counts: %s', (_what, changes, counts) => {
    const made = aPlan(changes)
    expect(formatPlan(made, plain).trimEnd().split('\n').at(-1)).toBe(counts)
  })

  test('first names the parts that become immutable, and only if there are any', () => {
    const text = formatPlan(aPlan({ desired }), plain)
    const settled = text.indexOf('Immutable after this apply:')
    expect(settled).toBeGreaterThan(0)
    expect(settled).toBeLessThan(text.indexOf('+ configure'))
    for (const section of ['administrator', 'license', 'volumes', 'profile'])
      expect(text).toMatch(new RegExp(`^  ! .*  spec\\.${section}$`, 'm'))
    expect(text).not.toContain('spec.cloudStorage')
    expect(formatPlan(aPlan({ observed: ready, desired }), plain)).not.toContain('no longer change')
  })

  test('first warns about a part that is sent empty, in text, Markdown and HTML', () => {
    const made = aPlan({ observed: ready, desired: { ...desired, policyDefaults: ['nodeAffinity'] } })
    const warned =
      /Sent empty, because the manifest does not have them[\s\S]*the node affinity of upgrade pods[\s\S]*add it to the manifest/
    for (const form of [formatPlan(made, plain), formatPlanMarkdown(made, {}), renderPlanHtml(made)]) {
      expect(form).toMatch(warned)
      expect(form.indexOf('Sent empty')).toBeLessThan(form.indexOf('upgrade placement policy; the current'))
    }
    expect(formatPlan(aPlan({ observed: ready, desired }), plain)).not.toContain('Sent empty')
  })

  test('never claims that there are no changes without naming the fields that cannot be verified', () => {
    const comparable = 'No changes. Every comparable field matches.'
    const created = {
      appliedAt: '2026-03-04T05:06:07.089Z',
      manifest: `sha256:${'0'.repeat(64)}`,
      value: anOrganization(),
    }
    const text = formatPlan(
      aPlan({ observed: ready, record: { ...emptyRecord, organization: created } }),
      plain,
    )
    expect(text).toMatch(
      /^No changes since the last apply\.\n\d+ fields: \d+ match the last apply .* The site reports none of them\./m,
    )
    expect(formatPlan(aPlan({ observed: ready, desired }), plain)).not.toMatch(/no changes/i)
    expect(formatPlan(aPlan({ observed: inProgress }), plain)).not.toMatch(/no changes/i)
    for (const [, made] of plansOfAllKinds)
      expect(formatPlan(made, plain).replace(comparable, '')).not.toMatch(
        /no changes|nothing changed|up to date|in sync/i,
      )
  })

  test('names the settings that are sent back unchanged', () => {
    const upgradeConfig = { kind: 'read', value: { other: 1 } } as const
    const settings = { ...noSettings('not-offered'), upgradeConfig }
    expect(formatPlan(aPlan({ observed: ready, desired, settings }), plain)).toMatch(
      /^ {6}= kept as reported by the site: other$/m,
    )
  })

  describe('with edits of immutable fields', () => {
    const { policy: _, ...others } = record
    const applied = {
      ...others,
      organization: {
        appliedAt: '2026-03-04T05:06:07.089Z',
        manifest: `sha256:${'a'.repeat(64)}`,
        value: anOrganization({ profile: 'development' }),
      },
    }
    const edited = aManifest({
      organization: anOrganization({ profile: 'standard-availability', systemProperties: { 'a b;': 1 } }),
    })
    const text = (ignored: readonly JsonPointer[]) =>
      formatPlan(aPlan({ observed: ready, desired: edited, record: applied, ignored }), plain)

    test('names each with its reason, and the options that ignore them', () => {
      expect(text([])).toMatch(/^2 edits of immutable fields:$/m)
      expect(text([])).toMatch(
        /in site\.yaml:\n +3 ~ profile +development -> standard-availability +\(blocks the apply\)$/m,
      )
      expect(text([])).toMatch(/4 \+ systemProperties\.a b; +1 +\(blocks the apply\)$/m)
      expect(text([])).toMatch(
        /^ {2}--ignore-immutable spec\.profile --ignore-immutable spec\.systemProperties$/m,
      )
    })

    test('names only the options that are still needed', () => {
      expect(text(['/spec/profile'])).toMatch(/\(ignored\)$/m)
      expect(text(['/spec/profile'])).toMatch(/^ {2}--ignore-immutable spec\.systemProperties$/m)
      const passing = text(['/spec/profile', '/spec/systemProperties'])
      expect(passing).not.toContain('--ignore-immutable')
      expect(passing).not.toContain('cannot be applied')
      expect(passing).toMatch(/^Nothing to apply, although 2 fields differ /m)
    })

    test('names sections if there are many fields', () => {
      const { volumes } = anOrganization()
      const volume = { size: '64Gi', storageClass: 'io2', labels: { tier: 'x' } }
      const larger = aManifest({
        organization: anOrganization({
          volumes: { ...volumes, BLOB: volume, QUEUE: volume, INDEXER: volume },
        }),
      })
      expect(formatPlan(aPlan({ observed: ready, desired: larger, record: applied }), plain)).toMatch(
        /^ {2}--ignore-immutable spec\.volumes --ignore-immutable spec\.profile$|^ {2}--ignore-immutable spec\.profile --ignore-immutable spec\.volumes$/m,
      )
    })
  })

  test('lists every field with its status only if asked to', () => {
    const made = aPlan({ observed: ready, desired, record })
    const verbose = formatPlan(made, plain, { verbose: true })
    for (const { pointer } of made.fields)
      expect(verbose).toContain(
        formatIndices(
          pointer.replace('/spec/', '').replace('upgrade/podPlacementPolicy/', '').replaceAll('/', '.'),
        ),
      )
    expect(verbose).toMatch(
      /^ {2}\? unknown +administrator\.password +\(secret from LANDFORM_ADMIN_PASSWORD\) +secrets are neither /m,
    )
    expect(verbose).toMatch(
      /^ {2}~ different +tolerations\[0\]\.key +dedicated +the last apply set old +site\.yaml:7$/m,
    )
    expect(verbose).toMatch(/^Plan sha256:[0-9a-f]{64}, from landform 0\.1\.0, valid until /m)
    const compact = formatPlan(made, plain)
    expect(compact).not.toContain('Field status')
    expect(verbose.endsWith(compact.slice(compact.lastIndexOf('Plan:')))).toBe(true)
  })

  test('shows old and new values', () => {
    const text = formatPlan(aPlan({ observed: ready, desired, record }), plain)
    expect(text).toMatch(/in site\.yaml:\n +7 ~ tolerations\[0\]\.key +old -> dedicated$/m)
  })

  test('shows every field once', () => {
    const text = formatPlan(aPlan(), plain)
    for (const component of Object.keys(anOrganization().volumes))
      expect(text.split(component).length).toBe(2)
    expect(text).toContain('site.yaml:')
  })

  test('has the same text with colours', () => {
    const made = aPlan({ desired })
    const text = formatPlan(made, coloured)
    expect(text).not.toBe(stripVTControlCharacters(text))
    expect(stripVTControlCharacters(text)).toBe(formatPlan(made, plain))
  })
})

const policy = '/spec/upgrade/podPlacementPolicy'
const written: FieldChange = {
  pointer: `${policy}/tolerations/0/key`,
  parameter: 'upgradeConfig',
  after: 'dedicated',
  file: 'site.yaml',
  line: 19,
}
const unwritten: FieldChange = {
  pointer: `${policy}/nodeAffinity`,
  parameter: 'upgradeConfig',
  after: {},
  file: 'base.yaml',
  line: 17,
  default: true,
}

test('a value that is not written has no line and no file', () => {
  expect(formatFieldTable(buildFieldRows([unwritten, written]), plain)).toEqual([
    '      + nodeAffinity        {}  (default)',
    '      in site.yaml:',
    '   19 + tolerations[0].key  dedicated',
  ])
})

test('and the file of the lines around it is named only once', () => {
  const other: FieldChange = { ...written, pointer: `${policy}/tolerations/1/key`, line: 20 }
  expect(formatFieldTable(buildFieldRows([written, unwritten, other]), plain)).toEqual([
    '      in site.yaml:',
    '   19 + tolerations[0].key  dedicated',
    '      + nodeAffinity        {}  (default)',
    '   20 + tolerations[1].key  dedicated',
  ])
})

test('a long storage class does not move the labels of all volumes', () => {
  const volume = (component: string, storageClass: string, line: number): readonly FieldChange[] =>
    Object.entries({ size: '16Gi', storageClass, labels: { tier: 'storage' } }).map(([name, after]) => ({
      pointer: `/spec/volumes/${component}/${name}`,
      parameter: 'volumesConfig',
      after,
      file: 'site.yaml',
      line,
    }))
  const long = 'premium-zone-redundant-encrypted-retained'
  const { volumes } = splitVolumes([...volume('BLOB', 'gp3', 7), ...volume('QUEUE', long, 8)])
  expect(formatVolumeTable(volumes, [], plain)).toEqual([
    '        volumes  size  class  labels',
    '      in site.yaml:',
    '    7 + BLOB     16Gi  gp3    tier=storage',
    `    8 + QUEUE    16Gi  ${long}  tier=storage`,
  ])
})

import { parseIgnored } from '../../../src/cli/options.js'
import { listBlockingEdits } from '../../../src/plan/plan.js'
import { emptyRecord } from '../../../src/plan/record.js'
import { formatIgnoreOptions } from '../../../src/report/plan-words.js'
import { aManifest } from '../../support/a-manifest.js'
import { aPlan, ready } from '../../support/a-plan.js'
import { anOrganization } from '../../support/an-organization.js'

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
    'a plain name of the user',
    { systemProperties: { timeout: 1 } },
    '--ignore-immutable spec.systemProperties.timeout',
  ],
  [
    'another name of the user',
    { systemProperties: { 'a.b c;': 1 } },
    '--ignore-immutable spec.systemProperties',
  ],
  ['a parameter of the user', { extra: { '$(id)': 1 } }, '--ignore-immutable spec.extra'],
  ['an entry of a list', { dataStores: [{ clientPath: '/a', type: 'folder' }] }, undefined],
  ['a plain list', { folders: ['/a', '/b'] }, '--ignore-immutable spec.folders'],
])('the words that let %s pass are taken, and let it pass', (_what, changes, expected) => {
  const desired = aManifest({ organization: anOrganization(changes as never) })
  const edits = listBlockingEdits(aPlan({ desired, observed: ready, record }))
  expect(edits.length).toBeGreaterThan(0)
  const options = formatIgnoreOptions(edits)
  if (expected !== undefined) expect(options).toBe(expected)
  const words = options.replaceAll("'", '').split(' ')
  const ignored = parseIgnored(words.filter(word => word !== '--ignore-immutable'))
  expect(listBlockingEdits(aPlan({ desired, observed: ready, record, ignored }))).toEqual([])
})

test.each(['/spec/folders/$(id)', '/spec/folders/0`id`', '/spec/folders/a b'] as const)(
  'nothing that a shell takes apart stands in the words for %s',
  pointer => {
    const edit = { pointer, parameter: 'p', file: 'site.yaml', line: 1 }
    expect(formatIgnoreOptions([{ ...edit, because: 'no-operation', ignored: false }])).toBe(
      '--ignore-immutable spec.folders',
    )
  },
)

import type { CloudProvider } from '../../src/manifest/manifest.js'
import { findContradictions, recordStatement, widenParts } from '../../src/plan/assertion.js'
import { classifyFields, listImmutableEdits } from '../../src/plan/fields/classify-fields.js'
import { noSettings } from '../../src/plan/observation.js'
import { type ApplyRecord, computeRecordDigest, emptyRecord } from '../../src/plan/situation.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { aManifest, aPolicy } from '../support/a-manifest.js'
import { aSituation, ready } from '../support/a-plan.js'
import { anOrganization } from '../support/an-organization.js'

const assertedAt = '2026-06-01T00:00:00.000Z'
const digest = (letter: string) => `sha256:${letter.repeat(64)}`
const licenses = { '/spec/license/file': digest('b') }
const applied: ApplyRecord = {
  serial: 3,
  organization: {
    appliedAt: '2026-03-04T05:06:07.089Z',
    manifest: digest('0'),
    value: anOrganization({ logLevel: 'INFO' }),
    licenses: { '/spec/license/file': digest('a') },
  },
  policy: { appliedAt: '2026-03-04T05:06:07.089Z', value: aPolicy() },
}

/** The record after a person asserted parts of a manifest, and the situation for a plan of that manifest. */
function afterAssertion(
  parts: readonly JsonPointer[],
  changes: Parameters<typeof aManifest>[0] = {},
  record = applied,
) {
  const desired = aManifest(changes)
  const asserted = recordStatement(record, { parts, desired, licenses, assertedAt, by: 'ada', reason: 'why' })
  const next = { ...record, ...asserted } as ApplyRecord
  return { record: next, situation: aSituation({ desired, observed: ready, record: next, licenses }) }
}

const statusOf = (situation: ReturnType<typeof aSituation>, pointer: JsonPointer) =>
  classifyFields(situation).find(field => field.pointer === pointer)

test('only a renewed license is asserted, with its digest', () => {
  const { record, situation } = afterAssertion(['/spec/license/file'])
  expect(record.organization?.licenses).toEqual(licenses)
  expect(statusOf(situation, '/spec/license/file')).toMatchObject({
    verdict: 'asserted',
    assertedAt,
    by: 'ada',
    reason: 'why',
  })
  expect(statusOf(situation, '/spec/administrator/email')).toMatchObject({ verdict: 'recorded' })
})

test('a field that the manifest omits is removed from the record', () => {
  const { record, situation } = afterAssertion(['/spec/logLevel'])
  expect(record.organization?.value).not.toHaveProperty('logLevel')
  expect(listImmutableEdits(situation).map(({ pointer }) => pointer)).toEqual(['/spec/license/file'])
})

test('a secret is asserted only if its reference is named, and only as a reference', () => {
  const { record, situation } = afterAssertion(['/spec/administrator/password'])
  expect(statusOf(situation, '/spec/administrator/password')).toMatchObject({ verdict: 'asserted' })
  const password = { env: 'LANDFORM_OTHER_PASSWORD' }
  const { administrator } = anOrganization()
  const desired = aManifest({
    organization: anOrganization({ administrator: { ...administrator, password } }),
  })
  expect(statusOf({ ...situation, desired, record }, '/spec/administrator/password')).toMatchObject({
    verdict: 'unknowable',
    because: 'secret',
  })
})

test('a part of a list counts as the whole list, whose elements may have another order', () => {
  const provider: CloudProvider = {
    name: 'AWS',
    credential: { type: 'IAM-ROLE' },
    cloudServices: [{ name: 'S3', connection: { bucketName: 'b', region: 'r', rootDir: 'd' } }],
  }
  const desired = aManifest({ organization: anOrganization({ cloudStorage: [provider] }) })
  const parts = ['/spec/cloudStorage/0/credential', '/spec/upgrade/podPlacementPolicy/tolerations/0'] as const
  expect(widenParts(parts, desired)).toEqual(['/spec/cloudStorage', '/spec/upgrade'])
})

test('for a whole site without a record every field is asserted, but no policy', () => {
  const { record, situation } = afterAssertion(['/spec'], { policy: aPolicy() }, emptyRecord)
  expect(record).toMatchObject({ organization: { asserted: true, appliedAt: assertedAt } })
  expect(record.policy).toBeUndefined()
  const statuses = classifyFields(situation).map(({ pointer, verdict }) => [pointer.split('/')[2], verdict])
  expect(new Set(statuses.filter(([part]) => part !== 'upgrade').map(([, verdict]) => verdict))).toEqual(
    new Set(['asserted']),
  )
  expect(statuses.filter(([part]) => part === 'upgrade').map(([, verdict]) => verdict)).not.toContain(
    'asserted',
  )
})

test('asserting one field of a site without a record leaves the others unknown, and blocks nothing', () => {
  const { situation } = afterAssertion(['/spec/volumes/QUEUE/size'], {}, emptyRecord)
  expect(statusOf(situation, '/spec/volumes/QUEUE/size')).toMatchObject({ verdict: 'asserted' })
  expect(statusOf(situation, '/spec/volumes/BLOB/size')).toMatchObject({ because: 'never-asserted' })
  expect(listImmutableEdits(situation)).toEqual([])
})

test('a policy that was removed from the manifest is removed from the record when that is asserted', () => {
  const { record, situation } = afterAssertion(['/spec/upgrade'])
  expect(record.policy).toBeUndefined()
  expect(record.organization).toBe(applied.organization)
  expect(classifyFields(situation).some(({ pointer }) => pointer.startsWith('/spec/upgrade'))).toBe(false)
})

test('a later assertion of a part replaces those inside it', () => {
  const once = afterAssertion(['/spec/volumes/QUEUE/size']).record
  const twice = afterAssertion(['/spec/volumes'], {}, once).record
  expect(twice.assertions?.map(({ pointer }) => pointer)).toEqual(['/spec/volumes'])
  expect(computeRecordDigest({ record: twice })).not.toBe(computeRecordDigest({ record: once }))
})

test('a differing report of the site is a contradiction, but only for the asserted parts', () => {
  const situation = aSituation({
    desired: aManifest({ organization: anOrganization({ profile: 'development' }) }),
    observed: ready,
    record: applied,
    settings: { ...noSettings('not-offered'), profile: { kind: 'read', value: 'standard-availability' } },
  })
  const volumes = { QUEUE: { size: '99Gi', storageClass: 'gp3' }, BLOB: { size: '16384Mi' } }
  const list = (part: JsonPointer) =>
    findContradictions(situation, [part], volumes).map(({ pointer, before }) => [pointer, before])
  expect(list('/spec')).toEqual([
    ['/spec/profile', 'standard-availability'],
    ['/spec/volumes/QUEUE/size', '99Gi'],
  ])
  expect(list('/spec/license')).toEqual([])
})

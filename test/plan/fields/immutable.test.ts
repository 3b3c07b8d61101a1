import type { Organization } from '../../../src/manifest/manifest.js'
import { listImmutableEdits } from '../../../src/plan/fields/classify-fields.js'
import { noSettings, type Observation, type SiteSettings } from '../../../src/plan/observation.js'
import { type ApplyRecord, emptyRecord, type Situation } from '../../../src/plan/situation.js'
import type { SubmissionState } from '../../../src/plan/submission.js'
import type { JsonPointer } from '../../../src/schema/pointer.js'
import { aManifest, aPolicy } from '../../support/a-manifest.js'
import { aSituation, inProgress, notConfigured, ready } from '../../support/a-plan.js'
import { aSubmission } from '../../support/a-submission.js'
import { anOrganization } from '../../support/an-organization.js'

const license = '/spec/license/file'
const digest = (letter: string) => `sha256:${letter.repeat(64)}`

/** The record of a site that was created with this organization. */
function createdWith(value: Organization): ApplyRecord {
  return {
    ...emptyRecord,
    serial: 1,
    organization: {
      appliedAt: '2026-03-04T05:06:07.089Z',
      manifest: digest('c'),
      value,
      licenses: { [license]: digest('b') },
    },
  }
}

const read = <T>(value: T) => ({ kind: 'read', value }) as const
const telling = (settings: Partial<SiteSettings>): SiteSettings => ({
  ...noSettings('not-offered'),
  ...settings,
})
const edits = (changes: Partial<Situation>) => listImmutableEdits(aSituation({ observed: ready, ...changes }))
const pointers = (changes: Partial<Situation>) => edits(changes).map(({ pointer }) => pointer)
const edited = (now: Partial<Organization>, once: Partial<Organization> = {}) => ({
  desired: aManifest({ organization: anOrganization(now) }),
  record: createdWith(anOrganization(once)),
})

const { administrator, volumes } = anOrganization()
const larger = { ...volumes, BLOB: { ...volumes.BLOB, size: '64Gi' } }
const labelled = (env: string) => ({ ...volumes, BLOB: { ...volumes.BLOB, labels: { env } } })

describe('an edit of a field that only configure sets', () => {
  test('has the field, both values, its position and the reason', () => {
    expect(edits(edited({ volumes: larger }))).toEqual([
      {
        pointer: '/spec/volumes/BLOB/size',
        parameter: 'volumesConfig',
        file: 'site.yaml',
        line: 5,
        before: '16Gi',
        after: '64Gi',
        because: 'another-operation',
        operation: 'data/<id>/config/volumes/edit',
        since: '11.3',
        effect: 'only enlarges dynamically provisioned volumes whose storage class allows expansion',
        ignored: false,
      },
    ])
  })

  test.each<[string, Partial<Organization>, Partial<Organization>, readonly string[]]>([
    ['nothing', {}, {}, []],
    ['a new field', { logLevel: 'INFO' }, {}, ['/spec/logLevel']],
    ['a removed field', {}, { logLevel: 'INFO' }, ['/spec/logLevel']],
    ['the profile', { profile: 'development' }, {}, ['/spec/profile']],
    ['the default profile, written out', { profile: 'standard-availability' }, {}, []],
    ['the default profile, omitted', {}, { profile: 'standard-availability' }, []],
    [
      'labels that look like a secret',
      { volumes: labelled('b') },
      { volumes: labelled('a') },
      ['/spec/volumes/BLOB/labels'],
    ],
    [
      'a reference to a secret',
      { administrator: { ...administrator, password: { file: 'secrets/password' } } },
      {},
      [],
    ],
    [
      'an extra parameter that looks like a secret',
      { extra: { a: { env: 'x' } } },
      { extra: { a: { env: 'y' } } },
      ['/spec/extra/a/env'],
    ],
    ['the name of a license file', { license: { file: 'licenses/other.json' } }, {}, []],
  ])('is found: %s', (_what, now, once, expected) => {
    expect(pointers(edited(now, once))).toEqual(expected)
  })

  test('of system properties has a different reason, since another operation can change them', () => {
    const [edit] = edits(edited({ systemProperties: { a: 2 } }, { systemProperties: { a: 1 } }))
    expect(edit).toMatchObject({ pointer: '/spec/systemProperties/a', because: 'another-operation' })
  })

  test('is not reported on a site that is not configured', () => {
    expect(edits({ ...edited({ volumes: larger }), observed: notConfigured })).toEqual([])
  })

  test('is found while the organization is being created', () => {
    const found = ['/spec/volumes/BLOB/size']
    expect(pointers({ ...edited({ volumes: larger }), observed: inProgress })).toEqual(found)
  })

  test.each<[Observation, SubmissionState, readonly string[]]>([
    [notConfigured, 'unknown', ['/spec/volumes/BLOB/size']],
    [inProgress, 'intent', ['/spec/volumes/BLOB/size']],
    [ready, 'intent', ['/spec/volumes/BLOB/size']],
    [notConfigured, 'rejected', []],
    [notConfigured, 'not-sent', []],
    [ready, 'cleared', []],
  ])('is found by comparing with the submission: %o, %s', (observed, state, expected) => {
    const { desired, record } = edited({ volumes: larger })
    const { organization = { appliedAt: '', manifest: '', value: {} } } = record
    expect(pointers({ desired, observed, submission: aSubmission({ state, organization }) })).toEqual(
      expected,
    )
  })

  test('is not reported if no apply is recorded', () => {
    expect(edits({ desired: edited({ volumes: larger }).desired })).toEqual([])
  })

  test('is never an edit of the policy, which update sets', () => {
    const desired = aManifest({ policy: aPolicy('new') })
    const record = { ...createdWith(anOrganization()), policy: { appliedAt: '', value: aPolicy('old') } }
    expect(edits({ desired, record })).toEqual([])
  })
})

describe('a license file', () => {
  const licensesOf = (changes: Partial<Situation>) =>
    edits(changes).map(({ pointer, before, after }) => [pointer, before, after])

  test('is compared by its bytes', () => {
    expect(licensesOf({ ...edited({}), licenses: { [license]: digest('d') } })).toEqual([
      [license, digest('b'), digest('d')],
    ])
  })

  test('that was removed or added is an edit', () => {
    const server = '/spec/license/serverFile'
    const withServer = edited({ license: { file: 'a', serverFile: 'b' } })
    const licenses = { [license]: digest('b'), [server]: digest('e') }
    expect(licensesOf({ ...withServer, licenses })).toEqual([[server, undefined, digest('e')]])
    const { organization } = withServer.record
    const record = { ...withServer.record, organization: { ...organization, licenses } } as ApplyRecord
    expect(licensesOf({ desired: aManifest(), record })).toEqual([[server, digest('e'), undefined]])
  })

  test('that is missing in a rehearsal is not compared', () => {
    expect(licensesOf({ ...edited({}), licenses: {} })).toEqual([])
  })
})

describe('a value that the site reports', () => {
  const { desired, record } = edited({ logLevel: 'DEBUG' }, { logLevel: 'INFO' })

  test('and that equals the manifest needs no change, whatever the record is', () => {
    expect(pointers({ desired, record })).toEqual(['/spec/logLevel'])
    expect(pointers({ desired, record, settings: telling({ logLevel: read('DEBUG') }) })).toEqual([])
    expect(pointers({ desired, record, settings: telling({ logLevel: read('INFO') }) })).toEqual([
      '/spec/logLevel',
    ])
  })

  test('and that differs is no edit if the manifest was not edited', () => {
    const same = edited(
      { logLevel: 'INFO', profile: 'development' },
      { logLevel: 'INFO', profile: 'development' },
    )
    const settings = telling({ logLevel: read('DEBUG'), profile: read('standard-availability') })
    expect(pointers({ ...same, settings })).toEqual([])
  })

  test.each<[string, Partial<Organization>, string, readonly string[]]>([
    ['another profile', { profile: 'development' }, 'enhanced-availability', ['/spec/profile']],
    ['the same profile', { profile: 'development' }, 'development', []],
    ['the default, for a manifest without one', {}, 'standard-availability', []],
    ['not the default, for a manifest without one', {}, 'development', ['/spec/profile']],
  ])('is only used for the profile if nothing is recorded: %s', (_what, organization, profile, expected) => {
    const settings = telling({
      profile: read(profile),
      logLevel: read('DEBUG'),
      systemProperties: read({ a: 1 }),
    })
    const changes = { ...organization, logLevel: 'INFO', systemProperties: { a: 2 } }
    expect(pointers({ desired: aManifest({ organization: anOrganization(changes) }), settings })).toEqual(
      expected,
    )
  })
})

describe('an edit that the user ignores by name', () => {
  test.each<[readonly JsonPointer[], boolean]>([
    [['/spec/volumes/BLOB/size'], true],
    [['/spec/volumes/BLOB'], true],
    [['/spec/volumes'], true],
    [['/spec/logLevel', '/spec/volumes'], true],
    [['/spec/volumes/BLOB/siz'], false],
    [['/spec/volumes/BLO'], false],
    [['/spec/volumes/BLOB/size/x'], false],
    [[], false],
  ])('is ignored by %j: %s', (ignored, expected) => {
    expect(edits({ ...edited({ volumes: larger }), ignored }).map(edit => edit.ignored)).toEqual([expected])
  })
})

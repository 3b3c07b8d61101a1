import type { Organization, PodPlacementPolicy } from '../../../src/manifest/manifest.js'
import { countReportedCoverage } from '../../../src/plan/drift/drift.js'
import { classifyFields } from '../../../src/plan/fields/classify-fields.js'
import { noSettings, type SiteSettings, type Unreadable } from '../../../src/plan/observation.js'
import { type Assessment, countCoverage, type FieldAssessment } from '../../../src/plan/plan.js'
import { type ApplyRecord, emptyRecord, type Situation } from '../../../src/plan/situation.js'
import { findFieldSchema, listFieldPointers } from '../../../src/schema/field-schema.js'
import type { JsonObject, JsonValue } from '../../../src/schema/json-schema.js'
import { type JsonPointer, splitPointer } from '../../../src/schema/pointer.js'
import { aManifest, aPolicy } from '../../support/a-manifest.js'
import { aSituation, inProgress, notConfigured, ready } from '../../support/a-plan.js'
import { anOrganization } from '../../support/an-organization.js'
import { everyField, everyPolicyField, withOther } from '../../support/every-field.js'

const appliedAt = '2026-03-04T05:06:07.089Z'
const licenses = { '/spec/license/file': digest('a'), '/spec/license/serverFile': digest('b') }
const otherLicenses = { '/spec/license/file': digest('c'), '/spec/license/serverFile': digest('d') }
const desired = aManifest({ organization: everyField, policy: everyPolicyField })

function digest(letter: string): string {
  return `sha256:${letter.repeat(64)}`
}

/** The secret fields, which no site reports. The tables are written by hand, independently of the code. */
const secrets = [
  '/spec/administrator/password',
  '/spec/administrator/securityQuestion/answer',
  '/spec/cloudStorage/0/credential/secret/accessKey',
  '/spec/cloudStorage/0/credential/secret/secretKey',
  '/spec/cloudStorage/0/credential/secret/storageAccountKey',
]
const readable = [
  '/spec/upgrade/',
  '/spec/profile',
  '/spec/logLevel',
  '/spec/systemProperties/',
  '/spec/cloudStorage/',
  '/spec/deploymentProfiles/availability/name',
  '/spec/deploymentProfiles/performance/name',
]
const isReadable = (pointer: string) =>
  readable.some(start => pointer.startsWith(start)) && !pointer.includes('/secret/')

const sites = ['equal', 'different', 'untold', 'no-token'] as const
const records = ['same', 'other', 'none'] as const
type Site = (typeof sites)[number]
type Recorded = (typeof records)[number]

/** Returns the expected status of a field. */
function expected(pointer: string, site: Site, recorded: Recorded): Assessment['verdict'] {
  if (isReadable(pointer) && (site === 'equal' || site === 'different')) return site
  if (secrets.includes(pointer) || recorded === 'none') return 'unknowable'
  return recorded === 'same' ? 'recorded' : 'different'
}

const all = classifyFields(aSituation({ desired, observed: ready })).map(({ pointer }) => pointer)

/** The content of a manifest in which these fields have another value. */
function othered(pointers: readonly JsonPointer[]) {
  const from = (value: unknown, owner: string) =>
    pointers
      .filter(pointer => pointer.startsWith(`${owner}/`))
      .reduce(
        (whole, pointer) => withOther(whole, pointer.slice(owner.length) as JsonPointer),
        value as JsonValue,
      )
  const { upgrade: _, ...organization } = { upgrade: undefined, ...(from(everyField, '/spec') as JsonObject) }
  return {
    organization: organization as unknown as Organization,
    policy: from(everyPolicyField, '/spec/upgrade/podPlacementPolicy') as unknown as PodPlacementPolicy,
  }
}

function recordOf(recorded: Recorded, pointers = all): ApplyRecord {
  if (recorded === 'none') return emptyRecord
  const { organization, policy } =
    recorded === 'same' ? { organization: everyField, policy: everyPolicyField } : othered(pointers)
  const digests = Object.entries(licenses).map(([pointer, known]) => [
    pointer,
    recorded === 'other' && pointers.includes(pointer as JsonPointer)
      ? otherLicenses[pointer as keyof typeof otherLicenses]
      : known,
  ])
  return {
    ...emptyRecord,
    serial: 2,
    organization: {
      appliedAt,
      manifest: digest('e'),
      value: organization,
      licenses: Object.fromEntries(digests),
    },
    policy: { appliedAt, value: policy },
  }
}

function settingsOf(site: Site, pointers = all): SiteSettings {
  if (site === 'untold') return noSettings('not-offered')
  if (site === 'no-token') return noSettings('no-token')
  const { organization, policy } =
    site === 'equal' ? { organization: everyField, policy: everyPolicyField } : othered(pointers)
  const { profile = '', logLevel = '', systemProperties = {}, deploymentProfiles } = organization
  const { availability, performance } = deploymentProfiles ?? {}
  const cloudStorage = JSON.parse(JSON.stringify(organization.cloudStorage), (name, value) =>
    name === 'secret' ? undefined : value,
  ) as readonly JsonObject[]
  return {
    availability: { kind: 'read', value: availability?.name ?? '' },
    performance: { kind: 'read', value: performance?.name ?? '' },
    cloudStorage: { kind: 'read', value: cloudStorage },
    upgradeConfig: { kind: 'read', value: { podPlacementPolicy: policy as unknown as JsonObject } },
    profile: { kind: 'read', value: profile },
    logLevel: { kind: 'read', value: logLevel },
    systemProperties: { kind: 'read', value: systemProperties },
  }
}

const verdicts = (changes: Partial<Situation>) =>
  classifyFields(aSituation({ desired, observed: ready, licenses, ...changes }))
const of = (fields: readonly FieldAssessment[], pointer: JsonPointer) =>
  fields.find(field => field.pointer === pointer)

test('the manifest in these tests has every field of the schema', () => {
  const known = listFieldPointers().filter(
    pointer =>
      pointer.startsWith('/spec/') &&
      !pointer.startsWith('/spec/site') &&
      pointer !== '/spec/state' &&
      // A preference has either this form or the other one.
      !pointer.includes('/preferredDuringSchedulingIgnoredDuringExecution/0/') &&
      findFieldSchema(pointer).properties === undefined &&
      findFieldSchema(pointer).items?.$ref === undefined &&
      listFieldPointers(pointer).length === 0,
  )
  expect(known.length).toBeGreaterThan(50)
  const open = ['/spec/systemProperties', '/spec/extra']
  const spelling = '/spec/administrator/securityQuestion/index'
  const covered = (pointer: string) =>
    all.some(one => one === pointer || (open.includes(pointer) && one.startsWith(`${pointer}/`)))
  expect(known.filter(pointer => !covered(pointer))).toEqual([spelling])
})

const isUnrecorded = (field: FieldAssessment) =>
  field.verdict === 'unknowable' && field.because !== 'secret' && !field.pointer.startsWith('/spec/upgrade')

describe.each(sites)('on a site whose settings are: %s', site => {
  describe.each(records)('with a record that is: %s', recorded => {
    const fields = verdicts({ settings: settingsOf(site), record: recordOf(recorded) })

    test.each(all)('%s has the expected status', pointer => {
      expect(of(fields, pointer)?.verdict).toBe(expected(pointer, site, recorded))
    })

    test('the coverage is as expected', () => {
      const count = (verdict: string) =>
        all.filter(pointer => expected(pointer, site, recorded) === verdict).length
      const listed = fields.filter(({ value }) => value !== undefined)
      expect(countCoverage(listed)).toEqual({
        equal: count('equal'),
        different: count('different'),
        recorded: count('recorded'),
        unknowable: count('unknowable'),
        asserted: 0,
        unrecorded: recorded === 'none' ? listed.filter(isUnrecorded).length : 0,
        total: all.length,
      })
      const told = site === 'equal' || site === 'different' ? all.filter(isReadable).length : 0
      expect(countReportedCoverage({ fields: listed })).toMatchObject({
        told,
        percent: Math.floor((100 * told) / all.length),
      })
    })

    test('a difference has its source, and a recorded field its date', () => {
      for (const field of fields.filter(({ value }) => value !== undefined)) {
        if (field.verdict === 'different')
          expect([field.pointer, field.source]).toEqual([
            field.pointer,
            isReadable(field.pointer) && site !== 'untold' && site !== 'no-token' ? 'site' : 'record',
          ])
        if (field.verdict === 'recorded') expect(field.appliedAt).toBe(appliedAt)
        if (field.verdict === 'unknowable')
          expect([field.pointer, field.because]).toEqual([
            field.pointer,
            secrets.includes(field.pointer)
              ? 'secret'
              : site === 'no-token' && isReadable(field.pointer)
                ? 'no-token'
                : 'never-recorded',
          ])
      }
    })
  })
})

describe('a single field', () => {
  const notSecret = all.filter(pointer => !secrets.includes(pointer))
  // The merge key of an element: a different key is a different element.
  const keys = ['clientPath', 'key', 'effect', 'name']
  const named = (pointer: JsonPointer) => keys.includes(splitPointer(pointer).at(-1) ?? '')
  const different = (fields: readonly FieldAssessment[]) =>
    fields.filter(({ verdict }) => verdict === 'different').map(({ pointer }) => pointer)

  test.each(notSecret.filter(pointer => !named(pointer)))(
    'is the only difference from the record: %s',
    pointer => {
      const fields = verdicts({ record: recordOf('other', [pointer]) })
      expect(different(fields)).toEqual([pointer])
      expect(of(fields, pointer)).toHaveProperty('found')
    },
  )

  test.each(secrets)('may refer to another secret without a difference: %s', pointer => {
    const record = recordOf('other', [pointer as JsonPointer])
    expect(different(verdicts({ record }))).toEqual([])
  })

  test.each(all.filter(isReadable).filter(pointer => !named(pointer)))(
    'is the only difference from the site: %s',
    pointer => {
      const fields = verdicts({ settings: settingsOf('different', [pointer]), record: recordOf('same') })
      expect(different(fields)).toEqual([pointer])
      expect(of(fields, pointer)).toMatchObject({ source: 'site', found: expect.anything() })
    },
  )
})

describe('a field that the manifest omits', () => {
  const read = <T>(value: T) => ({ kind: 'read', value }) as const
  const bare = aManifest()
  const look = (settings: Partial<SiteSettings>, changes: Partial<Situation> = {}) =>
    verdicts({ desired: bare, settings: { ...noSettings('not-offered'), ...settings }, ...changes })

  test('is the default profile if there is no profile', () => {
    expect(of(look({ profile: read('standard-availability') }), '/spec/profile')).toMatchObject({
      verdict: 'equal',
      value: 'standard-availability',
    })
    expect(of(look({ profile: read('development') }), '/spec/profile')).toMatchObject({
      verdict: 'different',
      source: 'site',
      found: 'development',
    })
  })

  test('is not the profile if two others replace it', () => {
    const availability = { name: 'standard', parameter: 'anAvailability' } as const
    const organization = anOrganization({ deploymentProfiles: { availability } })
    const settings = { profile: read('standard') }
    expect(of(look(settings, { desired: aManifest({ organization }) }), '/spec/profile')).toBeUndefined()
  })

  test('is otherwise not listed, whatever the site reports', () => {
    const fields = look({
      logLevel: read('DEBUG'),
      systemProperties: read({ a: 1 }),
      upgradeConfig: read({ podPlacementPolicy: { nodeAffinity: {}, tolerations: [] } }),
    })
    expect(fields.map(({ pointer }) => pointer)).toEqual(look({}).map(({ pointer }) => pointer))
  })

  test('is a difference if the last apply set it', () => {
    const named = { '/spec/license/file': licenses['/spec/license/file'] }
    const fields = look({}, { record: recordOf('same'), licenses: named })
    expect(of(fields, '/spec/logLevel')).toEqual({
      pointer: '/spec/logLevel',
      parameter: 'logSettings',
      file: 'site.yaml',
      line: 2,
      verdict: 'different',
      source: 'record',
      found: 'INFO',
    })
    expect(of(fields, '/spec/license/serverFile')).toMatchObject({
      verdict: 'different',
      source: 'record',
      found: licenses['/spec/license/serverFile'],
    })
  })

  test('is a difference only as far as the site still has it, if the site reports it', () => {
    const record = recordOf('same')
    const fields = look({ logLevel: read('DEBUG'), systemProperties: read({ timeout: 7 }) }, { record })
    expect(of(fields, '/spec/logLevel')).toMatchObject({ source: 'site', found: 'DEBUG' })
    expect(of(fields, '/spec/systemProperties/timeout')).toMatchObject({ source: 'site', found: 7 })
    expect(of(fields, '/spec/systemProperties/nested')).toBeUndefined()
  })
})

describe('a system property', () => {
  const desired = aManifest({ organization: anOrganization({ systemProperties: { constructor: 1, b: 2 } }) })
  const look = (value: JsonObject) =>
    verdicts({
      desired,
      settings: { ...noSettings('not-offered'), systemProperties: { kind: 'read', value } },
    }).filter(({ pointer }) => pointer.startsWith('/spec/systemProperties'))

  test('that the site lacks is only in the manifest, and adds no other row', () => {
    const fields = look({})
    expect(fields.map(({ pointer, verdict }) => [pointer, verdict])).toEqual([
      ['/spec/systemProperties/constructor', 'different'],
      ['/spec/systemProperties/b', 'different'],
    ])
    for (const field of fields) expect(field).not.toHaveProperty('found')
  })

  test('that the manifest lacks is not compared', () => {
    expect(look({ constructor: 1, b: 2, c: 3 }).map(({ verdict }) => verdict)).toEqual(['equal', 'equal'])
  })
})

test('a secret question is the same by its number and by its text', () => {
  const { administrator } = anOrganization()
  const { answer } = administrator.securityQuestion
  const asked = (securityQuestion: typeof administrator.securityQuestion) =>
    anOrganization({ administrator: { ...administrator, securityQuestion } })
  const [number, text] = [
    asked({ index: 13, answer }),
    asked({ question: 'What is your dream job?', answer }),
  ]
  const created = recordOf('same')
  for (const [now, once] of [
    [number, text],
    [text, number],
  ] as const) {
    const record = { ...created, organization: { ...created.organization, value: once } } as ApplyRecord
    const named = { '/spec/license/file': licenses['/spec/license/file'] }
    const fields = verdicts({ desired: aManifest({ organization: now }), record, licenses: named })
    const question = fields.filter(({ pointer }) => /securityQuestion\/(index|question)/.test(pointer))
    expect(question.map(({ verdict }) => verdict)).toEqual(['recorded'])
  }
})

describe('a license', () => {
  test('in a record without digests never has the status recorded', () => {
    const { organization, ...rest } = recordOf('same')
    if (organization === undefined) throw new Error('there is one')
    const { licenses: _, ...older } = organization
    const fields = verdicts({ record: { ...rest, organization: older } })
    for (const pointer of Object.keys(licenses))
      expect(of(fields, pointer as JsonPointer)).toMatchObject({
        verdict: 'unknowable',
        because: 'never-recorded',
      })
  })

  test('that was added since the last apply is only in the manifest', () => {
    const { organization, ...rest } = recordOf('same')
    if (organization?.licenses === undefined) throw new Error('there are some')
    const { '/spec/license/serverFile': _, ...one } = organization.licenses
    const fields = verdicts({ record: { ...rest, organization: { ...organization, licenses: one } } })
    const field = of(fields, '/spec/license/serverFile')
    expect(field).toMatchObject({ verdict: 'different', source: 'record' })
    expect(field).not.toHaveProperty('found')
  })

  test('that is missing in a rehearsal is not compared', () => {
    const fields = verdicts({ record: recordOf('same'), licenses: {} })
    expect(of(fields, '/spec/license/file')).toMatchObject({ verdict: 'recorded' })
  })
})

test.each<[Unreadable, string]>([
  ['not-asked', 'never-recorded'],
  ['not-offered', 'never-recorded'],
  ['no-token', 'no-token'],
  ['not-allowed', 'not-allowed'],
  ['not-understood', 'not-understood'],
  ['no-answer', 'no-answer'],
])('a setting that is unreadable (%s) and not recorded has the reason: %s', (because, said) => {
  const fields = verdicts({ settings: noSettings(because) })
  for (const pointer of all.filter(isReadable))
    expect(of(fields, pointer)).toMatchObject({ verdict: 'unknowable', because: said })
  expect(of(fields, '/spec/volumes/BLOB/size')).toMatchObject({ because: 'never-recorded' })
})

test.each([notConfigured, inProgress])('there are no fields on a site that is %o', observed => {
  expect(classifyFields(aSituation({ desired, observed }))).toEqual([])
})

test('a toleration that only the site has is reported, and one with another key is a different one', () => {
  const [one, two] = [aPolicy('one'), aPolicy('two')]
  const both = { ...one, tolerations: [...one.tolerations, ...two.tolerations] }
  const fields = verdicts({
    desired: aManifest({ policy: one }),
    settings: {
      ...noSettings('not-offered'),
      upgradeConfig: { kind: 'read', value: { podPlacementPolicy: both as unknown as JsonObject } },
    },
  })
  const gone = fields.filter(({ value }) => value === undefined)
  expect(gone.length).toBeGreaterThan(0)
  for (const field of gone)
    expect(field).toMatchObject({ verdict: 'different', source: 'site', found: expect.anything() })
})

test('a value that only the record has is not listed if the site reports that it is gone', () => {
  const [one, two] = [aPolicy('one'), aPolicy('two')]
  const both = { ...one, tolerations: [...one.tolerations, ...two.tolerations] }
  const { organization: _, ...record } = recordOf('same')
  const fields = verdicts({
    desired: aManifest({ policy: one }),
    record: { ...record, policy: { appliedAt, value: both } },
    settings: {
      ...noSettings('not-offered'),
      upgradeConfig: { kind: 'read', value: { podPlacementPolicy: one as unknown as JsonObject } },
    },
  })
  expect(fields.filter(({ value }) => value === undefined)).toEqual([])
})

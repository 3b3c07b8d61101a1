import type { Organization } from '../../../src/manifest/manifest.js'
import { computeDrift, type Drift, driftDocument } from '../../../src/plan/drift/drift.js'
import { noSettings, type Observation, type SiteSettings } from '../../../src/plan/observation.js'
import { type ApplyRecord, emptyRecord, type Situation } from '../../../src/plan/situation.js'
import type { JsonObject } from '../../../src/schema/json-schema.js'
import type { JsonPointer } from '../../../src/schema/pointer.js'
import { aManifest, aPolicy } from '../../support/a-manifest.js'
import { aSituation, inProgress, notConfigured, ready, siteFacts } from '../../support/a-plan.js'
import { anOrganization } from '../../support/an-organization.js'
import { listSchemaErrors } from '../../support/schema-errors.js'

const appliedAt = '2026-03-04T05:06:07.089Z'
const empty = emptyRecord
const read = <T>(value: T) => ({ kind: 'read', value }) as const
const telling = (settings: Partial<SiteSettings>): SiteSettings => ({
  ...noSettings('not-offered'),
  ...settings,
})

function createdWith(value: Organization): ApplyRecord {
  const manifest = `sha256:${'c'.repeat(64)}`
  return { ...empty, serial: 1, organization: { appliedAt, manifest, value } }
}

function drift(changes: Partial<Situation>): Drift {
  const compared = computeDrift(aSituation({ observed: ready, ...changes }))
  if (!compared.ok) throw new Error(`nothing to compare: ${compared.error.kind}`)
  return compared.value
}

const of = ({ fields }: Drift, pointer: JsonPointer) => fields.find(field => field.pointer === pointer)

describe('a policy that was removed from the manifest after an apply', () => {
  const value = aPolicy()
  const record: ApplyRecord = { ...empty, serial: 1, policy: { appliedAt, value } }
  const config = (policy: JsonObject) => ({ podPlacementPolicy: policy, other: 1 })

  test.each<[string, Partial<SiteSettings>, 'site' | 'record']>([
    ['the site', { upgradeConfig: read(config(value as unknown as JsonObject)) }, 'site'],
    ['the record, without a report of the site,', {}, 'record'],
  ])('is a difference while %s has it', (_who, settings, source) => {
    const { fields, unmanaged } = drift({ record, settings: telling(settings) })
    const ofPolicy = fields.filter(({ pointer }) => pointer.startsWith('/spec/upgrade'))
    expect(ofPolicy.length).toBeGreaterThan(0)
    for (const field of ofPolicy)
      expect(field).toMatchObject({ verdict: 'different', source, cause: 'edited' })
    expect(unmanaged.map(({ name }) => name)).toEqual(source === 'site' ? ['other'] : [])
  })

  test('is none once the site has none', () => {
    const { fields } = drift({ record, settings: telling({ upgradeConfig: read(config({})) }) })
    expect(fields.filter(({ pointer }) => pointer.startsWith('/spec/upgrade'))).toEqual([])
  })

  test('is no difference on a site that others configured', () => {
    const settings = telling({ upgradeConfig: read(config(value as unknown as JsonObject)) })
    const { fields, unmanaged } = drift({ settings })
    expect(fields.filter(({ pointer }) => pointer.startsWith('/spec/upgrade'))).toEqual([])
    expect(unmanaged.map(({ name }) => name)).toEqual(['podPlacementPolicy', 'other'])
  })
})

describe('a difference has its cause, the side that was changed', () => {
  const level = (logLevel: string) => anOrganization({ logLevel })
  const policyOf = (policy = aPolicy()) => ({ podPlacementPolicy: policy as unknown as JsonObject })

  test.each<[string, string | undefined, string | undefined, string | undefined, string]>([
    ['INFO', 'DEBUG', 'INFO', 'changed-on-site', 'the record is as the manifest says'],
    ['INFO', 'DEBUG', 'DEBUG', 'edited', 'the record is as the site says'],
    ['INFO', 'DEBUG', 'FINE', 'both', 'the record is like neither'],
    ['INFO', 'DEBUG', undefined, 'not-recorded', 'there is no record'],
    ['INFO', undefined, 'FINE', 'edited', 'the site tells nothing'],
    ['INFO', 'INFO', 'FINE', undefined, 'the site is as the manifest says'],
    ['INFO', undefined, 'INFO', undefined, 'the record is as the manifest says'],
  ])('manifest %s, site %s, record %s: %s, since %s', (now, live, once, cause) => {
    const found = drift({
      desired: aManifest({ organization: level(now) }),
      settings: live === undefined ? noSettings('not-offered') : telling({ logLevel: read(live) }),
      record: once === undefined ? empty : createdWith(level(once)),
    })
    expect(of(found, '/spec/logLevel')?.cause).toBe(cause)
    expect(driftDocument(found).coverage.different).toBe(cause === undefined ? 0 : 1)
  })

  test('also for fields that were removed from the manifest, or added to it', () => {
    const settings = telling({ logLevel: read('INFO') })
    const gone = drift({ record: createdWith(level('INFO')), settings })
    expect(of(gone, '/spec/logLevel')).toMatchObject({ cause: 'edited', source: 'site', found: 'INFO' })
    expect(of(gone, '/spec/logLevel')).not.toHaveProperty('value')
    const fresh = drift({
      desired: aManifest({ organization: level('FINE') }),
      record: createdWith(anOrganization()),
      settings,
    })
    expect(of(fresh, '/spec/logLevel')).toMatchObject({ cause: 'both', value: 'FINE', found: 'INFO' })
  })

  test('for the policy, according to the record of the policy', () => {
    const key: JsonPointer = '/spec/upgrade/podPlacementPolicy/tolerations/0/value'
    const valued = (value: string) => {
      const { nodeAffinity, tolerations } = aPolicy()
      return { nodeAffinity, tolerations: tolerations.map(one => ({ ...one, value })) } as ReturnType<
        typeof aPolicy
      >
    }
    const causes = [valued('a'), valued('b'), valued('c')].map(
      once =>
        of(
          drift({
            desired: aManifest({ policy: valued('a') }),
            settings: telling({ upgradeConfig: read(policyOf(valued('b'))) }),
            record: { ...empty, policy: { appliedAt, value: once } },
          }),
          key,
        )?.cause,
    )
    expect(causes).toEqual(['changed-on-site', 'edited', 'both'])
  })

  test('and equal fields have none', () => {
    for (const field of drift({ record: createdWith(anOrganization()) }).fields)
      expect('cause' in field).toBe(field.verdict === 'different')
  })
})

describe('settings of the site that are not in the manifest', () => {
  const upgrade = { podPlacementPolicy: { tolerations: [], more: 1 }, limits: { cpu: 1 } }

  test('are listed by their names, without values, and are not drift', () => {
    const settings = telling({
      upgradeConfig: read(upgrade),
      logLevel: read('INFO'),
      systemProperties: read({ ours: 1, theirs: 'a secret?' }),
    })
    const desired = aManifest({
      organization: anOrganization({ systemProperties: { ours: 1 } }),
      policy: { nodeAffinity: {}, tolerations: [] },
    })
    const found = drift({ desired, settings })
    expect(found.unmanaged).toEqual([
      { setting: 'upgradeConfig', name: 'limits' },
      { setting: 'upgradeConfig', name: 'podPlacementPolicy.more' },
      { setting: 'logLevel', name: 'logLevel' },
      { setting: 'systemProperties', name: 'theirs' },
    ])
    expect(driftDocument(found).coverage.different).toBe(0)
    expect(JSON.stringify(found)).not.toContain('a secret?')
  })

  test('are the whole upgrade configuration if the manifest has none', () => {
    expect(drift({ settings: telling({ upgradeConfig: read(upgrade) }) }).unmanaged).toEqual([
      { setting: 'upgradeConfig', name: 'podPlacementPolicy' },
      { setting: 'upgradeConfig', name: 'limits' },
    ])
  })

  test('do not include the settings of the last apply, which are differences', () => {
    const found = drift({
      settings: telling({ logLevel: read('INFO'), systemProperties: read({ a: 1 }) }),
      record: createdWith(anOrganization({ logLevel: 'INFO', systemProperties: { a: 1 } })),
    })
    expect(found.unmanaged).toEqual([])
    expect(of(found, '/spec/systemProperties/a')).toMatchObject({ verdict: 'different', cause: 'edited' })
  })

  test('are empty if the site reports nothing', () => {
    expect(drift({ settings: noSettings('no-token') }).unmanaged).toEqual([])
  })
})

describe('nothing can be compared', () => {
  test.each<[Observation, string]>([
    [notConfigured, 'not-configured'],
    [inProgress, 'in-progress'],
    [{ kind: 'failed', ...siteFacts() }, 'site-failed'],
    [{ kind: 'unrecognized', state: 'resting', ...siteFacts() }, 'site-unrecognized'],
  ])('on a site that is %o', (observed, kind) => {
    expect(computeDrift(aSituation({ observed }))).toMatchObject({ ok: false, error: { kind } })
  })

  test('on a site that is too old for the manifest', () => {
    const observed: Observation = { kind: 'ready', ...siteFacts({ version: '11.1' }) }
    expect(computeDrift(aSituation({ observed, desired: aManifest({ policy: aPolicy() }) }))).toMatchObject({
      ok: false,
      error: { kind: 'site-too-old' },
    })
  })
})

test('a drift is plain data that matches its schema, has no actions, and does not change its input', () => {
  const situation = aSituation({
    observed: ready,
    desired: aManifest({ organization: anOrganization({ logLevel: 'INFO' }), policy: aPolicy() }),
    settings: telling({ logLevel: read('DEBUG'), systemProperties: read({ a: 1 }) }),
    record: createdWith(anOrganization()),
  })
  const before = JSON.stringify(situation)
  const compared = computeDrift(situation)
  expect(JSON.stringify(situation)).toBe(before)
  if (!compared.ok) throw new Error('it can be compared')
  const document = driftDocument(compared.value)
  expect(listSchemaErrors('drift', document)).toEqual([])
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  expect(document).not.toHaveProperty('actions')
  expect(computeDrift(situation)).toEqual(compared)
})

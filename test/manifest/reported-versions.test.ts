import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import { aProvider, aSmallManifest, changed, diagnosticsOf, errorCodesOf } from '../support/manifest-value.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const provider = '/spec/cloudStorage/0'
const connection = `${provider}/cloudServices/0/connection` as const
const credential = `${provider}/credential` as const

/** A manifest for a version, with a cloud provider. */
const withCloud = (
  version: string,
  type: Parameters<typeof aProvider>[0] = 'STORAGE-ACCOUNT-KEY',
): JsonObject => changed(aSmallManifest(version), '/spec/cloudStorage', [aProvider(type)])

const codesOf = (manifest: JsonValue) => diagnosticsOf(manifest).map(({ code }) => code)

test.each(['11.3', '11.4', '11.5', '12.0', '12.1', '12.1.3'])(
  'version %s causes a note and nothing else',
  version => {
    expect(diagnosticsOf(aSmallManifest(version))).toMatchObject([
      { code: 'version/reported', severity: 'note', pointer: '/spec/site/version' },
    ])
  },
)

test.each(['11.6', '12.99', '99.0'])('version %s, which is not reported, is a warning', version => {
  expect(diagnosticsOf(aSmallManifest(version))).toMatchObject([
    { code: 'version/newer', severity: 'warning' },
  ])
})

describe.each(['SYSTEM-ASSIGNED-IDENTITY', 'USER-ASSIGNED-IDENTITY'] as const)('%s', type => {
  test('exists from 11.3 on', () => {
    expect(codesOf(withCloud('11.3', type))).toEqual(['version/reported'])
    expect(listSchemaErrors('deployment', withCloud('11.3', type))).toEqual([])
    expect(codesOf(withCloud('11.2', type))).toEqual(['version/field-too-new'])
    expect(listSchemaErrors('deployment', withCloud('11.2', type))).not.toEqual([])
  })
})

test('the client ID of an identity belongs to one type', () => {
  const other = changed(
    withCloud('11.5'),
    `${credential}/managedIdentityClientId`,
    '00000000-0000-0000-0000-000000000000',
  )
  expect(errorCodesOf(other)).toEqual(['cloud/credential-fields'])
})

test.each(['regionEndpointUrl', 'accountEndpointUrl'])('%s exists from 11.3 on', name => {
  const at = (version: string) => changed(withCloud(version), `${connection}/${name}`, 'https://example.org')
  expect(codesOf(at('11.3'))).toEqual(['version/reported'])
  expect(codesOf(at('11.2'))).toEqual(['version/field-too-new'])
})

describe('an unreported value', () => {
  const cases: readonly (readonly [string, (version: string) => JsonObject, string])[] = [
    ['a profile', version => changed(withCloud(version), '/spec/profile', 'huge'), 'version/value-unknown'],
    [
      'a credential type',
      version => changed(withCloud(version), `${credential}/type`, 'SOMETHING-NEW'),
      'version/value-unknown',
    ],
    [
      'a field of a connection',
      version => changed(withCloud(version), `${connection}/tier`, 'hot'),
      'version/field-unknown',
    ],
    [
      'a user type',
      version => changed(withCloud(version), '/spec/administrator/userType', 'newUT'),
      'administrator/user-type',
    ],
  ]
  test.each(cases)('%s is a warning in newer versions, reported or not', (_, at, code) => {
    expect(codesOf(at('11.5')).toSorted()).toEqual([code, 'version/reported'].toSorted())
    const replaced = (code: string) => code === 'profile/replaced'
    expect(
      codesOf(at('13.0'))
        .filter(one => !replaced(one))
        .toSorted(),
    ).toEqual([code, 'version/newer'].toSorted())
    expect(errorCodesOf(at('12.1'))).toEqual([])
    expect(listSchemaErrors('deployment', at('12.1'))).toEqual([])
    expect(listSchemaErrors('deployment-12.1', at('12.1'))).toEqual([])
  })

  test.each(cases.slice(0, 3))('%s is an error in a documented version', (_, at) => {
    expect(errorCodesOf(at('11.2'))).toHaveLength(1)
    expect(listSchemaErrors('deployment', at('11.2'))).not.toEqual([])
  })
})

test('a misspelt container is missing, even though its name could be an unreported field', () => {
  const misspelt = changed(withCloud('11.5'), connection, { containerNam: 'objects' })
  expect(errorCodesOf(misspelt)).toEqual(['cloud/connection-fields'])
  expect(listSchemaErrors('deployment', misspelt)).not.toEqual([])
})

test('the secret of an unknown type contains only references', () => {
  const unknown = (secret: JsonValue) =>
    changed(changed(withCloud('12.1'), `${credential}/type`, 'NEW'), `${credential}/secret`, secret)
  expect(errorCodesOf(unknown({ pin: { env: 'LANDFORM_PIN' } }))).toEqual([])
  for (const secret of [
    { pin: 'hunter2' },
    { pin: { env: 'HOME' } },
    { pin: { env: 'LANDFORM_A', file: 'b' } },
  ]) {
    const errors = diagnosticsOf(unknown(secret)).filter(({ severity }) => severity === 'error')
    expect(errors).toMatchObject([{ code: 'secret/reference', pointer: `${credential}/secret` }])
    expect(JSON.stringify(errors)).not.toMatch(/hunter2|pin/)
  }
})

const availability = { name: 'standard', parameter: 'anAvailability' }
const performance = { name: 'enhanced', parameter: 'aPerformance' }
const withProfiles = (profiles: JsonValue, version = '12.1'): JsonObject =>
  changed(aSmallManifest(version), '/spec/deploymentProfiles', profiles)

test('the two profiles of 12.1 are written with the names of their parameters', () => {
  const codes = diagnosticsOf(withProfiles({ availability, performance })).map(({ code }) => code)
  expect(codes).toEqual(['version/reported'])
})

test.each<[string, Readonly<Record<string, JsonValue>>, readonly string[]]>([
  ['neither', {}, ['/spec']],
  ['no profile in the map', { deploymentProfiles: {} }, ['/spec']],
  ['the profile of earlier versions', { profile: 'development' }, ['/spec/profile']],
  ['both', { profile: 'development', deploymentProfiles: { availability } }, ['/spec/profile']],
  ['a misspelt profile', { deploymentProfile: { availability } }, []],
  ['only one of the two', { deploymentProfiles: { availability } }, []],
])(
  '12.1 with %s causes a warning that names the two profiles, but 12.0 does not',
  (_what, parts, expected) => {
    const { deploymentProfiles: _, ...spec } = aSmallManifest('12.1')['spec'] as JsonObject
    const found = diagnosticsOf({ ...aSmallManifest('12.1'), spec: { ...spec, ...parts } })
    const replaced = found.filter(({ code }) => code === 'profile/replaced')
    expect(replaced.map(({ pointer, severity }) => [pointer, severity])).toEqual(
      expected.map(pointer => [pointer, 'warning']),
    )
    for (const { help } of replaced) expect(help).toContain('`spec.deploymentProfiles`')
    expect(codesOf(changed(aSmallManifest('12.0'), '/spec/profile', 'standard-availability'))).toEqual([
      'version/reported',
    ])
  },
)

test.each(['11.2', '12.0'])('version %s has none', version => {
  expect(errorCodesOf(withProfiles({ availability }, version))).toEqual(['version/field-too-new'])
})

test.each<[string, JsonValue, string]>([
  ['no parameter name', { availability: { name: 'standard' } }, 'manifest/missing-field'],
  [
    'an invalid parameter name',
    { availability: { ...availability, parameter: 'a b' } },
    'manifest/malformed-value',
  ],
  [
    'a parameter with a field of its own',
    { availability: { ...availability, parameter: 'email' } },
    'extra/known-parameter',
  ],
  [
    'the same parameter for both',
    { availability, performance: { ...performance, parameter: 'anAvailability' } },
    'extra/known-parameter',
  ],
])('%s is an error', (_, profiles, code) => {
  expect(errorCodesOf(withProfiles(profiles))).toEqual([code])
})

test('for the parameter of another field the message names that field, and where to find the right one', () => {
  const messages = (parameter: string) =>
    diagnosticsOf(withProfiles({ availability, performance: { ...performance, parameter } }))
      .filter(({ code }) => code === 'extra/known-parameter')
      .map(({ message, help }) => [message, help])
  const help = 'write the name that the `configure` page of the site shows'
  expect(messages('anAvailability')).toEqual([
    ['`anAvailability` is already the parameter of `spec.deploymentProfiles.availability.parameter`', help],
  ])
  expect(messages('email')).toEqual([
    ['`email` is already the parameter of `spec.administrator.email`', help],
  ])
  expect(messages('f')).toEqual([['`f` is already the parameter of every request', help]])
})

test('an unreported profile is a warning', () => {
  const [found] = diagnosticsOf(withProfiles({ performance: { ...performance, name: 'huge' } })).filter(
    ({ severity }) => severity !== 'note',
  )
  expect(found).toMatchObject({ code: 'version/value-unknown', severity: 'warning' })
})

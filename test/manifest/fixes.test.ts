import type { Fix } from '../../src/diagnostics/catalog/entry.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { diagnoseUnknownFields } from '../../src/manifest/unknown-fields.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import {
  aCloudProvider,
  aManifest,
  anUpgradeWith,
  aSource,
  type Changes,
  diagnosticsOf,
} from '../support/changed-manifest.js'

const administrator = '/spec/administrator'
const a = { env: 'LANDFORM_A' }

/** The fixes for the diagnostics of a valid manifest after some changes. */
function fixesOf(changes: Changes): readonly (Fix | undefined)[] {
  return diagnosticsOf(changes).map(({ fix }) => fix)
}

/** The fix for the full name if it is written like this, without quotes. */
function fixOfFullName(written: string): Fix | undefined {
  const text = JSON.stringify(aManifest()).replace('"Site Administrator"', ` ${written}`)
  return loadManifest(aSource(text)).diagnostics[0]?.fix
}

const provider = (secret: Readonly<Record<string, typeof a>>, connection = {}) => ({
  '/spec/cloudStorage': [
    aCloudProvider({ type: 'ACCESS-KEY', secret }, { bucketName: 'gis', region: 'eu-west-1', ...connection }),
  ],
})

describe('a field', () => {
  test.each<[string, Changes, readonly (Fix | undefined)[]]>([
    [
      'with other capitals is renamed',
      { [`${administrator}/username`]: undefined, [`${administrator}/userName`]: 'siteadmin' },
      [{ kind: 'rename', to: 'username' }],
    ],
    ['with an additional letter is renamed', { '/spec/profiles': 'x' }, [{ kind: 'rename', to: 'profile' }]],
    [
      'in the spelling of the service is renamed',
      provider({ access_key: a, secret_key: a }),
      [
        { kind: 'rename', to: 'accessKey' },
        { kind: 'rename', to: 'secretKey' },
      ],
    ],
    [
      'of a connection in the spelling of the service is renamed',
      {
        '/spec/cloudStorage': [
          aCloudProvider(
            { type: 'ACCESS-KEY', secret: { accessKey: a, secretKey: a } },
            { bucket_name: 'gis', region: 'eu-west-1' },
          ),
        ],
      },
      [{ kind: 'rename', to: 'bucketName' }],
    ],
    ['that is only similar is not changed', { '/spec/profle_name': 'x' }, [undefined]],
    ['that exists already is not changed', { [`${administrator}/emails`]: 'x' }, [undefined]],
    ['that belongs under another is not changed', { '/spec/tolerations': [] }, [undefined]],
    [
      'that is one of two with the same meaning is not changed',
      { '/spec/profiles': 'x', '/spec/Profile': 'x' },
      [undefined, undefined],
    ],
    ['that resembles none is not changed', { '/spec/replicas': 3 }, [undefined]],
    [
      'that would be valid with another operator is not changed',
      { '/spec/upgrade': { podPlacementPolicy: { tolerations: [{ operator: 'Exists', value: 'x' }] } } },
      [undefined, undefined],
    ],
    [
      'that is a parameter of the service but not allowed in extra is not changed',
      { '/spec/extra': { username: 'x' } },
      [undefined],
    ],
  ])('%s', (_, changes, expected) => {
    // Not `toEqual`, which accepts a missing element for `undefined`.
    expect(fixesOf(changes)).toStrictEqual(expected)
  })

  test('that is written twice is not changed', () => {
    const [diagnostic] = loadManifest(aSource('kind: a\nkind: b\n')).diagnostics
    expect(diagnostic).toMatchObject({ code: 'yaml/duplicate-key' })
    expect(diagnostic?.fix).toBeUndefined()
  })
})

describe('a value', () => {
  const operator = (name: string): Changes => ({
    '/spec/upgrade': anUpgradeWith({ key: 'k', operator: name }),
  })
  test.each<[string, Changes, Fix | undefined]>([
    [
      'with other capitals is replaced',
      { '/spec/profile': 'Development' },
      { kind: 'replace', by: 'development' },
    ],
    [
      'with a space is replaced',
      { '/spec/profile': 'standard availability' },
      { kind: 'replace', by: 'standard-availability' },
    ],
    ['with a missing letter is replaced', operator('Exist'), { kind: 'replace', by: 'Exists' }],
    ['that is only similar is not changed', { '/spec/profile': 'develop' }, undefined],
    ['of another version is not changed', { '/apiVersion': 'landform.dev/v2' }, undefined],
    ['that resembles none is not changed', { '/spec/profile': 'production' }, undefined],
    ['that is not text is not changed', { '/spec/profile': 7 }, undefined],
  ])('%s', (_, changes, expected) => {
    expect(fixesOf(changes)).toEqual([expected])
  })

  test.each([
    ['12.1.0.8325', '12.1'],
    ['10.9.1.1234', '10.9.1'],
    ['11.2.0.5500', '11.2'],
    ['v11.4', '11.4'],
    ['11.2-5500', '11.2'],
    ['latest', undefined],
    ['11', undefined],
    ['11.2 or newer', undefined],
  ])('of a version %s is replaced by the release: %s', (written, by) => {
    const [diagnostic] = diagnosticsOf({ '/spec/site/version': written })
    expect(diagnostic).toMatchObject({ code: 'manifest/malformed-value', pointer: '/spec/site/version' })
    expect(diagnostic?.help).toBe(by && `write "${by}"`)
    expect(diagnostic?.fix).toEqual(by && { kind: 'replace', by })
  })

  test.each<[string, Changes, boolean]>([
    ['a cloud provider', { '/spec/cloudStorage': { name: 'AWS', credential: { type: 'IAM-ROLE' } } }, true],
    [
      'a toleration',
      { '/spec/upgrade': { podPlacementPolicy: { tolerations: { key: 'a', operator: 'Exists' } } } },
      true,
    ],
    ['a provider in another form', { '/spec/cloudStorage': { aws: { bucket: 'gis' } } }, false],
    ['text', { '/spec/cloudStorage': 'AWS' }, false],
    ['a map instead of texts', { '/spec/folders': { path: '/data' } }, false],
  ])('instead of a list of maps becomes a list if it is one of them: %s', (_, changes, isFixed) => {
    const [diagnostic] = diagnosticsOf(changes)
    expect(diagnostic?.code).toBe('manifest/wrong-type')
    expect(diagnostic?.fix).toEqual(isFixed ? { kind: 'list' } : undefined)
    expect(diagnostic?.help).toMatch(isFixed ? /^write it as a list/ : /^write `\[/)
  })

  test.each(['11.2', '11.20', 'true', '0x11', '1e1', '012'])(
    'that needs quotes is not changed: %s',
    written => {
      expect(fixOfFullName(written)).toEqual({ kind: 'replace', by: written })
    },
  )

  test.each([
    ['11.20', '11.20'],
    ['10.9', '10.9'],
    ['1e1', undefined],
    ['11', undefined],
  ])('of a version is %s in quotes, if that is a version', (written, by) => {
    const text = JSON.stringify(aManifest()).replace('"11.2"', written)
    const [diagnostic] = loadManifest(aSource(text)).diagnostics
    expect(diagnostic).toMatchObject({ code: 'manifest/wrong-type', pointer: '/spec/site/version' })
    expect(diagnostic?.fix).toEqual(by === undefined ? undefined : { kind: 'replace', by })
  })

  test.each(['null', '[]', '{}'])('that is not text at all is not changed: %s', written => {
    expect(fixOfFullName(written)).toBeUndefined()
  })

  test.each(['90210', 'true', '{ "env": 90210 }', '{ "file": 90210 }'])(
    'that may be a secret is not changed: %s',
    written => {
      const text = JSON.stringify(aManifest()).replace('{"env":"LANDFORM_ADMIN_PASSWORD"}', ` ${written}`)
      const { diagnostics } = loadManifest(aSource(text))
      expect(diagnostics).toHaveLength(1)
      expect(diagnostics[0]?.fix).toBeUndefined()
      expect(JSON.stringify(diagnostics)).not.toContain('90210')
    },
  )
})

describe('the help', () => {
  const helpOf = (changes: Changes) => diagnosticsOf(changes)[0]?.help

  test('for the spelling of the service says that Landform translates it', () => {
    expect(helpOf(provider({ accessKey: a, secret_key: a }))).toBe(
      'write `secretKey`; Landform translates it for the service',
    )
  })

  test.each(['image', 'replicas', 'resources', 'arcgisEnterpriseFQDN', 'storage'])(
    'for %s at the top level lists the fields there',
    name => {
      expect(helpOf({ [`/${name}`]: {} })).toBe(
        'allowed here: `apiVersion`, `kind`, `extends`, `metadata`, or `spec`',
      )
    },
  )

  test('for a field one level too high says where it belongs, and reports nothing as missing', () => {
    const diagnostics = diagnosticsOf({ '/administrator': {}, '/spec/administrator': undefined })
    expect(diagnostics.map(({ help }) => help)).toEqual(['it belongs under `spec`'])
  })

  test('for a field that belongs under several others lists the allowed fields', () => {
    expect(helpOf({ '/spec/volumes/size': '16Gi' })).toContain('allowed here: `RELATIONAL_PRIMARY`')
  })

  test('for a field that belongs under another prefers that to a similar one, which is then uncertain', () => {
    const strangers = {
      owner: '',
      map: { name: 'x' },
      fields: ['name'],
      allowed: ['metadata', 'names'],
      version: undefined,
    } as const
    const [unknown] = diagnoseUnknownFields(strangers)
    expect(unknown).toMatchObject({ suggestion: undefined, parameterPath: '/metadata/name' })
    expect(unknown?.diagnostic.help).toBe('it belongs under `metadata`')
    expect(unknown?.diagnostic.fix).toBeUndefined()
  })

  const deployment = { availability: { name: 'standard', parameter: 'a' } }

  test.each<[string, string, string, JsonValue, string]>([
    ['10.9', '/spec', 'cloudStorages', [], 'allowed here'],
    ['11.2', '/spec', 'cloudStorages', [], 'did you mean `cloudStorage`?'],
    ['12.0', '/spec', 'deploymentProfile', deployment, 'did you mean `profile`?'],
    ['12.1', '/spec', 'architectureProfile', 'development', 'allowed here'],
    ['12.1', '/spec', 'deploymentProfile', deployment, 'did you mean `deploymentProfiles`?'],
    ['12.0', '/spec', 'profil', 'development', 'did you mean `profile`?'],
    ['12.1', '/spec', 'profil', 'development', 'allowed here'],
    ['12.0', '/spec', 'systemArchitectureProfile', {}, 'use `spec.profile`'],
    ['12.1', '/spec', 'systemArchitectureProfile', {}, 'use `spec.deploymentProfiles`'],
    ['11.2', '/spec', 'placementPolicies', [], 'this version places only the pods of upgrades'],
    ['12.0', '/spec', 'placementPolicies', [], 'by the operation `data/<id>/config/placementPolicy/edit`'],
    ['12.1', '/spec', 'placementPolicies', [], 'send it by `spec.extra`'],
    ['11.4', '/spec/upgrade', 'containerResources', {}, 'has no container resources before 12.0'],
    ['12.0', '/spec/upgrade', 'containerResources', {}, 'an apply keeps those of the site'],
  ])('at %s, in %s, for %s depends on the version', (version, owner, field, value, expected) => {
    const changes = { '/spec/site/version': version, '/spec/upgrade': { podPlacementPolicy: {} } }
    const found = diagnosticsOf({ ...changes, [`${owner}/${field}`]: value })
    expect(found.filter(({ code }) => code === 'manifest/unknown-field')).toMatchObject([
      { pointer: `${owner}/${field}`, help: expect.stringContaining(expected) },
    ])
  })

  test('for a secret names no field that could be the secret', () => {
    const diagnostics = diagnosticsOf(provider({ accessKey: a, secretKey: a, hunter2: a }))
    expect(diagnostics.map(({ code }) => code)).toEqual(['cloud/secret-fields'])
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2')
  })
})

test('a mistake in a base is fixed there, and not in an overlay', () => {
  const wrong = aSource(JSON.stringify(aManifest({ '/spec/profile': 'Development' })), 'base.yaml')
  const over = aSource('extends: base.yaml\n')
  expect(loadManifest(wrong).diagnostics).toMatchObject([{ fix: { kind: 'replace' } }])
  expect(loadManifest(over, [wrong]).diagnostics.map(({ code, fix }) => [code, fix])).toEqual([
    ['manifest/value-not-allowed', undefined],
  ])
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv'
import fc from 'fast-check'
import { parse } from 'yaml'
import { credentialTypeNames } from '../../src/contract/cloud.js'
import { findSchemaVersion, manifestVersions, parseVersion } from '../../src/contract/versions.js'
import { catalog } from '../../src/diagnostics/diagnostic.js'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../src/schema/json-schema.js'
import { appendSegment } from '../../src/schema/pointer.js'
import { cases } from '../support/cases.js'
import {
  aFullManifest,
  aSmallManifest,
  changed,
  diagnosticsOf,
  errorCodesOf,
  removed,
  valueAt,
} from '../support/manifest-value.js'
import { root } from '../support/manifests.js'
import { mutant, mutantVersions } from '../support/mutants.js'
import { compiled, publishedSchema, publishedValidator } from '../support/published-schema.js'

const editor = publishedValidator('deployment')
const versioned = new Map(
  manifestVersions.map(version => [version, publishedValidator(`deployment-${version}`)]),
)

/** Errors that a JSON Schema finds only in part: relations between fields, and parts of addresses, need more than patterns. */
const saidInPart: readonly string[] = ['site/url', 'state/location', 'extra/known-parameter']

/** Errors that a JSON Schema cannot find, or that the schemas leave to a rule; they find all others. */
const beyondSchemas: readonly string[] = [
  // Depends on whether `configure` exists in the version; there is no schema for a version without it.
  'version/unsupported',
  // A schema accepts any text that matches the pattern.
  'manifest/placeholder',
  'manifest/hidden-character',
  // The valid names of a provider depend on the credential and on the endpoint.
  'cloud/name',
]

/** The codes for the content of a manifest, without those for its YAML and its bases. */
const contentCodes = Object.entries(catalog)
  .filter(
    ([code, { phase, severity }]) =>
      phase === 'manifest' &&
      severity === 'error' &&
      !/^(?:yaml|extends)\//.test(code) &&
      // No value has this error: digits are lost in the YAML spelling of a number.
      code !== 'manifest/number-loses-digits',
  )
  .map(([code]) => code)

/** The schema that a user chooses for a manifest; if its version is invalid or too old, any schema will do. */
function schemaOf(manifest: JsonValue): ValidateFunction {
  const declared = valueAt(manifest, '/spec/site/version')
  const version = typeof declared === 'string' ? parseVersion(declared) : undefined
  const chosen = version === undefined ? '11.2' : (findSchemaVersion(version) ?? '10.9')
  return versioned.get(chosen) ?? editor
}

function judge(validate: ValidateFunction, manifest: JsonValue): 'right' | 'wrong' {
  return validate(manifest) ? 'right' : 'wrong'
}

/** The possible results of a schema for these errors of `loadManifest`: either result if they are found only in part. */
function judgeByLoading(codes: readonly string[]): readonly ('right' | 'wrong')[] {
  const sayable = codes.filter(code => !beyondSchemas.includes(code))
  if (sayable.length === 0) return ['right']
  return sayable.every(code => saidInPart.includes(code)) ? ['right', 'wrong'] : ['wrong']
}

const folder = join(root, 'examples')
const examples = readdirSync(folder)
  .filter(name => name.endsWith('.yaml'))
  .map(name => [name, parse(readFileSync(join(folder, name), 'utf8')) as JsonObject] as const)

describe('the published schemas and `loadManifest` agree', () => {
  test.each(examples)('on the example %s', (_, manifest) => {
    expect(judge(schemaOf(manifest), manifest)).toBe('right')
    expect(judge(editor, manifest)).toBe('right')
    expect(diagnosticsOf(manifest)).toEqual([])
  })

  test.each(examples)('on the example %s for every version', (_, example) => {
    for (const version of mutantVersions) {
      const manifest = changed(example, '/spec/site/version', version)
      const [loaded] = judgeByLoading(errorCodesOf(manifest))
      expect([version, judge(schemaOf(manifest), manifest)]).toEqual([version, loaded])
      expect([version, judge(editor, manifest)]).toEqual([version, loaded])
    }
  })

  test.each(credentialTypeNames)('on a full manifest with %s', type => {
    expect(judge(editor, aFullManifest(type))).toBe('right')
    expect(errorCodesOf(aFullManifest(type))).toEqual([])
  })

  test('on hundreds of manifests with mistakes', () => {
    const seen = { right: 0, wrong: 0, codes: new Set<string>() }
    const property = fc.property(mutant, manifest => {
      const codes = errorCodesOf(manifest)
      const verdict = judge(editor, manifest)
      seen[verdict] += 1
      for (const code of codes) seen.codes.add(code)
      expect(judgeByLoading(codes)).toContain(verdict)
      expect(judge(schemaOf(manifest), manifest)).toBe(verdict)
    })
    // A fixed seed, so that the expectations below hold every time.
    fc.assert(property, { numRuns: cases(800), seed: 2026 })
    // No mutant has a placeholder or a hidden character, which would hide other mistakes of its field.
    const hiding = ['manifest/placeholder', 'manifest/hidden-character']
    const expected = contentCodes.filter(code => !hiding.includes(code))
    expect([...seen.codes].sort()).toEqual(expected.toSorted())
    expect(seen.right).toBeGreaterThan(60)
    expect(seen.wrong).toBeGreaterThan(300)
  })

  test.each([
    'https://gis.example.org/arcgis/admin',
    'HTTPS://GIS.example.org:6443/arcgis/admin/',
    'https://[2001:db8::1]/arcgis/admin',
    'https://gis.example.org/@a/admin',
    'http://LocalHost:8080/arcgis/admin',
    'http://127.0.0.1:1',
    'Http://[::1]:7443/admin',
  ])('on the address %s', url => {
    const manifest = changed(aSmallManifest(), '/spec/site/url', url)
    expect(errorCodesOf(manifest)).toEqual([])
    expect(judge(editor, manifest)).toBe('right')
  })

  test.each(['admin@localhost', 'ada+gis@example.org', 'ä@bücher.example'])('on the email %s', email => {
    const manifest = changed(aSmallManifest(), '/spec/administrator/email', email)
    expect(errorCodesOf(manifest)).toEqual([])
    expect(judge(editor, manifest)).toBe('right')
  })

  test.each([
    ...['git:origin', 'git:{name}', 'git:team-{name}', 'file:../state/{name}', 'file:/var/lib/{name}'],
    ...[
      's3:bucket/{name}?region=eu-central-1',
      'azblob:account/state/{name}',
      'kubernetes:gis-{name}',
      'kubernetes:arn:aws:eks:eu-central-1:1:cluster/gis/gis-{name}',
      'postgres:env:LANDFORM_DATABASE_URL',
    ],
  ])('on the state %s', state => {
    const manifest = changed(aSmallManifest(), '/spec/state', state)
    expect(errorCodesOf(manifest)).toEqual([])
    expect(judge(editor, manifest)).toBe('right')
  })

  test('except for these errors, which a schema accepts', () => {
    const passed: Readonly<Record<string, JsonObject>> = {
      'site/url': changed(aSmallManifest(), '/spec/site/url', 'https://gis.example.org./arcgis/admin'),
      'state/location': changed(aSmallManifest(), '/spec/state', 'file:{other}'),
      'extra/known-parameter': changed(aSmallManifest('12.1'), '/spec/deploymentProfiles', {
        availability: { name: 'standard', parameter: 'same' },
        performance: { name: 'standard', parameter: 'same' },
      }),
      'version/unsupported': aSmallManifest('10.8'),
      'manifest/placeholder': changed(aSmallManifest(), '/spec/administrator/fullName', 'CHANGE-ME'),
      'manifest/hidden-character': changed(aSmallManifest(), '/spec/administrator/fullName', 'A\u200b'),
      'cloud/name': changed(
        aFullManifest('IAM-ROLE'),
        '/spec/cloudStorage/0/cloudServices/0/connection/bucketName',
        'GIS_Objects',
      ),
    }
    expect(Object.keys(passed)).toEqual([...saidInPart, ...beyondSchemas])
    for (const [code, manifest] of Object.entries(passed)) {
      expect(errorCodesOf(manifest)).toEqual([code])
      expect(judge(schemaOf(manifest), manifest)).toBe('right')
      expect(judge(editor, manifest)).toBe('right')
    }
  })
})

describe('a part of a schema that duplicates a rule', () => {
  const everything = aFullManifest()
  const expression =
    '/spec/upgrade/podPlacementPolicy/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0'

  /** For each code, manifests that only this part rejects. */
  const refused: Readonly<Record<string, readonly JsonObject[]>> = {
    'version/field-too-new': [
      changed(aSmallManifest('10.9'), '/spec/dataStores', []),
      changed(aSmallManifest('11.1'), '/spec/cloudStorage', []),
      changed(aSmallManifest('11.1.9'), '/spec/upgrade', { podPlacementPolicy: {} }),
    ],
    'site/url': [
      'gis.example.org/arcgis/admin',
      'ftp://gis.example.org/arcgis/admin',
      'http://gis.example.org/arcgis/admin',
      'http://localhost.example.org/arcgis/admin',
      'https://siteadmin@gis.example.org/arcgis/admin',
      'https://gis.example.org/arcgis/admin?f=json',
      'https://gis.example.org/arcgis/admin#top',
      'https://gis.example.org/arcgis/admin;a=b',
      'https://gis.example.org/arc%67is/admin',
      'https://gis.example.org/arcgis/admin ',
    ].map(url => changed(everything, '/spec/site/url', url)),
    'state/location': [
      'origin',
      'folder:state',
      'git:https://git.example.org/x.git',
      'git:../x',
      'kubernetes:GIS',
      'kubernetes:production/GIS',
      'kubernetes:/gis',
      'postgres://db.example.org/landform',
      'postgres:env:DATABASE_URL',
    ].map(state => changed(everything, '/spec/state', state)),
    'file/path': ['/etc/passwd', '~/site.json', 'C:site.json', '../site.json', 'a/..', 'a\\b'].flatMap(
      path => [
        changed(everything, '/spec/license/file', path),
        changed(everything, '/spec/administrator/password', { file: path }),
      ],
    ),
    'extra/known-parameter': [
      changed(everything, '/spec/extra', { username: 'siteadmin' }),
      changed(everything, '/spec/extra', { f: 'json' }),
      changed(aSmallManifest('12.1'), '/spec/deploymentProfiles', {
        availability: { name: 'standard', parameter: 'systemArchitectureProfile' },
      }),
    ],
    'administrator/username': [
      changed(everything, '/spec/administrator/username', 'admin'),
      changed(everything, '/spec/administrator/username', ''),
      changed(everything, '/spec/administrator/username', '😀😀😀😀😀'),
    ],
    'administrator/username-space': ['site admin', 'siteadmin ', 'site\u00a0admin', 'site\u2003admin'].map(
      name => changed(everything, '/spec/administrator/username', name),
    ),
    'administrator/email': ['admin', 'a@b@c', 'Ada <ada@example.org>', 'ada@example..org', 'a@b, c@d'].map(
      email => changed(everything, '/spec/administrator/email', email),
    ),
    'site/sign-in': [
      changed(everything, '/spec/site/signIn', {}),
      changed(everything, '/spec/site/signIn', { username: 'operations' }),
      changed(everything, '/spec/site/signIn/as', 'administrator'),
    ],
    'administrator/security-question': [
      removed(everything, '/spec/administrator/securityQuestion/index'),
      changed(everything, '/spec/administrator/securityQuestion/question', 'What is your dream job?'),
    ],
    'volume/missing-component': [
      removed(everything, '/spec/volumes/INDEXER'),
      changed(everything, '/spec/volumes', {}),
    ],
    'cloud/secret-fields': [
      removed(everything, '/spec/cloudStorage/0/credential/secret'),
      removed(everything, '/spec/cloudStorage/0/credential/secret/accessKey'),
      changed(aFullManifest('IAM-ROLE'), '/spec/cloudStorage/0/credential/secret', {}),
      changed(everything, '/spec/cloudStorage/0/credential/secret/other', { env: 'LANDFORM_X' }),
    ],
    'cloud/connection-fields': [
      removed(everything, '/spec/cloudStorage/0/cloudServices/0/connection/bucketName'),
      changed(everything, '/spec/cloudStorage/0/cloudServices/0/connection/containerName', 'gis'),
      changed(
        aFullManifest('HMAC-KEYS'),
        '/spec/cloudStorage/0/cloudServices/0/connection/region',
        'eu-west-1',
      ),
    ],
    'volume/size': ['16', '16gi', '16 Gi', '16GB', '16m', '1e3', '+1Gi', '0Gi', '0.0M', ''].map(size =>
      changed(everything, '/spec/volumes/QUEUE/size', size),
    ),
    'volume/storage-class': ['Fast', 'fast-', '-fast', '.fast', 'a..b', 'a.-b', 'a-.b', 'a_b', 'a/b'].map(
      name => changed(everything, '/spec/volumes/QUEUE/storageClass', name),
    ),
    'kubernetes/label-key': [
      ...['', '-a', 'a-', 'a b', '/a', 'a/', 'a/b/c', 'A/b', 'a-/b', 'a-.b/c', 'a..b/c'].map(key =>
        changed(everything, appendSegment('/metadata/labels', key), 'gis'),
      ),
      ...['a'.repeat(64), `${'a'.repeat(254)}/b`, `${'a.'.repeat(127)}b/c`].map(key =>
        changed(everything, appendSegment('/metadata/labels', key), 'gis'),
      ),
      changed(everything, '/spec/volumes/BLOB/labels/tier=storage', 'storage'),
      changed(everything, `${expression}/key`, 'a b'),
      changed(everything, '/spec/upgrade/podPlacementPolicy/tolerations/0/key', 'a b'),
    ],
    'kubernetes/label-value': [
      ...['-a', 'a-', 'a b', 'a/b', 'ä', 'a'.repeat(64)].map(value =>
        changed(everything, '/metadata/labels/team', value),
      ),
      changed(everything, '/spec/volumes/BLOB/labels/tier', 'a b'),
      changed(everything, `${expression}/values/0`, 'a b'),
      changed(everything, '/spec/upgrade/podPlacementPolicy/tolerations/0/value', 'a b'),
    ],
    'placement/values-required': [
      removed(everything, `${expression}/values`),
      changed(everything, `${expression}/values`, []),
      changed(everything, expression, { key: 'pool', operator: 'NotIn' }),
    ],
    'placement/values-forbidden': [
      changed(everything, `${expression}/operator`, 'Exists'),
      changed(everything, `${expression}/operator`, 'DoesNotExist'),
    ],
    'placement/no-terms': [
      changed(
        everything,
        '/spec/upgrade/podPlacementPolicy/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms',
        [],
      ),
    ],
    'placement/toleration-key': [
      removed(everything, '/spec/upgrade/podPlacementPolicy/tolerations/0/key'),
      changed(everything, '/spec/upgrade/podPlacementPolicy/tolerations/0/key', ''),
      changed(everything, '/spec/upgrade/podPlacementPolicy/tolerations/0', {}),
    ],
    'placement/toleration-value': [
      changed(everything, '/spec/upgrade/podPlacementPolicy/tolerations/1/value', 'x'),
    ],
  }
  const cases = Object.entries(refused).flatMap(([code, manifests]) =>
    manifests.map((manifest, index) => [code, index + 1, manifest] as const),
  )

  test('names one of these codes of the catalog', () => {
    const all = [
      publishedSchema('deployment'),
      ...manifestVersions.map(v => publishedSchema(`deployment-${v}`)),
    ]
    const named = all.flatMap(schema => [...JSON.stringify(schema).matchAll(/"said by rule ([^"]+)"/g)])
    expect([...new Set(named.map(([, code]) => code))].sort()).toEqual(Object.keys(refused).sort())
    expect(contentCodes).toEqual(expect.arrayContaining(Object.keys(refused)))
  })

  test.each(cases)(
    'for %s: a manifest that only this part rejects has just this error (%i)',
    (code, _, manifest) => {
      expect(judge(editor, manifest)).toBe('wrong')
      expect(judge(compiledWithout(code), manifest)).toBe('right')
      expect(errorCodesOf(manifest)).toEqual([code])
    },
  )

  const validators = new Map<string, ValidateFunction>()

  function compiledWithout(code: string): ValidateFunction {
    const validate = validators.get(code) ?? compiled(without(publishedSchema('deployment'), code))
    validators.set(code, validate)
    return validate
  }

  function without(schema: JsonSchema, code: string): JsonSchema {
    const kept = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(kept)
      if (!isObject(value)) return value
      if (value['$comment'] === `said by rule ${code}`) return {}
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, kept(part)]))
    }
    return kept(schema) as JsonSchema
  }
})

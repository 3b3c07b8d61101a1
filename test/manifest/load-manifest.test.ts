import { createHash } from 'node:crypto'
import { findPlace } from '../../src/manifest/field-places.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Manifest } from '../../src/manifest/manifest.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import {
  aManifest,
  aSource,
  type Changes,
  codeAndPointer,
  sourceOf,
  startOf,
} from '../support/changed-manifest.js'

function loaded(changes: Changes = {}): Manifest {
  const result = loadManifest(sourceOf(aManifest(changes)))
  if (!result.ok) throw new Error(result.diagnostics.map(codeAndPointer).join(', '))
  return result.value
}

describe('a valid manifest', () => {
  test('is loaded with all its parts', () => {
    const token = { env: 'LANDFORM_TOKEN' }
    const manifest = loaded({ '/spec/profile': 'development', '/spec/site/token': token })
    expect(manifest.name).toBe('production')
    expect(manifest.file).toBe('site.yaml')
    expect(manifest.site).toEqual({
      url: 'https://gis.example.org/arcgis/admin',
      version: '11.2',
      token,
    })
    expect(Object.keys(manifest.organization).sort()).toEqual([
      'administrator',
      'license',
      'profile',
      'volumes',
    ])
    expect(manifest.organization.administrator.password).toEqual({ env: 'LANDFORM_ADMIN_PASSWORD' })
  })

  test('has the digest of the bytes of its file', () => {
    const source = sourceOf(aManifest())
    const result = loadManifest(source)
    const digest = createHash('sha256').update(source.bytes).digest('hex')
    expect(result.ok && result.value.digest).toBe(`sha256:${digest}`)
  })

  test('has another digest with another comment', () => {
    const text = JSON.stringify(aManifest())
    const digests = ['', ' # a', ' # b'].map(comment => {
      const result = loadManifest(aSource(`${text}${comment}`))
      return result.ok && result.value.digest
    })
    expect(new Set(digests).size).toBe(3)
  })

  test('is plain data', () => {
    expect(JSON.parse(JSON.stringify(loaded()))).toEqual(loaded())
  })

  test('has the positions of its fields', () => {
    const place = findPlace(loaded().places, '/spec/site/version', 'value')
    expect(place).toMatchObject({
      file: 'site.yaml',
      start: { line: 10, column: 18 },
      end: { line: 10, column: 24 },
    })
    expect(findPlace(loaded().places, '/spec/site/version', 'key').start).toEqual({ line: 10, column: 7 })
  })

  test.each<[string, JsonValue | undefined, unknown]>([
    ['no policy without an upgrade section', undefined, undefined],
    ['an empty policy', { podPlacementPolicy: {} }, { nodeAffinity: {}, tolerations: [] }],
    [
      'a policy of tolerations',
      { podPlacementPolicy: { tolerations: [{ key: 'k' }] } },
      { nodeAffinity: {}, tolerations: [{ key: 'k' }] },
    ],
    [
      'a policy of affinity',
      { podPlacementPolicy: { nodeAffinity: {} } },
      { nodeAffinity: {}, tolerations: [] },
    ],
  ])('has %s', (_, upgrade, policy) => {
    expect(loaded({ '/spec/upgrade': upgrade }).policy).toEqual(policy)
  })

  test.each<[JsonValue, readonly string[] | undefined]>([
    [{}, ['nodeAffinity', 'tolerations']],
    [{ tolerations: [] }, ['nodeAffinity']],
    [{ nodeAffinity: {} }, ['tolerations']],
    [{ nodeAffinity: {}, tolerations: [] }, undefined],
  ])('has the parts that the policy %j omits', (podPlacementPolicy, halves) => {
    expect(loaded({ '/spec/upgrade': { podPlacementPolicy } }).policyDefaults).toEqual(halves)
  })

  test('loads with a warning', () => {
    const result = loadManifest(sourceOf(aManifest({ '/spec/extra': { a: 1 } })))
    expect(result.ok).toBe(true)
    expect(result.diagnostics.map(codeAndPointer)).toEqual(['extra/passed-through /spec/extra/a'])
    expect(result.diagnostics[0]?.place?.file).toBe('site.yaml')
  })
})

describe('a manifest with mistakes', () => {
  test('has all of their diagnostics, in the order of the file', () => {
    const text = JSON.stringify(
      aManifest({
        '/kind': 'Deployment',
        '/metadata/name': 'Production',
        '/spec/site/url': 'http://gis.example.org',
        '/spec/license/file': '../site.json',
        '/spec/administrator/username': 'admin',
        '/spec/administrator/password': 'hunter2',
        '/spec/administrator/email': undefined,
        '/spec/administrator/securityQuestion/index': undefined,
        '/spec/volumes/QUEUE': undefined,
        '/spec/volumes/BLOB/size': '16',
        '/spec/extra': { token: 'x', tomorrow: 'y' },
      }),
      null,
      2,
    )
    const { ok, diagnostics } = loadManifest(aSource(text))
    expect(ok).toBe(false)
    expect(diagnostics.map(codeAndPointer)).toEqual([
      'manifest/value-not-allowed /kind',
      'manifest/malformed-value /metadata/name',
      'site/url /spec/site/url',
      'file/path /spec/license/file',
      'manifest/missing-field /spec/administrator',
      'administrator/username /spec/administrator/username',
      'secret/literal /spec/administrator/password',
      'administrator/security-question /spec/administrator/securityQuestion',
      'volume/missing-component /spec/volumes',
      'volume/size /spec/volumes/BLOB/size',
      'extra/known-parameter /spec/extra/token',
      'extra/passed-through /spec/extra/tomorrow',
    ])
  })

  test('has the diagnostics of one line from left to right', () => {
    const text = JSON.stringify(aManifest({ '/metadata/name': 'A', '/spec/site/url': 'x', '/kind': 'B' }))
    const { diagnostics } = loadManifest(aSource(text))
    const columns = diagnostics.map(({ place }) => place?.start.column ?? 0)
    expect(columns).toHaveLength(3)
    expect(columns).toEqual(columns.toSorted((left, right) => left - right))
    expect(diagnostics.every(({ place }) => place?.start.line === 1)).toBe(true)
  })

  test('has only the diagnostics of its YAML if there are any', () => {
    const { ok, diagnostics } = loadManifest(aSource('kind: A\nkind: B\n'))
    expect(ok).toBe(false)
    expect(diagnostics.map(diagnostic => `${diagnostic.code} ${startOf(diagnostic)}`)).toEqual([
      'yaml/duplicate-key 2:1',
    ])
  })

  test.each<[string, JsonValue]>([
    ['text', 'text'],
    ['a number', 7],
    ['a list', [aManifest()]],
    ['truth', true],
  ])('is a map, not %s', (_, value) => {
    expect(loadManifest(sourceOf(value)).diagnostics.map(codeAndPointer)).toEqual(['manifest/wrong-type '])
  })

  test('has a limited number of diagnostics', () => {
    const extra = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, index]))
    const { ok, diagnostics } = loadManifest(aSource(JSON.stringify({ ...extra })))
    expect(ok).toBe(false)
    expect(diagnostics.length).toBeLessThanOrEqual(200)
  })
})

test('an ignore comment in a base is not unused if an overlay replaces the value', () => {
  const text = JSON.stringify(aManifest({ '/spec/logLevel': 'CHATTY' }), null, 2)
  const base = aSource(
    text.replace('"logLevel"', '\n# landform-ignore-next-line log/level -- ours\n"logLevel"'),
    'base.yaml',
  )
  expect(loadManifest(base).diagnostics).toEqual([])
  expect(loadManifest(aSource('extends: base.yaml\n'), [base]).diagnostics).toEqual([])
  const over = aSource('extends: base.yaml\nspec: { logLevel: INFO }\n')
  expect(loadManifest(over, [base]).diagnostics).toEqual([])
})

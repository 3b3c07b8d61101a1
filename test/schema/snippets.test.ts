import { credentialTypeNames } from '../../src/contract/cloud.js'
import { isDocumented, manifestVersions } from '../../src/contract/versions.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { findFieldSchema } from '../../src/schema/field-schema.js'
import type { JsonSchema, JsonValue, Snippet } from '../../src/schema/json-schema.js'
import { buildManifestSchema } from '../../src/schema/manifest-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { buildOverlaySchema } from '../../src/schema/published-schema.js'
import { expandedBody } from '../support/expanded-snippet.js'
import {
  aFullManifest,
  aSmallManifest,
  changed,
  diagnosticsOf,
  pointersIn,
} from '../support/manifest-value.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const full = aFullManifest('STORAGE-ACCOUNT-KEY')
/** Some snippets have credentials that only later versions have. */
const withAll = changed(full, '/spec/site/version', '12.1')
/** The first element of a list is enough. */
const places: readonly JsonPointer[] = ['', ...pointersIn(full).filter(pointer => !/\/[1-9]/.test(pointer))]
const offered = places.flatMap(pointer =>
  (findFieldSchema(pointer).defaultSnippets ?? []).map(snippet => ({ pointer, snippet })),
)
const table = offered.map(({ pointer, snippet }) => [snippet.label, pointer, snippet] as const)
const choices = [0, 1, 2, 3]

/** Fills in the names of the parameters of the two profiles, which depend on the site. */
const filled = (value: JsonValue) =>
  JSON.parse(
    JSON.stringify(value).replace('CHANGE-ME', 'oneProfile').replace('CHANGE-ME', 'another'),
  ) as JsonValue

describe('a snippet', () => {
  test.each(table)('%s is valid at "%s"', (_, pointer, { body, type }) => {
    for (const choice of choices) {
      const value = filled(expandedBody(body, choice))
      const manifest = changed(withAll, pointer, type === 'array' ? [value] : value)
      expect(diagnosticsOf(manifest).filter(({ code }) => !aboutTheRest.includes(code))).toEqual([])
      expect(listSchemaErrors('deployment', manifest)).toEqual([])
    }
  })

  test('is tested here for every place that has one', () => {
    const tried = new Set(offered.map(({ snippet }) => snippet.label))
    const all = snippetsIn(buildManifestSchema('12.1')).map(({ label }) => label)
    expect([...tried].sort()).toEqual([...new Set(all)].sort())
  })

  test.each(manifestVersions)('of a whole manifest is valid for version %s', version => {
    const [{ body } = { body: null }] = buildManifestSchema(version).defaultSnippets ?? []
    const manifest = filled(expandedBody(body))
    expect(manifest).toMatchObject({ spec: { site: { version } } })
    expect(diagnosticsOf(manifest).map(({ code }) => code)).toEqual(
      isDocumented(version) ? [] : ['version/reported'],
    )
    expect(listSchemaErrors(`deployment-${version}`, manifest)).toEqual([])
  })

  test('of an overlay is valid with a base', () => {
    const [{ body } = { body: null }] = buildOverlaySchema().defaultSnippets ?? []
    const overlay = expandedBody(body)
    expect(listSchemaErrors('overlay', overlay)).toEqual([])
    const source = (value: JsonValue) => ({ name: 'site.yaml', bytes: Buffer.from(JSON.stringify(value)) })
    expect(loadManifest(source(overlay), [source(aSmallManifest())]).diagnostics).toEqual([])
  })

  test('exists for each of these', () => {
    const labels = offered.map(({ snippet }) => snippet.label)
    expect(labels).toEqual(
      expect.arrayContaining(credentialTypeNames.map(name => `cloud storage with ${name}`)),
    )
    for (const what of [
      'a whole manifest',
      'volumes of all eight',
      '{ env',
      '{ file',
      'a toleration of',
      'a label',
      'a data store',
    ])
      expect(labels).toContainEqual(expect.stringContaining(what))
  })
})

/** Diagnostics of the full manifest itself, such as for `extra`. */
const aboutTheRest: readonly string[] = [
  ...diagnosticsOf(withAll).map(({ code }) => code),
  // Each version has its own types of managed identities.
  'cloud/managed-identity-replaced',
]

function snippetsIn(schema: JsonSchema): readonly Snippet[] {
  const own = schema.defaultSnippets ?? []
  const parts = [
    ...Object.values(schema.definitions ?? {}),
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.oneOf ?? []),
  ]
  return [...own, ...parts.flatMap(part => (part === false ? [] : snippetsIn(part)))]
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { explanationsModule } from '../../scripts/reference/explanations.js'
import type { CatalogEntry } from '../../src/diagnostics/catalog/entry.js'
import { catalog, type DiagnosticCode } from '../../src/diagnostics/diagnostic.js'
import { explanations } from '../../src/diagnostics/generated/explanations.js'
import { baseOf } from '../../src/manifest/extends.js'
import { type LoadedManifest, loadManifest } from '../../src/manifest/load-manifest.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'
import { aSource, sourceOf } from '../support/changed-manifest.js'
import { aSmallManifest } from '../support/manifest-value.js'
import { root } from '../support/manifests.js'

const entries = (Object.entries(catalog) as [DiagnosticCode, CatalogEntry<never>][]).map(
  ([code, { phase }]) => [code, { phase, ...explanations[code] }] as const,
)
const examples = entries.flatMap(([code, { phase, example }]) =>
  example === undefined ? [] : [{ code, phase, ...example }],
)
const areaOf = (code: string) => code.split('/')[0] ?? ''

describe('the explanation of', () => {
  test.each(entries)('%s consists of at least two sentences', (_, { text }) => {
    expect(text).toMatch(/^[A-Z`].*[.]$/s)
    const sentences = text.split(/(?<=[.])\s+(?=[A-Z`])/)
    expect(sentences.length).toBeGreaterThanOrEqual(2)
    expect(text).not.toMatch(/\u2014|undefined|\s\s/)
  })
})

test('problems that no lines of a manifest can show have no example', () => {
  const without = entries.filter(([, { example }]) => example === undefined).map(([code]) => code)
  expect(without).toEqual([
    'yaml/not-text',
    'yaml/foreign-content',
    'yaml/too-large',
    'manifest/foreign-file',
    'site/token-refused',
    'site/upgrading',
    'license/not-json',
    'secret/malformed',
    'file/unusable',
    'administrator/password',
    'administrator/password-plain',
    'administrator/password-not-ascii',
    'policy/violated',
    'policy/advised',
    'policy/unread',
    'policy/field',
    'policy/path',
    'policy/value',
    'policy/test',
    'scenario/field',
    'scenario/value',
    'properties/syntax',
    'properties/shell',
    'properties/repeated',
    'properties/unknown',
    'properties/left-out',
    'properties/secret',
    'properties/license-path',
    'properties/host',
    'properties/form',
    'properties/hcl',
    'properties/resource',
    'test/field',
    'test/value',
    'test/failed',
    'test/unmet-fault',
  ])
})

describe('the example of', () => {
  test.each(examples)(
    '$code has exactly that mistake, and its correction is valid',
    ({ code, phase, wrong, right }) => {
      // Problems that only other files or the site can show are no mistakes of the manifest alone.
      expect(codesOf(code, wrong)).toEqual(phase === 'manifest' ? [code] : [])
      // As a whole manifest, these few lines are valid only as YAML.
      const counts = (other: string) => areaOf(code) !== 'yaml' || areaOf(other) === 'yaml'
      expect(codesOf(code, right).filter(counts)).toEqual([])
    },
  )
})

/** Diagnostics that an example necessarily has in addition to its own. */
const besides: Readonly<Record<string, string>> = {
  'administrator/user-type-merged': 'version/reported',
  'cloud/managed-identity-replaced': 'version/reported',
  'cloud/credential-fields': 'version/reported',
  'ignore/malformed': 'log/level',
  'profile/replaced': 'version/reported',
  'version/field-unknown': 'version/reported',
  'version/newer': 'profile/replaced',
  'version/value-unknown': 'version/reported',
}

/** Returns the codes for the lines of an example, at the place where its area has them. */
function codesOf(code: string, lines: string): readonly string[] {
  const said = checked(code, lines).diagnostics.map(diagnostic => diagnostic.code)
  return said.filter(other => other !== besides[code])
}

function checked(code: string, lines: string): LoadedManifest {
  const area = areaOf(code)
  if (area === 'yaml') return loadManifest(aSource(lines))
  if (area === 'extends') return layered(lines)
  // Comments and the spelling of numbers are lost when values are merged.
  if (area === 'ignore' || code.startsWith('manifest/number-'))
    return layered(`extends: base.yaml\nspec:\n${lines.replaceAll(/^/gm, '  ')}`)
  const part = parse(lines) as JsonObject
  return loadManifest(sourceOf(merged(aSmallManifest(), 'metadata' in part ? part : { spec: part }, '')))
}

function layered(text: string): LoadedManifest {
  const source = aSource(text)
  return loadManifest(source, baseOf(source).kind === 'path' ? [sourceOf(aSmallManifest())] : [])
}

/** Maps of which an example shows only a part; all others are shown whole. */
const shownInPart = /^(?:\/metadata|\/spec(?:\/(?:site|administrator|volumes(?:\/[A-Z_]+)?))?)?$/

function merged(base: JsonValue | undefined, part: JsonValue, at: string): JsonValue {
  if (!isObject(base) || !isObject(part) || !shownInPart.test(at) || hasWholeVolumes(part)) return part
  const members = Object.entries(part).map(([name, value]) => [
    name,
    merged(base[name], value, `${at}/${name}`),
  ])
  return { ...base, ...Object.fromEntries(members) }
}

function hasWholeVolumes(part: JsonObject): boolean {
  return 'RELATIONAL_PRIMARY' in part && Object.values(part).every(one => isObject(one) && 'labels' in one)
}

test('the generated module of explanations is up to date', () => {
  const module = readFileSync(join(root, 'src/diagnostics/generated/explanations.ts'), 'utf8')
  expect(module === explanationsModule(root) ? 'fresh' : 'stale: run `npm run generate`').toBe('fresh')
  expect(Object.keys(explanations).sort()).toEqual(Object.keys(catalog).sort())
})

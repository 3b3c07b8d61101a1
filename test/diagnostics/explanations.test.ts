import { describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import type { CatalogEntry } from '../../src/diagnostics/catalog/entry.js'
import { catalog } from '../../src/diagnostics/catalog.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { isObject, type JsonValue } from '../../src/schema/json-schema.js'
import { aSource, sourceOf } from '../support/changed-manifest.js'
import { aSmallManifest } from '../support/manifest-value.js'

const areas = ['yaml', 'manifest', 'volume', 'kubernetes', 'placement']
const entries = (Object.entries(catalog) as [string, CatalogEntry<never>][]).filter(([code]) =>
  areas.includes(code.split('/')[0] ?? ''),
)
const examples = entries.flatMap(([code, { example }]) =>
  example === undefined ? [] : [[code, example] as const],
)

describe('the explanation of', () => {
  test.each(entries)('%s is two to five plain sentences', (_, { explanation = '' }) => {
    expect(explanation).toMatch(/^[A-Z`].*[.]$/s)
    const sentences = explanation.split(/(?<=[.])\s+(?=[A-Z`])/)
    expect(sentences.length).toBeGreaterThanOrEqual(2)
    expect(sentences.length).toBeLessThanOrEqual(5)
    expect(explanation).not.toMatch(/\u2014|undefined|\s\s/)
  })
})

describe('the example of', () => {
  test.each(examples.filter(([code]) => code.startsWith('yaml/')))(
    '%s is that mistake, and mended',
    (code, example) => {
      expect(codesIn(example.wrong)).toEqual([code])
      expect(codesIn(example.right).filter(found => found.startsWith('yaml/'))).toEqual([])
    },
  )

  test.each(examples.filter(([code]) => !code.startsWith('yaml/')))(
    '%s is that mistake, and mended',
    (code, example) => {
      expect(codesOf(example.wrong)).toEqual([code])
      expect(codesOf(example.right)).toEqual([])
    },
  )
})

function codesIn(text: string): readonly string[] {
  return loadManifest(aSource(text)).diagnostics.map(({ code }) => code)
}

/** What is said of a valid manifest with the lines of an example in their place. */
function codesOf(lines: string): readonly string[] {
  const part = parse(lines) as JsonValue
  const inSpec = isObject(part) && !('metadata' in part)
  const manifest = merged(aSmallManifest(), inSpec ? { spec: part } : part)
  return loadManifest(sourceOf(manifest)).diagnostics.map(({ code }) => code)
}

/** Maps are merged; sections of which an example shows all are replaced. */
function merged(base: JsonValue | undefined, part: JsonValue): JsonValue {
  if (!isObject(base) || !isObject(part)) return part
  const members = Object.entries(part).map(([key, value]) => {
    const isWhole =
      ['labels', 'license'].includes(key) ||
      (isObject(value) &&
        'RELATIONAL_PRIMARY' in value &&
        Object.values(value).every(volume => isObject(volume) && 'labels' in volume))
    return [key, isWhole ? value : merged(base[key], value)]
  })
  return { ...base, ...Object.fromEntries(members) }
}

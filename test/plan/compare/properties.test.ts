import fc from 'fast-check'
import { manifestVersions } from '../../../src/contract/versions.js'
import { findPlace } from '../../../src/manifest/field-places.js'
import { loadManifest } from '../../../src/manifest/load-manifest.js'
import type { Manifest } from '../../../src/manifest/manifest.js'
import { compareValues } from '../../../src/plan/compare/differences.js'
import { isSame } from '../../../src/plan/compare/meaning.js'
import { noSettings, type SiteSettings } from '../../../src/plan/observation.js'
import { type ApplyRecord, emptyRecord, type Situation } from '../../../src/plan/situation.js'
import { findFieldSchema, listFieldPointers } from '../../../src/schema/field-schema.js'
import type { JsonObject, JsonValue } from '../../../src/schema/json-schema.js'
import { type JsonPointer, readParent, splitPointer } from '../../../src/schema/pointer.js'
import { aPlan, ready } from '../../support/a-plan.js'
import { cases } from '../../support/cases.js'
import { linedJson } from '../../support/lined-json.js'
import { changed, pointersIn, removed, valueAt } from '../../support/manifest-value.js'
import { randomFrom, respelled } from '../../support/respelled.js'
import { someManifest } from '../../support/some-manifest.js'
import { policyMeaning, wireMeaning, wireTexts } from '../../support/wire-meaning.js'

const policyAt = '/spec/upgrade/podPlacementPolicy'
const manifests = someManifest()

/** Loads a manifest, or returns undefined if the text is not a valid one. */
function loaded(text: string): Manifest | undefined {
  const found = loadManifest({ name: 'site.yaml', bytes: new TextEncoder().encode(text) })
  return found.ok ? found.value : undefined
}

function manifestOf(value: JsonValue): Manifest {
  const manifest = loaded(linedJson(value).text)
  if (manifest === undefined) throw new Error('a manifest is not valid')
  return manifest
}

const organizationOf = ({ organization }: Manifest) => organization as unknown as JsonValue
const policyOf = ({ policy }: Manifest) => policy as unknown as JsonValue | undefined
const specOf = (manifest: Manifest): JsonValue => ({
  ...(organizationOf(manifest) as JsonObject),
  ...(manifest.policy !== undefined && { upgrade: { podPlacementPolicy: policyOf(manifest) ?? {} } }),
})

/** The situation of a site after a manifest was applied; `tells` decides whether it reports its settings. */
function appliedTo({ site, digest, organization, policy }: Manifest, tells: boolean): Partial<Situation> {
  const appliedAt = '2026-03-04T05:06:07.089Z'
  const record: ApplyRecord = {
    ...emptyRecord,
    serial: 2,
    organization: { appliedAt, manifest: digest, value: organization },
    ...(policy !== undefined && { policy: { appliedAt, value: policy } }),
  }
  const { profile = 'standard-availability', logLevel = 'INFO', systemProperties = {} } = organization
  const read = <T>(value: T) => ({ kind: 'read', value }) as const
  const settings: SiteSettings = {
    ...noSettings('not-offered'),
    upgradeConfig: read({ podPlacementPolicy: (policy ?? {}) as unknown as JsonObject }),
    profile: read(profile),
    logLevel: read(logLevel),
    systemProperties: read(systemProperties),
  }
  return {
    observed: { ...ready, version: site.version },
    record: JSON.parse(JSON.stringify(record)) as ApplyRecord,
    settings: tells ? settings : noSettings('not-offered'),
  }
}

function meaningOf(manifest: Manifest): string {
  return `${wireMeaning(manifest.organization)}\n${manifest.policy === undefined ? '' : policyMeaning(manifest.policy)}`
}

test('nearly every manifest made from the schema is valid, and all its fields and versions occur', () => {
  const made = fc.sample(manifests, { numRuns: 150, seed: 20_261_121 })
  const valid = made.filter(value => loaded(linedJson(value).text) !== undefined)
  expect(valid.length / made.length).toBeGreaterThan(0.98)
  const general = (pointer: JsonPointer) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0')
  const seen = new Set(valid.flatMap(value => pointersIn(value).map(general)))
  const unseen = listFieldPointers().filter(pointer => !seen.has(general(pointer)))
  expect(unseen).toEqual(['/extends', '/spec/site/cloudSpelling'])
  const versions = new Set(valid.map(value => valueAt(value, '/spec/site/version')))
  expect([...versions].toSorted()).toEqual([...manifestVersions].toSorted())
})

test('rewriting a manifest with the same meaning changes its text', () => {
  const made = fc.sample(manifests, { numRuns: 30, seed: 1 })
  const texts = made.map(value => [JSON.stringify(value), JSON.stringify(respelled(value, randomFrom(1)))])
  expect(texts.filter(([before, after]) => before === after)).toEqual([])
})

interface Mutation {
  readonly pointer: JsonPointer
  readonly manifest: JsonObject
}

/** Another value for a field, chosen according to its schema; undefined if the field should be removed. */
function otherValue(value: JsonValue, pointer: JsonPointer, turn: number): JsonValue | undefined {
  const { enum: options, maximum, 'x-reference': reference } = findFieldSchema(pointer)
  if (reference !== undefined) return [{ env: 'LANDFORM_OTHER' }, { file: 'other/secret' }][turn % 2]
  if (options !== undefined) return options[turn % options.length]
  if (maximum !== undefined) return (turn % maximum) + 1
  if (Array.isArray(value)) return turn % 2 === 0 ? [...value, 'added'] : value.slice(1)
  if (pointer.endsWith('/size')) return ['77Ti', '16Gi', '1k'][turn % 3]
  if (typeof value !== 'string') return ['5', 5, null, false, -1.5][turn % 5]
  return [`${value}x`, `x${value}`, 'other', value.slice(1), value.toUpperCase()][turn % 5]
}

function isField(manifest: JsonValue, pointer: JsonPointer): boolean {
  if (!pointer.startsWith('/spec/') || pointer.startsWith('/spec/site/')) return false
  const value = valueAt(manifest, pointer) ?? null
  const isInReference = findFieldSchema(readParent(pointer))['x-reference'] !== undefined
  if (isInReference) return false
  if (findFieldSchema(pointer)['x-reference'] !== undefined) return true
  if (Array.isArray(value)) return value.length > 0 && value.every(element => typeof element !== 'object')
  if (typeof value === 'object' && value !== null) return false
  const around = valueAt(manifest, readParent(pointer)) ?? null
  return !(Array.isArray(around) && isField(manifest, readParent(pointer))) && !Array.isArray(around)
}

function mutationOf(manifest: JsonObject, choice: number, turn: number): Mutation | undefined {
  const pointers = pointersIn(manifest).filter(pointer => isField(manifest, pointer))
  const pointer = pointers[choice % pointers.length] ?? '/spec'
  const { required = [], properties } = findFieldSchema(readParent(pointer))
  const isOptional = properties !== undefined && !required.includes(splitPointer(pointer).at(-1) ?? '')
  if (isOptional && turn % 7 === 0) return { pointer, manifest: removed(manifest, pointer) }
  const next = otherValue(valueAt(manifest, pointer) ?? null, pointer, turn)
  return next === undefined ? undefined : { pointer, manifest: changed(manifest, pointer, next) }
}

/** Tests whether a set has an equal element twice, however it is written: then one more or less is no change. */
function repeatsItself(value: JsonValue): boolean {
  const lists = [...pointersIn(value)].filter(pointer => findFieldSchema(pointer)['x-compare'] === 'set')
  return lists.some(list => {
    const elements = valueAt(value, list)
    if (!Array.isArray(elements)) return false
    return elements.some((one, index) =>
      elements.slice(index + 1).some(other => isSame([one as JsonValue], [other as JsonValue], list)),
    )
  })
}

test('changing any one field is reported as a difference of exactly that field, with both values and its line', () => {
  const seen = { told: 0, same: 0, fields: new Set<string>() }
  fc.assert(
    fc.property(manifests, fc.nat(), fc.nat(), (value, choice, turn) => {
      const mutation = mutationOf(value, choice, turn)
      fc.pre(mutation !== undefined && !repeatsItself(value) && !repeatsItself(mutation.manifest))
      const { text, lines } = linedJson(mutation.manifest)
      const after = loaded(text)
      fc.pre(after !== undefined)
      const before = manifestOf(value)
      const isLabel = readParent(mutation.pointer).endsWith('/labels')
      const pointer = isLabel ? readParent(mutation.pointer) : mutation.pointer
      const found = compareValues(specOf(before), specOf(after), '/spec')
      if (meaningOf(before) === meaningOf(after)) {
        seen.same += 1
        expect(found).toEqual([])
        return
      }
      seen.told += 1
      seen.fields.add(pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0'))
      const [difference] = found
      expect(found.map(one => one.pointer)).toEqual([pointer])
      expect(difference?.before ?? null).toEqual(shown(value, pointer))
      expect(difference?.after ?? null).toEqual(shown(mutation.manifest, pointer))
      // The result is the same if the old manifest was written differently, in another order.
      const reworded = manifestOf(respelled(value, randomFrom(choice)))
      const [also, ...others] = compareValues(specOf(reworded), specOf(after), '/spec')
      expect([also?.pointer, others]).toEqual([pointer, []])
      expect(isSame(also?.before, difference?.before, pointer)).toBe(true)
      const { 'x-reference': reference } = findFieldSchema(pointer)
      const line = lines.get(pointer) ?? lines.get(readParent(pointer))
      expect(findPlace(after.places, difference?.near ?? '', 'key').start.line).toBe(line)
      const tells = turn % 2 === 0
      const plan = aPlan({ ...appliedTo(before, tells), desired: after })
      const fields = plan.actions.flatMap(action => ('fields' in action ? action.fields : []))
      const edits = [...fields, ...plan.immutable].map(one => [one.pointer, one.line])
      // The source of a secret is not compared, and a license is compared by its bytes.
      const isCompared = reference === undefined && !pointer.startsWith('/spec/license/')
      expect(edits).toEqual(isCompared ? [[pointer, line]] : [])
      // A value that a site reports for an omitted field is not compared.
      if (tells) return
      const different = plan.fields.filter(({ verdict }) => verdict === 'different')
      expect(different.map(one => one.pointer)).toEqual(edits.map(([edit]) => edit))
    }),
    { numRuns: cases(25) },
  )
  expect(seen.told).toBeGreaterThan(12)
  expect(seen.fields.size).toBeGreaterThan(12)
})

/** The value of a field, or its default; an empty optional value counts as absent. */
function shown(manifest: JsonObject, pointer: JsonPointer): JsonValue {
  const { default: usual = null } = findFieldSchema(pointer)
  const { properties, required = [] } = findFieldSchema(readParent(pointer))
  const value = valueAt(manifest, pointer)
  const optional = properties !== undefined && !required.includes(splitPointer(pointer).at(-1) ?? '')
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  return value === undefined || (optional && isEmpty) ? usual : value
}

test('two manifests are the same exactly if they lead to the same requests', () => {
  fc.assert(
    fc.property(manifests, fc.nat(), fc.nat(), (value, choice, turn) => {
      const after = loaded(linedJson(mutationOf(value, choice, turn)?.manifest ?? value).text)
      fc.pre(after !== undefined)
      const before = manifestOf(value)
      const [one, other] = [organizationOf(before), organizationOf(after)]
      const same = isSame(one, other, '/spec')
      expect(same).toBe(wireMeaning(before.organization) === wireMeaning(after.organization))
      const [left, right] = [wireTexts(before.organization), wireTexts(after.organization)]
      if (JSON.stringify([...left].toSorted()) === JSON.stringify([...right].toSorted()))
        expect(same).toBe(true)
    }),
    { numRuns: cases(2) },
  )
})

const kinds = fc.constantFrom<JsonPointer>('/spec', policyAt, '/spec/cloudStorage', '/spec/volumes/BLOB')

test('there are no differences exactly if two values are the same, and swapping them changes no field of the differences', () => {
  const general = (pointer: JsonPointer) =>
    pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0').replace(/\/(?:question|index)$/, '/question')
  const pair = fc.oneof(
    fc
      .tuple(manifests, manifests, kinds)
      .map(([one, other, at]) => [valueAt(one, at), valueAt(other, at), at] as const),
    fc
      .tuple(fc.jsonValue(), fc.jsonValue(), kinds)
      .map(([one, other, at]) => [one as JsonValue, other as JsonValue, at] as const),
  )
  fc.assert(
    fc.property(pair, ([one, other, at]) => {
      const forth = compareValues(one, other, at)
      expect(forth.length === 0).toBe(isSame(one, other, at))
      for (const difference of forth) expect('before' in difference || 'after' in difference).toBe(true)
      expect(new Set(forth.map(({ pointer }) => pointer)).size).toBe(forth.length)
      const back = compareValues(other, one, at)
      const names = (list: typeof forth) => list.map(({ pointer }) => general(pointer)).toSorted()
      expect(names(back)).toEqual(names(forth))
      expect(compareValues(one, one, at)).toEqual([])
    }),
    { numRuns: cases(3) },
  )
})

test('a difference is located at a position that exists in the second value', () => {
  fc.assert(
    fc.property(manifests, manifests, (one, other) => {
      const [before, after] = [valueAt(one, '/spec'), valueAt(other, '/spec')]
      for (const { pointer, near, ...values } of compareValues(before, after, '/spec')) {
        expect(valueAt(other, near)).toBeDefined()
        expect(`${pointer}/`.startsWith(`${near}/`)).toBe(true)
        if (near === pointer && 'after' in values)
          expect([valueAt(other, near), findFieldSchema(near).default]).toContainEqual(values.after)
      }
    }),
    { numRuns: cases(3) },
  )
})

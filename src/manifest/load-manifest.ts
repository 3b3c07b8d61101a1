import { isDocumented, parseVersion, type ServiceVersion } from '../contract/versions.js'
import { catalog } from '../diagnostics/catalog.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Result } from '../result.js'
import type { JsonObject, JsonValue } from '../schema/json-schema.js'
import { readDeclaredVersion } from './declared-version.js'
import { computeDigest } from './digest.js'
import { collectPlaces, type EffectiveManifest, listExtendsPlaces, mergeDocuments } from './effective.js'
import { readParsedBase } from './extends.js'
import { addKnownPlace } from './field-places.js'
import { applyIgnores } from './ignores.js'
import type { FieldPlaces, Manifest, ManifestSpec, SiteDeployment } from './manifest.js'
import { mergeAnchored } from './merge-anchored.js'
import { mergeWithBase, readCleanValue } from './quick-check.js'
import { readOrdinaryObject } from './quick-value.js'
import { rules } from './rules/all.js'
import type { Judge } from './rules/rule.js'
import { diagnoseSchemaErrors } from './schema-diagnostics.js'
import type { Source } from './source.js'
import { type ParsedYaml, parseYaml, type YamlDocument } from './yaml-document.js'

/** A valid manifest with its warnings, or the errors and warnings of an invalid one. */
export type LoadedManifest = Result<Manifest, 'invalid'> & { readonly diagnostics: readonly Diagnostic[] }

export function rejectManifest(diagnostics: readonly Diagnostic[]): LoadedManifest {
  return { ok: false, error: 'invalid', diagnostics }
}

/**
 * Loads a manifest: YAML, then its schema, the rules, and `judge`. Returns every problem at once, with its place and in
 * the order of the file; warnings alone do not make it invalid. `bases` are the files it extends, nearest first, which
 * the caller has read.
 */
export function loadManifest(
  source: Source,
  bases: readonly Source[] = [],
  judge: Judge = () => [],
): LoadedManifest {
  const { effective, diagnostics } = checkLayers(source, bases, { judge })
  if (effective === undefined || hasError(diagnostics)) return rejectManifest(diagnostics)
  const { value } = effective
  const manifest = buildManifest({ value, places: collectPlaces(effective) }, source, bases)
  return { ok: true, value: manifest, diagnostics }
}

/**
 * The same on a fast path, for a manifest of which nothing is to be said; `undefined` leaves it to `loadManifest`. Its places
 * are looked for when somebody asks.
 */
export function loadCleanManifest(
  source: Source,
  bases: readonly Source[] = [],
  judge: Judge = () => [],
): LoadedManifest | undefined {
  let base: JsonObject | undefined
  const value = readCleanValue(source, () => {
    base ??= readBaseValue(bases)
    return base
  })
  if (value === undefined || judge(value, []).length > 0) return undefined
  return {
    ok: true,
    value: buildManifest({ value, places: { sources: [source, ...bases] } }, source, bases),
    diagnostics: [],
  }
}

function readBaseValue([nearest, ...others]: readonly Source[]): JsonObject | undefined {
  const own = nearest && readOrdinaryObject(nearest)
  if (own === undefined || !('extends' in own)) return own
  return mergeWithBase(own, () => readBaseValue(others))
}

/** Checks a manifest as if it declared another service version. */
export function checkForVersion(
  [source, ...bases]: readonly [Source, ...Source[]],
  version: ServiceVersion,
): readonly Diagnostic[] {
  // A comment may silence a warning that only the declared version has.
  return checkLayers(source, bases, { version }).diagnostics.filter(({ code }) => code !== 'ignore/unused')
}

interface CheckedManifest {
  /** Absent where a file cannot be read. */
  readonly effective?: EffectiveManifest
  readonly diagnostics: readonly Diagnostic[]
}

interface CheckOptions {
  readonly version?: ServiceVersion
  readonly judge?: Judge
}

function checkLayers(
  source: Source,
  bases: readonly Source[],
  { version, judge }: CheckOptions,
): CheckedManifest {
  const layers = [source, ...bases].map(parseYaml)
  const [document, ...under] = layers.flatMap(layer => layer.document ?? [])
  const unread = layers.flatMap(({ diagnostics }, index) =>
    diagnostics.map(diagnostic => addRelated(diagnostic, layers.slice(0, index))),
  )
  if (document === undefined || hasError(unread)) return { diagnostics: unread }
  const broken = findMissingBase([document, ...under])
  if (broken !== undefined) return { diagnostics: [broken] }
  const effective = mergeDocuments([document, ...under])
  const { value } = effective
  const numeral = (pointer: JsonPointer) => effective.numeral(pointer)
  const manifest = { value, version: version ?? readDeclaredVersion(value), numeral }
  const found = keepPlaceholders([
    ...diagnoseSchemaErrors(value, pointer => effective.written(pointer), manifest.version),
    ...rules.flatMap(rule => [...rule(manifest)]),
  ])
  const files = [source, ...bases].map(({ name }) => name)
  const all = [...found, ...(judge?.(value, found) ?? [])].map(one =>
    keepOwnFix(source, addEffectivePlace(effective, one)),
  )
  const diagnostics = mergeAnchored(effective, applyIgnores([document, ...under], all)).toSorted(
    compareByPlace(files),
  )
  return { effective, diagnostics }
}

/** Keeps of the diagnostics of a placeholder only the one that says so. */
function keepPlaceholders(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const isPlaceholder = ({ code }: Diagnostic) => code === 'manifest/placeholder'
  const pointers = new Set(diagnostics.filter(isPlaceholder).map(({ pointer }) => pointer))
  return diagnostics.filter(one => isPlaceholder(one) || !pointers.has(one.pointer))
}

/** Keeps only fixes in the manifest itself: a base is fixed separately, because other manifests may extend it. */
function keepOwnFix({ name }: Source, { fix, ...diagnostic }: Diagnostic): Diagnostic {
  return fix !== undefined && diagnostic.place?.file === name ? { ...diagnostic, fix } : diagnostic
}

function addEffectivePlace({ place, around }: EffectiveManifest, diagnostic: Diagnostic): Diagnostic {
  const { pointer, code } = diagnostic
  return addKnownPlace(diagnostic, { place: place(pointer, catalog[code].marks), ...around(pointer) })
}

function addRelated(diagnostic: Diagnostic, around: readonly ParsedYaml[]): Diagnostic {
  const way = listExtendsPlaces(around.flatMap(({ document }) => document ?? []))
  const related = [...(diagnostic.related ?? []), ...way]
  return related.length > 0 ? { ...diagnostic, related } : diagnostic
}

/** Diagnoses a base that is missing from the chain; the merged manifest is then unknown. */
function findMissingBase(documents: readonly YamlDocument[]): Diagnostic | undefined {
  const last = documents.at(-1)
  const base = last === undefined ? undefined : readParsedBase(last)
  if (last === undefined || base === undefined || base.kind === 'none') return undefined
  if (base.kind === 'problem') return base.diagnostic
  return {
    ...diagnose('extends/missing', '/extends', { path: base.path }),
    place: last.place('/extends', 'value'),
  }
}

function buildManifest(
  { value, places }: { readonly value: JsonValue; readonly places: FieldPlaces },
  source: Source,
  bases: readonly Source[],
): Manifest {
  const content = value as unknown as SiteDeployment
  const { site, state, upgrade, ...organization } = content.spec
  const version = parseVersion(site.version)
  if (version === undefined) throw new Error('the schema accepted an invalid version')
  // The service document does not say how later versions spell cloud storage.
  const spelling = site.cloudSpelling ?? (isDocumented(version) ? 'document' : 'reported')
  return {
    name: content.metadata.name,
    site: { ...site, version },
    ...(state !== undefined && { state }),
    organization: { ...organization, ...(spelling === 'reported' && { cloudSpelling: spelling }) },
    ...(upgrade !== undefined && buildPolicy(upgrade.podPlacementPolicy)),
    file: source.name,
    digest: computeDigest(source.bytes),
    bases: bases.map(base => ({ file: base.name, digest: computeDigest(base.bytes) })),
    places,
  }
}

const policyHalves = ['nodeAffinity', 'tolerations'] as const

/** Makes the defaults explicit, so that policies with and without them are equal and are sent alike. */
function buildPolicy(
  policy: NonNullable<ManifestSpec['upgrade']>['podPlacementPolicy'],
): Pick<Manifest, 'policy' | 'policyDefaults'> {
  const { nodeAffinity = {}, tolerations = [] } = policy
  const policyDefaults = policyHalves.filter(half => policy[half] === undefined)
  return { policy: { nodeAffinity, tolerations }, ...(policyDefaults.length > 0 && { policyDefaults }) }
}

/** Compares diagnostics by file, then by line. */
function compareByPlace(files: readonly string[]) {
  return (a: Diagnostic, b: Diagnostic): number => {
    if (a.place === undefined || b.place === undefined) return 0
    const [left, right] = [a.place.start, b.place.start]
    return (
      files.indexOf(a.place.file) - files.indexOf(b.place.file) ||
      left.line - right.line ||
      left.column - right.column
    )
  }
}

function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

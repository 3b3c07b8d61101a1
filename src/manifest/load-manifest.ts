import { isDocumented, parseVersion, type ServiceVersion } from '../contract/versions.js'
import { catalog, type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { formatAll, quote } from '../diagnostics/words.js'
import type { Result } from '../result.js'
import type { JsonValue } from '../schema/json-schema.js'
import { formatIndices, type JsonPointer, readLastSegment, splitPointer } from '../schema/pointer.js'
import { select, ValueIndex } from '../schema/select.js'
import { computeDigest } from './digest.js'
import { type EffectiveManifest, listExtendsPlaces, mergeDocuments } from './effective.js'
import { readParsedBase } from './extends.js'
import { addKnownPlace } from './field-places.js'
import { applyIgnores } from './ignores.js'
import type { Manifest, ManifestSpec, SiteDeployment } from './manifest.js'
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
  return loadLayers([parseYaml(source), ...bases.map(base => parseYaml(base))], judge)
}

/** A manifest and its bases, nearest first. */
export type Layers = readonly [ParsedYaml, ...ParsedYaml[]]

/** Loads a manifest from files that are parsed already. */
export function loadLayers(layers: Layers, judge: Judge = () => []): LoadedManifest {
  const { effective, diagnostics } = checkLayers(layers, { judge })
  if (effective === undefined || hasError(diagnostics)) return rejectManifest(diagnostics)
  const manifest = buildManifest(effective.value, layers)
  return { ok: true, value: manifest, diagnostics }
}

/** Checks a manifest as if it declared another service version. */
export function checkForVersion(layers: Layers, version: ServiceVersion): readonly Diagnostic[] {
  // A comment may silence a warning that only the declared version has.
  return checkLayers(layers, { version }).diagnostics.filter(({ code }) => code !== 'ignore/unused')
}

interface CheckedManifest {
  /** Absent if a file cannot be read. */
  readonly effective?: EffectiveManifest
  readonly diagnostics: readonly Diagnostic[]
}

interface CheckOptions {
  readonly version?: ServiceVersion
  readonly judge?: Judge
}

function checkLayers(layers: Layers, { version, judge }: CheckOptions): CheckedManifest {
  const [{ source }] = layers
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
  const index = new ValueIndex(value)
  const manifest = { value, index, version: version ?? readDeclaredVersion(value), numeral }
  const found = keepCauses([
    ...diagnoseSchemaErrors(value, pointer => effective.written(pointer), manifest.version),
    ...rules.flatMap(rule => [...rule(manifest)]),
  ])
  const files = layers.map(layer => layer.source.name)
  const all = [...found, ...(judge?.(value, found) ?? [])].map(one =>
    keepOwnFix(source, addEffectivePlace(effective, one)),
  )
  const diagnostics = mergeAnchored(effective, applyIgnores([document, ...under], all)).toSorted(
    compareByPlace(files),
  )
  return { effective, diagnostics }
}

const causes: readonly Diagnostic['code'][] = ['manifest/placeholder', 'manifest/hidden-character']

/**
 * Drops the consequences of a placeholder or a hidden character: keeps only the diagnostic that names it. Copied
 * characters are reported only if a text has no error.
 */
function keepCauses(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const pointersOf = (isWanted: (one: Diagnostic) => boolean) =>
    new Set(diagnostics.filter(isWanted).map(({ pointer }) => pointer))
  const [named, wrong] = [
    pointersOf(({ code }) => causes.includes(code)),
    pointersOf(({ severity }) => severity === 'error'),
  ]
  return diagnostics.filter(({ code, pointer }) =>
    code === 'manifest/stray-character'
      ? !wrong.has(pointer)
      : causes.includes(code) || catalog[code].marks === 'key' || !named.has(pointer),
  )
}

/**
 * Keeps only fixes in the manifest itself: a base is fixed separately, because other manifests may extend it.
 */
function keepOwnFix({ name }: Source, one: Diagnostic): Diagnostic {
  const { fix, ...diagnostic } = one
  const isOwn = diagnostic.place?.file === name
  return fix !== undefined && isOwn ? { ...diagnostic, fix } : diagnostic
}

function addEffectivePlace(
  { place, placeOfPart, around }: EffectiveManifest,
  { part, ...diagnostic }: Diagnostic,
): Diagnostic {
  const { pointer, code } = diagnostic
  const partPlace = part === undefined ? undefined : placeOfPart(pointer, part)
  return addKnownPlace(diagnostic, {
    place: partPlace ?? place(pointer, catalog[code].marks),
    ...around(pointer),
  })
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

function buildManifest(value: JsonValue, layers: Layers): Manifest {
  const [{ source }, ...others] = layers
  const bases = others.map(layer => layer.source)
  const files = layers.map(layer => ({ name: layer.source.name, text: layer.document?.text ?? '' }))
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
    places: { files },
  }
}

const policyHalves = ['nodeAffinity', 'tolerations'] as const

/** Makes the defaults explicit, so policies with and without them compare as equal and are sent in the same form. */
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

/** Reads the declared service version of a manifest; `undefined` if it is missing or invalid. */
function readDeclaredVersion(value: JsonValue): ServiceVersion | undefined {
  const [declared] = select(value, '/spec/site/version')
  return typeof declared?.value === 'string' ? parseVersion(declared.value) : undefined
}

interface Repeated {
  /** The diagnostic at the anchor, or if only aliases have one, that of the first alias. */
  first: Diagnostic
  isAtAnchor: boolean
  /** The pointers of all fields with the value. */
  readonly users: JsonPointer[]
}

/** Merges diagnostics that aliases repeat: a mistake at an anchor is reported once, with every field that uses the value. */
function mergeAnchored(
  { findOrigin }: EffectiveManifest,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const groups = new Map<unknown, Repeated>()
  for (const diagnostic of diagnostics) {
    const { document, pointer } = findOrigin(diagnostic.pointer)
    const use = document.findAnchor(pointer)
    if (use === undefined) {
      groups.set(diagnostic, { first: diagnostic, isAtAnchor: true, users: [] })
      continue
    }
    const name = readLastSegment(use.user)
    // Messages that differ in anything but the field are about different mistakes.
    const message = diagnostic.message.replace(quote(name), '')
    const key = JSON.stringify([diagnostic.code, diagnostic.place?.file, use.pointer, message])
    const isAtAnchor = use.pointer === pointer
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { first: diagnostic, isAtAnchor, users: [use.user] })
    else {
      known.users.push(use.user)
      if (isAtAnchor && !known.isAtAnchor) Object.assign(known, { first: diagnostic, isAtAnchor })
    }
  }
  return [...groups.values()].map(({ first, users }) =>
    users.length < 2
      ? first
      : { ...first, message: `${first.message}; this value is used by ${formatAll(distinctNames(users))}` },
  )
}

/** Names fields by their last segments, with as many segments as needed to distinguish them. */
function distinctNames(pointers: readonly JsonPointer[], length = 1): readonly string[] {
  const paths = pointers.map(splitPointer)
  const names = paths.map(path => formatIndices(path.slice(-length).join('.')))
  const isEnough = new Set(names).size === names.length || paths.every(path => path.length <= length)
  return isEnough ? names : distinctNames(pointers, length + 1)
}

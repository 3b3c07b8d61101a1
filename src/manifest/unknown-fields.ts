import { wireSpellings } from '../contract/cloud.js'
import { otherSettings, undocumentedPlacementFields } from '../contract/placement.js'
import { reportedProfiles } from '../contract/profiles.js'
import { includes, type ServiceVersion } from '../contract/versions.js'
import type { KnownName } from '../diagnostics/catalog/manifest-help.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { findCertainMatch, findRelated, findSimilar } from '../diagnostics/did-you-mean.js'
import { findFieldSchema } from '../schema/field-schema.js'
import type { JsonObject } from '../schema/json-schema.js'
import { findSince, parameterPaths } from '../schema/parameter-paths.js'
import {
  appendSegment,
  formatDotted,
  type JsonPointer,
  readLastSegment,
  readParent,
} from '../schema/pointer.js'

/** A map and its unknown keys. */
interface UnknownKeys {
  readonly owner: JsonPointer
  readonly map: JsonObject
  readonly fields: readonly string[]
  /** The fields that the map may have. */
  readonly allowed: readonly string[]
  /** The version whose fields are suggested. */
  readonly version: ServiceVersion | undefined
}

/** An unknown field. */
interface UnknownField {
  readonly diagnostic: Diagnostic
  /** The most likely intended field of the same map. */
  readonly suggestion: string | undefined
  /** The place where a field of this name belongs, if not in this map. */
  readonly parameterPath: JsonPointer | undefined
  readonly known: KnownName | undefined
}

/** Diagnoses unknown fields, with the most likely intention of each. */
export function diagnoseUnknownFields({ owner, map, fields, ...keys }: UnknownKeys): readonly UnknownField[] {
  const { version } = keys
  const allowed = keys.allowed.filter(name => isOffered(appendSegment(owner, name), version))
  const free = allowed.filter(name => !Object.hasOwn(map, name))
  const meant = fields.map(field => ({
    field,
    ...findKnownUse({ owner, map, allowed, version }, field),
    near:
      findSimilar(field, free) ?? findRelated(field, free) ?? findServiceName({ owner, map, version }, field),
  }))
  return meant.map(({ field, home: parameterPath, near, ...others }) => {
    const isForeign = others.known?.kind === 'undocumented' || others.known?.kind === 'other-setting'
    const elsewhere = parameterPath !== undefined || isForeign
    const suggestion = elsewhere ? undefined : near
    // Two fields with the same suggestion cannot both be renamed to it.
    const alone = meant.filter(other => other.near === suggestion).length === 1
    const certain = alone && suggestion !== undefined && findCertainMatch(field, free) === suggestion
    const spelling = suggestion !== undefined && wireSpellings.includes(field)
    const known = spelling ? ({ kind: 'spelling', field: suggestion } as const) : others.known
    const facts = { field, suggestion, certain, allowed, known }
    const diagnostic = diagnose('manifest/unknown-field', appendSegment(owner, field), facts)
    return { diagnostic, suggestion, parameterPath, known }
  })
}

/** Finds the field for a name that resembles one of the service; as a dotted path if it belongs elsewhere. */
function findServiceName(
  { owner, map, version }: Pick<UnknownKeys, 'owner' | 'map' | 'version'>,
  field: string,
): string | undefined {
  const names = parameterPaths.map(({ parameter }) => parameter.name)
  const name = findSimilar(field, names) ?? findRelated(field, names)
  const home = parameterPaths.find(({ parameter }) => parameter.name === name)?.pointer
  if (home === undefined || !owner.startsWith('/spec') || !isOffered(home, version)) return undefined
  const last = readLastSegment(home)
  if (readParent(home) !== owner) return formatDotted(home)
  return Object.hasOwn(map, last) ? undefined : last
}

const profilePointer = '/spec/profile'

/** True if the version has the field: it exists already, and no other field has replaced it. */
function isOffered(pointer: JsonPointer, version: ServiceVersion | undefined): boolean {
  if (version === undefined) return true
  if (pointer === profilePointer) return !includes(version, reportedProfiles.since)
  const since = findSince(pointer)
  return since === undefined || includes(version, since)
}

/** Finds a known use of a name, and the place where the field belongs. */
function findKnownUse(
  { owner, map, allowed, version }: Omit<UnknownKeys, 'fields'>,
  field: string,
): { readonly known?: KnownName; readonly home?: JsonPointer } {
  const parameter = parameterPaths.find(
    entry => entry.parameter.name === field && readLastSegment(entry.pointer) !== field,
  )
  if (parameter !== undefined) {
    const isReplaced = !isOffered(parameter.pointer, version) && parameter.pointer === profilePointer
    const home = isReplaced ? '/spec/deploymentProfiles' : parameter.pointer
    return { known: { kind: 'parameter', home: home.slice(1).replaceAll('/', '.') }, home }
  }
  const instead = otherSettings
    .get(field)
    ?.find(({ since }) => version === undefined || includes(version, since))
  if (instead !== undefined) return { known: { kind: 'other-setting', instead: instead.instead } }
  if (owner.startsWith('/spec/upgrade/') && undocumentedPlacementFields.includes(field))
    return { known: { kind: 'undocumented', allowed } }
  const [member, ...others] = allowed.filter(name =>
    Object.hasOwn(findFieldSchema(appendSegment(owner, name)).properties ?? {}, field),
  )
  const isEmpty = member !== undefined && Object.hasOwn(map, member) && map[member] === null
  if (member !== undefined && others.length === 0)
    return {
      known: { kind: 'inside', member, isEmpty },
      home: appendSegment(appendSegment(owner, member), field),
    }
  return {}
}

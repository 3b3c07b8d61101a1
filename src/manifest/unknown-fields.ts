import { wireSpellings } from '../contract/cloud.js'
import { undocumentedPlacementFields } from '../contract/placement.js'
import type { KnownName } from '../diagnostics/catalog/known-name.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { child, type JsonPointer, nameOf } from '../diagnostics/pointer.js'
import { homes } from '../schema/homes.js'
import type { JsonObject } from '../schema/json-schema.js'
import { fieldSchema } from '../schema/manifest-schema.js'
import { didYouMean, surelyMeant } from './did-you-mean.js'

/** A map and its unknown keys. */
export interface Strangers {
  readonly owner: JsonPointer
  readonly map: JsonObject
  readonly fields: readonly string[]
  /** The fields that the map may have. */
  readonly allowed: readonly string[]
}

/** An unknown field. */
export interface UnknownField {
  readonly diagnostic: Diagnostic
  /** The most likely intended field of the same map. */
  readonly suggestion: string | undefined
  /** The place where a field of this name belongs, if not in this map. */
  readonly home: JsonPointer | undefined
  readonly known: KnownName | undefined
}

/** Diagnoses unknown fields, with the most likely intention of each. */
export function unknownFields({ owner, map, fields, allowed }: Strangers): readonly UnknownField[] {
  const free = allowed.filter(name => !Object.hasOwn(map, name))
  const meant = fields.map(field => ({
    field,
    ...whereItIs({ owner, map, allowed }, field),
    near: didYouMean(field, free),
  }))
  return meant.map(({ field, home, near, ...others }) => {
    const elsewhere = home !== undefined || others.known?.kind === 'undocumented'
    const suggestion = elsewhere ? undefined : near
    // Two fields with the same suggestion cannot both be renamed to it.
    const alone = meant.filter(other => other.near === suggestion).length === 1
    const certain = alone && suggestion !== undefined && surelyMeant(field, free) === suggestion
    const spelling = suggestion !== undefined && wireSpellings.includes(field)
    const known = spelling ? ({ kind: 'spelling', field: suggestion } as const) : others.known
    const facts = { field, suggestion, certain, allowed, known }
    const diagnostic = diagnose('manifest/unknown-field', child(owner, field), facts)
    return { diagnostic, suggestion, home, known }
  })
}

/** Finds a known use of a name, and the place where the field belongs. */
function whereItIs(
  { owner, map, allowed }: Omit<Strangers, 'fields'>,
  field: string,
): { readonly known?: KnownName; readonly home?: JsonPointer } {
  const parameter = homes.find(entry => entry.parameter.name === field && nameOf(entry.pointer) !== field)
  if (parameter !== undefined) {
    const home = parameter.pointer
    return { known: { kind: 'parameter', home: home.slice(1).replaceAll('/', '.') }, home }
  }
  if (owner.startsWith('/spec/upgrade/') && undocumentedPlacementFields.includes(field))
    return { known: { kind: 'undocumented', allowed } }
  const [member, ...others] = allowed.filter(name =>
    Object.hasOwn(fieldSchema(child(owner, name)).properties ?? {}, field),
  )
  const isEmpty = member !== undefined && Object.hasOwn(map, member) && map[member] === null
  if (member !== undefined && others.length === 0)
    return { known: { kind: 'inside', member, isEmpty }, home: child(child(owner, member), field) }
  return {}
}

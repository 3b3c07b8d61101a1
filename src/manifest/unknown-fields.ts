import { wireSpellings } from '../contract/cloud.js'
import { undocumentedPlacementFields } from '../contract/placement.js'
import type { KnownName } from '../diagnostics/catalog/known-name.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { child, type JsonPointer, nameOf } from '../diagnostics/pointer.js'
import { homes } from '../schema/homes.js'
import type { JsonObject } from '../schema/json-schema.js'
import { fieldSchema } from '../schema/manifest-schema.js'
import { didYouMean, surelyMeant } from './did-you-mean.js'

/** A map, and keys of it that it should not have. */
export interface Strangers {
  readonly owner: JsonPointer
  readonly map: JsonObject
  readonly fields: readonly string[]
  /** The fields that the map may have. */
  readonly allowed: readonly string[]
}

/** A field that does not exist where it stands. */
export interface UnknownField {
  readonly diagnostic: Diagnostic
  /** The field of the same map that was most likely meant. */
  readonly suggestion: string | undefined
  /** Where the manifest has what this is the name of, if not in this map. */
  readonly home: JsonPointer | undefined
  readonly known: KnownName | undefined
}

/** What there is to say of fields that do not exist here, and what each was meant to be. */
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
    // Two fields that mean the same one cannot both become it.
    const alone = meant.filter(other => other.near === suggestion).length === 1
    const certain = alone && suggestion !== undefined && surelyMeant(field, free) === suggestion
    const spelling = suggestion !== undefined && wireSpellings.includes(field)
    const known = spelling ? ({ kind: 'spelling', field: suggestion } as const) : others.known
    const facts = { field, suggestion, certain, allowed, known }
    const diagnostic = diagnose('manifest/unknown-field', child(owner, field), facts)
    return { diagnostic, suggestion, home, known }
  })
}

/** What a name is known for, and where the manifest has the field that it is the name of. */
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

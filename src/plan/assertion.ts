import type { Manifest, RecordedOrganization } from '../manifest/manifest.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { appendSegment, isBelow, type JsonPointer, splitPointer } from '../schema/pointer.js'
import { readMember, readValue } from '../schema/select.js'
import { compareWithSite, isPolicyPart, listChangedFields, withProfile } from './fields/known.js'
import type { Inventory } from './observation.js'
import type { FieldChange } from './plan.js'
import { type ApplyRecord, type Assertion, emptyRecord, type Situation } from './situation.js'

/** The part for a whole site, without the placement policy, which Landform can set itself. */
export const wholeSite: JsonPointer = '/spec'

/** A person's statement that parts of a site are as in its manifest. */
export interface Statement extends Pick<Assertion, 'by' | 'reason'> {
  readonly parts: readonly JsonPointer[]
  readonly desired: Pick<Manifest, 'organization' | 'policy' | 'digest'>
  /** Digests of the license files, by field. */
  readonly licenses: Readonly<Record<string, string>>
  readonly assertedAt: string
}

type Organization = NonNullable<ApplyRecord['organization']>

/** Replaces a part inside a list by the whole list, since the elements of two lists may have another order. */
export function widenParts(
  parts: readonly JsonPointer[],
  { organization, policy }: Pick<Manifest, 'organization' | 'policy'>,
): readonly JsonPointer[] {
  const spec = {
    ...withProfile(organization),
    ...(policy && { upgrade: { podPlacementPolicy: { ...policy } } }),
  }
  const widen = (part: JsonPointer) => {
    if (isPolicyPart(part)) return '/spec/upgrade'
    let found: JsonPointer = ''
    for (const segment of splitPointer(part)) {
      if (Array.isArray(readValue({ spec }, found))) break
      found = appendSegment(found, segment)
    }
    return found
  }
  return [...new Set(parts.map(widen))]
}

/** Lists the fields of the asserted parts for which the site itself reports another value than the manifest. */
export function findContradictions(
  situation: Situation,
  parts: readonly JsonPointer[],
  volumes: Inventory['volumes'],
): readonly FieldChange[] {
  const { desired } = situation
  const reportedVolumes = Object.entries(volumes).flatMap(([component, reported]) => {
    const wanted = readValue({ spec: withProfile(desired.organization) }, `/spec/volumes/${component}`)
    const after = Object.fromEntries(
      Object.keys(reported).map(name => [name, readMember(wanted, name) ?? null]),
    )
    return listChangedFields(desired, `/spec/volumes/${component}`, { before: { ...reported }, after })
  })
  // Compare with the site only: the record may be wrong.
  return [...compareWithSite({ ...situation, record: emptyRecord }), ...reportedVolumes].filter(
    ({ pointer }) => parts.some(part => covers(part, pointer)),
  )
}

/** Tests whether an asserted part contains a field. */
export function covers(part: JsonPointer, pointer: JsonPointer): boolean {
  return isBelow(pointer, part) && isPolicyPart(pointer) === isPolicyPart(part)
}

/** Computes the record after a statement. A field that the manifest leaves out is removed from the record, too. */
export function recordStatement(
  record: ApplyRecord,
  { parts, desired, licenses, assertedAt, by, reason }: Statement,
): Pick<ApplyRecord, 'assertions'> & {
  readonly [K in 'organization' | 'policy']: ApplyRecord[K] | undefined
} {
  const wanted = { spec: withProfile(desired.organization) }
  const own = parts.filter(part => !isPolicyPart(part))
  const isWhole = own.includes(wholeSite)
  const unknown: Organization = { appliedAt: assertedAt, asserted: true, manifest: desired.digest, value: {} }
  const known = isWhole ? unknown : (record.organization ?? unknown)
  const value = own.reduce<JsonValue>(
    (all, part) => replaceValue(all, splitPointer(part), readValue(wanted, part)),
    { spec: { ...known.value } },
  )
  const files = Object.entries({ ...known.licenses, ...licenses }).flatMap(([file]) => {
    const said = isIn(file as JsonPointer, own) ? licenses[file] : known.licenses?.[file]
    return said === undefined ? [] : [[file, said] as const]
  })
  const organization: Organization = {
    ...known,
    value: readMember(value, 'spec') as RecordedOrganization,
    ...(files.length > 0 && { licenses: Object.fromEntries(files) }),
  }
  const { policy = undefined } = desired
  const isPolicy = parts.some(isPolicyPart)
  return {
    organization: own.length > 0 ? organization : record.organization,
    policy: isPolicy ? policy && { appliedAt: assertedAt, value: policy } : record.policy,
    assertions: [
      ...(record.assertions ?? []).filter(one => !parts.some(part => covers(part, one.pointer))),
      ...parts.map(pointer => ({
        pointer,
        assertedAt,
        ...(by !== undefined && { by }),
        ...(reason !== undefined && { reason }),
      })),
    ],
  }
}

function isIn(pointer: JsonPointer, parts: readonly JsonPointer[]): boolean {
  return parts.some(part => isBelow(pointer, part))
}

/** Replaces the value at a place of nested maps, or removes it. */
function replaceValue(
  around: JsonValue | undefined,
  [name, ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonValue {
  if (name === undefined) return value ?? {}
  const { [name]: before, ...others } = isObject(around) ? around : ({} as JsonObject)
  if (rest.length === 0) return { ...others, ...(value !== undefined && { [name]: value }) }
  if (before === undefined && value === undefined) return others
  return { ...others, [name]: replaceValue(before, rest, value) }
}

import type { Place } from '../../diagnostics/place.js'
import {
  appendSegment,
  isBelow,
  type JsonPointer,
  readLastSegment,
  readParent,
} from '../../diagnostics/pointer.js'
import type { EffectiveManifest, ManifestLayer } from '../../manifest/effective.js'
import { findFieldSchema } from '../../schema/field-schema.js'
import { formatSource } from '../../schema/fields.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { listMembers, readValue } from '../../schema/member.js'
import { findParameterPaths, type RequestParameterPath } from '../../schema/parameter-paths.js'
import { findAppliedValue } from '../fields/known.js'
import { findLaterChange } from '../fields/lifetime.js'
import type { Observation } from '../observation.js'
import type { ApplyRecord } from '../situation.js'
import type { DriftField } from './drift.js'

/** The origin of one value of a manifest, and all that is known of it. Secrets appear as references. */
export interface FieldExplanation {
  readonly pointer: JsonPointer
  /** The value in effect, if there is one. */
  readonly value?: JsonValue
  readonly origin: ValueOrigin
  /** Empty for a field that is never sent to the service. */
  readonly carriers: readonly RequestParameterPath[]
  /** The way to change it once the organization exists; absent for a field outside of it. Service §4.3, §4.4. */
  readonly changedLaterBy?: ReturnType<typeof findLaterChange>
  /** The value that the last apply recorded for it. */
  readonly recorded?: { readonly appliedAt: string; readonly asserted?: true; readonly value?: JsonValue }
  /** The status of its fields on the site; absent where the site was not read. */
  readonly site?: LiveReading
  /** The places where the members of a map or list were written. */
  readonly members: readonly Member[]
}

/** The result of reading the site. */
export interface LiveReading {
  readonly state: Observation['kind']
  readonly fields: readonly DriftField[]
}

type Member = Place & { readonly pointer: JsonPointer; readonly value?: JsonValue }

interface OriginFacts {
  readonly effective: EffectiveManifest
  readonly record: ApplyRecord
  readonly site?: LiveReading | undefined
}

/** Explains the value at one place of a manifest. */
export function explainOrigin(
  pointer: JsonPointer,
  { effective, record, site }: OriginFacts,
): FieldExplanation {
  const { value, origin } = findValueOrigin(pointer, effective)
  const isSetting = /^\/spec\/(?!site(?:\/|$))/.test(pointer)
  const applied = isSetting ? findAppliedValue(record, pointer) : undefined
  const recorded = readValue(buildRecordedManifest(record), pointer)
  return {
    pointer,
    ...(value !== undefined && { value }),
    origin,
    carriers: findParameterPaths(pointer),
    ...(isSetting && { changedLaterBy: findLaterChange(pointer) }),
    ...(applied !== undefined && {
      recorded: {
        appliedAt: applied.appliedAt,
        ...(applied.asserted && { asserted: applied.asserted }),
        ...(recorded !== undefined && { value: recorded }),
      },
    }),
    ...(site !== undefined && {
      site: { ...site, fields: site.fields.filter(field => isBelow(field.pointer, pointer)) },
    }),
    members: origin.kind === 'written' ? listObjectMembers(pointer, value, effective) : [],
  }
}

function listObjectMembers(
  pointer: JsonPointer,
  value: JsonValue | undefined,
  { place }: Pick<EffectiveManifest, 'place'>,
): readonly Member[] {
  return listMembers(value).map(([name, member]) => ({
    pointer: appendSegment(pointer, name),
    ...place(appendSegment(pointer, name), 'key'),
    ...((typeof member !== 'object' || member === null) && { value: member }),
  }))
}

/** Builds the values that the last applies recorded, in the shape of a manifest. */
function buildRecordedManifest({ organization, policy }: ApplyRecord): JsonValue {
  const upgrade = policy && { upgrade: { podPlacementPolicy: policy.value } }
  return { spec: { ...organization?.value, ...upgrade } }
}

/** The value of a field in one file. */
export interface WrittenValue extends Place {
  /** Its effect: it counts, is merged with the layer above, is replaced by it, or removes the layers below. */
  readonly how: 'counts' | 'merged' | 'replaced' | 'removes'
  /** The value, if it is replaced or removed. */
  readonly value?: JsonValue
}

/** The origin of an effective value; `layers` are the files that set the field, nearest first. */
type ValueOrigin =
  | { readonly kind: 'written'; readonly layers: readonly WrittenValue[] }
  /** Nothing is written; the default is known from `source`. */
  | { readonly kind: 'default'; readonly source: string; readonly layers: readonly WrittenValue[] }
  /** There is no value: it was not written, or was removed. */
  | { readonly kind: 'not-set'; readonly layers: readonly WrittenValue[] }

/** Finds the effective value of a field and its origin. */
function findValueOrigin(
  pointer: JsonPointer,
  effective: EffectiveManifest,
): { readonly value?: JsonValue; readonly origin: ValueOrigin } {
  const value = readValue(effective.value, pointer)
  if (value !== undefined) {
    const layers = effective.findLayers(pointer).map(one => readWrittenValue(one, one.how ?? 'counts'))
    return { value, origin: { kind: 'written', layers } }
  }
  const layers = listRemovedLayers(pointer, effective)
  const schema = findFieldSchema(pointer)
  // A default counts only in a part that is there.
  return schema.default === undefined || readValue(effective.value, readParent(pointer)) === undefined
    ? { origin: { kind: 'not-set', layers } }
    : {
        value: schema.default,
        origin: { kind: 'default', source: formatSource(schema) ?? 'Landform', layers },
      }
}

/** Lists the layers of a removed field, which only the files themselves still contain. */
function listRemovedLayers(pointer: JsonPointer, effective: EffectiveManifest): readonly WrittenValue[] {
  const name = readLastSegment(pointer)
  return effective
    .findLayers(readParent(pointer))
    .map(layer => ({ ...layer, pointer: appendSegment(layer.pointer, name) }))
    .flatMap(layer => {
      const value = readValue(layer.document.value, layer.pointer)
      return value === undefined ? [] : [readWrittenValue(layer, value === null ? 'removes' : 'replaced')]
    })
}

function readWrittenValue({ document, pointer }: ManifestLayer, how: WrittenValue['how']): WrittenValue {
  const value = readValue(document.value, pointer)
  const isHidden = how === 'replaced' && value !== undefined
  return { ...document.place(pointer, 'value'), how, ...(isHidden && { value }) }
}

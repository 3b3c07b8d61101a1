import type { Place } from '../../diagnostics/place.js'
import { appendSegment, isBelow, type JsonPointer } from '../../diagnostics/pointer.js'
import type { EffectiveManifest } from '../../manifest/effective.js'
import { findValueOrigin, type ValueOrigin } from '../../manifest/value-origin.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { listMembers, readValue } from '../../schema/member.js'
import { findAppliedValue } from '../fields/known.js'
import { findLaterChange } from '../fields/lifetime.js'
import { findParameterPaths, type RequestParameterPath } from '../fields/parameter-paths.js'
import type { Observation } from '../observation.js'
import type { ApplyRecord } from '../record.js'
import type { DriftField } from './drift.js'

/** Everything that is behind one value of a manifest. Secrets stand in it as references. */
export interface FieldExplanation {
  readonly pointer: JsonPointer
  /** What counts; absent where nothing does. */
  readonly value?: JsonValue
  readonly origin: ValueOrigin
  /** Empty for what the service never sees. */
  readonly carriers: readonly RequestParameterPath[]
  /** What changes it once the organization exists; absent for what is no part of it. Service §4.3, §4.4. */
  readonly changedLaterBy?: ReturnType<typeof findLaterChange>
  /** What the last apply left behind about it. */
  readonly recorded?: { readonly appliedAt: string; readonly value?: JsonValue }
  /** What can be said of it on the site; absent where nobody looked. */
  readonly site?: LiveReading
  /** Where the members of a map or list were written. */
  readonly members: readonly Member[]
}

/** What came of looking at the site. */
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

/** Says of one place of a manifest what is behind it. */
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
      recorded: { appliedAt: applied.appliedAt, ...(recorded !== undefined && { value: recorded }) },
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

/** What the last applies left behind, in the shape of a manifest. */
function buildRecordedManifest({ organization, policy }: ApplyRecord): JsonValue {
  const upgrade = policy && { upgrade: { podPlacementPolicy: policy.value } }
  return { spec: { ...organization?.value, ...upgrade } }
}

import type { Place } from '../../diagnostics/place.js'
import { child, isBelow, type JsonPointer } from '../../diagnostics/pointer.js'
import type { Effective } from '../../manifest/effective.js'
import { type ValueOrigin, valueOrigin } from '../../manifest/value-origin.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { membersOf, valueAt } from '../../schema/member.js'
import { type Carrier, carriersOf } from '../fields/carriers.js'
import { appliedWith } from '../fields/known.js'
import { changedLaterBy } from '../fields/lifetime.js'
import type { Observation } from '../observation.js'
import type { ApplyRecord } from '../record.js'
import type { DriftField } from './drift.js'

/** Everything that is behind one value of a manifest. Secrets stand in it as references. */
export interface Why {
  readonly pointer: JsonPointer
  /** What counts; absent where nothing does. */
  readonly value?: JsonValue
  readonly origin: ValueOrigin
  /** Empty for what the service never sees. */
  readonly carriers: readonly Carrier[]
  /** What changes it once the organization exists; absent for what is no part of it. Service §4.3, §4.4. */
  readonly changedLaterBy?: ReturnType<typeof changedLaterBy>
  /** What the last apply left behind about it. */
  readonly recorded?: { readonly appliedAt: string; readonly value?: JsonValue }
  /** What can be said of it on the site; absent where nobody looked. */
  readonly site?: Look
  /** Where the members of a map or list were written. */
  readonly members: readonly Member[]
}

/** What came of looking at the site. */
export interface Look {
  readonly state: Observation['kind']
  readonly fields: readonly DriftField[]
}

type Member = Place & { readonly pointer: JsonPointer; readonly value?: JsonValue }

interface Known {
  readonly effective: Effective
  readonly record: ApplyRecord
  readonly site?: Look | undefined
}

/** Says of one place of a manifest what is behind it. */
export function whyOf(pointer: JsonPointer, { effective, record, site }: Known): Why {
  const { value, origin } = valueOrigin(pointer, effective)
  const isSetting = /^\/spec\/(?!site(?:\/|$))/.test(pointer)
  const applied = isSetting ? appliedWith(record, pointer) : undefined
  const recorded = valueAt(recordedManifest(record), pointer)
  return {
    pointer,
    ...(value !== undefined && { value }),
    origin,
    carriers: carriersOf(pointer),
    ...(isSetting && { changedLaterBy: changedLaterBy(pointer) }),
    ...(applied !== undefined && {
      recorded: { appliedAt: applied.appliedAt, ...(recorded !== undefined && { value: recorded }) },
    }),
    ...(site !== undefined && {
      site: { ...site, fields: site.fields.filter(field => isBelow(field.pointer, pointer)) },
    }),
    members: origin.kind === 'written' ? membersAt(pointer, value, effective) : [],
  }
}

function membersAt(
  pointer: JsonPointer,
  value: JsonValue | undefined,
  { place }: Pick<Effective, 'place'>,
): readonly Member[] {
  return membersOf(value).map(([name, member]) => ({
    pointer: child(pointer, name),
    ...place(child(pointer, name), 'key'),
    ...((typeof member !== 'object' || member === null) && { value: member }),
  }))
}

/** What the last applies left behind, in the shape of a manifest. */
function recordedManifest({ organization, policy }: ApplyRecord): JsonValue {
  const upgrade = policy && { upgrade: { podPlacementPolicy: policy.value } }
  return { spec: { ...organization?.value, ...upgrade } }
}

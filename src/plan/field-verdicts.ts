import type { JsonPointer } from '../diagnostics/pointer.js'
import type { JsonObject, JsonValue } from '../schema/json-schema.js'
import { type Leaf, leaves } from './compare/leaves.js'
import { changedFields, fieldAt, isReference } from './fields.js'
import { isBelow } from './lifetime.js'
import { liveOrganization, livePolicy } from './live.js'
import type { Readable, SiteSettings } from './observation.js'
import type { FieldChange, ImmutableEdit } from './plan.js'
import type { Situation } from './planner.js'
import type { FieldVerdict, Judgement, Unknowable } from './verdict.js'

const policyPointer = '/spec/upgrade/podPlacementPolicy'

/** Which setting of a site tells a field. */
const settingOf: readonly (readonly [JsonPointer, keyof SiteSettings])[] = [
  ['/spec/upgrade', 'upgradeConfig'],
  ['/spec/profile', 'profile'],
  ['/spec/logLevel', 'logLevel'],
  ['/spec/systemProperties', 'systemProperties'],
]

/**
 * What can be said of each field of a manifest on a site that has its organization: by the site itself where it tells
 * the field, else by the record of the last apply, else nothing. `edits` are the fields that differ from the record.
 */
export function fieldVerdicts(
  situation: Situation,
  edits: readonly ImmutableEdit[],
): readonly FieldVerdict[] {
  const { desired, observed } = situation
  if (observed.kind !== 'ready') return []
  const organization = desired.organization as unknown as JsonObject
  const fields = [
    ...leaves(organization, '/spec'),
    ...(desired.policy === undefined ? [] : leaves(desired.policy as unknown as JsonValue, policyPointer)),
  ]
  const told = toldDifferences(situation, organization)
  const recorded = [...edits, ...recordedPolicyDifferences(situation)]
  const gone = [...told, ...recorded].filter(
    ({ pointer }, at, all) =>
      fields.every(field => field.pointer !== pointer) &&
      all.findIndex(other => other.pointer === pointer) === at,
  )
  const judged = (pointer: JsonPointer, value: JsonValue | undefined) => {
    const at = fieldAt(desired, pointer)
    return {
      ...at,
      ...(value !== undefined && { value }),
      ...verdictOf(situation, { pointer, value }, { told, recorded }),
    }
  }
  return [
    ...fields.map(({ pointer, value }) => judged(pointer, value)),
    ...gone.map(({ pointer }) => judged(pointer, undefined)),
  ]
}

interface Differences {
  readonly told: readonly FieldChange[]
  readonly recorded: readonly FieldChange[]
}

function verdictOf(
  { settings, record }: Situation,
  { pointer, value }: Omit<Leaf, 'value'> & { readonly value: JsonValue | undefined },
  { told, recorded }: Differences,
): Judgement {
  const [, setting] = settingOf.find(([owner]) => isBelow(pointer, owner)) ?? []
  const readable: Readable<unknown> | undefined = setting && settings[setting]
  if (readable?.kind === 'read') return compared(told, pointer, 'site') ?? { verdict: 'equal' }
  if (isReference(value) && !isBelow(pointer, '/spec/license'))
    return { verdict: 'unknowable', because: 'secret' }
  const applied = setting === 'upgradeConfig' ? record.policy : organizationIn(record, pointer)
  if (applied !== undefined)
    return compared(recorded, pointer, 'record') ?? { verdict: 'recorded', appliedAt: applied.appliedAt }
  return { verdict: 'unknowable', because: whyUnknown(readable) }
}

/** What the record says of a field: nothing of a license whose digest it has not. */
function organizationIn({ organization }: Situation['record'], pointer: JsonPointer) {
  const isLicense = isBelow(pointer, '/spec/license')
  if (organization?.value === undefined) return undefined
  return isLicense && organization.licenses?.[pointer] === undefined ? undefined : organization
}

function compared(
  differences: readonly FieldChange[],
  pointer: JsonPointer,
  source: 'site' | 'record',
): Judgement | undefined {
  const difference = differences.find(one => one.pointer === pointer)
  if (difference === undefined) return undefined
  const { before } = difference
  return { verdict: 'different', source, ...(before !== undefined && { found: before }) }
}

function whyUnknown(readable: Readable<unknown> | undefined): Unknowable {
  if (readable?.kind !== 'unreadable') return 'never-recorded'
  const { because } = readable
  return because === 'not-asked' || because === 'not-offered' ? 'never-recorded' : because
}

/** The fields of which a site tells something else than the manifest says. */
function toldDifferences(situation: Situation, organization: JsonObject): readonly FieldChange[] {
  const { desired, settings } = situation
  const live = liveOrganization(settings, organization)
  const policy = livePolicy(settings)
  return [
    ...Object.entries(live).flatMap(([name, before]) =>
      // Of what a manifest leaves out only the profile has a default that is shown. Service §2.10.
      organization[name] === undefined && name !== 'profile'
        ? []
        : changedFields(desired, `/spec/${name}`, { before, after: organization[name] }),
    ),
    ...(policy === undefined || desired.policy === undefined
      ? []
      : changedFields(desired, policyPointer, {
          before: policy,
          after: desired.policy as unknown as JsonValue,
        })),
  ]
}

function recordedPolicyDifferences({ desired, record }: Situation): readonly FieldChange[] {
  if (record.policy === undefined || desired.policy === undefined) return []
  return changedFields(desired, policyPointer, {
    before: record.policy.value as unknown as JsonValue,
    after: desired.policy as unknown as JsonValue,
  })
}

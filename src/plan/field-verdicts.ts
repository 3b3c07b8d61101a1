import type { JsonPointer } from '../diagnostics/pointer.js'
import type { JsonValue } from '../schema/json-schema.js'
import { type Leaf, leaves } from './compare/leaves.js'
import { fieldAt } from './fields.js'
import type { Readable } from './observation.js'
import type { FieldChange } from './plan.js'
import type { Situation } from './planner.js'
import { appliedWith, policyPointer, recordedDifferences, refersToSecret, withProfile } from './recorded.js'
import { settingFor, toldDifferences } from './told.js'
import type { FieldVerdict, Judgement, Unknowable } from './verdict.js'

/**
 * What can be said of each field of a manifest on a site that has its organization: by the site itself where it tells
 * the field, else by the record of the last apply, else nothing.
 */
export function fieldVerdicts(situation: Situation): readonly FieldVerdict[] {
  const { desired, observed, settings } = situation
  if (observed.kind !== 'ready') return []
  const fields = fieldsOf(situation)
  const differences = {
    told: toldDifferences(situation),
    // Where the site itself tells, the record has nothing to say.
    recorded: recordedDifferences(situation).filter(
      ({ pointer }) => settingFor(pointer, settings)?.kind !== 'read',
    ),
  }
  const all = [...differences.told, ...differences.recorded]
  const gone = all.filter(({ pointer }) => fields.every(field => field.pointer !== pointer))
  return [
    ...fields.map(({ pointer, value }) => ({
      ...fieldAt(desired, pointer),
      value,
      ...judgementOf(situation, { pointer, value }, differences),
    })),
    ...gone.map(({ pointer, parameter, file, line }) => ({
      pointer,
      parameter,
      file,
      line,
      ...judgementOf(situation, { pointer }, differences),
    })),
  ]
}

/** Every field of a manifest, with the defaults that count. */
function fieldsOf({ desired: { organization, policy } }: Situation): readonly Leaf[] {
  return [
    ...leaves(withProfile(organization), '/spec'),
    ...(policy === undefined ? [] : leaves(policy, policyPointer)),
  ]
}

interface Differences {
  readonly told: readonly FieldChange[]
  readonly recorded: readonly FieldChange[]
}

function judgementOf(
  { settings, record }: Situation,
  { pointer, value }: { readonly pointer: JsonPointer; readonly value?: JsonValue },
  { told, recorded }: Differences,
): Judgement {
  const readable = settingFor(pointer, settings)
  if (readable?.kind === 'read') return compared(told, pointer, 'site') ?? { verdict: 'equal' }
  if (refersToSecret(pointer, value)) return { verdict: 'unknowable', because: 'secret' }
  const applied = appliedWith(record, pointer)
  const edited = compared(recorded, pointer, 'record')
  if (edited !== undefined) return edited
  if (applied !== undefined) return { verdict: 'recorded', appliedAt: applied.appliedAt }
  return { verdict: 'unknowable', because: whyUnknown(readable) }
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

import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { type Leaf, leaves } from '../compare/differences.js'
import { refersToSecret } from '../compare/meaning.js'
import type { Readable } from '../observation.js'
import type { FieldChange } from '../plan.js'
import type { Situation } from '../situation.js'
import {
  appliedWith,
  fieldAt,
  policyPointer,
  recordedDifferences,
  settingFor,
  toldDifferences,
  withProfile,
} from './known.js'
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
  const written = new Set(fields.map(({ pointer }) => pointer))
  const gone = [...differences.told, ...differences.recorded].filter(({ pointer }) => !written.has(pointer))
  const known = { told: byPointer(differences.told), recorded: byPointer(differences.recorded) }
  return [
    ...fields.map(({ pointer, value }) => ({
      ...fieldAt(desired, pointer),
      value,
      ...judgementOf(situation, { pointer, value }, known),
    })),
    ...gone.map(({ pointer, parameter, file, line }) => ({
      pointer,
      parameter,
      file,
      line,
      ...judgementOf(situation, { pointer }, known),
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

type ByPointer = ReadonlyMap<JsonPointer, FieldChange>

/** There may be tens of thousands of fields, and each is looked up. */
function byPointer(changes: readonly FieldChange[]): ByPointer {
  return new Map(changes.map(change => [change.pointer, change]))
}

interface Differences {
  readonly told: ByPointer
  readonly recorded: ByPointer
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
  differences: ByPointer,
  pointer: JsonPointer,
  source: 'site' | 'record',
): Judgement | undefined {
  const difference = differences.get(pointer)
  if (difference === undefined) return undefined
  const { before } = difference
  return { verdict: 'different', source, ...(before !== undefined && { found: before }) }
}

function whyUnknown(readable: Readable<unknown> | undefined): Unknowable {
  if (readable?.kind !== 'unreadable') return 'never-recorded'
  const { because } = readable
  return because === 'not-asked' || because === 'not-offered' ? 'never-recorded' : because
}

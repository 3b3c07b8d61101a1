import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { type Leaf, listLeaves } from '../compare/differences.js'
import { refersToSecret } from '../compare/meaning.js'
import type { Readable } from '../observation.js'
import type { FieldChange } from '../plan.js'
import type { Situation } from '../situation.js'
import type { Assessment, FieldAssessment, Unknowable } from './field-status.js'
import {
  compareWithRecord,
  compareWithSite,
  fieldAt,
  findAppliedValue,
  findSetting,
  policyPointer,
  withProfile,
} from './known.js'

/**
 * Decides the status of each field of a manifest on a site that has its organization: from the site where it reports
 * the field, else from the record of the last apply; without either the status is `unknowable`.
 */
export function classifyFields(situation: Situation): readonly FieldAssessment[] {
  const { desired, observed, settings } = situation
  if (observed.kind !== 'ready') return []
  const fields = listSetFields(situation)
  const differences = {
    told: compareWithSite(situation),
    // A value that the site reports takes precedence over the record.
    recorded: compareWithRecord(situation).filter(
      ({ pointer }) => findSetting(pointer, settings)?.kind !== 'read',
    ),
  }
  const written = new Set(fields.map(({ pointer }) => pointer))
  const gone = [...differences.told, ...differences.recorded].filter(({ pointer }) => !written.has(pointer))
  const known = { told: indexByPointer(differences.told), recorded: indexByPointer(differences.recorded) }
  return [
    ...fields.map(({ pointer, value }) => ({
      ...fieldAt(desired, pointer),
      value,
      ...classifyField(situation, { pointer, value }, known),
    })),
    ...gone.map(({ pointer, parameter, file, line }) => ({
      pointer,
      parameter,
      file,
      line,
      ...classifyField(situation, { pointer }, known),
    })),
  ]
}

/** Lists every field of a manifest, with the defaults in effect. */
function listSetFields({ desired: { organization, policy } }: Situation): readonly Leaf[] {
  return [
    ...listLeaves(withProfile(organization), '/spec'),
    ...(policy === undefined ? [] : listLeaves(policy, policyPointer)),
  ]
}

type ByPointer = ReadonlyMap<JsonPointer, FieldChange>

/** Indexes changes by pointer: there may be tens of thousands of fields, and each is looked up. */
function indexByPointer(changes: readonly FieldChange[]): ByPointer {
  return new Map(changes.map(change => [change.pointer, change]))
}

interface Differences {
  readonly told: ByPointer
  readonly recorded: ByPointer
}

function classifyField(
  { settings, record }: Situation,
  { pointer, value }: { readonly pointer: JsonPointer; readonly value?: JsonValue },
  { told, recorded }: Differences,
): Assessment {
  const readable = findSetting(pointer, settings)
  if (readable?.kind === 'read') return compareField(told, pointer, 'site') ?? { verdict: 'equal' }
  if (refersToSecret(pointer, value)) return { verdict: 'unknowable', because: 'secret' }
  const applied = findAppliedValue(record, pointer)
  const edited = compareField(recorded, pointer, applied?.asserted ? 'assertion' : 'record')
  if (edited !== undefined) return edited
  if (applied?.asserted) return { verdict: 'asserted', assertedAt: applied.appliedAt }
  if (applied !== undefined) return { verdict: 'recorded', appliedAt: applied.appliedAt }
  return { verdict: 'unknowable', because: explainUnknown(readable, record) }
}

function compareField(
  differences: ByPointer,
  pointer: JsonPointer,
  source: (Assessment & { readonly verdict: 'different' })['source'],
): Assessment | undefined {
  const difference = differences.get(pointer)
  if (difference === undefined) return undefined
  const { before } = difference
  return { verdict: 'different', source, ...(before !== undefined && { found: before }) }
}

function explainUnknown(
  readable: Readable<unknown> | undefined,
  { organization }: Situation['record'],
): Unknowable {
  const unrecorded = organization?.asserted ? 'never-asserted' : 'never-recorded'
  if (readable?.kind !== 'unreadable') return unrecorded
  const { because } = readable
  return because === 'not-asked' || because === 'not-offered' ? unrecorded : because
}

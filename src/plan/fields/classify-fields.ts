import type { OtherOperation } from '../../contract/field-row.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { isBelow, type JsonPointer } from '../../schema/pointer.js'
import { readValue } from '../../schema/select.js'
import { listLeaves } from '../compare/differences.js'
import { isSame, refersToSecret } from '../compare/meaning.js'
import type { Readable } from '../observation.js'
import type { Assessment, FieldAssessment, FieldChange, ImmutableEdit, Unknowable } from '../plan.js'
import type { Situation } from '../situation.js'
import { isPending } from '../submission.js'
import {
  compareWithRecord,
  compareWithSite,
  fieldAt,
  findAppliedValue,
  findAssertion,
  findSetting,
  listOrganizationEdits,
  policyPointer,
  withProfile,
} from './known.js'
import { findOtherOperation } from './lifetime.js'

/**
 * Determines the status of each field of a manifest, for a site that has its organization: from the site if it reports the
 * field, and otherwise from the record of the last apply. Without either, the status is `unknowable`.
 */
export function classifyFields(situation: Situation): readonly FieldAssessment[] {
  const { desired, observed, settings } = situation
  if (observed.kind !== 'ready') return []
  const { organization, policy } = desired
  const fields = [
    ...listLeaves(withProfile(organization), '/spec'),
    ...(policy === undefined ? [] : listLeaves(policy, policyPointer)),
  ]
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

type ByPointer = ReadonlyMap<JsonPointer, FieldChange>

/** Indexes changes by pointer: there may be tens of thousands of fields to look up. */
function indexByPointer(changes: readonly FieldChange[]): ByPointer {
  return new Map(changes.map(change => [change.pointer, change]))
}

function classifyField(
  { settings, record }: Situation,
  { pointer, value }: { readonly pointer: JsonPointer; readonly value?: JsonValue },
  { told, recorded }: { readonly [source in 'told' | 'recorded']: ByPointer },
): Assessment {
  const readable = findSetting(pointer, settings)
  if (readable?.kind === 'read') return compareField(told, pointer, 'site') ?? { verdict: 'equal' }
  const applied = findAppliedValue(record, pointer)
  if (refersToSecret(pointer, value)) {
    // A person asserted the secret that the recorded reference points to, so another reference is unknown.
    const known = readValue({ spec: { ...record.organization?.value } }, pointer)
    const isAsserted = applied?.assertion !== undefined && isSame(known, value, pointer)
    return isAsserted
      ? { verdict: 'asserted', ...applied.assertion }
      : { verdict: 'unknowable', because: 'secret' }
  }
  const edited = compareField(recorded, pointer, applied?.assertion ? 'assertion' : 'record')
  if (edited !== undefined) return edited
  if (applied?.assertion) return { verdict: 'asserted', ...applied.assertion }
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

/**
 * Lists the edits of a manifest that cannot be applied because the organization exists or is being created. These are the
 * differences from the values that it was created with or, if those are not recorded, from the profiles and the cloud storage
 * that the site reports. A field whose reported value equals the manifest is not an edit. Service §4.3.
 */
export function listImmutableEdits(situation: Situation): readonly ImmutableEdit[] {
  const { observed, ignored, record, submission } = situation
  const open = submission !== undefined && isPending(submission) ? submission.organization : undefined
  if (observed.kind === 'not-configured' && open === undefined) return []
  const organization = record.organization ?? open
  const known = { ...situation, record: { ...record, ...(organization !== undefined && { organization }) } }
  return listEdits(known).map(edit => {
    const { operation, since, effect }: Partial<OtherOperation> = findOtherOperation(edit) ?? {}
    return {
      ...edit,
      because: operation === undefined ? 'no-operation' : 'another-operation',
      ...(operation !== undefined && { operation }),
      ...(since !== undefined && { since }),
      ...(effect !== undefined && { effect }),
      ignored: ignored.some(pointer => isBelow(edit.pointer, pointer)),
      ...(findAssertion(known.record, edit.pointer) !== undefined &&
        findSetting(edit.pointer, situation.settings)?.kind !== 'read' && { asserted: true as const }),
    }
  })
}

function listEdits(situation: Situation): readonly FieldChange[] {
  const { desired, settings, record } = situation
  const reported = compareWithSite(situation)
  const { cloudStorage } = desired.organization
  const created = reported.filter(
    ({ pointer }) =>
      creationParts.some(part => isBelow(pointer, part)) &&
      // If the manifest has no cloud storage, its author may not have known of it.
      (cloudStorage !== undefined || !isBelow(pointer, '/spec/cloudStorage')),
  )
  if (record.organization === undefined) return created
  const differing = new Set(reported.map(({ pointer }) => pointer))
  const edits = listOrganizationEdits(situation).filter(
    ({ pointer }) => findSetting(pointer, settings)?.kind !== 'read' || differing.has(pointer),
  )
  // For an adopted site, add values that nobody asserted, but the site reports.
  const listed = new Set(edits.map(({ pointer }) => pointer))
  return record.organization.asserted
    ? [...edits, ...created.filter(({ pointer }) => !listed.has(pointer))]
    : edits
}

/** The settings that can only be set when the organization is created. */
const creationParts = ['/spec/profile', '/spec/deploymentProfiles', '/spec/cloudStorage'] as const

import type { JsonPointer } from '../diagnostics/pointer.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { changedFields, fieldAt, isReference } from './fields.js'
import { changedLaterBy, isBelow } from './lifetime.js'
import { liveOrganization } from './live.js'
import type { FieldChange, ImmutableEdit } from './plan.js'
import type { Situation } from './planner.js'

/**
 * The edits of a manifest that nothing can carry out, since its site has its organization: what differs from what it
 * was created with and, where that is not recorded, from the profile that the site tells. A reference to a secret is
 * no value, so that another one says nothing. Service §4.3.
 */
export function immutableEdits(situation: Situation): readonly ImmutableEdit[] {
  const { observed, ignored } = situation
  if (observed.kind !== 'ready') return []
  return editsOf(situation).map(edit => ({
    ...edit,
    because: changedLaterBy(edit.pointer) === 'another-operation' ? 'another-operation' : 'no-operation',
    ignored: ignored.some(pointer => isBelow(edit.pointer, pointer)),
  }))
}

function editsOf(situation: Situation): readonly FieldChange[] {
  const { desired, record, settings } = situation
  const after = desired.organization as unknown as JsonValue
  const before = record.organization?.value as unknown as JsonValue | undefined
  const recorded =
    before === undefined
      ? []
      : changedFields(desired, '/spec', { before, after }).filter(
          ({ pointer, before: old, after: next }) =>
            !isReference(old) && !isReference(next) && !isBelow(pointer, '/spec/license'),
        )
  const live = liveOrganization(settings, isObject(after) ? after : {})['profile']
  const profile =
    before !== undefined || live === undefined
      ? []
      : changedFields(desired, '/spec/profile', { before: live, after: desired.organization.profile })
  return [...recorded, ...profile, ...licenseEdits(situation)]
}

/** License files count by their bytes: a new name is no new license. */
function licenseEdits({ desired, record, licenses }: Situation): readonly FieldChange[] {
  const known = record.organization?.licenses ?? {}
  return (Object.keys(known) as JsonPointer[])
    .filter(pointer => licenses[pointer] !== undefined && licenses[pointer] !== known[pointer])
    .map(pointer => ({
      ...fieldAt(desired, pointer),
      before: known[pointer] ?? null,
      after: licenses[pointer] ?? null,
    }))
}

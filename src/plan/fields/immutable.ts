import { isBelow } from '../../diagnostics/pointer.js'
import type { FieldChange, ImmutableEdit } from '../plan.js'
import type { Situation } from '../situation.js'
import { isPending } from '../submission.js'
import { compareWithSite, findSetting, listOrganizationEdits } from './known.js'
import { findLaterChange } from './lifetime.js'

/**
 * Lists the edits of a manifest that cannot be applied, because the organization exists or is being created: the
 * differences from the values that it was created with or, where those are not recorded, from the profile that the site
 * reports. A field whose reported value equals the manifest is not an edit. Service §4.3.
 */
export function listImmutableEdits(situation: Situation): readonly ImmutableEdit[] {
  const { observed, ignored, record, submission } = situation
  const open = submission !== undefined && isPending(submission) ? submission.organization : undefined
  if (observed.kind === 'not-configured' && open === undefined) return []
  const organization = record.organization ?? open
  const asserted = organization?.asserted
  const known = { ...situation, record: { ...record, ...(organization !== undefined && { organization }) } }
  return listEdits(known).map(edit => ({
    ...edit,
    because: findLaterChange(edit.pointer) === 'another-operation' ? 'another-operation' : 'no-operation',
    ignored: ignored.some(pointer => isBelow(edit.pointer, pointer)),
    ...(asserted && findSetting(edit.pointer, situation.settings)?.kind !== 'read' && { asserted }),
  }))
}

function listEdits(situation: Situation): readonly FieldChange[] {
  const { settings, record } = situation
  const reported = compareWithSite(situation)
  const profile = reported.filter(({ pointer }) => pointer === '/spec/profile')
  if (record.organization === undefined) return profile
  const differing = new Set(reported.map(({ pointer }) => pointer))
  const edits = listOrganizationEdits(situation).filter(
    ({ pointer }) => findSetting(pointer, settings)?.kind !== 'read' || differing.has(pointer),
  )
  // A profile that was not asserted is known once the site reports it.
  const isListed = edits.some(({ pointer }) => pointer === '/spec/profile')
  return record.organization.asserted && !isListed ? [...edits, ...profile] : edits
}

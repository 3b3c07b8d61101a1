import { isBelow } from '../../diagnostics/pointer.js'
import type { FieldChange, ImmutableEdit } from '../plan.js'
import type { Situation } from '../situation.js'
import { isPending } from '../submission.js'
import { organizationEdits, settingFor, toldDifferences } from './known.js'
import { changedLaterBy } from './lifetime.js'

/**
 * The edits of a manifest that nothing can carry out, since its site has its organization, or is getting it: what
 * differs from what it was created with and, where that is not recorded, from the profile that the site tells. What the
 * site tells to be as the manifest says needs nothing. Service §4.3.
 */
export function immutableEdits(situation: Situation): readonly ImmutableEdit[] {
  const { observed, ignored, record, submission } = situation
  const open = submission !== undefined && isPending(submission) ? submission.organization : undefined
  if (observed.kind === 'not-configured' && open === undefined) return []
  const organization = record.organization ?? open
  const known = { ...situation, record: { ...record, ...(organization !== undefined && { organization }) } }
  return editsOf(known).map(edit => ({
    ...edit,
    because: changedLaterBy(edit.pointer) === 'another-operation' ? 'another-operation' : 'no-operation',
    ignored: ignored.some(pointer => isBelow(edit.pointer, pointer)),
  }))
}

function editsOf(situation: Situation): readonly FieldChange[] {
  const { settings, record } = situation
  const told = toldDifferences(situation)
  if (record.organization?.value === undefined)
    return told.filter(({ pointer }) => pointer === '/spec/profile')
  const differing = new Set(told.map(({ pointer }) => pointer))
  return organizationEdits(situation).filter(
    ({ pointer }) => settingFor(pointer, settings)?.kind !== 'read' || differing.has(pointer),
  )
}

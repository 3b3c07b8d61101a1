import { readValue } from '../../schema/member.js'
import type { Action, FieldChange } from '../plan.js'

/** Lists the fields that an action sets, with their values; those of a creation are the values of its organization. */
export function listFieldChanges(action: Action): readonly FieldChange[] {
  if (action.change === 'update') return action.fields
  if (action.change !== 'create') return []
  const manifest = { spec: { ...action.organization } }
  return action.fields.map(field => {
    const after = readValue(manifest, field.pointer)
    return after === undefined ? field : { ...field, after }
  })
}

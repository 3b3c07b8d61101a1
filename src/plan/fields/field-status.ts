import { isBelow } from '../../diagnostics/pointer.js'
import type { Coverage, FieldAssessment } from '../generated/plan.js'

export type { Coverage, FieldAssessment } from '../generated/plan.js'

/**
 * The status of one field of a manifest on a site that has its organization. Only a value that the site itself reported
 * is `equal`; one that cannot be read back is `recorded` if the last apply set it, and `asserted` if a person said so.
 */
export type Assessment = Without<
  FieldAssessment,
  'pointer' | 'parameter' | 'value' | 'file' | 'line' | 'default'
>

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

export type FieldStatus = FieldAssessment['verdict']

/** A reason why the status of a field is unknown. */
export type Unknowable = (FieldAssessment & { readonly verdict: 'unknowable' })['because']

/** Counts the fields by status. */
export function countCoverage(fields: readonly FieldAssessment[]): Coverage {
  const count = (verdict: FieldStatus) => fields.filter(field => field.verdict === verdict).length
  return {
    equal: count('equal'),
    different: count('different'),
    recorded: count('recorded'),
    asserted: count('asserted'),
    unknowable: count('unknowable'),
    total: fields.length,
  }
}

/** True if no field of an organization can be compared, because no apply that created it is recorded. */
export function isUncompared(fields: readonly FieldAssessment[]): boolean {
  const organization = fields.filter(({ pointer }) => !isBelow(pointer, '/spec/upgrade'))
  const reasons = organization.map(field => (field.verdict === 'unknowable' ? field.because : field.verdict))
  return (
    reasons.includes('never-recorded') && reasons.every(one => one === 'never-recorded' || one === 'secret')
  )
}

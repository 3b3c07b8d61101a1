import { isBelow, type JsonPointer } from '../../diagnostics/pointer.js'
import type { JsonValue } from '../../schema/json-schema.js'
import type { Unreadable } from '../observation.js'

/**
 * The status of one field of a manifest on a site that has its organization. Only a value that the site itself reported
 * is `equal`; one that cannot be read back is `recorded` if the last apply set it, and `asserted` if a person said so.
 */
export type Assessment =
  | { readonly verdict: 'equal' }
  | {
      readonly verdict: 'different'
      /** The source of the other value: the site now, the record of the last apply, or the assertion of a person. */
      readonly source: 'site' | 'record' | 'assertion'
      /** The value in that source; absent where it has no such field. */
      readonly found?: JsonValue
    }
  | { readonly verdict: 'recorded'; readonly appliedAt: string }
  | { readonly verdict: 'asserted'; readonly assertedAt: string }
  | { readonly verdict: 'unknowable'; readonly because: Unknowable }

/** A field and its status. */
export type FieldAssessment = Assessment & {
  readonly pointer: JsonPointer
  /** The request parameter that carries it. */
  readonly parameter: string
  /** The value in the manifest; absent where it has none. Secrets appear as references. */
  readonly value?: JsonValue
  readonly file: string
  readonly line: number
  readonly default?: true
}

export type FieldStatus = Assessment['verdict']

/** A reason why the status of a field is unknown. */
export type Unknowable =
  /** A secret: it cannot be read back, and neither it nor a digest of it is recorded. */
  | 'secret'
  /** It cannot be read back, and no apply of Landform is recorded. */
  | 'never-recorded'
  /** It cannot be read back, and the person who adopted the site did not assert it. */
  | 'never-asserted'
  /** The site can report the field, but did not, for this reason. */
  | Exclude<Unreadable, 'not-asked' | 'not-offered'>

/** The number of fields of a manifest by status. */
export interface Coverage {
  readonly equal: number
  readonly different: number
  readonly recorded: number
  readonly asserted: number
  readonly unknowable: number
  readonly total: number
}

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

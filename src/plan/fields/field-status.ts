import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { JsonValue } from '../../schema/json-schema.js'
import type { Unreadable } from '../observation.js'

/**
 * What can be said of one field of a manifest on a site that has its organization. Only what the site itself told is
 * `equal`; what the last apply set and nobody can read back is `recorded`.
 */
export type Assessment =
  | { readonly verdict: 'equal' }
  | {
      readonly verdict: 'different'
      /** Who says otherwise: the site now, or the record of the last apply. */
      readonly source: 'site' | 'record'
      /** What it says; absent where it has no such field. */
      readonly found?: JsonValue
    }
  | { readonly verdict: 'recorded'; readonly appliedAt: string }
  | { readonly verdict: 'unknowable'; readonly because: Unknowable }

/** A field and what can be said of it. */
export type FieldAssessment = Assessment & {
  readonly pointer: JsonPointer
  /** The request parameter that carries it. */
  readonly parameter: string
  /** What the manifest says; absent where it says nothing. Secrets stand in it as references. */
  readonly value?: JsonValue
  readonly file: string
  readonly line: number
}

export type FieldStatus = Assessment['verdict']

/** Why nothing can be said of a field. */
export type Unknowable =
  /** A secret: never read back, and no trace of it is kept. */
  | 'secret'
  /** Not read back, and no apply of Landform is recorded. */
  | 'never-recorded'
  /** The site could tell; that it did not has a reason. */
  | Exclude<Unreadable, 'not-asked' | 'not-offered'>

/** How much of a manifest is known to be as it says. */
export interface Coverage {
  readonly equal: number
  readonly different: number
  readonly recorded: number
  readonly unknowable: number
  readonly total: number
}

/** Counts the verdicts. What the site itself told is `equal` and the rest of `different`. */
export function countCoverage(fields: readonly FieldAssessment[]): Coverage {
  const count = (verdict: FieldStatus) => fields.filter(field => field.verdict === verdict).length
  return {
    equal: count('equal'),
    different: count('different'),
    recorded: count('recorded'),
    unknowable: count('unknowable'),
    total: fields.length,
  }
}

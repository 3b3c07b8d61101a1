import type { Place } from '../diagnostics/place.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type { JsonObject } from '../schema/json-schema.js'
import type { Operands, Verdict } from '../schema/policy-schema.js'

/** The names of a file that is found without being named. */
export const policyFileNames = ['landform.policy.yaml', 'landform.policy.yml'] as const

/** Rules that passed every check and all their tests; only `loadPolicy` makes one. */
export interface Policy {
  readonly file: string
  /** SHA-256 of the bytes of the file. */
  readonly digest: string
  readonly rules: readonly PolicyRule[]
}

export interface PolicyRule {
  readonly name: string
  readonly level: 'error' | 'warning'
  readonly message: string | undefined
  /** All must hold for the rule to count. */
  readonly when: readonly Condition[]
  /** All must hold. */
  readonly require: readonly Condition[]
  /** Where its name stands. */
  readonly place: Place
}

/** What is asked of the values at one path: every operator must hold. */
export interface Condition {
  readonly path: PolicyPath
  readonly operands: Partial<Operands>
}

export interface PolicyPath {
  /** Names from the top of a manifest; `*` stands for every member or element. */
  readonly steps: readonly string[]
  /** The fields of manifests that it names; none where anything goes. */
  readonly spots: readonly JsonPointer[]
}

export interface PolicyTest {
  readonly manifest: JsonObject
  readonly expect: Verdict
}

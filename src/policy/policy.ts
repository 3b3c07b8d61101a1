import type { KeyObject } from 'node:crypto'
import { findCertainMatch } from '../diagnostics/did-you-mean.js'
import type { Place } from '../diagnostics/place.js'
import { decodeLoosely, type Source } from '../manifest/source.js'
import type { Check, Hours } from '../schema/generated/policy.js'
import { policyKind } from '../schema/json-schema.js'
import type { JsonPointer } from '../schema/pointer.js'

export type { Test as PolicyTest } from '../schema/generated/policy.js'

/** The file names under which a policy is found without an option. */
export const policyFileNames = ['landform.policy.yaml', 'landform.policy.yml'] as const

/** The names of a policy without the ending, dots and dashes, and the plural that people write. */
const policyStems = ['landformpolicy', 'landformpolicies']

/** True for a file name that is never read, but was certainly meant for a policy. */
export function isAlmostPolicyName(name: string): boolean {
  if (!/^\.?land/i.test(name) || (policyFileNames as readonly string[]).includes(name)) return false
  const stem = name.replace(/(?:\.(?:ya?ml|json|txt))+$/i, '').replaceAll('.', '')
  return findCertainMatch(stem, policyStems) !== undefined
}

/** True if a file is meant as a policy: by its name or by its `kind`. */
export function looksLikePolicy(source: Source): boolean {
  const { name } = source
  if (policyFileNames.some(own => name === own || name.endsWith(`/${own}`))) return true
  const text = decodeLoosely(source)
  return text.includes(policyKind) && policyKindPattern.test(text)
}

const policyKindPattern = new RegExp(`^kind:[ \\t]*["']?${policyKind}\\b`, 'm')

/** Rules that passed every check and all their tests; only `loadPolicy` makes one. */
export interface Policy {
  readonly file: string
  /** SHA-256 of the bytes of the file. */
  readonly digest: string
  readonly rules: readonly PolicyRule[]
  /** The requirements for plans, if there are any. */
  readonly plans?: PlanRules
}

/** The requirements of a policy for plans that are performed. */
export interface PlanRules {
  /** Creating an organization requires a saved plan that is signed with one of these keys. */
  readonly signedBy?: readonly KeyObject[]
  /** The only hours in which anything is sent. */
  readonly hours?: Hours
  /** The maximum age of a plan that is performed. */
  readonly maxAgeMs?: number
  /** If the service lists the user types of the license, the administrator's must be in the list. */
  readonly licenseListsUserType?: true
}

/** The requirement that a plan does not meet. */
export type PlanViolation =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'closed'; readonly hours: Hours }
  | { readonly kind: 'old'; readonly maxAgeMs: number }

export interface PolicyRule {
  readonly name: string
  readonly level: 'error' | 'warning'
  readonly message: string | undefined
  /** The conditions under which the rule applies; all must hold. */
  readonly when: readonly Condition[]
  /** All must hold. */
  readonly require: readonly Condition[]
  /** The position of its name. */
  readonly place: Place
}

export type Scalar = Exclude<Check, object>

/** The operand of each operator; `is` is a plain value. */
export type Operands = Required<Exclude<Check, Scalar>> & { readonly is: Scalar }

/** The requirements for the values at one path; every operator must hold. */
export interface Condition {
  readonly path: PolicyPath
  readonly operands: Partial<Operands>
}

export interface PolicyPath {
  /** Names from the top of a manifest; `*` matches every member or element. */
  readonly steps: readonly string[]
  /** The fields of manifests that it names; empty if the schema allows any field. */
  readonly spots: readonly JsonPointer[]
}

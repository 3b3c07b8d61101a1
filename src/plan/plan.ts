import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Organization, PodPlacementPolicy, SecretReference } from '../manifest/manifest.js'
import type { JsonValue } from '../schema/json-schema.js'
import type { Observation } from './observation.js'

/** One field that an action sets. Secrets stand in it as references. */
export interface FieldChange {
  readonly pointer: JsonPointer
  /** The request parameter that carries it. */
  readonly parameter: string
  /** What the site has now; absent where it has nothing yet or cannot tell. */
  readonly before?: JsonValue
  /** What it will have; absent where the field goes away. */
  readonly after?: JsonValue
  readonly file: string
  readonly line: number
}

export type Configure = { readonly operation: 'configure' } & (
  | {
      readonly change: 'create'
      readonly reason: 'not-configured'
      readonly irreversible: true
      readonly organization: Organization
      readonly fields: readonly FieldChange[]
    }
  | { readonly change: 'attach'; readonly reason: 'configuration-in-progress' }
  | { readonly change: 'no-op'; readonly reason: 'already-configured' }
)

export type Update = { readonly operation: 'update' } & (
  | {
      readonly change: 'update'
      readonly reason: 'never-applied' | 'policy-changed' | 'cannot-be-read'
      readonly policy: PodPlacementPolicy
      /** Where the access token comes from, when the manifest names one. */
      readonly token?: SecretReference
      readonly fields: readonly FieldChange[]
    }
  | { readonly change: 'no-op'; readonly reason: 'policy-unchanged' }
)

/** One step of a plan: what is done and why. `change` and `reason` belong together. */
export type Action = Configure | Update

/** The facts that a plan was made from, so that what was reviewed can be told from what is there now. */
export interface Bindings {
  /** Digest of the manifest file. */
  readonly manifest: string
  /** Digests of the files that the manifest names, by path. */
  readonly files: Readonly<Record<string, string>>
  /** Scheme, host and port that requests go to. */
  readonly origin: string
  readonly site: { readonly state: Observation['kind']; readonly version: string | null }
  /** Serial of the apply record. */
  readonly record: number
  /** Name and version of the tool. */
  readonly tool: string
}

/** Ordered steps from what is observed to what is desired. Plain data: it can be stored, compared and shown. */
export interface Plan {
  /** Name of the manifest. */
  readonly name: string
  /** Base URL of the site. */
  readonly url: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly binds: Bindings
  readonly actions: readonly Action[]
}

/** How many actions do what. */
export interface PlanSummary {
  readonly create: number
  readonly update: number
  readonly attach: number
  readonly noOp: number
}

/** Counts the actions of a plan by their change. */
export function summaryOf(plan: Plan): PlanSummary {
  const count = (change: Action['change']) => plan.actions.filter(action => action.change === change).length
  return { create: count('create'), update: count('update'), attach: count('attach'), noOp: count('no-op') }
}

/** True when performing the plan would send or wait for anything. */
export function hasChanges(plan: Plan): boolean {
  return plan.actions.some(({ change }) => change !== 'no-op')
}

import type { ServiceVersion } from '../contract/versions.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Organization, PodPlacementPolicy, SecretReference } from '../manifest/manifest.js'
import type { JsonObject, JsonValue } from '../schema/json-schema.js'
import type { FieldAssessment } from './fields/field-status.js'
import type { Bindings } from './saved/bindings.js'

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

/** A version after the service document, and the public sources that report what it takes; none where nobody has. */
export interface UndocumentedVersion {
  readonly version: ServiceVersion
  readonly reportedBy: string | null
}

export type Configure = { readonly operation: 'configure' } & (
  | {
      readonly change: 'create'
      /** After a rejection the service said no to an earlier request, and to send another takes a consent. */
      readonly reason: 'not-configured' | 'rejected-before'
      readonly irreversible: true
      readonly organization: Organization
      /** The version that the manifest is written for, where the service document does not cover it. */
      readonly undocumented?: UndocumentedVersion
      /** Digests of the license files, by their fields. */
      readonly licenses: Readonly<Record<string, string>>
      readonly fields: readonly FieldChange[]
    }
  | {
      readonly change: 'attach'
      /** The site shows that it is being configured; or it does not, and a request for it was meant before. */
      readonly reason: 'configuration-in-progress' | 'submitted-before'
    }
  | { readonly change: 'no-op'; readonly reason: 'already-configured' }
)

export type Update = { readonly operation: 'update' } & (
  | {
      readonly change: 'update'
      readonly reason: 'never-applied' | 'policy-changed' | 'cannot-be-read'
      readonly policy: PodPlacementPolicy
      /** What is sent: the policy, merged into what the site tells of its upgrade configuration. */
      readonly upgradeConfig: JsonObject
      /** Paths in `upgradeConfig` that no manifest has: the site told them, and they go back unchanged. */
      readonly kept: readonly string[]
      /** Halves of the policy that are sent empty, though the manifest names none and the site may have one. */
      readonly emptied?: readonly JsonPointer[]
      /** Where the access token comes from, when the manifest names one. */
      readonly token?: SecretReference
      readonly fields: readonly FieldChange[]
    }
  | { readonly change: 'no-op'; readonly reason: 'policy-unchanged' }
)

/** One step of a plan: what is done and why. `change` and `reason` belong together. */
export type Action = Configure | Update

/** An edit that nothing can carry out: the site has its organization, and only `configure` sets the field. */
export interface ImmutableEdit extends FieldChange {
  /** What would change it: no operation that is shown, or one that Landform has not. Service §4.3. */
  readonly because: 'no-operation' | 'another-operation'
  /** True where the user named the field, so that the edit stops nothing. */
  readonly ignored: boolean
}

/** Ordered steps from what is observed to what is desired. Plain data: it can be stored, compared and shown. */
export interface Plan {
  /** Name of the manifest. */
  readonly name: string
  /** The manifest file, as it was named. */
  readonly manifest: string
  /** Base URL of the site. */
  readonly url: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly binds: Bindings
  readonly actions: readonly Action[]
  /** Edits that can never be applied; one that is not ignored stops the whole plan. */
  readonly immutable: readonly ImmutableEdit[]
  /** What can be said of each field on a site that has its organization; empty before. */
  readonly fields: readonly FieldAssessment[]
}

/** How many actions do what. */
export interface PlanSummary {
  readonly create: number
  readonly update: number
  readonly attach: number
  readonly noOp: number
}

/** Counts the actions of a plan by their change. */
export function summarizePlan(plan: Plan): PlanSummary {
  const count = (change: Action['change']) => plan.actions.filter(action => action.change === change).length
  return { create: count('create'), update: count('update'), attach: count('attach'), noOp: count('no-op') }
}

/** True when performing the plan would send or wait for anything. */
export function hasChanges(plan: Plan): boolean {
  return plan.actions.some(({ change }) => change !== 'no-op')
}

/** True for a plan whose site was looked at; any other says what would be if the site is what it is taken to be. */
export function isObserved({ binds }: Plan): boolean {
  return binds.site.state !== 'not-observed'
}

/** The edits that stop a plan from being applied. */
export function listBlockingEdits(plan: Plan): readonly ImmutableEdit[] {
  return plan.immutable.filter(({ ignored }) => !ignored)
}

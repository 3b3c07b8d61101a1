import { isBelow, type JsonPointer } from '../diagnostics/pointer.js'
import type { Organization, PodPlacementPolicy, SecretReference } from '../manifest/manifest.js'
import type { JsonObject } from '../schema/json-schema.js'
import { readValue } from '../schema/member.js'
import type { Coverage, FieldAssessment, FieldChange, ImmutableEdit, PlanDocument } from './generated/plan.js'
import type { Observation } from './observation.js'
import type { Submission } from './submission.js'

export type { Coverage, FieldAssessment, FieldChange, ImmutableEdit } from './generated/plan.js'

/** The place of a field that an action sets. */
export type FieldSource = Omit<FieldChange, 'before' | 'after'>

export type Configure = { readonly operation: 'configure' } & (
  | {
      readonly change: 'create'
      /** `rejected-before`: the service rejected an earlier request, and sending another one requires consent. */
      readonly reason: 'not-configured' | 'rejected-before'
      readonly irreversible: true
      readonly organization: Organization
      /** The version that the manifest declares, where the service document does not cover it. */
      readonly undocumented?: { readonly version: string; readonly reportedBy: string | null }
      /** Digests of the license files, by their fields. */
      readonly licenses: Readonly<Record<string, string>>
      /** The places of the fields, whose values are in `organization`: `listFieldChanges` joins both. */
      readonly fields: readonly FieldSource[]
    }
  | {
      readonly change: 'resume'
      /** The site shows a configuration in progress, or it does not although a request may have been sent before. */
      readonly reason: 'configuration-in-progress' | 'submitted-before'
    }
  | { readonly change: 'no-op'; readonly reason: 'already-configured' }
)

export type Update = { readonly operation: 'update' } & (
  | {
      readonly change: 'update'
      readonly reason: 'never-applied' | 'policy-changed' | 'cannot-be-read'
      readonly policy: PodPlacementPolicy
      /** The rest of the upgrade configuration, as the site reported it: it is sent back unchanged with the policy. */
      readonly others: JsonObject
      /** Halves of the policy that are sent empty: the manifest does not set them, but the site may. */
      readonly emptied?: readonly JsonPointer[]
      /** The source of the access token, when the manifest names one. */
      readonly token?: SecretReference
      readonly fields: readonly FieldChange[]
    }
  | { readonly change: 'no-op'; readonly reason: 'policy-unchanged' }
)

/** One step of a plan, with its reason. `change` and `reason` belong together. */
export type Action = Configure | Update

/** Ordered steps from the observed to the desired state. Plain data: it can be stored, compared and shown. */
export type Plan = Omit<
  PlanDocument,
  'formatVersion' | 'id' | 'settles' | 'coverage' | 'summary' | 'actions'
> & {
  readonly actions: readonly Action[]
}

/** Counts the actions of a plan by their change. */
export function summarizePlan(plan: Plan): PlanDocument['summary'] {
  const count = (change: Action['change']) => plan.actions.filter(action => action.change === change).length
  return { create: count('create'), update: count('update'), resume: count('resume'), noOp: count('no-op') }
}

/** True when the plan sends a request or waits for one. */
export function hasChanges(plan: Plan): boolean {
  return plan.actions.some(({ change }) => change !== 'no-op')
}

/** True when the plan sends a request. One that only waits for a configuration in progress sends none. */
export function sendsRequests(plan: Plan): boolean {
  return plan.actions.some(({ change }) => change === 'create' || change === 'update')
}

/** True for a plan whose site was read; any other plan is based on an assumed state of the site. */
export function isObserved({ binds }: Plan): boolean {
  return binds.site.state !== 'not-observed'
}

/** Lists the edits that stop a plan from being applied. */
export function listBlockingEdits(plan: Plan): readonly ImmutableEdit[] {
  return plan.immutable.filter(({ ignored }) => !ignored)
}

/** Lists the fields that an action sets, with their values; a creation takes them from its organization. */
export function listFieldChanges(action: Action): readonly FieldChange[] {
  if (action.change === 'update') return action.fields
  if (action.change !== 'create') return []
  const manifest = { spec: { ...action.organization } }
  return action.fields.map(field => {
    const after = readValue(manifest, field.pointer)
    return after === undefined ? field : { ...field, after }
  })
}

/** A reason why no plan can be made for a site: a person has to repair it, or its version is too old. */
export type Blocker =
  | { readonly kind: 'site-failed'; readonly observed: Observation & { readonly kind: 'failed' } }
  | { readonly kind: 'site-unrecognized'; readonly observed: Observation & { readonly kind: 'unrecognized' } }
  | { readonly kind: 'site-too-old' }
  /** The site was configured before and shows no sign of it now: it may be another site at the same address. */
  | { readonly kind: 'site-replaced'; readonly submission: Submission }

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

import { isBelow } from '../schema/pointer.js'
import type { Action, Coverage, FieldAssessment, ImmutableEdit, PlanDocument } from './generated/plan.js'
import type { Observation } from './observation.js'
import type { MarkDifference } from './site-mark.js'
import type { Submission } from './submission.js'

export type {
  Action,
  Coverage,
  FieldAssessment,
  FieldChange,
  ImmutableEdit,
  PlanDocument,
} from './generated/plan.js'

/** The step that creates the organization, or waits for it. */
export type Configure = Extract<Action, { readonly operation: 'configure' }>

/** The step that sets the placement policy. */
export type Update = Extract<Action, { readonly operation: 'update' }>

/** Ordered actions from the observed to the desired state. Plain data: it can be stored, compared and shown. */
export type Plan = Omit<PlanDocument, 'formatVersion' | 'id' | 'settles' | 'coverage' | 'summary'>

/** Counts the actions of a plan by their change. */
export function summarizePlan(plan: Plan): PlanDocument['summary'] {
  const count = (change: Action['change']) => plan.actions.filter(action => action.change === change).length
  return { create: count('create'), update: count('update'), resume: count('resume'), noOp: count('no-op') }
}

/** True when the plan sends a request or waits for one. */
export function hasChanges(plan: Plan): boolean {
  return plan.actions.some(({ change }) => change !== 'no-op')
}

/** True if the plan sends a request. A plan that only waits for a configuration in progress sends none. */
export function sendsRequests(plan: Pick<Plan, 'actions'>): boolean {
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

/** True for a plan with changes, blocking edits, or differences that it leaves, and for a site without a record. */
export function needsReview(plan: Plan): boolean {
  return (
    hasChanges(plan) ||
    listBlockingEdits(plan).length > 0 ||
    listLeftDifferences(plan).length > 0 ||
    countUnrecorded(plan.fields) > 0
  )
}

/** A reason why no plan can be made for a site: a person has to repair it, or its version is too old. */
export type Blocker =
  | { readonly kind: 'site-failed'; readonly observed: Observation & { readonly kind: 'failed' } }
  | { readonly kind: 'site-unrecognized'; readonly observed: Observation & { readonly kind: 'unrecognized' } }
  | { readonly kind: 'site-too-old' }
  /**
   * The site was configured before and shows no sign of it now, or it differs from the site that an unfinished request was
   * sent to: another site may have its address.
   */
  | {
      readonly kind: 'site-replaced'
      readonly submission: Submission
      readonly difference?: MarkDifference
    }

/**
 * The status of one field of a manifest on a site that has its organization. Only a value that the site itself reported is
 * `equal`. A value that cannot be read back is `recorded` by the last apply, or `asserted` by a person.
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
    unrecorded: countUnrecorded(fields),
    total: fields.length,
  }
}

/**
 * Counts the fields of the organization that could be compared only with a record, if no apply of it is recorded; otherwise
 * 0. The placement policy does not count: Landform can set it.
 */
export function countUnrecorded(fields: readonly FieldAssessment[]): number {
  const unknown = fields.filter(
    one => one.verdict === 'unknowable' && one.because !== 'secret' && !isBelow(one.pointer, '/spec/upgrade'),
  )
  // With a record, only a license that was missing at the apply is not recorded.
  const isLost = unknown.some(
    one =>
      one.verdict === 'unknowable' &&
      one.because === 'never-recorded' &&
      !isBelow(one.pointer, '/spec/license'),
  )
  return isLost ? unknown.length : 0
}

/** Lists the blocking edits that a person could assert as made on the site: it must be ready, and not report the field. */
export function listAssertableEdits(plan: Plan): readonly ImmutableEdit[] {
  if (plan.binds.site.state !== 'ready') return []
  const reported = plan.fields.flatMap(one =>
    one.verdict === 'different' && one.source === 'site' ? [one.pointer] : [],
  )
  return listBlockingEdits(plan).filter(({ pointer }) => !reported.includes(pointer))
}

/** Lists the fields that differ although the plan neither sets them nor lists them as immutable edits. */
export function listLeftDifferences({
  actions,
  immutable,
  fields,
}: Pick<Plan, 'actions' | 'immutable' | 'fields'>): readonly DifferentField[] {
  const shown = new Set([...immutable, ...actions.flatMap(action => action.fields)].map(one => one.pointer))
  return fields.filter((one): one is DifferentField => one.verdict === 'different' && !shown.has(one.pointer))
}

/** A field with another value on the site, in the record or in an assertion. */
export type DifferentField = FieldAssessment & { readonly verdict: 'different' }

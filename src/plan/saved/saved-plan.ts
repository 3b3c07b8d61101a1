import type { Result } from '../../result.js'
import { checkPlan } from '../../schema/check.js'
import { isObject } from '../../schema/json-schema.js'
import { canonical, digestCanonical } from '../canonical.js'
import type { Plan, PlanDocument } from '../plan.js'
import type { Situation } from '../situation.js'
import { type Bindings, findChangedFacts, type StaleFact } from './bindings.js'
import { buildPlanDocument, planFormat } from './plan-document.js'

/** A plan that was written to a file, with its id. */
export interface SavedPlan {
  readonly id: string
  readonly plan: Plan
}

/** The reason why a text is not a saved plan; `altered` if its content does not match its id. */
export type PlanProblem = 'not-json' | 'not-a-plan' | 'newer' | 'altered'

type ParsePlanReply = Result<SavedPlan, PlanProblem>

/** Formats a saved plan as one line with sorted keys, so that equal plans are equal files. */
export function formatSavedPlan(document: PlanDocument): string {
  return `${canonical(document)}\n`
}

/** Tests for the text of a saved plan, whole or damaged, as opposed to a manifest. */
export function looksLikePlan(text: string): boolean {
  const value = parseJsonText(text)
  return isObject(value) && 'formatVersion' in value && !('apiVersion' in value)
}

/** Reads a saved plan. Its whitespace and key order may have changed since it was saved, but not its content. */
export function parsePlan(text: string): ParsePlanReply {
  const value = parseJsonText(text)
  if (value === undefined) return { ok: false, error: 'not-json' }
  if (!isObject(value)) return { ok: false, error: 'not-a-plan' }
  if (isDeeperThan(maxDepth, value)) return { ok: false, error: 'not-a-plan' }
  const { formatVersion } = value
  if (typeof formatVersion === 'number' && formatVersion > planFormat) return { ok: false, error: 'newer' }
  // `plan --format json` adds members that the id does not cover.
  const { id, storage, next, notChecked, ...content } = value
  // Checked before the shape: an altered plan is reported as altered, even if its shape is wrong.
  if (typeof id === 'string' && digestCanonical(content) !== id) return { ok: false, error: 'altered' }
  if (checkPlan(value).length > 0) return { ok: false, error: 'not-a-plan' }
  const { formatVersion: _, settles, coverage, summary, ...plan } = content as unknown as PlanDocument
  if (![plan.createdAt, plan.expiresAt].every(isTime)) return { ok: false, error: 'not-a-plan' }
  // Derived members are computed again: counts that do not match the actions are an alteration.
  return buildPlanDocument(plan).id === id
    ? { ok: true, value: { id, plan } }
    : { ok: false, error: 'altered' }
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Twice the depth that a manifest may have, since a plan wraps one. */
const maxDepth = 64

/** Tests whether a value is nested deeper than a limit. Walks level by level, because recursion could overflow the stack. */
function isDeeperThan(max: number, value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > max) return true
    level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

/** Tests for a time in the ISO form that plans are written with; any other form, or an invalid time, is rejected. */
function isTime(text: string): boolean {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** The accepted difference between the clocks of two machines. */
const clockSkewMs = 10 * 60_000

/** The present facts that a saved plan is compared with. */
interface PresentFacts extends Pick<Situation, 'url' | 'record' | 'now'> {
  readonly binds: Bindings
}

/** Finds the reasons why a saved plan is stale that need no observation: its time, or the address of the site. */
export function deadFacts(
  { plan }: SavedPlan,
  { url, now }: Pick<PresentFacts, 'url' | 'now'>,
): readonly StaleFact[] {
  return [
    ...(Date.parse(plan.createdAt) > now + clockSkewMs
      ? [{ kind: 'created-in-future', createdAt: plan.createdAt } as const]
      : []),
    ...(Date.parse(plan.expiresAt) <= now ? [{ kind: 'expired', expiresAt: plan.expiresAt } as const] : []),
    ...(plan.url === url ? [] : [{ kind: 'address', was: plan.url, is: url } as const]),
  ]
}

/** Finds the reasons why a saved plan is stale. Changes that applying this plan itself makes do not count. */
export function staleFacts(saved: SavedPlan, present: PresentFacts): readonly StaleFact[] {
  const { record, url, now, binds } = present
  const facts = [...deadFacts(saved, { url, now }), ...findChangedFacts(saved.plan.binds, binds)]
  return selectUse(saved, { record }) ? facts.filter(({ kind }) => !changedByUse.includes(kind)) : facts
}

/** The facts that applying a plan changes, or that no longer matter afterwards. */
const changedByUse: readonly StaleFact['kind'][] = [
  'expired',
  'site-state',
  'site-version',
  'site-build',
  'site-setting',
  'record',
  'record-replaced',
]

/** Returns the use of a plan, if it was the last plan that was used. */
export function selectUse(
  { id }: SavedPlan,
  { record }: Pick<PresentFacts, 'record'>,
): StaleFact | undefined {
  return record.plan?.id === id ? { kind: 'used', usedAt: record.plan.usedAt } : undefined
}

/**
 * Tests whether a plan made now equals the saved one, except for its times. A saved plan is performed only if it equals a
 * plan that was computed from the manifest and the site: the file alone is never trusted.
 */
export function isSamePlan({ id, plan }: SavedPlan, now: Plan): boolean {
  const { createdAt, expiresAt } = plan
  // `staleFacts` has compared the facts of the site: one that a process had to leave out is no difference there.
  const binds = { ...now.binds, site: plan.binds.site }
  return buildPlanDocument({ ...now, binds, createdAt, expiresAt }).id === id
}

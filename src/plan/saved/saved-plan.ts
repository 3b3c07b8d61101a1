import type { Result } from '../../result.js'
import { checkPlan } from '../../schema/check-plan.js'
import { isObject } from '../../schema/json-schema.js'
import { canonical, digestOf } from '../canonical.js'
import type { Plan } from '../plan.js'
import type { ApplyRecord } from '../record.js'
import { type Bindings, movedFacts } from './bindings.js'
import { type PlanDocument, planDocument } from './plan-document.js'

/** A plan that was written to a file, with its id. */
export interface SavedPlan {
  readonly id: string
  readonly plan: Plan
}

/** Why a text is no saved plan; or that its content is another than its id stands for. */
export type PlanProblem = 'not-json' | 'not-a-plan' | 'newer' | 'altered'

export type ReadPlan = Result<SavedPlan, PlanProblem>

/** The text of a saved plan: one line, with its keys in order, so that equal plans are equal files. */
export function formatSavedPlan(document: PlanDocument): string {
  return `${canonical(document)}\n`
}

/** True for the text of a saved plan, whole or damaged, as opposed to a manifest. */
export function looksLikePlan(text: string): boolean {
  const value = parsed(text)
  return isObject(value) && 'formatVersion' in value && !('apiVersion' in value)
}

/** Reads a saved plan. Its layout may have changed since, its content not. */
export function parsePlan(text: string): ReadPlan {
  const value = parsed(text)
  if (value === undefined) return { ok: false, error: 'not-json' }
  if (!isObject(value)) return { ok: false, error: 'not-a-plan' }
  if (isDeeperThan(mostDepth, value)) return { ok: false, error: 'not-a-plan' }
  const { formatVersion } = value
  if (typeof formatVersion === 'number' && formatVersion > 1) return { ok: false, error: 'newer' }
  // What a cluster made of the plan stands beside it, in what `plan --format json` prints.
  const { id, placement, storage, ...content } = value
  // Before the shape: who alters a plan is told that, whatever became of it.
  if (typeof id === 'string' && digestOf(content) !== id) return { ok: false, error: 'altered' }
  if (checkPlan(value).length > 0) return { ok: false, error: 'not-a-plan' }
  const plan = planOf(value as unknown as PlanDocument)
  if (![plan.createdAt, plan.expiresAt].every(isTime)) return { ok: false, error: 'not-a-plan' }
  // What a plan leads to is computed again: a document whose counts are not those of its steps is none.
  return planDocument(plan).id === id ? { ok: true, value: { id, plan } } : { ok: false, error: 'altered' }
}

function planOf({
  name,
  manifest,
  url,
  createdAt,
  expiresAt,
  binds,
  actions,
  immutable,
  fields,
}: PlanDocument): Plan {
  return { name, manifest, url, createdAt, expiresAt, binds, actions, immutable, fields }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a manifest may have twice over, for a plan stands around it. */
const mostDepth = 64

/** Level by level, for a walk into the depth would end where the stack does. */
function isDeeperThan(most: number, value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true
    level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

/** True for a time in the one spelling that plans have: another might never come. */
function isTime(text: string): boolean {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** How far the clocks of two machines may be apart. */
const clockSkewMs = 10 * 60_000

/** What there is now, to hold a saved plan against. */
export interface Present {
  readonly binds: Bindings
  readonly url: string
  readonly record: ApplyRecord
  /** Milliseconds since 1970. */
  readonly now: number
}

/** What tells without a look at anything that a saved plan is of no use: its time is up, or it is for another site. */
export function deadFacts(
  { plan }: SavedPlan,
  { url, now }: Pick<Present, 'url' | 'now'>,
): readonly string[] {
  return [
    ...(Date.parse(plan.createdAt) > now + clockSkewMs
      ? [`the time: the plan was made at ${plan.createdAt}, which is yet to come`]
      : []),
    ...(Date.parse(plan.expiresAt) <= now ? [`the time: the plan expired at ${plan.expiresAt}`] : []),
    ...(plan.url === url ? [] : [`the address of the site: was ${plan.url}, is ${url}`]),
  ]
}

/** Why a saved plan may not be performed any more, each fact by its name; empty where nothing moved. */
export function staleFacts({ id, plan }: SavedPlan, present: Present): readonly string[] {
  const { record, url, now, binds } = present
  // Its use moved the record, which then says nothing new.
  if (record.plan?.id === id) return [`the plan itself: it was used at ${record.plan.usedAt}`]
  return [...deadFacts({ id, plan }, { url, now }), ...movedFacts(plan.binds, binds)]
}

/**
 * True when a plan made now is the saved one but for its times: a saved plan is data, and what is performed is what
 * the manifest and the site lead to, never what a file says they do.
 */
export function isSamePlan({ id, plan }: SavedPlan, now: Plan): boolean {
  const { createdAt, expiresAt } = plan
  return planDocument({ ...now, createdAt, expiresAt }).id === id
}

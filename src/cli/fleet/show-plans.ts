import { formatPlans, type SitePlan } from '../../report/fleet/fleet-plans.js'
import type { Paint } from '../../report/paint.js'
import { formatPlan, type PlanView } from '../../report/plan/plan-text.js'
import type { Output } from '../host.js'

/** Each plan, then what they come to; text by text, so that not all are kept. */
export function* planTexts(plans: readonly SitePlan[], paint: Paint, view: PlanView = {}): Generator<string> {
  for (const { plan } of plans) if (plan !== undefined) yield `${formatPlan(plan, paint, view)}\n`
  yield formatPlans(plans, paint)
}

/** Writes texts one after the other. */
export function writeAll(output: Output, texts: Iterable<string>): void {
  for (const text of texts) output.write(text)
}

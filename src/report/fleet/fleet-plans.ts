import { hasChanges, type Plan } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'
import { type CommandFailure, failureDocument } from '../failure-json.js'
import { fitBlocks, formatCodeSpan, formatMarker } from '../markdown.js'
import type { Paint } from '../paint.js'
import { describeDecision } from '../plan/plan-words.js'
import { formatNumber } from '../sentence.js'
import { formatTextTable } from './text-table.js'

/** The result of planning one site of many: a plan, a failure, or both if the plan cannot be applied. */
export interface SitePlan {
  readonly site: string
  readonly file: string
  readonly url: string | null
  readonly plan?: Plan
  readonly failure?: CommandFailure
}

/** Formats the plans of many sites, one a line. */
export function formatPlans(plans: readonly SitePlan[], paint: Paint): string {
  const [head = '', ...rows] = formatTextTable(
    ['site', 'address', 'plan'],
    plans.map(one => [one.site, one.url ?? '-', describePlan(one)]),
  )
  return [paint('dim', head), ...rows, '', `${summarizePlans(plans)}.`, ''].join('\n')
}

/** Formats the plans of many sites for a pull request. */
export function formatPlansMarkdown(plans: readonly SitePlan[]): string {
  const rows = plans.map(one => [
    formatCodeSpan(one.site),
    one.url === null ? '' : formatCodeSpan(one.url),
    one.failure === undefined ? describePlan(one) : formatCodeSpan(describePlan(one)),
    formatCodeSpan(one.file),
  ])
  return fitBlocks([
    formatMarker('plan', plans.map(({ file }) => file).join(' ')),
    `### ${summarizePlans(plans)}`,
    { columns: ['Site', 'Address', 'Plan', 'File'], rows, rank: 0 },
  ])
}

/** The machine form; its schema is `schemas/fleet-plan.schema.json`. */
export function plansDocument(plans: readonly SitePlan[]) {
  return {
    formatVersion: 1,
    sites: plans.map(({ site, file, url, plan, failure }) => ({
      site,
      file,
      url,
      plan: plan === undefined ? null : buildPlanDocument(plan),
      error: failure === undefined ? null : failureDocument(failure).error,
    })),
  } as const
}

/** True if an apply would change the site or wait for it. */
export function hasWork({ plan, failure }: SitePlan): boolean {
  return plan !== undefined && failure === undefined && hasChanges(plan)
}

function describePlan({ plan, failure }: SitePlan): string {
  if (failure !== undefined) return `none (${failure.exitCode}): ${failure.message}`
  return plan === undefined ? '' : describeDecision(plan)
}

function summarizePlans(plans: readonly SitePlan[]): string {
  const none = plans.filter(({ failure }) => failure !== undefined).length
  const changes = plans.filter(hasWork).length
  const left = none === 0 ? '' : `, ${none} without an applicable plan`
  return `${formatNumber(plans.length, 'site')}: ${changes} with changes, ${plans.length - changes - none} without changes${left}`
}

import type { Plan } from '../../plan/plan.js'
import { planDocument } from '../../plan/saved/plan-document.js'
import { planGitlab } from '../../report/plan/plan-gitlab.js'
import { planHtml } from '../../report/plan/plan-html.js'
import { planMarkdown } from '../../report/plan/plan-markdown.js'
import { formatPlan, type PlanView } from '../../report/plan/plan-text.js'
import type { PlanFormat } from '../declarations/options.js'
import { type ColorChoice, jsonText, paintFor } from '../terminal/output.js'

/** How a plan is to be shown, and what stands beside it. */
export interface PlanOutput extends PlanView {
  readonly color: ColorChoice
  /** Members of the JSON document beside those of the plan. */
  readonly members?: object
}

/** A plan in one of its formats. */
export function renderPlan(
  plan: Plan,
  format: PlanFormat,
  { color, members = {}, ...view }: PlanOutput,
): string {
  switch (format) {
    case 'text':
      return formatPlan(plan, paintFor('stdout', color), view)
    case 'json':
      return jsonText({ ...planDocument(plan), ...members })
    case 'markdown':
      return planMarkdown(plan, view)
    case 'html':
      return planHtml(plan, view)
    case 'gitlab':
      return jsonText(planGitlab(plan))
  }
}

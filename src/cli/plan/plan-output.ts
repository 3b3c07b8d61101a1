import type { Plan } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'
import { renderPlanHtml } from '../../report/plan-html.js'
import { buildGitlabCounts, formatPlanMarkdown } from '../../report/plan-markdown.js'
import { formatPlan, type PlanView } from '../../report/plan-text.js'
import type { Paint } from '../../report/terminal.js'
import type { PlanFormat } from '../command-options.js'
import { jsonText } from '../terminal/output.js'

/** The presentation of a plan. */
interface PlanOutput extends PlanView {
  readonly paint: Paint
  /** Further members of the JSON document. */
  readonly members?: object
}

/** The formats of a plan. */
export const planReports = {
  text: (plan, { paint, ...view }) => formatPlan(plan, paint, view),
  json: (plan, { members }) => jsonText({ ...buildPlanDocument(plan), ...members }),
  markdown: formatPlanMarkdown,
  html: renderPlanHtml,
  gitlab: plan => jsonText(buildGitlabCounts(plan)),
} as const satisfies Readonly<Record<PlanFormat, (plan: Plan, output: PlanOutput) => string>>

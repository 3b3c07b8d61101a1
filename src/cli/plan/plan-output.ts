import type { Plan } from '../../plan/plan.js'
import { planDocument } from '../../plan/saved/plan-document.js'
import { planGitlab } from '../../report/plan/plan-gitlab.js'
import { planHtml } from '../../report/plan/plan-html.js'
import { planMarkdown } from '../../report/plan/plan-markdown.js'
import { formatPlan, type PlanView } from '../../report/plan/plan-text.js'
import type { Options } from '../command.js'
import { type ColorChoice, jsonText, paintFor } from '../output.js'

/** The formats of a plan. */
export const planFormats = ['text', 'json', 'markdown', 'html', 'gitlab'] as const
export type PlanFormat = (typeof planFormats)[number]

/** The option that shows all of it. */
export const verboseOption = {
  verbose: { kind: 'flag', short: 'v', describe: 'Also show every field with what is known of it' },
} as const satisfies Options

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

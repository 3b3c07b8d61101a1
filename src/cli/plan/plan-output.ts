import { appendFile } from 'node:fs/promises'
import type { Plan } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'
import { display } from '../../report/display.js'
import type { ExitCode } from '../../report/exit-code.js'
import { renderPlanHtml } from '../../report/plan-html.js'
import { buildGitlabCounts, formatPlanMarkdown, formatPlanOutputs } from '../../report/plan-markdown.js'
import { formatPlan, type PlanView } from '../../report/plan-text.js'
import type { PlanFormat } from '../declarations/options.js'
import type { Host } from '../host.js'
import { type ColorChoice, jsonText, paintFor } from '../terminal/output.js'

/** The presentation of a plan. */
export interface PlanOutput extends PlanView {
  readonly color: ColorChoice
  /** Further members of the JSON document. */
  readonly members?: object
}

/** The formats of a plan. */
export const planReports = {
  text: (plan, { color, ...view }) => formatPlan(plan, paintFor('stdout', color), view),
  json: (plan, { members }) => jsonText({ ...buildPlanDocument(plan), ...members }),
  markdown: formatPlanMarkdown,
  html: renderPlanHtml,
  gitlab: plan => jsonText(buildGitlabCounts(plan)),
} as const satisfies Readonly<Record<PlanFormat, (plan: Plan, output: PlanOutput) => string>>

/**
 * Adds a plan to the step summary and the outputs of the GitHub workflow that runs this; elsewhere these files are not
 * named. A failure to write them does not affect the plan.
 */
export async function reportToGitHub(
  host: Host,
  plan: Plan,
  { exitCode, ...view }: PlanView & { readonly exitCode: ExitCode },
): Promise<void> {
  await append(host, 'GITHUB_STEP_SUMMARY', () => `\n${formatPlanMarkdown(plan, view)}`)
  await append(host, 'GITHUB_OUTPUT', () => formatPlanOutputs(plan, exitCode))
}

/** The same for the plans of many sites, and for drift. */
export async function summarizeForGitHub(
  host: Host,
  summary: { readonly markdown: string; readonly changes: boolean; readonly exitCode: ExitCode },
): Promise<void> {
  await append(host, 'GITHUB_STEP_SUMMARY', () => `\n${summary.markdown}`)
  await append(host, 'GITHUB_OUTPUT', () => `changes=${summary.changes}\nexitcode=${summary.exitCode}\n`)
}

async function append(host: Host, variable: string, text: () => string): Promise<void> {
  const file = host.environment[variable]
  if (file === undefined || file === '') return
  await appendFile(file, text()).catch(({ code }: NodeJS.ErrnoException) => {
    host.stderr.print(`warning: the file in ${variable} cannot be written (${display(String(code))})\n`)
  })
}

import type { Outcome } from '../apply/outcome.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { UncheckedReference } from '../diagnostics/reference-defect.js'
import type { Observation } from '../plan/observation.js'
import { hasChanges, type Plan } from '../plan/plan.js'
import { isRepeatable, type RunState, runStates } from '../plan/run-state.js'
import { buildPlanDocument } from '../plan/saved/plan-document.js'
import { display } from './display.js'
import { formatProgress } from './events.js'
import { type CommandFailure, failureDocument } from './failures.js'
import { diagnosticDocument } from './findings.js'
import { fitBlocks, formatCodeSpan, formatMarker } from './markdown.js'
import { formatNumber } from './phrase.js'
import { describeDecision } from './plan-words.js'
import { statusDocument } from './status.js'
import { defaultColumns, type Paint, plain } from './terminal.js'

/** Longer names are cut, so that the columns stay aligned. */
const maxCharacters = 40

/**
 * Formats rows in columns as wide as their longest cell; the last column is free, and below the others where it does not fit
 * beside them. `paint` dims the head. Untrusted text is made safe.
 */
export function formatTextTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint = plain,
): readonly string[] {
  const last = columns.length - 1
  const cells = [columns, ...rows].map(row =>
    row.map((cell, at) => display(cell, at === last ? 500 : maxCharacters)),
  )
  const widths = columns.map((_, at) => Math.max(...cells.map(row => row[at]?.length ?? 0)))
  // Never an untrusted text at the beginning of a line, where a CI runner parses commands.
  const [head = '', ...lines] = cells.map(row => {
    const beside = `  ${row.map((cell, at) => (at === last ? cell : cell.padEnd(widths[at] ?? 0))).join('  ')}`
    if (beside.trimEnd().length <= defaultColumns) return beside.trimEnd()
    const first = row.slice(0, last).map((cell, at) => cell.padEnd(widths[at] ?? 0))
    return `  ${first.join('  ').trimEnd()}\n      ${row[last]}`
  })
  return [paint('dim', head), ...lines]
}

type SiteOutcome =
  | Outcome['kind']
  /** The plan had no changes. */
  | 'nothing-to-do'
  /** It could not be planned, or its plan cannot be applied; nothing was sent. */
  | 'not-planned'
  /** The run ended before its turn; nothing was sent. */
  | 'not-begun'
  /** A defect of Landform. */
  | 'internal'

/** The result of one site. */
export interface SiteResult {
  /** The name in its manifest; the file if the name is unknown or not unique. */
  readonly site: string
  readonly file: string
  /** Null if the manifest could not be read. */
  readonly url: string | null
  readonly outcome: SiteOutcome
  /** As in `landform fleet status`. */
  readonly state: RunState
  /** The exit code of an apply to this site alone; null if it was not started. */
  readonly exitCode: number | null
  readonly message: string
  readonly next?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly diagnostics: readonly Diagnostic[]
}

/** The result of a run over many sites. */
export interface FleetRun {
  readonly exitCode: number
  /** Present if an interrupt kept some sites from starting. */
  readonly halt?: 'interrupted'
  readonly sites: readonly SiteResult[]
}

function countOutcomes(sites: readonly SiteResult[]) {
  const done = sites.filter(({ exitCode }) => exitCode === 0).length
  const notBegun = sites.filter(({ exitCode }) => exitCode === null).length
  return { sites: sites.length, done, notDone: sites.length - done - notBegun, notBegun }
}

/** Counts the sites by state, and says whether the run was interrupted. */
export function describeRun({ sites, halt }: FleetRun): string {
  return halt === undefined ? describeSites(sites) : `${describeSites(sites)}; ${halt}`
}

/**
 * Suggests how to go on, by the rule of `landform fleet resume`: sites that are done are left alone, and an ambiguous one
 * needs a decision first.
 */
export function suggestRerun({ sites }: FleetRun): string {
  const ambiguous = sites.filter(({ state }) => state === 'ambiguous').length
  const isOpen = sites.some(({ state }) => isRepeatable(state) || state === 'waiting')
  const again = 'then run the same command again: it skips those that are done'
  if (ambiguous === 0) return `fix the sites that failed, ${again}`
  const decide = `decide about ${formatNumber(ambiguous, 'ambiguous site')}, as shown above`
  return isOpen ? `${decide}, fix the others, ${again}` : `${decide}, ${again}`
}

/** A site with its state; a site with several runs counts once. */
interface SiteInState {
  readonly site: string
  readonly state: RunState
}

/** Counts sites by state, those that need attention first: `4 sites: 1 failed, 3 done`. */
export function describeSites(runs: readonly SiteInState[]): string {
  const counts = runStates.flatMap(state => {
    const count = runs.filter(run => run.state === state).length
    return count === 0 ? [] : [`${count} ${state}`]
  })
  const sites = formatNumber(new Set(runs.map(({ site }) => site)).size, 'site')
  return counts.length === 0 ? sites : `${sites}: ${counts.join(', ')}`
}

const columns = ['site', 'outcome', 'exit', 'what happened'] as const

/** Formats the result of a run over many sites for people. */
export function formatFleetRun(run: FleetRun, paint: Paint): string {
  const lines = formatTextTable(columns, run.sites.map(formatCells), paint)
  const colour = run.exitCode === 0 ? 'green' : 'red'
  return [...lines, '', `${paint(colour, describeRun(run))}.`, ''].join('\n')
}

/** Formats the result of a run over many sites for a pull request or the summary of a job. */
export function formatFleetRunMarkdown(run: FleetRun): string {
  const rows = run.sites.map(site => {
    const [name, outcome = '', exit = '', message] = formatCells(site)
    return [formatCodeSpan(name ?? ''), outcome, exit, formatCodeSpan(message ?? '')]
  })
  return fitBlocks([
    formatMarker('apply', run.sites.map(({ file }) => file).join(' ')),
    `### Apply to ${describeRun(run)}`,
    { columns, rows, rank: 0 },
  ])
}

/** The machine form; its schema is `schemas/fleet.schema.json`. */
export function fleetDocument(run: FleetRun) {
  const { exitCode, halt, sites } = run
  return {
    formatVersion: 1,
    exitCode,
    message: describeRun(run),
    ...(halt !== undefined && { halt }),
    summary: countOutcomes(sites),
    sites: sites.map(site => ({ ...site, diagnostics: site.diagnostics.map(diagnosticDocument) })),
  } as const
}

function formatCells({ site, outcome, exitCode, message }: SiteResult): readonly string[] {
  return [site, outcome, String(exitCode ?? '-'), message]
}

/** The result of planning one site of many: a plan, a failure, or both if the plan cannot be applied. */
export interface SitePlan {
  readonly site: string
  readonly file: string
  readonly url: string | null
  readonly plan?: Plan
  /** The secrets and files of the plan that were not checked. */
  readonly unchecked?: readonly UncheckedReference[]
  readonly failure?: CommandFailure
}

/** Formats the plans of many sites, one a line. */
export function formatPlans(plans: readonly SitePlan[], paint: Paint): string {
  const rows = plans.map(one => [one.site, one.url ?? '-', describePlan(one)])
  const lines = formatTextTable(['site', 'address', 'plan'], rows, paint)
  return [...lines, '', `${summarizePlans(plans)}.`, ''].join('\n')
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

/** The observed status of one site of many. */
export interface SiteStatus {
  readonly site: string
  readonly file: string
  readonly url: string | null
  readonly exitCode: number
  readonly observed?: Observation
  readonly failure?: CommandFailure
}

/** Formats the status of many sites, one a line. */
export function formatStatuses(polls: readonly SiteStatus[], paint: Paint): string {
  const rows = polls.map(({ site, observed, failure }) => {
    if (observed === undefined) return [site, '-', '-', `error (${failure?.exitCode}): ${failure?.message}`]
    const { kind, version = '-', stages, message = '' } = observed
    const state = kind === 'unrecognized' ? `unrecognized: ${observed.state}` : kind
    return [site, state, version, stages.length > 0 ? formatProgress(stages) : message]
  })
  return [...formatTextTable(['site', 'state', 'version', 'more'], rows, paint), ''].join('\n')
}

/** The machine form; its schema is `schemas/fleet-status.schema.json`. */
export function fleetStatusDocument(polls: readonly SiteStatus[]) {
  return {
    formatVersion: 1,
    sites: polls.map(({ site, file, url, exitCode, observed, failure }) => ({
      site,
      file,
      url,
      exitCode,
      status: observed === undefined ? null : statusDocument(url ?? '', observed),
      error: failure === undefined ? null : failureDocument(failure).error,
    })),
  } as const
}

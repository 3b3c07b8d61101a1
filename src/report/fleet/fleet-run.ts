import type { Outcome } from '../../apply/outcome.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { isRepeatable, type RunState, runStates } from '../../plan/run-state.js'
import { diagnosticDocument } from '../findings/diagnostics-json.js'
import { fitBlocks, formatCodeSpan, formatMarker } from '../markdown.js'
import type { Paint } from '../paint.js'
import { formatNumber } from '../sentence.js'
import { formatTextTable } from './text-table.js'

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
  const [head = '', ...rows] = formatTextTable(columns, run.sites.map(formatCells))
  const colour = run.exitCode === 0 ? 'green' : 'red'
  return [paint('dim', head), ...rows, '', `${paint(colour, describeRun(run))}.`, ''].join('\n')
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

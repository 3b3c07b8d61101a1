import { countUnrecorded, hasChanges, listBlockingEdits, type Plan } from '../plan/plan.js'
import { type CommandFailure, failureDocument } from './command-failure.js'
import { type ExitCode, exitCodes, severityOrder, worstExitCode } from './exit-code.js'
import { fitBlocks, formatCodeSpan, formatMarker } from './markdown.js'
import { formatNumber } from './phrase.js'
import type { Paint } from './terminal.js'
import { formatTextTable } from './text-table.js'

/** The result of a command for one of several sites. */
export interface SiteResult {
  /** The name in its manifest; the file if the name is unknown or not unique. */
  readonly site: string
  readonly file: string
  /** Null if the manifest could not be read. */
  readonly url: string | null
  readonly exitCode: ExitCode
  /** The group in which the site is counted, such as `with changes`. */
  readonly group: string
  /** The result in one line. */
  readonly summary: string
  /** The result in few words, for a table at a terminal. Default: the summary. */
  readonly brief?: string
  /** The JSON document of the command for this site alone; absent if there is nothing to report. */
  readonly document?: object
  /** The reason that the command did not succeed. */
  readonly failure?: CommandFailure
  /** Formats the site as one section of a Markdown report on several; absent if there is nothing to review. */
  section?(): string
}

/** A command for several sites, and the extra column of its table. */
export interface SitesTable {
  readonly kind: 'plan' | 'apply' | 'status' | 'drift'
  readonly column: 'address' | 'exit'
}

export const planTable = { kind: 'plan', column: 'address' } as const satisfies SitesTable

/** Chooses the group in which a plan is counted. */
export function groupPlan(plan: Plan): string {
  if (listBlockingEdits(plan).length > 0) return 'blocked'
  if (hasChanges(plan)) return 'with changes'
  return countUnrecorded(plan.fields) > 0 ? 'without a record' : 'without changes'
}

/** Counts the sites by their groups, the worst first: `4 sites: 1 failed, 3 done`. */
export function summarizeSites(results: readonly SiteResult[]): string {
  const groups = [...new Set(results.map(({ group }) => group))].map(group => {
    const codes = results.flatMap(one => (one.group === group ? [one.exitCode] : []))
    return { group, words: `${codes.length} ${group}`, rank: severityOrder.indexOf(worstExitCode(codes)) }
  })
  const sorted = groups.toSorted((a, b) => a.rank - b.rank || (a.group < b.group ? -1 : 1))
  return `${formatNumber(results.length, 'site')}: ${sorted.map(({ words }) => words).join(', ')}`
}

/** The groups that the same command continues without a fix. */
const continued: readonly string[] = ['unfinished', 'cancelled', 'not started']

/**
 * Suggests how to continue after an apply. The same command skips the sites that are done, like `landform fleet
 * resume`; an ambiguous one needs a decision first. A saved plan is sent only once, so a site that failed needs a new
 * one. Empty if all sites are done.
 */
export function suggestRerun(
  results: readonly Pick<SiteResult, 'exitCode' | 'group'>[],
  hasSavedPlans: boolean,
): readonly string[] {
  const left = results.filter(({ exitCode }) => exitCode !== exitCodes.done).map(({ group }) => group)
  if (left.length === 0) return []
  const ambiguous = left.filter(group => group === 'ambiguous').length
  const needsFix = left.some(group => group !== 'ambiguous' && !continued.includes(group))
  if (hasSavedPlans && needsFix)
    return ['continue with the remaining sites, as shown above: a failed plan cannot be applied again']
  const steps = [
    ...(ambiguous > 0 ? [`decide about ${formatNumber(ambiguous, 'ambiguous site')}, as shown above`] : []),
    ...(needsFix ? [ambiguous > 0 ? 'fix the others' : 'fix the sites that failed'] : []),
  ]
  const again = 'run the same command again: it skips the sites that are done'
  return [steps.length === 0 ? again : `${steps.join(', ')}, then ${again}`]
}

/** The groups of sites that are only counted among many, because nobody needs to read about them. */
const quietGroups: readonly string[] = ['without changes', 'without differences']

/** Formats the results for people, one per line, and counts them. If `isShort`, sites without changes are only counted. */
export function formatSites(
  results: readonly SiteResult[],
  column: SitesTable['column'],
  { paint, isShort }: { readonly paint: Paint; readonly isShort: boolean },
): string {
  const isQuiet = ({ group, exitCode }: SiteResult) =>
    exitCode === exitCodes.done && quietGroups.includes(group)
  const rows = results
    .filter(one => !isShort || !isQuiet(one))
    .map(one =>
      listCells(one.failure === undefined ? { ...one, summary: one.brief ?? one.summary } : one, column),
    )
  const colour = results.every(({ failure }) => failure === undefined) ? 'green' : 'red'
  return [
    ...(rows.length === 0 ? [] : [...formatTextTable(['site', column, 'result'], rows, paint), '']),
    `${paint(colour, summarizeSites(results))}.`,
    '',
  ].join('\n')
}

/** Formats the results for a pull request or a job summary: the table of all sites, then the section of each. */
export function formatSitesMarkdown(results: readonly SiteResult[], { kind, column }: SitesTable): string {
  const rows = results.map(one => {
    const [site = '', second = '', result = ''] = listCells(one, column)
    return [site, second, result, one.file].map(cell => formatCodeSpan(cell))
  })
  const sections = results.flatMap(one => one.section?.() ?? [])
  const describeRest = (count: number) =>
    `… and ${formatNumber(count, 'more section')}; the output of \`landform ${kind}\` has every site.`
  return fitBlocks([
    formatMarker(kind, results.map(({ file }) => file).join(' ')),
    `### ${summarizeSites(results)}`,
    { columns: ['Site', column === 'exit' ? 'Exit' : 'Address', 'Result', 'File'], rows, rank: 0 },
    ...(sections.length === 0 ? [] : [{ sections, describeRest }]),
  ])
}

/** The machine form; its schema is `schemas/sites.schema.json`. */
export function sitesDocument(results: readonly SiteResult[], exitCode: number) {
  return {
    formatVersion: 1,
    exitCode,
    message: summarizeSites(results),
    sites: results.map(({ site, file, url, exitCode, summary, document, failure }) => ({
      site,
      file,
      url,
      exitCode,
      message: summary,
      result: document ?? null,
      error: failure === undefined ? null : failureDocument(failure).error,
    })),
  } as const
}

function listCells({ site, url, exitCode, summary, failure }: SiteResult, column: SitesTable['column']) {
  if (column === 'exit') return [site, String(exitCode), summary]
  return [site, url ?? '-', failure === undefined ? summary : `error (${exitCode}): ${summary}`]
}

import { diagnosticDocument } from '../findings/diagnostics-json.js'
import { fitBlocks, formatCodeSpan, formatMarker } from '../markdown.js'
import type { Paint } from '../paint.js'
import { countOutcomes, describeRun, type FleetRun, type SiteResult } from './fleet-run.js'
import { formatTextTable } from './text-table.js'

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

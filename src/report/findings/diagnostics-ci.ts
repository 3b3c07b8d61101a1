import { display } from '../display.js'
import {
  describeDiagnostic,
  type Finding,
  type Findings,
  identifyFindings,
  sortErrorsFirst,
} from './findings.js'

/**
 * Formats a check as workflow commands, which GitHub shows beside the changed lines: at most `limit`, errors first.
 * GitHub keeps the first ten of each kind in a step, so errors come before warnings, and omitted findings are counted.
 */
export function formatGithubCommands(findings: Findings, limit: number): string {
  const all = sortErrorsFirst(identifyFindings(findings))
  const rest = all.length - limit
  return [
    ...all.slice(0, limit).map(formatCommand),
    ...(rest > 0
      ? [`::notice title=landform::${rest} more of ${all.length} findings are not shown here`]
      : []),
  ]
    .map(line => `${line}\n`)
    .join('')
}

function formatCommand({ diagnostic, place }: Finding): string {
  const { file, start, end } = place
  // GitHub takes columns only of a range within one line.
  const columns = start.line === end.line ? { col: start.column, endColumn: end.column } : {}
  const properties = { file, line: start.line, endLine: end.line, ...columns, title: diagnostic.code }
  const listed = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(`${value}`)}`)
  const level = diagnostic.severity === 'note' ? 'notice' : diagnostic.severity
  return `::${level} ${listed.join(',')}::${escapeData(describeDiagnostic(diagnostic))}`
}

/** Escapes percent signs: the text is one line, but an escape could still encode a line break. */
function escapeData(line: string): string {
  return line.replaceAll('%', '%25')
}

function escapeProperty(text: string): string {
  return escapeData(display(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** Formats a check as a Code Quality report, which GitLab shows in merge requests: one list of findings. */
export function buildCodeQualityReport(findings: Findings) {
  return identifyFindings(findings).map(({ diagnostic, place, fingerprint }) => ({
    description: describeDiagnostic(diagnostic),
    check_name: diagnostic.code,
    fingerprint,
    severity: severities[diagnostic.severity],
    location: { path: display(place.file), lines: { begin: place.start.line } },
  }))
}

const severities = { error: 'major', warning: 'minor', note: 'info' } as const

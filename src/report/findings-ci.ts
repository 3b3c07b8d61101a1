import { catalog, type DiagnosticCode } from '../diagnostics/diagnostic.js'
import { explanations } from '../diagnostics/generated/explanations.js'
import type { Place } from '../diagnostics/place.js'
import { display } from './display.js'
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
  // GitHub accepts columns only for a range within one line.
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

/** The most results that GitHub shows per run; it rejects far larger logs. */
const maxResults = 5000

/** Formats a check as a SARIF 2.1.0 log, for code scanning and editors: one run, errors first. */
export function buildSarifLog(findings: Findings, version: string) {
  const all = sortErrorsFirst(identifyFindings(findings))
  const shown = all.slice(0, maxResults)
  const codes = [...new Set(shown.map(({ diagnostic }) => diagnostic.code))]
  const message = { text: `${shown.length} of ${all.length} findings are in this log, errors first` }
  const invocation = { executionSuccessful: true, toolExecutionNotifications: [{ level: 'note', message }] }
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Landform', version, rules: codes.map(buildRule) } },
        columnKind: 'utf16CodeUnits',
        results: shown.map(finding => buildResult(finding, codes.indexOf(finding.diagnostic.code))),
        ...(shown.length < all.length && { invocations: [invocation] }),
      },
    ],
  } as const
}

function buildRule(code: DiagnosticCode) {
  const { title, source, severity } = catalog[code]
  const { text } = explanations[code]
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text },
    help: { text: `${text}\n\nSource: ${source}` },
    defaultConfiguration: { level: severity },
  }
}

function buildResult({ diagnostic, place, fingerprint }: Finding, ruleIndex: number) {
  const { code, severity, related = [] } = diagnostic
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: describeDiagnostic(diagnostic) },
    locations: [{ physicalLocation: buildPhysicalLocation(place) }],
    ...(related.length > 0 && {
      relatedLocations: related.map(({ message, place }) => ({
        physicalLocation: buildPhysicalLocation(place),
        message: { text: display(message) },
      })),
    }),
    // Not `primaryLocationLineHash`: GitHub computes it itself, and warns about any other value in it.
    partialFingerprints: { 'landform/v1': fingerprint },
  }
}

function buildPhysicalLocation({ file, start, end }: Place) {
  return {
    artifactLocation: { uri: encodeUri(file) },
    region: {
      startLine: start.line,
      startColumn: start.column,
      endLine: end.line,
      endColumn: end.column,
    },
  }
}

/** Encodes a file name as a relative reference: even a colon is encoded, or the part before it would be a scheme. */
function encodeUri(file: string): string {
  // A lone surrogate cannot be encoded in a URI.
  return file
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/')
}

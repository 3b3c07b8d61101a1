import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { display } from '../display.js'
import { formatNumber } from '../sentence.js'
import { countSeverity, type Findings, type VersionFindings } from './findings.js'

interface VersionDifference {
  readonly file: string
  readonly versions: readonly string[]
  readonly diagnostic: Diagnostic
}

/** Finds the diagnostics that only other versions have, each once for all versions that share it. */
function findVersionDifferences({ diagnostics, versions = [] }: Findings): readonly VersionDifference[] {
  const said = new Set(diagnostics.map(buildKey))
  const differences = new Map<string, { readonly versions: string[] } & VersionDifference>()
  for (const { file, version, diagnostics } of versions)
    for (const diagnostic of diagnostics.filter(one => !said.has(buildKey(one)))) {
      const key = JSON.stringify([file, buildKey(diagnostic)])
      const difference = differences.get(key) ?? { file, versions: [], diagnostic }
      difference.versions.push(version)
      differences.set(key, difference)
    }
  return [...differences.values()]
}

/** Merges the findings of all versions into one list, for formats without a place for versions. */
export function mergeVersions(findings: Findings): Findings {
  const others = findVersionDifferences(findings).map(({ versions, diagnostic }) => ({
    ...diagnostic,
    message: `with service version ${versions.join(', ')}: ${diagnostic.message}`,
  }))
  return { ...findings, diagnostics: [...findings.diagnostics, ...others] }
}

/** Identifies a diagnostic without its message, which may name a version. A shared base is reported for each overlay. */
function buildKey({ code, pointer, place, related }: Diagnostic): string {
  return JSON.stringify([code, pointer, place, related])
}

/** Formats a table of files and versions, and below it the diagnostics that only other versions have. */
export function formatMatrix(report: Findings): string {
  const { versions: findings = [] } = report
  const files = [...new Set(findings.map(({ file }) => file))]
  const versions = [...new Set(findings.map(({ version }) => version))]
  const rows = [
    ['', ...versions],
    ...files.map(file => [
      display(file),
      ...versions.map(version =>
        summarizeFindings(findings.find(one => one.file === file && one.version === version)),
      ),
    ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length))) ?? []
  const table = rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const differences = findVersionDifferences(report)
  const below = files.flatMap(file => {
    const lines = differences.filter(one => one.file === file).map(formatDifference)
    return lines.length === 0 ? [] : ['', ...lines]
  })
  return `${[...table, ...below].join('\n')}\n`
}

function summarizeFindings(findings: VersionFindings | undefined): string {
  const { diagnostics = [] } = findings ?? {}
  const severity = (['error', 'warning'] as const).find(one => countSeverity(diagnostics, one) > 0)
  return severity === undefined ? 'ok' : formatNumber(countSeverity(diagnostics, severity), severity)
}

function formatDifference({ versions, diagnostic }: VersionDifference): string {
  const { code, severity, message, place } = diagnostic
  const where =
    place === undefined ? '' : `${display(place.file)}:${place.start.line}:${place.start.column}  `
  return `${versions.join(', ')}: ${where}${severity}  ${display(message)}  ${code}`
}

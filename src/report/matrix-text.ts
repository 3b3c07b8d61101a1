import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { display } from './display.js'

/** What a file would be told under one service version. */
export interface VersionFindings {
  readonly file: string
  readonly version: string
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * What each version would say, as a table of files and versions, and below it each finding that not every version
 * has: those that all have are in the report already.
 */
export function formatMatrix(findings: readonly VersionFindings[]): string {
  const files = [...new Set(findings.map(({ file }) => file))]
  const versions = [...new Set(findings.map(({ version }) => version))]
  const rows = [
    ['', ...versions],
    ...files.map(file => [
      display(file),
      ...versions.map(version =>
        verdictOf(findings.find(one => one.file === file && one.version === version)),
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
  return `${[...table, ...files.flatMap(file => differences(findings.filter(one => one.file === file)))].join('\n')}\n`
}

function verdictOf(findings: VersionFindings | undefined): string {
  const count = (severity: Diagnostic['severity']) =>
    findings?.diagnostics.filter(one => one.severity === severity).length ?? 0
  const [errors, warnings] = [count('error'), count('warning')]
  if (errors > 0) return errors === 1 ? '1 error' : `${errors} errors`
  if (warnings > 0) return warnings === 1 ? '1 warning' : `${warnings} warnings`
  return 'ok'
}

function differences(findings: readonly VersionFindings[]): readonly string[] {
  const keyOf = ({ code, pointer, message }: Diagnostic) => JSON.stringify([code, pointer, message])
  const lines = new Map<string, { readonly text: string; readonly versions: string[] }>()
  for (const { version, diagnostics } of findings)
    for (const diagnostic of diagnostics) {
      const line = lines.get(keyOf(diagnostic)) ?? { text: lineOf(diagnostic), versions: [] }
      line.versions.push(version)
      lines.set(keyOf(diagnostic), line)
    }
  const some = [...lines.values()].filter(({ versions }) => versions.length < findings.length)
  return some.length === 0 ? [] : ['', ...some.map(({ text, versions }) => `${versions.join(', ')}: ${text}`)]
}

function lineOf({ code, severity, message, place }: Diagnostic): string {
  const where =
    place === undefined ? '' : `${display(place.file)}:${place.start.line}:${place.start.column}  `
  return `${where}${severity}  ${display(message)}  ${code}`
}

import { relative, sep } from 'node:path'
import { type Diagnostic, renameFiles } from '../../diagnostics/diagnostic.js'
import { type Findings, validationDocument } from '../../report/findings.js'
import { buildCodeQualityReport, buildSarifLog, formatGithubCommands } from '../../report/findings-ci.js'
import {
  type DiagnosticsView,
  formatDiagnostics,
  formatMatrix,
  formatSummary,
  mergeVersions,
} from '../../report/findings-text.js'
import { version } from '../../version.js'
import type { FindingFormat } from '../command-options.js'
import { jsonText } from '../terminal/output.js'

type Report = (findings: Findings, view: Required<DiagnosticsView>) => string

/**
 * Names the files for CI systems, relative to the working folder and with slashes, and merges in the findings of other
 * versions, which may fail the check.
 */
function forCi(findings: Findings): Findings {
  const { files, diagnostics } = mergeVersions(findings)
  return { files: files.map(fileFromHere), diagnostics: diagnostics.map(diagnosticFromHere) }
}

/** The formats that `validate` can write. `text` and `json` name files as the user did. */
export const validationReports = {
  text: (findings, view) => {
    const { files, diagnostics, skipped, versions = [] } = findings
    return [
      ...(diagnostics.length > 0 ? [formatDiagnostics(diagnostics, view)] : []),
      ...(versions.length > 0 ? [formatMatrix(findings)] : []),
      `${formatSummary(files.length, diagnostics, skipped)}\n`,
    ].join('\n')
  },
  json: findings => jsonText(validationDocument(findings)),
  sarif: findings => jsonText(buildSarifLog(forCi(findings), version)),
  github: (findings, { maxShown }) => formatGithubCommands(forCi(findings), maxShown),
  gitlab: findings => jsonText(buildCodeQualityReport(forCi(findings))),
} as const satisfies Record<FindingFormat, Report>

/** Renames the files of a diagnostic for CI systems. */
export function diagnosticFromHere(diagnostic: Diagnostic): Diagnostic {
  return renameFiles(diagnostic, fileFromHere)
}

/** Returns the path of a file relative to the working folder, with slashes. */
export function fileFromHere(file: string): string {
  return relative('', file).replaceAll(sep, '/')
}

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

/** Files as CI systems look for them, and what other versions say among the findings: it may fail the check. */
const forCi = (findings: Findings) => fromWorkingFolder(mergeVersions(findings))

/** The formats that `validate` can write. Files are named as the user did for people, and as they are found by CI. */
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

/** The same findings, with files named as CI systems look for them: from the working folder, with slashes. */
function fromWorkingFolder({ files, diagnostics }: Findings): Findings {
  return { files: files.map(fileFromHere), diagnostics: diagnostics.map(diagnosticFromHere) }
}

/** The same diagnostic with its files named so. */
export function diagnosticFromHere(diagnostic: Diagnostic): Diagnostic {
  return renameFiles(diagnostic, fileFromHere)
}

/** A file by its path from the working folder, with slashes. */
export function fileFromHere(file: string): string {
  return relative('', file).replaceAll(sep, '/')
}

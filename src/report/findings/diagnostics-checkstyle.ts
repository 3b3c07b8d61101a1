import { byFile, describeDiagnostic, type Finding, type Findings } from './findings.js'
import { element, inLines, xmlDocument } from './xml.js'

/** Formats a check as a Checkstyle report, which Jenkins, reviewdog and many others read. */
export function checkstyleReport(findings: Findings): string {
  const files = [...byFile(findings)].map(([name, found]) =>
    element('file', { name }, inLines(found.map(errorOf))),
  )
  return xmlDocument(element('checkstyle', { version: '4.3' }, inLines(files)))
}

function errorOf({ diagnostic, place }: Finding): string {
  const { code, severity } = diagnostic
  const { line, column } = place.start
  return element('error', {
    line,
    column,
    severity: severity === 'note' ? 'info' : severity,
    message: describeDiagnostic(diagnostic),
    source: code,
  })
}

import { describeDiagnostic, type Finding, type Findings, groupByFile } from './findings.js'
import { formatElement, formatXmlDocument, joinElements } from './xml.js'

/** Formats a check as a Checkstyle report, which Jenkins, reviewdog and many others read. */
export function formatCheckstyle(findings: Findings): string {
  const files = [...groupByFile(findings)].map(([name, found]) =>
    formatElement('file', { name }, joinElements(found.map(formatError))),
  )
  return formatXmlDocument(formatElement('checkstyle', { version: '4.3' }, joinElements(files)))
}

function formatError({ diagnostic, place }: Finding): string {
  const { code, severity } = diagnostic
  const { line, column } = place.start
  return formatElement('error', {
    line,
    column,
    severity: severity === 'note' ? 'info' : severity,
    message: describeDiagnostic(diagnostic),
    source: code,
  })
}

import { describeDiagnostic, type Finding, type Findings, groupByFile } from './findings.js'
import { escapeXml, formatElement, formatXmlDocument, joinElements } from './xml.js'

/**
 * Formats a check as test results: a suite for each file, a test for each finding. Errors are failed tests. Warnings are
 * passed ones that print something, since a failed test fails the job, and warnings alone do not fail a check.
 */
export function formatJunit(findings: Findings): string {
  const suites = [...groupByFile(findings)].map(([file, found]) => ({ file, found, sums: countCases(found) }))
  const total = (key: keyof Sums) => suites.reduce((sum, { sums }) => sum + sums[key], 0)
  const elements = suites.map(({ file, found, sums }) =>
    formatElement(
      'testsuite',
      { name: file, ...sums, errors: 0, skipped: 0 },
      joinElements(buildCases(file, found)),
    ),
  )
  const sums = { tests: total('tests'), failures: total('failures') }
  return formatXmlDocument(
    formatElement('testsuites', { name: 'landform', ...sums, errors: 0 }, joinElements(elements)),
  )
}

interface Sums {
  readonly tests: number
  readonly failures: number
}

function countCases(found: readonly Finding[]): Sums {
  return {
    tests: Math.max(1, found.length),
    failures: found.filter(({ diagnostic }) => diagnostic.severity === 'error').length,
  }
}

/** Builds the test cases of a file. Without findings there is one passed test: Jenkins rejects a report without any. */
function buildCases(file: string, found: readonly Finding[]): readonly string[] {
  return found.length === 0
    ? [formatElement('testcase', { name: 'no findings', classname: file })]
    : found.map(buildCase)
}

function buildCase({ diagnostic, place, ordinal }: Finding): string {
  const { code, severity, pointer } = diagnostic
  const text = describeDiagnostic(diagnostic)
  const where = escapeXml(`${place.file}:${place.start.line}:${place.start.column}: ${text}`)
  // No line in the name: test systems identify the tests of two runs by their names.
  const name = [code, pointer, ...(ordinal > 1 ? [`(${ordinal})`] : [])].filter(part => part !== '').join(' ')
  const result =
    severity === 'error'
      ? formatElement('failure', { message: text, type: code }, where)
      : formatElement('system-out', {}, where)
  return formatElement('testcase', { name, classname: place.file }, result)
}

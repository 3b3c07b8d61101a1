import { byFile, describeDiagnostic, type Finding, type Findings } from './findings.js'
import { element, inLines, xmlDocument, xmlText } from './xml.js'

/**
 * Formats a check as test results: a suite for each file, a test for each finding. Errors are failed tests. Warnings are
 * passed ones that print something, since a failed test fails the job, and warnings alone do not fail a check.
 */
export function junitReport(findings: Findings): string {
  const suites = [...byFile(findings)].map(([file, found]) => ({ file, found, sums: sumsOf(found) }))
  const total = (key: keyof Sums) => suites.reduce((sum, { sums }) => sum + sums[key], 0)
  const elements = suites.map(({ file, found, sums }) =>
    element('testsuite', { name: file, ...sums, errors: 0, skipped: 0 }, inLines(casesOf(file, found))),
  )
  const sums = { tests: total('tests'), failures: total('failures') }
  return xmlDocument(element('testsuites', { name: 'landform', ...sums, errors: 0 }, inLines(elements)))
}

interface Sums {
  readonly tests: number
  readonly failures: number
}

function sumsOf(found: readonly Finding[]): Sums {
  return {
    tests: Math.max(1, found.length),
    failures: found.filter(({ diagnostic }) => diagnostic.severity === 'error').length,
  }
}

/** Builds the test cases of a file. Without findings there is one passed test: Jenkins rejects a report without any. */
function casesOf(file: string, found: readonly Finding[]): readonly string[] {
  return found.length === 0
    ? [element('testcase', { name: 'no findings', classname: file })]
    : found.map(caseOf)
}

function caseOf({ diagnostic, place, ordinal }: Finding): string {
  const { code, severity, pointer } = diagnostic
  const text = describeDiagnostic(diagnostic)
  const where = xmlText(`${place.file}:${place.start.line}:${place.start.column}: ${text}`)
  // No line in the name: test systems identify the tests of two runs by their names.
  const name = [code, pointer, ...(ordinal > 1 ? [`(${ordinal})`] : [])].filter(part => part !== '').join(' ')
  const result =
    severity === 'error'
      ? element('failure', { message: text, type: code }, where)
      : element('system-out', {}, where)
  return element('testcase', { name, classname: place.file }, result)
}

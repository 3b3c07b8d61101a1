import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { describeDiagnostic } from '../findings/findings.js'
import { element, inLines, xmlDocument, xmlText } from '../findings/xml.js'
import { plain } from '../paint.js'
import { diffLines } from './diff-lines.js'
import type { TestedFile, TestedTest } from './tested.js'

/** Formats test results as JUnit: a suite for each file; a file that cannot be run is one failed test. */
export function testsJunit(files: readonly TestedFile[]): string {
  const suites = files.map(file => {
    const failures = file.diagnostics.length + file.tests.filter(one => one.failures.length > 0).length
    return { file, sums: { tests: Math.max(1, file.tests.length + file.diagnostics.length), failures } }
  })
  const total = (key: 'tests' | 'failures') => suites.reduce((sum, { sums }) => sum + sums[key], 0)
  const elements = suites.map(({ file, sums }) =>
    element('testsuite', { name: file.file, ...sums, errors: 0, skipped: 0 }, inLines(casesOf(file))),
  )
  const sums = { tests: total('tests'), failures: total('failures'), errors: 0 }
  return xmlDocument(element('testsuites', { name: 'landform', ...sums }, inLines(elements)))
}

/** Builds the test cases of a file, at least one: CI systems reject a report without any. */
function casesOf({ file, diagnostics, tests }: TestedFile): readonly string[] {
  const all = [
    ...diagnostics.map(one => testCase(file, one.code, failureOf(one, []))),
    ...tests.map(test => testCase(file, test.name, resultOf(test))),
  ]
  return all.length > 0 ? all : [testCase(file, 'no tests', '')]
}

function testCase(file: string, name: string, result: string): string {
  return element('testcase', { name, classname: file }, result)
}

function resultOf({ failures, warnings }: TestedTest): string {
  const [first] = failures
  if (first !== undefined) {
    const lines = failures.flatMap(one => [whereOf(one.diagnostic), ...diffLines(one, plain)])
    return failureOf(first.diagnostic, lines)
  }
  return warnings.length === 0
    ? ''
    : element('system-out', {}, warnings.map(one => xmlText(whereOf(one))).join('\n'))
}

function failureOf(diagnostic: Diagnostic, lines: readonly string[]): string {
  const { code } = diagnostic
  const content = lines.length > 0 ? lines : [whereOf(diagnostic)]
  return element(
    'failure',
    { message: describeDiagnostic(diagnostic), type: code },
    content.map(xmlText).join('\n'),
  )
}

function whereOf(diagnostic: Diagnostic): string {
  const { place } = diagnostic
  const at = place === undefined ? '' : `${place.file}:${place.start.line}:${place.start.column}: `
  return `${at}${describeDiagnostic(diagnostic)}`
}

import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { display } from '../display.js'
import { describeDiagnostic } from '../findings/findings.js'
import { plain } from '../paint.js'
import type { SingleTestResult, TestFileResult } from './test-results.js'
import { formatDiff } from './tests-text.js'

/** Formats test results as JUnit: a suite for each file; a file that cannot be run is one failed test. */
export function formatTestsJunit(files: readonly TestFileResult[]): string {
  const suites = files.map(file => {
    const failures = file.diagnostics.length + file.tests.filter(one => one.failures.length > 0).length
    return { file, sums: { tests: Math.max(1, file.tests.length + file.diagnostics.length), failures } }
  })
  const total = (key: 'tests' | 'failures') => suites.reduce((sum, { sums }) => sum + sums[key], 0)
  const elements = suites.map(({ file, sums }) =>
    formatElement(
      'testsuite',
      { name: file.file, ...sums, errors: 0, skipped: 0 },
      joinElements(buildTestCases(file)),
    ),
  )
  const sums = { tests: total('tests'), failures: total('failures'), errors: 0 }
  const root = formatElement('testsuites', { name: 'landform', ...sums }, joinElements(elements))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

/** Builds the test cases of a file, at least one: CI systems reject a report without any. */
function buildTestCases({ file, diagnostics, tests }: TestFileResult): readonly string[] {
  const all = [
    ...diagnostics.map(one => buildTestCase(file, one.code, formatTestFailure(one, []))),
    ...tests.map(test => buildTestCase(file, test.name, formatTestResult(test))),
  ]
  return all.length > 0 ? all : [buildTestCase(file, 'no tests', '')]
}

function buildTestCase(file: string, name: string, result: string): string {
  return formatElement('testcase', { name, classname: file }, result)
}

function formatTestResult({ failures, warnings }: SingleTestResult): string {
  const [first] = failures
  if (first !== undefined) {
    const lines = failures.flatMap(one => [formatLocation(one.diagnostic), ...formatDiff(one, plain)])
    return formatTestFailure(first.diagnostic, lines)
  }
  return warnings.length === 0
    ? ''
    : formatElement('system-out', {}, warnings.map(one => escapeXml(formatLocation(one))).join('\n'))
}

function formatTestFailure(diagnostic: Diagnostic, lines: readonly string[]): string {
  const { code } = diagnostic
  const content = lines.length > 0 ? lines : [formatLocation(diagnostic)]
  return formatElement(
    'failure',
    { message: describeDiagnostic(diagnostic), type: code },
    content.map(escapeXml).join('\n'),
  )
}

function formatLocation(diagnostic: Diagnostic): string {
  const { place } = diagnostic
  const at = place === undefined ? '' : `${place.file}:${place.start.line}:${place.start.column}: `
  return `${at}${describeDiagnostic(diagnostic)}`
}

/** Formats an element of XML 1.0. `content` is XML: the result of `joinElements` or `escapeXml`. */
function formatElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content = '',
): string {
  const start = [
    name,
    ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(`${value}`)}"`),
  ]
  return `<${start.join(' ')}${content === '' ? '/>' : `>${content}</${name}>`}`
}

function joinElements(elements: readonly string[]): string {
  return elements.map(one => `\n${one}`).join('')
}

/** Escapes text for an element or an attribute; characters that XML 1.0 cannot hold are replaced. */
export function escapeXml(text: string): string {
  return display(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Place } from '../diagnostics/place.js'
import type { TestFailure, ValueDifference } from '../manifest-tests/find-test-failures.js'
import { display } from './display.js'
import { describeDiagnostic, diagnosticDocument } from './findings.js'
import { type DiagnosticsView, formatDiagnostics } from './findings-text.js'
import { formatNumber } from './phrase.js'
import { type Paint, plain } from './terminal.js'

/** The results of a file of tests. */
export interface TestFileResult {
  readonly file: string
  /** The reasons why some of its tests could not run. */
  readonly diagnostics: readonly Diagnostic[]
  readonly tests: readonly SingleTestResult[]
  /** Every file that it depends on, beginning with the test file. */
  readonly files: readonly string[]
}

/** The result of one test. */
export interface SingleTestResult {
  readonly name: string
  readonly place: Place
  /** Empty if the test passed. */
  readonly failures: readonly TestFailure[]
  readonly warnings: readonly Diagnostic[]
}

/** Counts the tests by result. */
export function countTests(files: readonly TestFileResult[]) {
  const tests = files.flatMap(file => file.tests)
  const failed = tests.filter(({ failures }) => failures.length > 0).length
  return { files: files.length, tests: tests.length, passed: tests.length - failed, failed }
}

/** Collects all diagnostics of the files as findings. */
export function collectFindings(files: readonly TestFileResult[]) {
  const diagnostics = files.flatMap(file => [
    ...file.diagnostics,
    ...file.tests.flatMap(test => [...test.failures.map(one => one.diagnostic), ...test.warnings]),
  ])
  return { files: files.map(({ file }) => file), diagnostics }
}

/** The machine form of tests; its schema is `schemas/test-report.schema.json`. */
export function testsDocument(files: readonly TestFileResult[]) {
  return {
    formatVersion: 1,
    files: files.map(({ file, diagnostics, tests }) => ({
      file,
      diagnostics: diagnostics.map(diagnosticDocument),
      tests: tests.map(({ name, place, failures, warnings }) => ({
        name,
        line: place.start.line,
        result: failures.length === 0 ? 'passed' : 'failed',
        failures: failures.map(({ diagnostic, expected, actual }) => ({
          ...diagnosticDocument(diagnostic),
          expected,
          actual,
        })),
        warnings: warnings.map(diagnosticDocument),
      })),
    })),
    summary: countTests(files),
  } as const
}

/** Formats test results for people: a line for each file or, if verbose, for each test; then the failures; then the count. */
export function formatTests(
  files: readonly TestFileResult[],
  view: DiagnosticsView & { readonly verbose: boolean },
): string {
  const { paint } = view
  const sign = (isFine: boolean) => (isFine ? paint('green', 'ok  ') : paint('red', 'FAIL'))
  const lines = files.flatMap(({ file, tests, diagnostics }) => {
    const isFine = diagnostics.length === 0 && tests.every(hasPassed)
    const names = view.verbose ? tests : []
    return [
      `${sign(isFine)}  ${display(file)}  ${formatNumber(tests.length, 'test')}`,
      ...names.map(test => `      ${sign(hasPassed(test))}  ${display(test.name)}`),
    ]
  })
  const details = files.flatMap(file => [
    ...file.diagnostics.map(one => formatDiagnostics([one], view)),
    ...file.tests.flatMap(({ failures, warnings }) => [
      ...failures.map(failure => {
        const lines = formatDiff(failure, paint).map(line => `    ${line}\n`)
        return `${formatDiagnostics([failure.diagnostic], view)}${lines.join('')}`
      }),
      ...warnings.map(one => formatDiagnostics([one], view)),
    ]),
  ])
  const { tests, passed, failed } = countTests(files)
  const count = `${formatNumber(files.length, 'file')}, ${formatNumber(tests, 'test')}: ${passed} passed, ${failed} failed`
  const listed = lines.length === 0 ? [] : [lines.join('\n'), '']
  return `${[...listed, ...details].join('\n')}${details.length > 0 ? '\n' : ''}${count}\n`
}

function hasPassed({ failures }: SingleTestResult): boolean {
  return failures.length === 0
}

/** Longer differences are cut. */
const maxLines = 40

/** Formats expected and actual lines as a small diff: common lines at the beginning and the end appear once. */
function formatDiff({ expected, actual }: ValueDifference, paint: Paint): readonly string[] {
  const shortest = Math.min(expected.length, actual.length)
  const same = (a: number, b: number) => expected.at(a) === actual.at(b)
  let begin = 0
  while (begin < shortest && same(begin, begin)) begin += 1
  let end = 0
  while (end < shortest - begin && same(-1 - end, -1 - end)) end += 1
  const markLines = (sign: string, lines: readonly string[]) => lines.map(line => `${sign} ${display(line)}`)
  const all = [
    ...markLines(' ', expected.slice(0, begin)),
    ...markLines('-', expected.slice(begin, expected.length - end)).map(line => paint('red', line)),
    ...markLines('+', actual.slice(begin, actual.length - end)).map(line => paint('green', line)),
    ...markLines(' ', expected.slice(expected.length - end)),
  ]
  const rest = all.length - maxLines
  return rest > 0 ? [...all.slice(0, maxLines), `… and ${rest} more lines`] : all
}

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

import type { ValueDifference } from '../../manifest-tests/compare.js'
import { display } from '../display.js'
import { type DiagnosticsView, formatDiagnostics } from '../findings/diagnostics-text.js'
import type { Paint } from '../paint.js'
import { formatNumber } from '../sentence.js'
import { countTests, type SingleTestResult, type TestFileResult } from './test-results.js'

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
      ...failures.map(
        failure =>
          `${formatDiagnostics([failure.diagnostic], view)}${indentLines(formatDiff(failure, paint))}`,
      ),
      ...warnings.map(one => formatDiagnostics([one], view)),
    ]),
  ])
  const { tests, passed, failed } = countTests(files)
  const count = `${formatNumber(files.length, 'file')}, ${formatNumber(tests, 'test')}: ${passed} passed, ${failed} failed`
  return `${[lines.join('\n'), '', ...details].join('\n')}${details.length > 0 ? '\n' : ''}${count}\n`
}

function hasPassed({ failures }: SingleTestResult): boolean {
  return failures.length === 0
}

function indentLines(lines: readonly string[]): string {
  return lines.map(line => `    ${line}\n`).join('')
}

/** Longer differences are not read. */
const maxLines = 40

/** Formats expected and actual lines as a small diff: common lines at the beginning and the end appear once. */
export function formatDiff({ expected, actual }: ValueDifference, paint: Paint): readonly string[] {
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

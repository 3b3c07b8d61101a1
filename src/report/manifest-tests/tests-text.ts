import { display } from '../display.js'
import { type DiagnosticsView, formatDiagnostics } from '../findings/diagnostics-text.js'
import { formatDiff } from './diff-lines.js'
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
      `${sign(isFine)}  ${display(file)}  ${formatCount(tests.length, 'test')}`,
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
  const count = `${formatCount(files.length, 'file')}, ${formatCount(tests, 'test')}: ${passed} passed, ${failed} failed`
  return `${[lines.join('\n'), '', ...details].join('\n')}${details.length > 0 ? '\n' : ''}${count}\n`
}

function hasPassed({ failures }: SingleTestResult): boolean {
  return failures.length === 0
}

function indentLines(lines: readonly string[]): string {
  return lines.map(line => `    ${line}\n`).join('')
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

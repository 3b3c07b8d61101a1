import { display } from '../display.js'
import { type DiagnosticsView, formatDiagnostics } from '../findings/diagnostics-text.js'
import { diffLines } from './diff-lines.js'
import { sumsOf, type TestedFile, type TestedTest } from './tested.js'

/** Formats test results for people: a line for each file or, if verbose, for each test; then the failures; then the count. */
export function formatTests(
  files: readonly TestedFile[],
  view: DiagnosticsView & { readonly verbose: boolean },
): string {
  const { paint } = view
  const sign = (isFine: boolean) => (isFine ? paint('green', 'ok  ') : paint('red', 'FAIL'))
  const lines = files.flatMap(({ file, tests, diagnostics }) => {
    const isFine = diagnostics.length === 0 && tests.every(holds)
    const names = view.verbose ? tests : []
    return [
      `${sign(isFine)}  ${display(file)}  ${several(tests.length, 'test')}`,
      ...names.map(test => `      ${sign(holds(test))}  ${display(test.name)}`),
    ]
  })
  const details = files.flatMap(file => [
    ...file.diagnostics.map(one => formatDiagnostics([one], view)),
    ...file.tests.flatMap(({ failures, warnings }) => [
      ...failures.map(
        failure => `${formatDiagnostics([failure.diagnostic], view)}${indented(diffLines(failure, paint))}`,
      ),
      ...warnings.map(one => formatDiagnostics([one], view)),
    ]),
  ])
  const { tests, passed, failed } = sumsOf(files)
  const count = `${several(files.length, 'file')}, ${several(tests, 'test')}: ${passed} passed, ${failed} failed`
  return `${[lines.join('\n'), '', ...details].join('\n')}${details.length > 0 ? '\n' : ''}${count}\n`
}

function holds({ failures }: TestedTest): boolean {
  return failures.length === 0
}

function indented(lines: readonly string[]): string {
  return lines.map(line => `    ${line}\n`).join('')
}

function several(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

import type { LoadProblem } from '../../library/problem.js'
import type { LinesOf } from '../../report/findings/diagnostics-text.js'
import { describeProblem } from '../../report/problem-text.js'
import { exitCodeOfProblem } from '../exit-code.js'
import type { Failure } from '../terminal/output.js'
import { fileFailure } from './file-failure.js'
import { shownLines } from './shown-lines.js'

/** Why there is no manifest to work with, as a failure of a command, with the files that were read all the same. */
export function loadFailure(problem: LoadProblem): {
  readonly ok: false
  readonly failure: Failure
  readonly linesOf: LinesOf
  readonly inputs: readonly string[]
} {
  if (problem.kind === 'file')
    return { ok: false, failure: fileFailure(problem), linesOf: () => undefined, inputs: [] }
  const { kind, diagnostics, sources } = problem
  const exitCode = exitCodeOfProblem(problem)
  const message = describeProblem(problem)
  const inputs = kind === 'policy' ? [] : sources.map(({ name }) => name)
  return { ok: false, failure: { exitCode, message, diagnostics }, linesOf: shownLines(sources), inputs }
}

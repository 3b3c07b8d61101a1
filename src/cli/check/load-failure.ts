import type { LoadProblem } from '../../library/problem.js'
import { describeProblem } from '../../report/problem-text.js'
import { exitCodeOfProblem } from '../exit-code.js'
import type { Refusal } from '../terminal/output.js'
import { fileFailure } from './read-source.js'
import { shownLines } from './shown-lines.js'

/** Why there is no manifest to work with, as a failure of a command, with the files that were read all the same. */
export function loadFailure(problem: LoadProblem): Refusal {
  if (problem.kind === 'file') return { failure: fileFailure(problem), linesOf: () => undefined, inputs: [] }
  const { kind, diagnostics, sources } = problem
  const exitCode = exitCodeOfProblem(problem)
  const message = describeProblem(problem)
  const inputs = kind === 'policy' ? [] : sources.map(({ name }) => name)
  return { failure: { exitCode, message, diagnostics }, linesOf: shownLines(sources), inputs }
}

import type { FileProblem } from '../../library/read-named.js'
import { describeProblem } from '../../report/problem-text.js'
import { exitCodeOfProblem } from '../exit-code.js'
import type { Failure } from '../terminal/output.js'

/** A file that cannot be used, as a failure of a command. */
export function fileFailure(problem: FileProblem): Failure {
  return { exitCode: exitCodeOfProblem(problem), message: describeProblem(problem) }
}

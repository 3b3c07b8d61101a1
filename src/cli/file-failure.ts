import type { FileProblem } from '../library/read-named.js'
import { describeProblem } from '../report/problem-text.js'
import { exitCodes } from './exit-code.js'
import type { Failure } from './output.js'

/** A file that cannot be used, as a failure of a command. */
export function fileFailure(problem: FileProblem): Failure {
  const exitCode = problem.because === 'missing' ? exitCodes.missing : exitCodes.invalid
  return { exitCode, message: describeProblem(problem) }
}

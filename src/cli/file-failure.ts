import type { FileProblem } from '../library/read-named.js'
import { display } from '../report/display.js'
import { exitCodes } from './exit-code.js'
import type { Failure } from './output.js'

/** A file that cannot be used, as a failure of a command. */
export function fileFailure({ what, file, because, problem }: FileProblem): Failure {
  return {
    exitCode: because === 'missing' ? exitCodes.missing : exitCodes.invalid,
    message: `the ${what} ${display(file)} ${problem}`,
  }
}

import { display } from '../../report/display.js'
import type { StateFailure } from '../../state/state-failure.js'
import { exitCodeOfState } from '../exit-code.js'
import type { Failure } from '../output.js'

/** State that cannot be used, and that nothing was done with. */
export function stateFailureOf(failure: StateFailure): Failure {
  const { where, kind, reason } = failure
  return {
    exitCode: exitCodeOfState(failure),
    message: `the state ${display(where)} is ${kind}: ${display(reason)}`,
  }
}

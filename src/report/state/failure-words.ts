import type { StateFailure } from '../../state/state-failure.js'
import { display } from '../display.js'

/** Why state could not be used, as a clause. */
export function describeStateFailure({ kind, where, reason }: StateFailure): string {
  return kind === 'moved' || kind === 'promised-elsewhere'
    ? display(reason)
    : `the state ${display(where)} is ${kind}: ${display(reason)}`
}

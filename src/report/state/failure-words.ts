import type { StateFailure } from '../../state/state-failure.js'
import { display } from '../display.js'
import { describeStateReason } from '../wording/state-failure.js'

/** Describes in a clause the reason why the state could not be used. */
export function describeStateFailure({ kind, where, reason }: StateFailure): string {
  return kind === 'moved' || kind === 'promised-elsewhere'
    ? display(describeStateReason(reason))
    : `the state ${display(where)} is ${kind}: ${display(describeStateReason(reason))}`
}

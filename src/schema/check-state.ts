import { errorsOf, type SchemaError } from './check.js'
import { state } from './generated/validators/state.js'

/** What is wrong with a version of the state of a site. */
export function checkState(value: unknown): readonly SchemaError[] {
  return errorsOf(state, value)
}

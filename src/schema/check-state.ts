import { collectErrors, type SchemaError } from './check.js'
import { state } from './generated/validators/state.js'

/** Validates a version of the state of a site; returns the errors. */
export function checkState(value: unknown): readonly SchemaError[] {
  return collectErrors(state, value)
}

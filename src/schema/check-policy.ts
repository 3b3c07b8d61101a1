import { collectErrors, type SchemaError } from './check.js'
import { policy } from './generated/validators/policy.js'
import type { JsonValue } from './json-schema.js'

/** Validates a policy file; returns the errors. */
export function checkPolicy(value: JsonValue): readonly SchemaError[] {
  return collectErrors(policy, value)
}

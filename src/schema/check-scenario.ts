import { collectErrors, type SchemaError } from './check.js'
import { scenario } from './generated/validators/scenario.js'
import type { JsonValue } from './json-schema.js'

/** Validates a scenario file; returns the errors. */
export function checkScenario(value: JsonValue): readonly SchemaError[] {
  return collectErrors(scenario, value)
}

import { collectErrors, type SchemaError } from './check.js'
import { test } from './generated/validators/test.js'
import type { JsonValue } from './json-schema.js'

/** Validates a test file; returns the errors. */
export function checkTest(value: JsonValue): readonly SchemaError[] {
  return collectErrors(test, value)
}

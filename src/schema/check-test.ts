import { errorsOf, type SchemaError } from './check.js'
import { test } from './generated/validators/test.js'
import type { JsonValue } from './json-schema.js'

/** What is wrong with a file of tests. */
export function checkTest(value: JsonValue): readonly SchemaError[] {
  return errorsOf(test, value)
}

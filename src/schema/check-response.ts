import { errorsOf, type SchemaError } from './check.js'
import { done, error, exportResult, root } from './generated/validators/answers.js'
import type { ResponseName } from './response-schemas.js'

const validators = { root, exportResult, done, error } satisfies Readonly<Record<ResponseName, unknown>>

/** What is wrong with an answer of the service; empty when it has the documented shape. Service §2. */
export function checkResponse(name: ResponseName, value: unknown): readonly SchemaError[] {
  return errorsOf(validators[name], value)
}

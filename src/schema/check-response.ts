import { collectErrors, type SchemaError } from './check.js'
import { done, error, exportResult, root } from './generated/validators/answers.js'
import type { ResponseName } from './response-schemas.js'

const validators = { root, exportResult, done, error } satisfies Readonly<Record<ResponseName, unknown>>

/** Validates a response of the service against its documented form; returns the errors. Service §2. */
export function checkResponse(name: ResponseName, value: unknown): readonly SchemaError[] {
  return collectErrors(validators[name], value)
}

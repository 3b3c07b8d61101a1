/** One error of a compiled validator, without the value. */
export interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A compiled validator, which stores its errors on itself. */
interface CompiledValidator {
  (value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

/** Limits the errors; a malicious file could cause hundreds of thousands. */
const maxErrors = 200

/**
 * Runs a validator of `generated/validators/` and returns its errors. Each module is imported by one file, so that a check
 * loads only the validators it needs.
 */
export function collectErrors(compiled: unknown, value: unknown): readonly SchemaError[] {
  const validator = compiled as CompiledValidator
  return validator(value) ? [] : (validator.errors ?? []).slice(0, maxErrors)
}

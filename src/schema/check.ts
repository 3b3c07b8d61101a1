/** One complaint of a compiled validator. Carries no value. */
export interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A compiled validator, which leaves its complaints at itself. */
interface Validator {
  (value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

/** Far more than anyone reads; a hostile file could make hundreds of thousands. */
const mostErrors = 200

/**
 * What a function of a module of `generated/validators/` says against a value. Each module is imported by one file, so
 * that who checks one thing does not load what checks the others.
 */
export function errorsOf(compiled: unknown, value: unknown): readonly SchemaError[] {
  const validator = compiled as Validator
  return validator(value) ? [] : (validator.errors ?? []).slice(0, mostErrors)
}

import { done, error, exportResult, root } from './generated/validators/answers.js'
import { manifest } from './generated/validators/manifest.js'
import { plan } from './generated/validators/plan.js'
import { policy } from './generated/validators/policy.js'
import { scenario } from './generated/validators/scenario.js'
import { state } from './generated/validators/state.js'
import { test } from './generated/validators/test.js'
import type { ResponseName } from './response-schemas.js'

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

/** Maximum number of errors: a malicious file could cause hundreds of thousands. */
const maxErrors = 200

function collectErrors(compiled: unknown, value: unknown): readonly SchemaError[] {
  const validator = compiled as CompiledValidator
  return validator(value) ? [] : (validator.errors ?? []).slice(0, maxErrors)
}

// Separate functions instead of a table: a bundle has only the validators that it uses.

/** Validates a manifest against the newest schema; returns the errors. */
export const checkManifest = (value: unknown) => collectErrors(manifest, value)
/** Validates a saved plan; returns the errors. */
export const checkPlan = (value: unknown) => collectErrors(plan, value)
/** Validates a policy file; returns the errors. */
export const checkPolicy = (value: unknown) => collectErrors(policy, value)
/** Validates a scenario file; returns the errors. */
export const checkScenario = (value: unknown) => collectErrors(scenario, value)
/** Validates a version of the state of a site; returns the errors. */
export const checkState = (value: unknown) => collectErrors(state, value)
/** Validates a test file; returns the errors. */
export const checkTest = (value: unknown) => collectErrors(test, value)

/** Validates a response of the service against its documented form; returns the errors. Service §2. */
export function checkResponse(name: ResponseName, value: unknown): readonly SchemaError[] {
  return collectErrors({ root, exportResult, done, error }[name], value)
}

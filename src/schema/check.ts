import * as compiled from './generated/validators.js'
import type { JsonValue } from './json-schema.js'
import type { ResponseName } from './response-schemas.js'

/** One complaint of a compiled validator. Carries no value. */
export interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

interface Validator {
  (value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

/** Far more than anyone reads; a hostile file could make hundreds of thousands. */
const mostErrors = 200

const validators = compiled as unknown as Readonly<
  Record<ResponseName | 'manifest' | 'plan' | 'state' | 'scenario' | 'policy', Validator>
>

/** What the newest schema says against a manifest; empty when it fits. */
export function checkManifest(value: JsonValue): readonly SchemaError[] {
  return errorsOf(validators.manifest, value)
}

/** What is wrong with an answer of the service; empty when it has the documented shape. Service §2. */
export function checkResponse(name: ResponseName, value: unknown): readonly SchemaError[] {
  return errorsOf(validators[name], value)
}

/** What is wrong with a version of the state of a site. */
export function checkState(value: unknown): readonly SchemaError[] {
  return errorsOf(validators.state, value)
}

/** What is wrong with a saved plan. */
export function checkPlan(value: unknown): readonly SchemaError[] {
  return errorsOf(validators.plan, value)
}

/** What is wrong with a scenario file. */
export function checkScenario(value: JsonValue): readonly SchemaError[] {
  return errorsOf(validators.scenario, value)
}

/** What is wrong with a policy file. */
export function checkPolicy(value: JsonValue): readonly SchemaError[] {
  return errorsOf(validators.policy, value)
}

function errorsOf(validator: Validator, value: unknown): readonly SchemaError[] {
  return validator(value) ? [] : (validator.errors ?? []).slice(0, mostErrors)
}

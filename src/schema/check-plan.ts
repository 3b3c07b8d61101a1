import { collectErrors, type SchemaError } from './check.js'
import { plan } from './generated/validators/plan.js'

/** Validates a saved plan; returns the errors. */
export function checkPlan(value: unknown): readonly SchemaError[] {
  return collectErrors(plan, value)
}

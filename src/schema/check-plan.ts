import { errorsOf, type SchemaError } from './check.js'
import { plan } from './generated/validators/plan.js'

/** What is wrong with a saved plan. */
export function checkPlan(value: unknown): readonly SchemaError[] {
  return errorsOf(plan, value)
}

import { describeRule, type UnmetRequirements } from '../diagnostics/catalog/policy-wording.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Judge } from '../manifest/rules/rule.js'
import type { JsonValue } from '../schema/json-schema.js'
import { formatDotted, type JsonPointer } from '../schema/pointer.js'
import { findUnmetRequirements, findValues } from './operators.js'
import type { Condition, Policy, PolicyRule, PolicyTest } from './policy.js'

/** Maximum number of violations at each level: a hostile manifest could cause millions. */
const maxShown = 200

/** A value that a rule does not allow, or the place where a value is missing. */
interface Violation {
  readonly rule: PolicyRule
  readonly pointer: JsonPointer
  readonly unmet: UnmetRequirements
}

/** Finds all violations of a rule in a manifest, which may have any shape. */
export function* findViolations(rule: PolicyRule, value: JsonValue): Generator<Violation> {
  if (!appliesTo(rule, value)) return
  for (const { path, operands } of rule.require)
    for (const found of findValues(value, path.steps)) {
      const requirements = findUnmetRequirements(found, operands)
      if (requirements.length === 0) continue
      const { pointer } = found
      const defaultValue = found.kind === 'default' && { defaultValue: String(found.value) }
      yield { rule, pointer, unmet: { field: formatDotted(pointer), requirements, ...defaultValue } }
    }
}

/** Evaluates a rule for a manifest or for parts of one. */
export function evaluateRule(rule: PolicyRule, value: JsonValue): PolicyTest['expect'] {
  if (!appliesTo(rule, value)) return 'not-applicable'
  return isSatisfied(rule, value) ? 'pass' : 'violation'
}

/** True if no rule is violated; cheaper than listing the violations. */
export function satisfies(value: JsonValue, policies: readonly Policy[]): boolean {
  return policies.every(({ rules }) => rules.every(rule => isSatisfied(rule, value)))
}

/**
 * Creates a judge that checks manifests against policies; its diagnostics have no places. A value that already has an error
 * gets no second one: the manifest cannot be used either way.
 */
export function judgeBy(policies: readonly Policy[]): Judge {
  return (value, known) => diagnoseViolations(value, policies, known)
}

function diagnoseViolations(
  value: JsonValue,
  policies: readonly Policy[],
  known: readonly Diagnostic[],
): readonly Diagnostic[] {
  const wrong = new Set(known.flatMap(({ severity, pointer }) => (severity === 'error' ? [pointer] : [])))
  const rules = policies.flatMap(policy => policy.rules)
  // Each level has its own limit, so that no number of warnings hides an error.
  return (['error', 'warning'] as const).flatMap(level => {
    const found: Diagnostic[] = []
    for (const rule of rules.filter(one => one.level === level))
      for (const { pointer, unmet } of findViolations(rule, value)) {
        if (wrong.has(pointer)) continue
        if (found.length >= maxShown) return found
        const facts = { rule: rule.name, message: rule.message, unmet }
        const code = level === 'error' ? 'policy/violated' : 'policy/advised'
        const related = [{ message: describeRule(rule.name), place: rule.place }]
        found.push({ ...diagnose(code, pointer, facts), related })
      }
    return found
  })
}

function isSatisfied(rule: PolicyRule, value: JsonValue): boolean {
  return findViolations(rule, value).next().done === true
}

/** With `*` one match is enough: a rule about a kind of storage applies if the site has any. */
function appliesTo({ when }: PolicyRule, value: JsonValue): boolean {
  const holds = ({ path, operands }: Condition) =>
    findValues(value, path.steps).some(found => findUnmetRequirements(found, operands).length === 0)
  return when.every(holds)
}

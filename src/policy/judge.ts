import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { dotted, type JsonPointer } from '../diagnostics/pointer.js'
import { quoted } from '../diagnostics/words.js'
import type { Judge } from '../manifest/rules/rule.js'
import type { JsonValue } from '../schema/json-schema.js'
import type { Verdict } from '../schema/policy-schema.js'
import { failingOf } from './operators.js'
import type { Condition, Policy, PolicyRule } from './policy.js'
import { valuesAt } from './values-at.js'

/** Far more of one level than anyone reads; a hostile manifest could make millions. */
const mostShown = 200

/** A value that a rule does not allow, or the place where it should be. */
export interface Violation {
  readonly rule: PolicyRule
  readonly pointer: JsonPointer
  /** The field and what it must be, as a sentence. */
  readonly wanted: string
}

/** What a rule does not allow in a manifest, of any shape. */
export function* violationsOf(rule: PolicyRule, value: JsonValue): Generator<Violation> {
  if (!appliesTo(rule, value)) return
  for (const { path, operands } of rule.require)
    for (const found of valuesAt(value, path.steps)) {
      const failing = failingOf(found, operands)
      if (failing.length === 0) continue
      const { pointer } = found
      const instead = found.kind === 'default' ? `; unwritten it is ${quoted(String(found.value))}` : ''
      const field = quoted(dotted(pointer))
      yield { rule, pointer, wanted: `${field} must ${failing.join(' and ')}${instead}` }
    }
}

/** What a rule says of a manifest or of parts of one. */
export function verdictOf(rule: PolicyRule, value: JsonValue): Verdict {
  if (!appliesTo(rule, value)) return 'not-applicable'
  return isKept(rule, value) ? 'pass' : 'violation'
}

/** True where no rule has anything to say, which takes less than to say it. */
export function satisfies(value: JsonValue, policies: readonly Policy[]): boolean {
  return policies.every(({ rules }) => rules.every(rule => isKept(rule, value)))
}

/**
 * What policies say against a manifest, without places. What is an error already is not said again: the
 * manifest cannot be used either way.
 */
export function judgeBy(policies: readonly Policy[]): Judge {
  return (value, known) => judged(value, policies, known)
}

function judged(
  value: JsonValue,
  policies: readonly Policy[],
  known: readonly Diagnostic[],
): readonly Diagnostic[] {
  const wrong = new Set(known.flatMap(({ severity, pointer }) => (severity === 'error' ? [pointer] : [])))
  const rules = policies.flatMap(policy => policy.rules)
  // Each level has its own share, so that no number of warnings hides an error.
  return (['error', 'warning'] as const).flatMap(level => {
    const found: Diagnostic[] = []
    for (const rule of rules.filter(one => one.level === level))
      for (const { pointer, wanted } of violationsOf(rule, value)) {
        if (wrong.has(pointer)) continue
        if (found.length >= mostShown) return found
        const facts = { rule: rule.name, message: rule.message, wanted }
        const code = level === 'error' ? 'policy/violated' : 'policy/advised'
        const related = [{ message: `the rule ${quoted(rule.name)}`, place: rule.place }]
        found.push({ ...diagnose(code, pointer, facts), related })
      }
    return found
  })
}

function isKept(rule: PolicyRule, value: JsonValue): boolean {
  return violationsOf(rule, value).next().done === true
}

/** With `*` one that is as asked is enough: a rule about some sort of storage counts where there is any of it. */
function appliesTo({ when }: PolicyRule, value: JsonValue): boolean {
  const holds = ({ path, operands }: Condition) =>
    valuesAt(value, path.steps).some(found => failingOf(found, operands).length === 0)
  return when.every(holds)
}

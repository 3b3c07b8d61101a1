import { formatAll, formatShortList, quote } from '../words.js'

/** A single value in a rule of a policy. */
type RuleValue = string | number | boolean

/** The operand of each operator of a rule. */
interface RuleOperands {
  readonly is: RuleValue
  readonly in: readonly RuleValue[]
  readonly not: RuleValue
  readonly notIn: readonly RuleValue[]
  readonly atLeast: RuleValue
  readonly atMost: RuleValue
  readonly exists: boolean
  readonly contains: RuleValue | Readonly<Record<string, RuleValue>>
  readonly like: RuleValue
  readonly origin: readonly RuleValue[]
}

/** One operator of a rule with its operand. */
export type Requirement<N extends keyof RuleOperands = keyof RuleOperands> = {
  readonly [K in N]: { readonly operator: K; readonly operand: RuleOperands[K] }
}[N]

/** The requirements that the value of one field does not meet. */
export interface UnmetRequirements {
  /** Path of the field, with dots. */
  readonly field: string
  readonly requirements: readonly Requirement[]
  /** The default that applies because the field is not set. */
  readonly defaultValue?: string
}

/** The reason why an operand makes no sense for the field at a path. */
export type OperandProblem =
  | { readonly kind: 'secret' | 'not-a-list' | 'not-text' | 'no-order' | 'is-a-list' | 'is-a-map' }
  | { readonly kind: 'not-an-origin' | 'impossible-value' | 'not-quoted'; readonly value: RuleValue }
  | { readonly kind: 'limit'; readonly limit: RuleValue; readonly example: unknown }
  | { readonly kind: 'unknown-member'; readonly name: string }
  | { readonly kind: 'member'; readonly name: string; readonly problem: OperandProblem }

/** Everything that can be wrong with a value in a policy. */
export type PolicyValueProblem =
  | { readonly kind: 'duplicate-rule'; readonly name: string }
  | { readonly kind: 'not-a-key' }
  | { readonly kind: 'time-zone'; readonly name: string }
  | { readonly kind: 'no-hours'; readonly start: string; readonly end: string }
  | { readonly kind: 'operand'; readonly path: string; readonly problem: OperandProblem }

/** Describes the required value of a field. */
export function describeUnmet({ field, requirements, defaultValue }: UnmetRequirements): string {
  const demands = requirements.map(requirement => describeRequirement(requirement))
  const found = defaultValue === undefined ? '' : `; the default is ${quote(defaultValue)}`
  return `${quote(field)} must ${demands.join(' and ')}${found}`
}

export function describeValueProblem(problem: PolicyValueProblem): string {
  switch (problem.kind) {
    case 'duplicate-rule':
      return `there is already a rule named ${quote(problem.name)}`
    case 'not-a-key':
      return 'this is not a public Ed25519 key in PEM'
    case 'time-zone':
      return `${quote(problem.name)} is not a time zone`
    case 'no-hours':
      return `there is no time from ${quote(problem.start)} to ${quote(problem.end)} on one day`
    case 'operand':
      return `${quote(problem.path)} ${describeOperandProblem(problem.problem)}`
    default:
      return problem satisfies never
  }
}

/** Formats the note that points from a violation to its rule. */
export function describeRule(name: string): string {
  return `the rule ${quote(name)}`
}

function describeRequirement<N extends keyof RuleOperands>({ operator, operand }: Requirement<N>): string {
  return requirementWords[operator](operand)
}

/** The end of a sentence with "must", for each operator. */
const requirementWords: { readonly [N in keyof RuleOperands]: (operand: RuleOperands[N]) => string } = {
  is: value => `be ${formatValue(value)}`,
  in: values => `be ${formatList(values)}`,
  not: value => `not be ${formatValue(value)}`,
  notIn: values => `not be ${formatList(values)}`,
  atLeast: limit => `be at least ${formatValue(limit)}`,
  atMost: limit => `be at most ${formatValue(limit)}`,
  exists: wanted => (wanted ? 'be set' : 'not be set'),
  contains: element => {
    if (typeof element !== 'object') return `contain ${formatValue(element)}`
    const members = Object.entries(element).map(([name, value]) => `${name}: ${value}`)
    return members.length === 0 ? 'contain an element' : `contain an element with ${formatAll(members)}`
  },
  like: pattern => `match ${formatValue(pattern)}`,
  origin: origins => `have the origin ${formatList(origins)}`,
}

/** Describes the problem as the end of a sentence that begins with the path. */
function describeOperandProblem(problem: OperandProblem): string {
  switch (problem.kind) {
    case 'secret':
      return 'is a reference to a secret; check `exists`, or name `env` or `file` in it'
    case 'not-a-list':
      return 'is not a list, so `contains` cannot apply to it'
    case 'not-text':
      return 'is not text'
    case 'no-order':
      return 'has no order'
    case 'is-a-list':
      return 'is a list; use `contains`, or add `.*` to the path'
    case 'is-a-map':
      return 'is a map; name one of its fields'
    case 'not-an-origin':
      return `is compared with ${quote(String(problem.value))}, which is not an origin`
    case 'impossible-value':
      return `is never ${quote(String(problem.value))}`
    case 'not-quoted':
      return `is text, so ${problem.value} needs quotes`
    case 'limit':
      return `is compared with ${quote(String(problem.limit))}, but takes a limit such as ${JSON.stringify(problem.example)}`
    case 'unknown-member':
      return `has no element with ${quote(problem.name)}`
    case 'member':
      return `has elements whose ${quote(problem.name)} ${describeOperandProblem(problem.problem)}`
    default:
      return problem satisfies never
  }
}

function formatValue(value: RuleValue): string {
  return value === '' ? 'empty' : quote(String(value))
}

function formatList(values: readonly RuleValue[]): string {
  return formatShortList(values.map(value => (value === '' ? '""' : String(value))))
}

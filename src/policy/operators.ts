import { compareQuantities } from '../contract/kubernetes.js'
import { compareVersions, parseVersion } from '../contract/versions.js'
import type { OperandProblem, Requirement } from '../diagnostics/catalog/policy-wording.js'
import { findSimilar } from '../diagnostics/did-you-mean.js'
import { findFieldSchema } from '../schema/field-schema.js'
import { isObject, type JsonSchema, type JsonValue } from '../schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../schema/pointer.js'
import { readMember } from '../schema/select.js'
import type { Operands, Scalar } from './policy.js'

export type OperatorName = keyof Operands

interface Operator<O> {
  /** True if a value, set or by default, meets the operand. */
  holds(value: JsonValue, operand: O): boolean
  /** True if an absent field meets the operand. */
  readonly holdsIfAbsent: boolean
}

/** All operators but `exists`, which checks the presence of a value. */
const operators: { readonly [N in Exclude<OperatorName, 'exists'>]: Operator<Operands[N]> } = {
  is: {
    holds: isSame,
    holdsIfAbsent: false,
  },
  in: {
    holds: (value, operand) => operand.some(one => isSame(value, one)),
    holdsIfAbsent: false,
  },
  not: {
    holds: (value, operand) => !isSame(value, operand),
    holdsIfAbsent: true,
  },
  notIn: {
    holds: (value, operand) => !operand.some(one => isSame(value, one)),
    holdsIfAbsent: true,
  },
  atLeast: {
    holds: (value, operand) => (compare(value, operand) ?? -1) >= 0,
    holdsIfAbsent: false,
  },
  atMost: {
    holds: (value, operand) => (compare(value, operand) ?? 1) <= 0,
    holdsIfAbsent: false,
  },
  contains: {
    holds: (value, operand) =>
      Array.isArray(value) && value.some((one: JsonValue) => isElement(one, operand)),
    holdsIfAbsent: false,
  },
  like: {
    holds: (value, operand) => typeof value === 'string' && isLike(value, operand),
    holdsIfAbsent: false,
  },
  origin: {
    holds: (value, operand) => {
      const own = typeof value === 'string' ? normalizeOrigin(value) : undefined
      return own !== undefined && operand.some(one => normalizeOrigin(one) === own)
    },
    holdsIfAbsent: false,
  },
}

/** Lists the operators that a value does not meet, in the order of the rule. */
export function findUnmetRequirements(
  found: FoundValue,
  operands: Partial<Operands>,
): readonly Requirement[] {
  return (Object.keys(operands) as OperatorName[]).flatMap<Requirement>(name => {
    if (name !== 'exists') return checkOperator(name, found, operands)
    const operand = operands.exists === true
    const holds = found.kind !== 'no-list' && (found.kind === 'written') === operand
    return holds ? [] : [{ operator: 'exists', operand }]
  })
}

function checkOperator<N extends Exclude<OperatorName, 'exists'>>(
  name: N,
  found: FoundValue,
  operands: Partial<Operands>,
): readonly Requirement<N>[] {
  const operand = operands[name]
  if (operand === undefined) return []
  const operator: Operator<Operands[N]> = operators[name]
  const holds =
    'value' in found
      ? operator.holds(found.value, operand)
      : // A value without elements fails every rule about its elements.
        found.kind === 'absent' && operator.holdsIfAbsent
  return holds ? [] : [{ operator: name, operand }]
}

/** Normalizes the origin of a URL; `undefined` if it has none. */
function normalizeOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { origin } = new URL(text)
  return origin === 'null' ? undefined : origin
}

function isElement(element: JsonValue, operand: Operands['contains']): boolean {
  if (!isObject(operand)) return isSame(element, operand)
  return Object.entries(operand).every(([name, wanted]) => {
    const own = readMember(element, name)
    return own !== undefined && isSame(own, wanted)
  })
}

/** Compares two numbers, quantities or versions: below, at or above zero; `undefined` for values without an order. */
function compare(one: JsonValue, other: JsonValue): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== 'string' || typeof other !== 'string') return undefined
  const sizes = compareQuantities(one, other)
  if (sizes !== undefined) return sizes
  const [left, right] = [parseVersion(one), parseVersion(other)]
  return left === undefined || right === undefined ? undefined : compareVersions(left, right)
}

/** True for equal values, and for the same quantity in two spellings. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true
  return typeof one === 'string' && typeof other === 'string' && compareQuantities(one, other) === 0
}

/** True for a text that matches a pattern in which `*` is any sequence of characters. Takes linear time. */
export function isLike(text: string, form: string): boolean {
  const [first = '', ...rest] = form.split('*')
  const last = rest.pop()
  if (last === undefined) return text === form
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  const end = text.length - last.length
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at === -1 || at + part.length > end) return false
    from = at + part.length
  }
  return true
}

/** The value at one place that a path names; absent if the manifest has none. */
type FoundValue =
  | { readonly kind: 'written' | 'default'; readonly pointer: JsonPointer; readonly value: JsonValue }
  | { readonly kind: 'absent'; readonly pointer: JsonPointer }
  /** A `*` in the path meets a text or number, which has no elements. */
  | { readonly kind: 'no-list'; readonly pointer: JsonPointer }

/**
 * Finds the values that a manifest has at a path. A field that is not set has its default, if there is one and the field's
 * parent exists; `*` of an absent field yields no values.
 */
export function findValues(
  value: JsonValue,
  [step, ...rest]: readonly string[],
  pointer: JsonPointer = '',
): readonly FoundValue[] {
  if (step === undefined) return [{ kind: 'written', pointer, value }]
  if (step === '*') {
    if (typeof value !== 'object' || value === null) return [{ kind: 'no-list', pointer }]
    return Object.entries(value).flatMap(([key, member]) =>
      findValues(member, rest, appendSegment(pointer, key)),
    )
  }
  const at = appendSegment(pointer, step)
  const member = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  if (member !== undefined && member !== null) return findValues(member, rest, at)
  const fallback = isObject(value) ? findFieldSchema(at).default : undefined
  if (fallback !== undefined)
    return findValues(fallback, rest, at).map(found =>
      found.kind === 'written' ? { ...found, kind: 'default' } : found,
    )
  return rest.includes('*') ? [] : [{ kind: 'absent', pointer: rest.reduce(appendSegment, at) }]
}

/** A problem, and the value or name that was probably meant. */
interface OperandMistake {
  readonly problem: OperandProblem
  readonly suggestion?: string | undefined
}

/**
 * Finds the reason why a comparison has the same result for every manifest, such as a value that the field never has, a limit
 * in another unit, or a list where there is none. `spots` are the fields of manifests that the path names.
 */
export function findOperandMistake<N extends OperatorName>(
  name: N,
  operand: Operands[N],
  spots: readonly JsonPointer[],
): OperandMistake | undefined {
  const invalid =
    name === 'origin'
      ? (operand as Operands['origin']).find(one => normalizeOrigin(one) !== one.replace(/\/$/, ''))
      : undefined
  if (invalid !== undefined)
    return { problem: { kind: 'not-an-origin', value: invalid }, suggestion: normalizeOrigin(invalid) }
  if (name === 'exists') return undefined
  const problems = spots.map(spot => findMistakeAt(spot, name, operand))
  return problems.includes(undefined) ? undefined : problems[0]
}

function findMistakeAt<N extends OperatorName>(
  spot: JsonPointer,
  name: N,
  operand: Operands[N],
): OperandMistake | undefined {
  const field = findFieldSchema(spot)
  if (field['x-reference'] === 'secret') return { problem: { kind: 'secret' } }
  const types = listTypes(field)
  switch (name) {
    case 'contains':
      return types.includes('array')
        ? checkElement(operand as Operands['contains'], appendSegment(spot, 0))
        : { problem: { kind: 'not-a-list' } }
    case 'like':
    case 'origin':
      return types.includes('string') ? undefined : { problem: { kind: 'not-text' } }
    case 'atLeast':
    case 'atMost':
      return checkLimit(operand as Operands['atLeast'], field)
    default:
      return findFirstMistake([operand as Scalar | readonly Scalar[]].flat(), one => checkValue(one, field))
  }
}

function checkElement(operand: Operands['contains'], spot: JsonPointer): OperandMistake | undefined {
  const element = findFieldSchema(spot)
  if (!isObject(operand)) return checkValue(operand, element)
  const names = Object.keys(element.properties ?? {})
  return findFirstMistake(Object.entries(operand), ([name, value]) => {
    if (!names.includes(name))
      return { problem: { kind: 'unknown-member', name }, suggestion: findSimilar(name, names) }
    const found = checkValue(value, findFieldSchema(appendSegment(spot, name)))
    return found && { ...found, problem: { kind: 'member', name, problem: found.problem } }
  })
}

/** Accepts a limit that can be compared with one of the examples of the field. */
function checkLimit(limit: string | number, field: JsonSchema): OperandMistake | undefined {
  const { examples = [] } = field
  const isNumber = listTypes(field).some(type => type === 'integer' || type === 'number')
  const fits = typeof limit === 'number' ? isNumber : examples.some(one => compare(limit, one) !== undefined)
  if (fits) return undefined
  const like = isNumber ? 1 : examples.find(one => compare(one, one) !== undefined)
  if (like === undefined) return { problem: { kind: 'no-order' } }
  return { problem: { kind: 'limit', limit, example: like } }
}

function checkValue(value: Scalar, field: JsonSchema): OperandMistake | undefined {
  const { enum: options = field.const === undefined ? undefined : [field.const] } = field
  if (options?.includes(value) === false) {
    const suggestion = findSimilar(String(value), options.map(String))
    return { problem: { kind: 'impossible-value', value }, suggestion }
  }
  const types = listTypes(field)
  if (types.some(type => type === typeof value || (type === 'integer' && Number.isInteger(value))))
    return undefined
  if (types.includes('string')) return { problem: { kind: 'not-quoted', value } }
  if (types.includes('array')) return { problem: { kind: 'is-a-list' } }
  if (types.includes('object')) return { problem: { kind: 'is-a-map' } }
  return { problem: { kind: 'impossible-value', value } }
}

function listTypes({ type, enum: options = [], const: only }: JsonSchema): readonly string[] {
  if (type !== undefined) return [type].flat()
  return [...options, ...(only === undefined ? [] : [only])].map((one: JsonValue) => typeof one)
}

function findFirstMistake<T>(
  all: readonly T[],
  problemOf: (one: T) => OperandMistake | undefined,
): OperandMistake | undefined {
  for (const one of all) {
    const problem = problemOf(one)
    if (problem !== undefined) return problem
  }
  return undefined
}

import { compareQuantities } from '../contract/quantity.js'
import { compareVersions, parseVersion } from '../contract/versions.js'
import type { Requirement } from '../diagnostics/catalog/policy-wording.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { readMember } from '../schema/member.js'
import type { FoundValue } from './find-values.js'
import type { Operands } from './policy.js'

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

/** Normalizes the origin of an address; `undefined` if it has none. */
export function normalizeOrigin(text: string): string | undefined {
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
export function compare(one: JsonValue, other: JsonValue): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== 'string' || typeof other !== 'string') return undefined
  const sizes = compareQuantities(one, other)
  if (sizes !== undefined) return sizes
  const [left, right] = [parseVersion(one), parseVersion(other)]
  return left === undefined || right === undefined ? undefined : compareVersions(left, right)
}

/** True for equal values, and for the same quantity in two spellings. */
export function isSame(one: JsonValue, other: JsonValue): boolean {
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

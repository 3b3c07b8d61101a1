import { allOf, quoted, shortList } from '../diagnostics/words.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { memberOf } from '../schema/member.js'
import type { Operands, Scalar } from '../schema/policy-schema.js'
import { isLike } from './like.js'
import { compare, isSame } from './order.js'
import type { Found } from './values-at.js'

export type OperatorName = keyof Operands

interface Operator<O> {
  /** Whether a value that is there, written or by default, is as asked. */
  holds(value: JsonValue, operand: O): boolean
  /** The same of a field that is not there. */
  readonly ofNothing: boolean
  /** What is asked, as the end of a sentence with "must". */
  words(operand: O): string
}

/** All but `exists`, which asks whether there is a value and not what it is. */
const operators: { readonly [N in Exclude<OperatorName, 'exists'>]: Operator<Operands[N]> } = {
  is: {
    holds: isSame,
    ofNothing: false,
    words: operand => `be ${shown(operand)}`,
  },
  in: {
    holds: (value, operand) => operand.some(one => isSame(value, one)),
    ofNothing: false,
    words: operand => `be ${listOf(operand)}`,
  },
  not: {
    holds: (value, operand) => !isSame(value, operand),
    ofNothing: true,
    words: operand => `not be ${shown(operand)}`,
  },
  notIn: {
    holds: (value, operand) => !operand.some(one => isSame(value, one)),
    ofNothing: true,
    words: operand => `not be ${listOf(operand)}`,
  },
  atLeast: {
    holds: (value, operand) => (compare(value, operand) ?? -1) >= 0,
    ofNothing: false,
    words: operand => `be at least ${shown(operand)}`,
  },
  atMost: {
    holds: (value, operand) => (compare(value, operand) ?? 1) <= 0,
    ofNothing: false,
    words: operand => `be at most ${shown(operand)}`,
  },
  contains: {
    holds: (value, operand) =>
      Array.isArray(value) && value.some((one: JsonValue) => isElement(one, operand)),
    ofNothing: false,
    words: operand => {
      if (!isObject(operand)) return `have the element ${shown(operand)}`
      const members = Object.entries(operand).map(([name, value]) => `${name}: ${value}`)
      return members.length === 0 ? 'have an element' : `have an element with ${allOf(members)}`
    },
  },
  like: {
    holds: (value, operand) => typeof value === 'string' && isLike(value, operand),
    ofNothing: false,
    words: operand => `be like ${shown(operand)}`,
  },
  origin: {
    holds: (value, operand) => {
      const own = typeof value === 'string' ? originOf(value) : undefined
      return own !== undefined && operand.some(one => originOf(one) === own)
    },
    ofNothing: false,
    words: operand => `be at ${listOf(operand)}`,
  },
}

/** The operators that do not hold of what was found, as ends of a sentence with "must"; none where all hold. */
export function failingOf(found: Found, operands: Partial<Operands>): readonly string[] {
  return (Object.keys(operands) as OperatorName[]).flatMap(name => {
    if (name !== 'exists') return failing(name, found, operands)
    const wanted = operands.exists === true
    return found.kind !== 'no-list' && (found.kind === 'written') === wanted
      ? []
      : [wanted ? 'be written' : 'not be written']
  })
}

function failing<N extends Exclude<OperatorName, 'exists'>>(
  name: N,
  found: Found,
  operands: Partial<Operands>,
): readonly string[] {
  const operand = operands[name]
  if (operand === undefined) return []
  const operator: Operator<Operands[N]> = operators[name]
  const holds =
    'value' in found
      ? operator.holds(found.value, operand)
      : // Elements that cannot be told apart are as good as wrong.
        found.kind === 'absent' && operator.ofNothing
  return holds ? [] : [operator.words(operand)]
}

/** The origin of an address in the one spelling there is; `undefined` for what has none. */
export function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { origin } = new URL(text)
  return origin === 'null' ? undefined : origin
}

function isElement(element: JsonValue, operand: Operands['contains']): boolean {
  if (!isObject(operand)) return isSame(element, operand)
  return Object.entries(operand).every(([name, wanted]) => {
    const own = memberOf(element, name)
    return own !== undefined && isSame(own, wanted)
  })
}

function shown(operand: Scalar): string {
  return operand === '' ? 'empty' : quoted(String(operand))
}

function listOf(operands: readonly Scalar[]): string {
  return shortList(operands.map(operand => (operand === '' ? 'nothing' : String(operand))))
}

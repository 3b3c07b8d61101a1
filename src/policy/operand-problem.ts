import { child, type JsonPointer } from '../diagnostics/pointer.js'
import { quoted } from '../diagnostics/words.js'
import { didYouMean } from '../manifest/did-you-mean.js'
import { isObject, type JsonSchema, type JsonValue } from '../schema/json-schema.js'
import { fieldSchema } from '../schema/manifest-schema.js'
import type { Operands, Scalar } from '../schema/policy-schema.js'
import { type OperatorName, originOf } from './operators.js'
import { compare } from './order.js'

export interface OperandProblem {
  /** The end of a sentence that begins with the path. */
  readonly problem: string
  readonly suggestion?: string | undefined
}

/**
 * Why a comparison could never come out one way or the other, whatever the manifest: a value that the field never has,
 * a limit in another unit, a list where there is none. `spots` are the fields of manifests that are looked at.
 */
export function operandProblem<N extends OperatorName>(
  name: N,
  operand: Operands[N],
  spots: readonly JsonPointer[],
): OperandProblem | undefined {
  const strange =
    name === 'origin'
      ? (operand as Operands['origin']).find(one => originOf(one) !== one.replace(/\/$/, ''))
      : undefined
  if (strange !== undefined) {
    const problem = `is held against ${quoted(strange)}, which is no origin`
    return { problem, suggestion: originOf(strange) }
  }
  if (name === 'exists') return undefined
  const problems = spots.map(spot => problemAt(spot, name, operand))
  return problems.includes(undefined) ? undefined : problems[0]
}

function problemAt<N extends OperatorName>(
  spot: JsonPointer,
  name: N,
  operand: Operands[N],
): OperandProblem | undefined {
  const field = fieldSchema(spot)
  if (field['x-reference'] === 'secret')
    return { problem: 'is a reference to a secret; ask for `exists`, or name `env` or `file` in it' }
  const types = typesOf(field)
  switch (name) {
    case 'contains':
      return types.includes('array')
        ? elementProblem(operand as Operands['contains'], child(spot, 0))
        : { problem: 'is no list, so it contains nothing' }
    case 'like':
    case 'origin':
      return types.includes('string') ? undefined : { problem: 'is no text' }
    case 'atLeast':
    case 'atMost':
      return limitProblem(operand as Operands['atLeast'], field)
    default:
      return firstOf([operand as Scalar | readonly Scalar[]].flat(), one => valueProblem(one, field))
  }
}

function elementProblem(operand: Operands['contains'], spot: JsonPointer): OperandProblem | undefined {
  const element = fieldSchema(spot)
  if (!isObject(operand)) return valueProblem(operand, element)
  const names = Object.keys(element.properties ?? {})
  return firstOf(Object.entries(operand), ([name, value]) => {
    if (!names.includes(name))
      return { problem: `has no element with ${quoted(name)}`, suggestion: didYouMean(name, names) }
    const found = valueProblem(value, fieldSchema(child(spot, name)))
    return found && { ...found, problem: `has elements whose ${quoted(name)} ${found.problem}` }
  })
}

/** A limit can be compared with what the field has for an example. */
function limitProblem(limit: string | number, field: JsonSchema): OperandProblem | undefined {
  const { examples = [] } = field
  const isNumber = typesOf(field).some(type => type === 'integer' || type === 'number')
  const fits = typeof limit === 'number' ? isNumber : examples.some(one => compare(limit, one) !== undefined)
  if (fits) return undefined
  const like = isNumber ? 1 : examples.find(one => compare(one, one) !== undefined)
  if (like === undefined) return { problem: 'has no order' }
  return {
    problem: `is compared with ${quoted(String(limit))}, and takes a limit such as ${JSON.stringify(like)}`,
  }
}

function valueProblem(value: Scalar, field: JsonSchema): OperandProblem | undefined {
  const { enum: options = field.const === undefined ? undefined : [field.const] } = field
  if (options?.includes(value) === false) {
    const suggestion = didYouMean(String(value), options.map(String))
    return { problem: `is never ${quoted(String(value))}`, suggestion }
  }
  const types = typesOf(field)
  if (types.some(type => type === typeof value || (type === 'integer' && Number.isInteger(value))))
    return undefined
  if (types.includes('string')) return { problem: `is text, and ${value} is none without quotes` }
  if (types.includes('array'))
    return { problem: 'is a list; ask what it `contains`, or write `.*` behind it' }
  if (types.includes('object')) return { problem: 'is a map; name a field in it' }
  return { problem: `is never ${quoted(String(value))}` }
}

function typesOf({ type, enum: options = [], const: only }: JsonSchema): readonly string[] {
  if (type !== undefined) return [type].flat()
  return [...options, ...(only === undefined ? [] : [only])].map((one: JsonValue) => typeof one)
}

function firstOf<T>(
  all: readonly T[],
  problemOf: (one: T) => OperandProblem | undefined,
): OperandProblem | undefined {
  for (const one of all) {
    const problem = problemOf(one)
    if (problem !== undefined) return problem
  }
  return undefined
}

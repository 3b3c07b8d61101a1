import type { OperandProblem } from '../diagnostics/catalog/policy-wording.js'
import { appendSegment, type JsonPointer } from '../diagnostics/pointer.js'
import { findSimilar } from '../manifest/did-you-mean.js'
import { findFieldSchema } from '../schema/field-schema.js'
import { isObject, type JsonSchema, type JsonValue } from '../schema/json-schema.js'
import { compare, normalizeOrigin, type OperatorName } from './operators.js'
import type { Operands, Scalar } from './policy.js'

/** A problem, and the value or name that was probably meant. */
export interface OperandMistake {
  readonly problem: OperandProblem
  readonly suggestion?: string | undefined
}

/**
 * Finds the reason why a comparison has the same result for every manifest: a value that the field never has, a limit in
 * another unit, a list where there is none. `spots` are the fields of manifests that the path names.
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

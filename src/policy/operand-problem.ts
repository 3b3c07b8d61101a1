import { quoted } from '../diagnostics/words.js'
import { didYouMean } from '../manifest/did-you-mean.js'
import type { JsonSchema, JsonValue } from '../schema/json-schema.js'
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
 * a limit in another unit, a list where there is none. `fields` are the schemas that the value may have.
 */
export function operandProblem<N extends OperatorName>(
  name: N,
  operand: Operands[N],
  fields: readonly JsonSchema[],
): OperandProblem | undefined {
  if (name === 'origin') {
    const strange = (operand as Operands['origin']).find(one => originOf(one) !== one.replace(/\/$/, ''))
    if (strange !== undefined)
      return {
        problem: `is held against ${quoted(strange)}, which is no origin`,
        suggestion: originOf(strange),
      }
  }
  if (fields.length === 0 || name === 'exists') return undefined
  const problems = fields.map(field => problemWith(name, operand, field))
  return problems.includes(undefined) ? undefined : problems[0]
}

function problemWith<N extends OperatorName>(
  name: N,
  operand: Operands[N],
  field: JsonSchema,
): OperandProblem | undefined {
  if (field['x-reference'] === 'secret')
    return { problem: 'is a reference to a secret; ask for `exists`, or name `env` or `file` in it' }
  const types = typesOf(field)
  switch (name) {
    case 'contains':
      return types.includes('array') ? undefined : { problem: 'is no list, so it contains nothing' }
    case 'like':
    case 'origin':
      return types.includes('string') ? undefined : { problem: `is no text, but ${kindOf(types)}` }
    case 'atLeast':
    case 'atMost':
      return orderProblem(operand as Operands['atLeast'], field)
    default:
      return [operand as Scalar | readonly Scalar[]]
        .flat()
        .map(one => valueProblem(one, field))
        .find(problem => problem !== undefined)
  }
}

/** A limit that can be compared with what the field has for an example. */
function orderProblem(operand: string | number, field: JsonSchema): OperandProblem | undefined {
  const types = typesOf(field)
  const isNumber = types.includes('integer') || types.includes('number')
  const { examples = [] } = field
  const isComparable =
    typeof operand === 'number' ? isNumber : examples.some(one => compare(operand, one) !== undefined)
  if (isComparable) return undefined
  const like = examples.find(one => compare(one, one) !== undefined)
  if (like === undefined && !isNumber) return { problem: 'has no order' }
  const example = like === undefined ? 'a number' : `a limit such as \`${JSON.stringify(like)}\``
  return { problem: `is compared with ${quoted(String(operand))}; it takes ${example}` }
}

function valueProblem(value: Scalar, field: JsonSchema): OperandProblem | undefined {
  const { enum: options = field.const === undefined ? undefined : [field.const] } = field
  if (options !== undefined) {
    if (options.includes(value)) return undefined
    const suggestion = didYouMean(String(value), options.map(String))
    return { problem: `is never ${quoted(String(value))}`, suggestion }
  }
  const types = typesOf(field)
  const fits = types.some(type => type === typeof value || (type === 'integer' && Number.isInteger(value)))
  if (fits) return undefined
  if (types.includes('string') && typeof value !== 'object')
    return { problem: `is text, and ${quoted(String(value))} is none without quotes` }
  return { problem: `is ${kindOf(types)}, and never ${quoted(String(value))}` }
}

function typesOf({ type, enum: options = [], const: only }: JsonSchema): readonly string[] {
  if (type !== undefined) return [type].flat()
  return [...new Set([...options, ...(only === undefined ? [] : [only])].map((one: JsonValue) => typeof one))]
}

function kindOf(types: readonly string[]): string {
  if (types.includes('array')) return 'a list; ask what it `contains`, or write `.*` behind it'
  return types.includes('object') ? 'a map; name a field in it' : `a ${types[0]}`
}

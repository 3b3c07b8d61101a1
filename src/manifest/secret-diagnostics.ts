import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { findFieldSchema } from '../schema/field-schema.js'
import type { JsonValue } from '../schema/json-schema.js'
import {
  appendSegment,
  type JsonPointer,
  readLastSegment,
  readParent,
  splitPointer,
} from '../schema/pointer.js'
import { isVariableName } from './may-be-secret.js'
import { suggestVariable } from './references.js'

/** True for a secret, for everything inside it, and for a map that contains only secrets. */
export function isConfidential(pointer: JsonPointer): boolean {
  const path = splitPointer(pointer)
  return path.some((segment, index) => {
    const owner = path.slice(0, index + 1).reduce<JsonPointer>(appendSegment, '')
    return segment === 'secret' || findFieldSchema(owner)['x-reference'] === 'secret'
  })
}

/** Diagnoses a value where a reference to a secret belongs, without repeating the value. */
export function diagnoseLiteralSecret(pointer: JsonPointer, value: JsonValue): Diagnostic {
  const field = readLastSegment(pointer)
  if (value === null || Array.isArray(value))
    return diagnose('secret/reference', pointer, {
      field,
      problem: 'must be a map with `env` or `file`, but is empty or a list',
    })
  return diagnose('secret/literal', pointer, { field, variable: suggestVariable(pointer) })
}

/** True for the name of the environment variable of a secret. */
export function isVariable(pointer: JsonPointer): boolean {
  return readLastSegment(pointer) === 'env' && isConfidential(pointer)
}

/** Diagnoses a variable of another tool; any other text may be the secret itself, so it is not repeated. */
export function diagnoseVariable(pointer: JsonPointer, value: JsonValue): Diagnostic {
  const variable = suggestVariable(readParent(pointer))
  const found = typeof value === 'string' && isVariableName(value) ? `"$${value}"` : 'the value'
  return diagnose('manifest/malformed-value', pointer, {
    field: 'env',
    rule: findFieldSchema(pointer).patternErrorMessage ?? 'name an environment variable',
    help: `write { env: ${variable} }, and pass the value on when you run Landform: ${variable}=${found}`,
  })
}

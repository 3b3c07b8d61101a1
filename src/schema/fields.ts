import type { Form } from '../contract/kubernetes.js'
import { type OperationName, type ParameterName, parameterOf } from '../contract/operations.js'
import { type JsonSchema, saidByRule } from './json-schema.js'

/** A field with a description for editors, and where it comes from. */
export function field(meaning: string, source: string, schema: JsonSchema): JsonSchema {
  return { ...described(meaning, source), ...schema }
}

/** A field that is one request parameter: described by the contract. */
export function parameterField<O extends OperationName>(
  operation: O,
  name: ParameterName<O>,
  schema: JsonSchema,
): JsonSchema {
  const { meaning, section, since } = parameterOf(operation, name)
  return field(
    meaning,
    `Service §${section}, parameter \`${name}\` of \`${operation}\`, since ${since}`,
    schema,
  )
}

/** A reference to a definition, described in its place: a keyword beside `$ref` would be ignored. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/definitions/${name}` }
}

/** The cap of any text; what is longer is refused before anything else looks at it. */
export const longestText = 1024

/** Text of a form that a rule has words for; with `optional` it may also be empty. */
export function formed(code: string, { longest, like, unlike, words }: Form, optional = false): JsonSchema {
  return saidByRule(code, {
    maxLength: longest,
    pattern: optional ? `^$|${like.source}` : like.source,
    patternErrorMessage: words,
    ...(unlike !== undefined && { not: { pattern: unlike.source } }),
  })
}

/** A map with exactly these fields. */
export function record(properties: JsonSchema['properties'] & {}, required: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties,
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  }
}

function described(meaning: string, source: string): JsonSchema {
  return {
    description: meaning.replaceAll('`', ''),
    markdownDescription: `${meaning}\n\n*${source}.*`,
  }
}

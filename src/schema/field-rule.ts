import type { JsonSchema } from './json-schema.js'

/** Describes the requirement of a text or number field, as the end of a sentence with "must"; `undefined` without one. */
export function describeRequirement(schema: JsonSchema): string | undefined {
  const { allOf = [], minimum, maximum, minItems = 0 } = schema
  if (minimum !== undefined && maximum !== undefined) return `be from ${minimum} to ${maximum}`
  const words = [schema, ...allOf].find(part => part.patternErrorMessage !== undefined)?.patternErrorMessage
  if (words !== undefined) return words
  return minItems > 0 ? 'have at least one element' : undefined
}

/** Lists the rules of a field that editors show, each a sentence in Markdown. */
export function listRules(schema: JsonSchema): readonly string[] {
  const { allOf = [], 'x-reference': reference, propertyNames, additionalProperties: members } = schema
  const form = describeRequirement(schema)
  const required = [schema, ...allOf].flatMap(part => (part.oneOf === undefined ? (part.required ?? []) : []))
  const keys = [propertyNames, ...allOf.map(part => part.propertyNames)].find(part => part !== undefined)
  const keyForm = keys && describeRequirement(keys)
  const valueForm = typeof members === 'object' ? describeRequirement(members) : undefined
  return [
    ...(reference === undefined ? [] : [references[reference]]),
    ...(form === undefined ? [] : [`Must ${form}.`]),
    ...(keyForm === undefined ? [] : [`Each key must ${keyForm}.`]),
    ...(valueForm === undefined ? [] : [`Each value must ${valueForm}.`]),
    ...(required.length === 0 ? [] : [`Needs ${required.map(name => `\`${name}\``).join(', ')}.`]),
    ...(schema.default === undefined ? [] : [`Default: \`${formatDefault(schema.default)}\`.`]),
  ]
}

const references = {
  secret:
    'A reference, `{ env: LANDFORM_… }` or `{ file: path }`; the secret is read when a plan is applied, and never shown.',
  'text-or-secret': 'Text, or a reference: `{ env: LANDFORM_… }` or `{ file: path }`.',
} as const

function formatDefault(value: JsonSchema['default']): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Reads the source of a field: the last line of its Markdown description. */
export function readSource({ markdownDescription = '' }: JsonSchema): string | undefined {
  return markdownDescription.split('\n').at(-1)?.replaceAll('*', '').replace(/\.$/, '')
}

import type { TextForm } from '../contract/kubernetes.js'
import { type JsonSchema, markAsRule, type Snippet } from './json-schema.js'

/**
 * Adds the descriptions for editors to a field: its meaning, its rules and default, and its source with the request
 * parameter. They are getters, because a plan builds the whole schema but reads no description.
 */
export function describeField(
  meaning: string,
  source: string,
  schema: JsonSchema,
  parameter?: string,
): JsonSchema {
  return {
    'x-source': parameter === undefined ? [source] : [source, parameter],
    get description() {
      return meaning.replaceAll('`', '')
    },
    get markdownDescription() {
      return [meaning, ...listRules(schema)].join('\n\n')
    },
    ...schema,
  }
}

/** Creates an enumeration, with the meaning of each value. */
export function buildChoice(options: Readonly<Record<string, string>>): JsonSchema {
  return { enum: Object.keys(options), enumDescriptions: Object.values(options) }
}

/** Creates a reference to a definition, wrapped so that it can have a description: a keyword beside `$ref` would be ignored. */
export function buildReference(name: string): JsonSchema {
  return { $ref: `#/definitions/${name}` }
}

/** Creates a list of elements of one definition, with the snippets that editors offer as its elements. */
export function buildList(name: string, snippets: readonly Snippet[]): JsonSchema {
  const elements = snippets.map(snippet => ({ ...snippet, type: 'array' as const }))
  return { type: 'array', items: buildReference(name), defaultSnippets: elements }
}

/** The maximum length of any text; longer text is rejected before any other check. */
export const longestText = 1024

/** The maximum length of a text that is sent; far above any real one, because the service document has no limit. */
export const longestSentText = 65_536

/** Any text that is sent; it may be empty. */
export const sentText: JsonSchema = { type: 'string', maxLength: longestSentText }

/** Any text that is not empty. */
export const anyText: JsonSchema = { type: 'string', minLength: 1, maxLength: longestSentText }

/** A map with any members. */
export const anyMap: JsonSchema = { type: 'object', additionalProperties: true }

/** Creates a text with a pattern and its description; with `optional` it may also be empty. */
export function buildText(
  code: string,
  { longest, like, unlike, words }: TextForm,
  optional = false,
): JsonSchema {
  return markAsRule(code, {
    maxLength: longest,
    pattern: optional ? `^$|${like.source}` : like.source,
    patternErrorMessage: words,
    ...(unlike !== undefined && { not: { type: 'string', pattern: unlike.source } }),
  })
}

/** Creates a map with exactly these fields. */
export function buildRecord(
  properties: JsonSchema['properties'] & {},
  required: readonly string[],
): JsonSchema {
  return {
    type: 'object',
    properties,
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  }
}

/** Describes the requirement of a text or number field, as the end of a sentence with "must"; `undefined` without one. */
export function describeRequirement(schema: JsonSchema): string | undefined {
  const { allOf = [], minimum, maximum, minItems = 0 } = schema
  if (minimum !== undefined && maximum !== undefined) return `be from ${minimum} to ${maximum}`
  const words = [schema, ...allOf].find(part => part.patternErrorMessage !== undefined)?.patternErrorMessage
  if (words !== undefined) return words
  return minItems > 0 ? 'have at least one element' : undefined
}

/** Lists the rules of a field that editors show, each a sentence in Markdown. */
function listRules(schema: JsonSchema): readonly string[] {
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

export function formatSource({ 'x-source': source }: JsonSchema): string | undefined {
  return source?.join(', parameter ')
}

/** The pattern of allowed environment variables, so that a pull request cannot read variables of other tools. */
export const variablePattern = '^LANDFORM_[A-Z0-9_]{1,120}$'

/** The pattern of a duration such as `500ms`, `90s`, `10m` or `3h`. */
export const durationPattern = '[0-9]{1,9}(?:ms|s|m|h)'

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Converts a duration to milliseconds, with or without a sign. */
export function parseDurationMs(text: string): number {
  return Number.parseInt(text, 10) * (unitsMs[text.replace(/^[-+]?\d+/, '')] ?? 1)
}

/** Path of a file below the folder of the manifest: not absolute, and without `..`, backslashes and control characters. */
export const filePath: JsonSchema = {
  type: 'string',
  'x-compare': 'path',
  minLength: 1,
  maxLength: 1024,
  allOf: [
    markAsRule('file/path', {
      not: {
        type: 'string',
        pattern: '^[/~]|^[A-Za-z]:|(^|[/])[.][.]([/]|$)|[\\\\\\x00-\\x1f\\x7f-\\x9f]',
      },
    }),
  ],
}

const referenceFields: JsonSchema['properties'] & {} = {
  env: describeField('This environment variable contains the value.', 'Landform', {
    type: 'string',
    maxLength: 130,
    pattern: variablePattern,
    patternErrorMessage: 'name an environment variable that begins with LANDFORM_',
    examples: ['LANDFORM_ADMIN_PASSWORD'],
  }),
  file: describeField('This file contains the value; it is below the folder of the manifest.', 'Landform', {
    ...filePath,
    examples: ['secrets/password'],
  }),
}

const oneReference = {
  properties: referenceFields,
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
} as const

/** The two kinds of references to a secret: `env` and `file`. */
const secretSnippets: readonly Snippet[] = [
  {
    label: '{ env: … }',
    description: 'The secret is in an environment variable.',
    body: `{ env: LANDFORM_\${1:SECRET} }`,
  },
  {
    label: '{ file: … }',
    description: 'The secret is in a file below the folder of the manifest.',
    body: `{ file: \${1:secrets/secret} }`,
  },
]

/** A secret: always a reference, resolved when a plan is applied. */
export const secretReference: JsonSchema = {
  type: 'object',
  'x-reference': 'secret',
  defaultSnippets: secretSnippets,
  ...oneReference,
}

/** Text or a reference, such as the name of an account. */
export const textOrReference: JsonSchema = {
  type: ['string', 'object'],
  'x-reference': 'text-or-secret',
  defaultSnippets: secretSnippets,
  minLength: 1,
  maxLength: longestSentText,
  ...oneReference,
}

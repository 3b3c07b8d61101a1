import type { Form } from '../contract/kubernetes.js'
import { shownRules } from './field-rule.js'
import { type JsonSchema, type Snippet, saidByRule } from './json-schema.js'

/** A field with what editors show of it: what it is, its rules and default, and where it comes from. */
export function field(meaning: string, source: string, schema: JsonSchema): JsonSchema {
  return {
    description: meaning.replaceAll('`', ''),
    markdownDescription: [meaning, ...shownRules(schema), `*${source}.*`].join('\n\n'),
    ...schema,
  }
}

/** Few allowed values, and what each of them means. */
export function choiceOf(options: Readonly<Record<string, string>>): JsonSchema {
  return { enum: Object.keys(options), enumDescriptions: Object.values(options) }
}

/** A reference to a definition, described in its place: a keyword beside `$ref` would be ignored. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/definitions/${name}` }
}

/** A list of what one definition describes, with the pieces that editors offer as its elements. */
export function listOf(name: string, snippets: readonly Snippet[]): JsonSchema {
  const elements = snippets.map(snippet => ({ ...snippet, type: 'array' as const }))
  return { type: 'array', items: reference(name), defaultSnippets: elements }
}

/** The cap of any text; what is longer is refused before anything else looks at it. */
export const longestText = 1024

/** The cap of a text that is sent; the service document has none, so it is far above any real one. */
export const longestSentText = 65_536

/** Any text that says something. */
export const anyText: JsonSchema = { type: 'string', minLength: 1, maxLength: longestSentText }

/** A map with any members. */
export const anyMap: JsonSchema = { type: 'object', additionalProperties: true }

/** Text of a form that a rule has words for; with `optional` it may also be empty. */
export function formed(code: string, { longest, like, unlike, words }: Form, optional = false): JsonSchema {
  return saidByRule(code, {
    maxLength: longest,
    pattern: optional ? `^$|${like.source}` : like.source,
    patternErrorMessage: words,
    ...(unlike !== undefined && { not: { type: 'string', pattern: unlike.source } }),
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

import type { TextForm } from '../contract/kubernetes.js'
import { listRules } from './field-rule.js'
import { type JsonSchema, markAsRule, type Snippet } from './json-schema.js'

/**
 * Adds the descriptions for editors to a field: its meaning, its rules and default, and its source. They are made when
 * somebody reads them: a plan builds the whole schema, and needs none.
 */
export function describeField(meaning: string, source: string, schema: JsonSchema): JsonSchema {
  return {
    get description() {
      return meaning.replaceAll('`', '')
    },
    get markdownDescription() {
      return [meaning, ...listRules(schema), `*${source}.*`].join('\n\n')
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

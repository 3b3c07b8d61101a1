import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import type { JsonSchema } from '../../src/schema/json-schema.js'
import { root } from './manifests.js'

/** The schema in `schemas/<name>.schema.json`, as it is published. */
export function publishedSchema(name: string): JsonSchema {
  return JSON.parse(readFileSync(join(root, 'schemas', `${name}.schema.json`), 'utf8')) as JsonSchema
}

const known = new Map<string, ValidateFunction>()

/** The same, compiled; once for all files of a worker, for it takes long. */
export function publishedValidator(name: string): ValidateFunction {
  const validate = known.get(name) ?? compiled(publishedSchema(name))
  known.set(name, validate)
  return validate
}

const editorVocabulary = [
  'x-compare',
  'x-merge-by',
  'x-reference',
  'x-shape',
  'defaultSnippets',
  'markdownDescription',
  'enumDescriptions',
  'patternErrorMessage',
  'doNotSuggest',
]

/**
 * Compiles a schema as a strict tool of somebody else would: draft-07, and nothing beside it but `discriminator`
 * and the words that editors read. Types may stay unsaid, for the conditions of `if` must hold of any value.
 */
export function compiled(schema: JsonSchema): ValidateFunction {
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    // Making the code shorter takes longer than running it.
    code: { optimize: false },
    discriminator: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
  })
  for (const keyword of editorVocabulary) ajv.addKeyword(keyword)
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  // What an address must be is for the rule `site/url` to say; the format is for editors.
  ajv.addFormat('uri', true)
  return ajv.compile(schema)
}

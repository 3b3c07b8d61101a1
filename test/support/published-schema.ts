import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import type { JsonSchema } from '../../src/schema/json-schema.js'
import { root } from './manifests.js'

/** Reads `schemas/<name>.schema.json`. */
export function publishedSchema(name: string): JsonSchema {
  return JSON.parse(readFileSync(join(root, 'schemas', `${name}.schema.json`), 'utf8')) as JsonSchema
}

const known = new Map<string, ValidateFunction>()

/** Compiles a published schema. The result is cached for all files of a worker, since compiling is slow. */
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
 * Compiles a schema as strictly as an independent tool would: draft-07, with only `discriminator` and keywords for editors
 * added. Types may be missing, since the conditions of `if` must hold for any value.
 */
export function compiled(schema: JsonSchema): ValidateFunction {
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    // Optimizing the code takes longer than running it.
    code: { optimize: false },
    discriminator: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
  })
  for (const keyword of editorVocabulary) ajv.addKeyword(keyword)
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  // The format is for editors; the rule `site/url` checks addresses.
  ajv.addFormat('uri', true)
  return ajv.compile(schema)
}

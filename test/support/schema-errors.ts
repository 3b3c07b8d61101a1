import type { ValidateFunction } from 'ajv'
import { compiled, publishedSchema } from './published-schema.js'

const validators = new Map<string, ValidateFunction>()

/**
 * What the published schema of a document says against it; empty when it fits. The document is taken as its
 * reader gets it, out of JSON text.
 */
export function listSchemaErrors(schema: string, document: unknown): readonly string[] {
  const validate = validators.get(schema) ?? compiled(publishedSchema(schema))
  validators.set(schema, validate)
  validate(JSON.parse(JSON.stringify(document)))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

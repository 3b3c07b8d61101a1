import { publishedValidator } from './published-schema.js'

/**
 * What the published schema of a document says against it; empty when it fits. The document is taken as its
 * reader gets it, out of JSON text.
 */
export function listSchemaErrors(schema: string, document: unknown): readonly string[] {
  const validate = publishedValidator(schema)
  validate(JSON.parse(JSON.stringify(document)))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

import { publishedValidator } from './published-schema.js'

/**
 * Lists the errors of a document under its published schema. The document is converted to JSON and back, as for its readers.
 */
export function listSchemaErrors(schema: string, document: unknown): readonly string[] {
  const validate = publishedValidator(schema)
  validate(JSON.parse(JSON.stringify(document)))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

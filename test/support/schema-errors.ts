import { publishedValidator } from './published-schema.js'

/** Lists the errors of a document, converted to JSON and back as for its readers, under its published schema. */
export function listSchemaErrors(schema: string, document: unknown): readonly string[] {
  const validate = publishedValidator(schema)
  validate(JSON.parse(JSON.stringify(document)))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

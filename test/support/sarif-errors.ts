import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { root } from './manifests.js'

const file = join(root, 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
// Keywords of draft-04 that identify a schema. The rest is also valid in draft-07.
const { id: _, $schema: __, ...schema } = JSON.parse(readFileSync(file, 'utf8'))

// One pattern of the schema is invalid with the `u` flag.
const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false })
ajv.addFormat('uri', (text: string) => URL.canParse(text))
ajv.addFormat('uri-reference', /^([\w.~!$&'()*+,;=:@/?#-]|%[\dA-F]{2})*$/)
ajv.addFormat('date-time', true)
const validate = ajv.compile(schema)

/** Lists the errors of a log under the official SARIF 2.1.0 schema. */
export function listSarifErrors(log: unknown): readonly string[] {
  validate(JSON.parse(JSON.stringify(log)))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

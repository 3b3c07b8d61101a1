import { type ConnectionField, connectionFields, connectionFieldsOf } from '../../contract/cloud.js'
import { isDocumented, newestReportedVersion } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { isObject } from '../../schema/json-schema.js'
import { misspeltFields } from '../did-you-mean.js'
import { select } from '../select.js'
import { cloudProviders } from './cloud-providers.js'
import type { Rule } from './rule.js'

/**
 * A connection names the bucket or container of its provider kind, and has no field of another kind.
 * Region and root folder may be absent: the document does not say that they are required. Service §2.5.
 */
export const connectionFitsTheProvider: Rule = function* ({ value, version }) {
  const isOpen = version !== undefined && !isDocumented(version)
  for (const { pointer, type } of cloudProviders(value)) {
    const allowed = connectionFieldsOf(type, version ?? newestReportedVersion).map(({ name }) => name)
    // One that a later version brings is of the kind.
    const ofKind = connectionFieldsOf(type, newestReportedVersion).map(({ name }) => name)
    for (const found of select(value, `${pointer}/cloudServices/*/connection`)) {
      if (!isObject(found.value)) continue
      const connection = found.value
      const foreign = Object.keys(connection).filter(name => !ofKind.includes(name) && known.includes(name))
      // A misspelt field is reported as an unknown one, with the right name beside it; where that is no error, it is missing, too.
      const misspelt = isOpen ? [] : misspeltFields(connection, known)
      const missing = allowed.slice(0, 1).find(name => !(name in connection) && !misspelt.includes(name))
      if (foreign.length > 0 || missing !== undefined)
        yield diagnose('cloud/connection-fields', found.pointer, { type, allowed, missing, foreign })
    }
  }
}

/** The fields of every kind; one that no kind has is for the schema to report. */
const known = Object.values<readonly ConnectionField[]>(connectionFields)
  .flat()
  .map(({ name }) => name)

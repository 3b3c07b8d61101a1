import { type ConnectionField, connectionFields, listConnectionFields } from '../../contract/cloud.js'
import { isDocumented, newestReportedVersion } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findMisspelledFields } from '../../diagnostics/did-you-mean.js'
import { isObject } from '../../schema/json-schema.js'
import { selectBelow } from '../../schema/select.js'
import { findCloudProviders } from './cloud-providers.js'
import type { Rule } from './rule.js'

/**
 * A connection names the bucket or container of its provider kind, and has no field of another kind.
 * Region and root folder may be absent: the document does not say that they are required. Service §2.5.
 */
export const connectionFitsTheProvider: Rule = function* ({ index, version }) {
  for (const { at, type } of findCloudProviders(index)) {
    const allowed = listConnectionFields(type, version ?? newestReportedVersion).map(({ name }) => name)
    // Includes fields of the kind that a later version introduced.
    const ofKind = listConnectionFields(type, newestReportedVersion).map(({ name }) => name)
    for (const found of selectBelow(at, '/cloudServices/*/connection')) {
      if (!isObject(found.value)) continue
      const connection = found.value
      const foreign = Object.keys(connection).filter(name => !ofKind.includes(name) && known.includes(name))
      // A misspelled field is reported as unknown with a suggestion; if that is only a warning, it also counts as missing.
      const isOpen = version !== undefined && !isDocumented(version)
      const misspelt = isOpen ? [] : findMisspelledFields(connection, known)
      const missing = allowed.slice(0, 1).find(name => !(name in connection) && !misspelt.includes(name))
      if (foreign.length > 0 || missing !== undefined)
        yield diagnose('cloud/connection-fields', found.pointer, { type, allowed, missing, foreign })
    }
  }
}

/** The fields of every kind; the schema reports a field that no kind has. */
const known = Object.values<readonly ConnectionField[]>(connectionFields)
  .flat()
  .map(({ name }) => name)

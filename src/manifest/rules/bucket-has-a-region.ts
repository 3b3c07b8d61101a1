import { connectionFields, credentialTypes } from '../../contract/cloud.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findMisspelledFields } from '../../diagnostics/did-you-mean.js'
import { isObject } from '../../schema/json-schema.js'
import { selectBelow } from '../../schema/select.js'
import { findCloudProviders } from './cloud-providers.js'
import type { Rule } from './rule.js'

const fields = connectionFields.bucket.map(({ name }) => name)

/** A bucket of a kind with regions names its region; the document does not show that it must. Service §2.5. */
export const bucketHasARegion: Rule = function* ({ index }) {
  for (const { at, type } of findCloudProviders(index)) {
    if (credentialTypes[type].provider !== 'bucket') continue
    for (const found of selectBelow(at, '/cloudServices/*/connection')) {
      const connection = found.value
      if (!isObject(connection)) continue
      const misspelt = findMisspelledFields(connection, fields)
      const has = (name: (typeof fields)[number]) => name in connection || misspelt.includes(name)
      if (has('bucketName') && !has('region')) yield diagnose('cloud/region-absent', found.pointer, { type })
    }
  }
}

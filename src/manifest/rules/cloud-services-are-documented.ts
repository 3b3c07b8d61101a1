import { cloudServiceFields } from '../../contract/cloud.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findInOtherCase } from '../did-you-mean.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

const fields = ['type', 'usage', 'category'] as const

/** A storage service has the one value that the document shows for a field; others may exist. Service §2.5. */
export const cloudServicesAreDocumented: Rule = function* ({ value }) {
  for (const field of fields) {
    const { value: documented } = cloudServiceFields[field]
    for (const { pointer, value: found } of select(value, `/spec/cloudStorage/*/cloudServices/*/${field}`)) {
      if (typeof found !== 'string' || found === '' || found === documented) continue
      const otherCase = findInOtherCase(found, [documented]) !== undefined
      yield diagnose('cloud/service-value', pointer, { field, found, documented, otherCase })
    }
  }
}

import { cloudServiceFields } from '../../contract/cloud.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findInOtherCase } from '../../diagnostics/did-you-mean.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

const fields = (['type', 'usage', 'category'] as const).map(field => ({
  field,
  pattern: `/spec/cloudStorage/*/cloudServices/*/${field}`,
  documented: cloudServiceFields[field].value,
}))

/** A storage service has the one value that the document shows for a field; others may exist. Service §2.5. */
export const cloudServicesAreDocumented: Rule = function* ({ index }) {
  for (const { field, pattern, documented } of fields)
    for (const at of select(index, pattern)) {
      const found = at.value
      if (typeof found !== 'string' || found === '' || found === documented) continue
      const otherCase = findInOtherCase(found, [documented]) !== undefined
      yield diagnose('cloud/service-value', at.pointer, { field, found, documented, otherCase })
    }
}

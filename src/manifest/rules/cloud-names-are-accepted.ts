import { credentialTypes } from '../../contract/cloud.js'
import { cloudNames, isAcceptedName } from '../../contract/cloud-names.js'
import { connections, findCloudProviders } from '../../diagnostics/catalog/cloud.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { isObject } from '../../schema/json-schema.js'
import { appendSegment } from '../../schema/pointer.js'
import { selectBelow } from '../../schema/select.js'
import { findHidden, findStray } from '../hidden-characters.js'
import { findPlaceholder } from '../placeholder.js'
import type { Rule } from './rule.js'

/** Each name of cloud storage is one that its provider accepts. */
export const cloudNamesAreAccepted: Rule = function* ({ index }) {
  for (const { at, credential, type } of findCloudProviders(index)) {
    const places = [
      { pointer: appendSegment(at.pointer, 'credential'), value: credential },
      { pointer: `${at.pointer}/credential/secret` as const, value: credential['secret'] },
      ...selectBelow(at, connections),
    ]
    for (const { pointer, value } of places) {
      if (!isObject(value)) continue
      for (const [field, grammar] of Object.entries(cloudNames[credentialTypes[type].provider])) {
        const found = value[field]
        if (typeof found !== 'string' || found === '' || isReportedOtherwise(found)) continue
        if (isAcceptedName(grammar, field, found, value['regionEndpointUrl'])) continue
        const { rule, example } = grammar
        yield diagnose('cloud/name', appendSegment(pointer, field), { field, found, rule, example })
      }
    }
  }
}

/** True for a text that another rule reports: with a placeholder, or with hidden or copied characters. */
function isReportedOtherwise(text: string): boolean {
  return [findPlaceholder(text), findHidden(text, { lines: false }), findStray(text)].some(
    one => one !== undefined,
  )
}

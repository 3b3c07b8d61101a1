import { diagnose } from '../../diagnostics/diagnostic.js'
import { appendSegment, type JsonPointer } from '../../diagnostics/pointer.js'
import { findFieldSchema } from '../../schema/field-schema.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { listMembers } from '../../schema/member.js'
import type { Rule } from './rule.js'

/** No text is a placeholder of `init`, or a variable that another tool would replace. */
export const placeholdersAreFilledIn: Rule = function* ({ value }) {
  if (!mayHavePlaceholder(value)) return
  for (const [pointer, text] of listTexts(value, '')) {
    const [found, variable] = /CHANGE-?ME|\$\{([A-Za-z_]\w*)\}/.exec(text) ?? []
    if (found === undefined || (variable !== undefined && isSentUnchecked(pointer))) continue
    // A secret in the manifest is the greater mistake.
    if (findFieldSchema(pointer)['x-reference'] === 'secret') continue
    yield diagnose('manifest/placeholder', pointer, { found, isVariable: variable !== undefined })
  }
}

/** Nearly every manifest has no placeholder, and then needs no pointers. */
function mayHavePlaceholder(value: JsonValue): boolean {
  if (typeof value === 'string') return value.includes('${') || value.includes('CHANGE')
  return typeof value === 'object' && value !== null && Object.values(value).some(mayHavePlaceholder)
}

function isSentUnchecked(pointer: JsonPointer): boolean {
  return /^\/spec\/(?:extra|systemProperties)\//.test(pointer)
}

function* listTexts(value: JsonValue, pointer: JsonPointer): Generator<[JsonPointer, string]> {
  if (typeof value === 'string') {
    yield [pointer, value]
  } else for (const [key, member] of listMembers(value)) yield* listTexts(member, appendSegment(pointer, key))
}

import { diagnose } from '../../diagnostics/diagnostic.js'
import { appendSegment, type JsonPointer } from '../../diagnostics/pointer.js'
import { findFieldSchema } from '../../schema/field-schema.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { listMembers } from '../../schema/member.js'
import { findPlaceholder, mayHavePlaceholder } from '../placeholder.js'
import type { Rule } from './rule.js'

/** No text contains a placeholder, or a variable of another tool. */
export const placeholdersAreFilledIn: Rule = function* ({ value }) {
  // A text in place of a manifest is a greater mistake.
  if (typeof value === 'string' || !isSuspicious(value)) return
  for (const [pointer, text] of listTexts(value, '')) {
    const placeholder = findPlaceholder(text)
    if (placeholder === undefined || (placeholder.isVariable && isSentUnchecked(pointer))) continue
    // A secret in the manifest is the greater mistake.
    if (findFieldSchema(pointer)['x-reference'] === 'secret') continue
    yield diagnose('manifest/placeholder', pointer, { ...placeholder })
  }
}

/** Nearly every manifest has no placeholder, and then needs no pointers. */
function isSuspicious(value: JsonValue): boolean {
  if (typeof value === 'string') return mayHavePlaceholder(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(isSuspicious)
}

function isSentUnchecked(pointer: JsonPointer): boolean {
  return /^\/spec\/(?:extra|systemProperties)\//.test(pointer)
}

function* listTexts(value: JsonValue, pointer: JsonPointer): Generator<[JsonPointer, string]> {
  if (typeof value === 'string') {
    yield [pointer, value]
  } else for (const [key, member] of listMembers(value)) yield* listTexts(member, appendSegment(pointer, key))
}

import { diagnose } from '../../diagnostics/diagnostic.js'
import type { JsonPointer } from '../../schema/pointer.js'
import { findPlaceholder, mayHavePlaceholder } from '../placeholder.js'
import { listTexts } from '../texts.js'
import type { Rule } from './rule.js'

/** No text contains a placeholder, or a variable of another tool. */
export const placeholdersAreFilledIn: Rule = function* ({ value }) {
  for (const [pointer, text] of listTexts(value, mayHavePlaceholder)) {
    const placeholder = findPlaceholder(text)
    if (placeholder === undefined || (placeholder.isVariable && isSentUnchecked(pointer))) continue
    yield diagnose('manifest/placeholder', pointer, { ...placeholder })
  }
}

function isSentUnchecked(pointer: JsonPointer): boolean {
  return /^\/spec\/(?:extra|systemProperties)\//.test(pointer)
}

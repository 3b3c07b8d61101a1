import { diagnose } from '../../diagnostics/diagnostic.js'
import { findFieldSchema } from '../../schema/field-schema.js'
import { type JsonPointer, readLastSegment, readParent, splitPointer } from '../../schema/pointer.js'
import { formatFieldName } from '../field-path.js'
import { findHidden, findStray, mayHideCharacters } from '../hidden-characters.js'
import { mayBeSecret } from '../may-be-secret.js'
import { findPlaceholder, mayHavePlaceholder } from '../placeholder.js'
import { listTexts } from '../texts.js'
import type { Rule } from './rule.js'

/** No text contains a placeholder, or a variable of another tool. */
export const placeholdersAreFilledIn: Rule = function* ({ value }) {
  for (const [pointer, text] of listTexts(value, mayHavePlaceholder)) {
    const placeholder = findPlaceholder(text)
    if (placeholder === undefined || (placeholder.isVariable && isLeftAlone(pointer, placeholder.found)))
      continue
    yield diagnose('manifest/placeholder', pointer, {
      ...placeholder,
      reference: findReferenceField(pointer),
    })
  }
}

/** True for values that are sent unchanged, and for URLs where a URL belongs, because other rules check these. */
function isLeftAlone(pointer: JsonPointer, found: string): boolean {
  if (/^\/spec\/(?:extra|systemProperties)\//.test(pointer)) return true
  return /^\/spec\/(?:state$|site\/)/.test(pointer) && /^\w+:\/\//.test(found)
}

/** The field of a reference to a secret, or undefined for any other value. */
function findReferenceField(pointer: JsonPointer): 'env' | 'file' | undefined {
  const field = readLastSegment(pointer)
  if (field !== 'env' && field !== 'file') return undefined
  return findFieldSchema(readParent(pointer))['x-reference'] === undefined ? undefined : field
}

/** No text has invisible characters, or characters that were copied along with it. */
export const textsAreVisible: Rule = function* ({ value }) {
  for (const [pointer, text] of listTexts(value, mayHideCharacters)) {
    if (mayBeSecret(splitPointer(pointer), text)) continue
    const field = formatFieldName(pointer)
    const lines = mayHaveLines(pointer)
    const hidden = findHidden(text, { lines })
    if (hidden !== undefined) {
      yield diagnose('manifest/hidden-character', pointer, { field, ...hidden })
      continue
    }
    const stray = lines ? undefined : findStray(text)
    if (stray !== undefined) yield diagnose('manifest/stray-character', pointer, { field, ...stray })
  }
}

/** True for a long text, and for values that are sent unchanged. */
function mayHaveLines(pointer: JsonPointer): boolean {
  return /^\/spec\/(?:administrator\/description$|extra\/|systemProperties\/)/.test(pointer)
}
